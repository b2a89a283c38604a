import { deadlineIn } from "./due-date.ts";
import { ownParagraphs, sentencesIn } from "./mail-text.ts";
import { collapseSpace, firstCharacters } from "./text.ts";

export interface ActionItem {
  /** What is to be done, short enough for a title. */
  text: string;
  /** The sentence that asks for it: `body.slice(start, end)` is exactly `text`. */
  quote: { text: string; start: number; end: number };
  dueAt: Date | null;
}

const MAX_ITEMS = 20;
const MAX_SCANNED = 50_000;
const MAX_SENTENCE = 600;
const MAX_TITLE = 200;

const ASKS = [
  /\b(could|can|would|will) you (please |kindly |also )?(?!believe|imagine|see why|have )\w+/i,
  /\b(i|we) (need|want|would like|'d like|expect) you to\b/i,
  /\b(you (need|have|are required) to|you must)\b/i,
  /\b(make sure|be sure to|don't forget to|do not forget to|remember to)\b/i,
  /\b(kindly|please)\s+(?!find\b|see\b|note\b|do not hesitate|don't hesitate|feel free|accept my|excuse|ignore)\w+/i,
  /\b(action required|to-?do|action item)\s*:/i,
  /\blet (me|us) know (?!if you have any|if there are any|if anything|should you)/i,
];

const COMMANDS = new Set(
  (
    "add answer approve arrange ask assign attach book bring buy call cancel change check collect complete confirm contact " +
    "create decide deliver download draft email ensure fill find finish fix follow forward get give install invite join mail make " +
    "merge move order organise organize pay pick plan postpone prepare print provide publish put read record register remind " +
    "remove renew replace reply report request reschedule reserve resend respond return review run schedule select send set share " +
    "sign submit summarise summarize sync test transfer translate update upload verify visit write"
  ).split(" "),
);

// A sentence that opens with a command word may still only tell: "Check is in the mail."
const TELLS = /^\w+\s+(is|are|was|were|has|have|will|would|can|could|you|i|we|it)\b/i;

/**
 * Sentences of a mail that ask or tell the reader to do something, by rules for English. Pleasantries,
 * quoted answers and signatures are left out; a doubtful sentence is, too.
 */
export function findActionItems(body: string, now: Date, zone = "UTC"): ActionItem[] {
  const scanned = body.slice(0, MAX_SCANNED);
  const items: ActionItem[] = [];
  const seen = new Set<string>();
  for (const paragraph of ownParagraphs(scanned)) {
    for (const { start, end } of sentencesIn(scanned, paragraph)) {
      const text = scanned.slice(start, end);
      const title = titleOf(text);
      if (!isRequest(text) || seen.has(title.toLowerCase())) continue;
      seen.add(title.toLowerCase());
      items.push({ text: title, quote: { text, start, end }, dueAt: deadlineIn(collapseSpace(text), now, zone) });
      if (items.length === MAX_ITEMS) return items;
    }
  }
  return items;
}

function isRequest(sentence: string): boolean {
  if (sentence.length < 8 || sentence.length > MAX_SENTENCE) return false;
  const text = collapseSpace(sentence);
  if (ASKS.some((pattern) => pattern.test(text))) return true;
  const [first = "", second] = text.split(" ");
  return second !== undefined && COMMANDS.has(first.toLowerCase()) && !TELLS.test(text) && !text.endsWith("?");
}

const LEAD_IN =
  /^(?:(?:action required|to-?do|action item)\s*:\s*|(?:and|also|so|then)\s*,?\s+|please\s+|kindly\s+|(?:could|can|would|will) you\s+|(?:please|kindly|also)\s+)+/i;

function titleOf(sentence: string): string {
  const text = collapseSpace(sentence);
  const rest = text.replace(LEAD_IN, "").replace(/[.?!\s]+$/, "");
  const title = rest.length >= 3 ? rest : text;
  return firstCharacters(title.charAt(0).toUpperCase() + title.slice(1), MAX_TITLE);
}
