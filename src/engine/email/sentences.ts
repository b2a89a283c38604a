import { wordSet } from "../../lib/words.ts";
import { IMPERATIVES } from "./request-words.ts";

/** A part of a text: `text.slice(start, end)`. */
export interface TextRange {
  start: number;
  end: number;
}

const QUOTED_FROM_HERE = [
  /^-{2,}\s?(?:original message|forwarded message|original appointment)\s?-{2,}/i,
  /^_{10,}$/,
  /^(?:on|am|le|el)\b.{5,200}\b(?:wrote|schrieb|a écrit|escribió)\s?:$/i,
  /^from:\s.{0,150}@/i,
  /^begin forwarded message/i,
];
const SIGNATURE = /^(?:--\s?|—|sent from my .{1,60}|get outlook for .{1,60}|sent via .{1,60})$/i;
/** A line such as "Kind regards," or "Thanks again". */
export const SIGN_OFF =
  /^(?:(?:best|kind|kindest|warm|warmest|many|with best|with kind|yours)\s)?(?:regards|wishes|thanks|thank you|cheers|sincerely|sincerely yours|truly|faithfully|yours|best|rgds|br|thx|ciao|all the best|talk soon|take care|love)(?:\sin advance|\sagain)?\s?[,!.]{0,2}$/i;
const GREETING =
  /^(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening|day))(?:[ ,]{1,2}(?!monday|tuesday|wednesday|thursday|friday|saturday|sunday)[a-z'.-]{1,20}){0,3}\s?[,!:]{0,2}$/i;
const BULLET = /^\s{0,20}(?:[-*•–]|\d{1,2}[.)]|\[[ x]?\])\s{1,10}/;
const DISCLAIMER =
  /\b(?:intended (?:solely|only) for|confidential(?:ity)? (?:notice|and)|may contain (?:confidential|privileged)|if you (?:are not|have received) (?:the intended|this (?:e-?mail|message) in error)|privileged (?:and|or) confidential|unsubscribe|manage your (?:email )?preferences|view (?:this email )?in (?:your )?browser|you (?:are receiving|received) this (?:e-?mail|message)|all rights reserved|update your preferences)\b/i;

/** The headers that mail programs repeat above a forwarded message. */
const HEADER_LINE =
  /^[*_]{0,2}(?:from|date|sent|subject|to|cc|reply-to|von|an|betreff|datum|gesendet|de|envoyé|objet|à|para|asunto|fecha|enviado)[*_]{0,2}\s?:/i;

const MAX_MARK = 250;

/**
 * The paragraphs that the sender wrote, without quoted replies, signature, greeting and disclaimer. A line with a
 * bullet is a paragraph of its own, without the bullet.
 */
function ownParagraphs(body: string, isForward = false): TextRange[] {
  const paragraphs: TextRange[] = [];
  let open: TextRange | null = null;
  let hasText = false;
  let part: "own" | "between" | "header" | "forwarded" = "own";
  for (const line of linesOf(body)) {
    const text = body.slice(line.start, Math.min(line.end, line.start + 1000)).trim();
    if (isForward && part !== "forwarded") {
      // The forwarded text is the content. The sender's own words above it may end with a signature.
      if (part !== "header" && isQuoteMark(text)) part = "header";
      else if (part === "own" && isEnd(text, hasText)) part = "between";
      if (part === "between" || (part === "header" && (text === "" || isQuoteMark(text) || HEADER_LINE.test(text)))) {
        open = null;
        continue;
      }
      if (part === "header") {
        part = "forwarded";
        hasText = false;
      }
    }
    if (isEnd(text, hasText)) break;
    if (text === "" || text.startsWith(">") || isGreeting(text.slice(0, MAX_MARK))) {
      open = null;
      continue;
    }
    hasText = true;
    const bullet = BULLET.exec(body.slice(line.start, line.start + 60))?.[0].length ?? 0;
    if (open && bullet === 0) open.end = line.end;
    else {
      open = { start: line.start + bullet, end: line.end };
      paragraphs.push(open);
    }
  }
  const kept = paragraphs.filter(({ start, end }) => !DISCLAIMER.test(body.slice(start, Math.min(end, start + 2000))));
  // If there is nothing but a disclaimer, it is what the sender wrote.
  return kept.length > 0 ? kept : paragraphs;
}

/** "Hi Ann," but not "Hey, send it again." */
function isGreeting(text: string): boolean {
  if (!GREETING.test(text)) return false;
  const [, first = ""] = text.toLowerCase().split(/[\s,]+/, 2);
  return !IMPERATIVES.has(first) && first !== "please";
}

/** Whether the sender's own text ends here. A sign-off ends it only after other text. */
function isEnd(text: string, hasText: boolean): boolean {
  if (text.length > MAX_MARK) return false;
  if (hasText && (SIGNATURE.test(text) || SIGN_OFF.test(text))) return true;
  return hasText && isQuoteMark(text);
}

function isQuoteMark(text: string): boolean {
  return text.length <= MAX_MARK && QUOTED_FROM_HERE.some((mark) => mark.test(text));
}

function* linesOf(body: string): Generator<TextRange> {
  let start = 0;
  while (start <= body.length) {
    const newline = body.indexOf("\n", start);
    const end = newline < 0 ? body.length : newline;
    yield { start, end };
    start = end + 1;
  }
}

const ABBREVIATIONS = wordSet(
  "e.g i.e etc mr mrs ms dr st vs no approx a.m p.m jr sr inc ltd co dept jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun",
);
const MAX_SENTENCE = 2000;

/** The sentences of a part of a text, without the white space around them. */
export function sentencesIn(body: string, { start, end }: TextRange): TextRange[] {
  const sentences: TextRange[] = [];
  let from = start;
  let at = start;
  while (at < end) {
    const code = body.charCodeAt(at);
    const isStop = code === 46 || code === 63 || code === 33;
    at += 1;
    if (!isStop && at - from < MAX_SENTENCE) continue;
    while (at < end && /[.?!"')\]]/.test(body.charAt(at))) at += 1;
    const isBoundary = at >= end || /\s/.test(body.charAt(at)) || at - from >= MAX_SENTENCE;
    if (!isBoundary || (code === 46 && endsInAbbreviation(body, from, at, end))) continue;
    pushTrimmed(sentences, body, from, at);
    from = at;
  }
  pushTrimmed(sentences, body, from, end);
  return sentences;
}

/** "am 3. Dezember", "der 2. Termin": a numeral with a full stop, in the middle of a sentence. */
const ORDINAL = /(?:^|\s)\d{1,2}(?:\.\d{1,2})?\.$/;
const GOES_ON =
  /^\s(?:[a-zäöü]|(?:Jan|Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Oct|Nov|Dez|Dec)\p{Ll}*\b|(?:Termin|Quartal)\b)/u;

function endsInAbbreviation(body: string, from: number, at: number, end: number): boolean {
  if (ORDINAL.test(body.slice(Math.max(from, at - 8), at)) && GOES_ON.test(body.slice(at, at + 14))) return true;
  const word = /([a-z][a-z.]{0,6})\.$/i.exec(body.slice(Math.max(from, at - 9), at))?.[1]?.toLowerCase();
  if (!word || !(ABBREVIATIONS.has(word) || /^[a-z]$/.test(word))) return false;
  // "at 5 p.m. We …" ends there; "p.m. on Friday" and "Dr. Who" go on.
  const next = /^\s{0,5}(\S)/.exec(body.slice(at, Math.min(end, at + 10)))?.[1] ?? "";
  const isTime = word === "a.m" || word === "p.m" || word === "etc";
  return isTime ? /[a-z0-9(]/.test(next) : next !== "";
}

function pushTrimmed(sentences: TextRange[], body: string, start: number, end: number): void {
  const text = body.slice(start, end);
  const trimmed = text.trim();
  if (trimmed === "") return;
  const from = start + text.indexOf(trimmed);
  sentences.push({ start: from, end: from + trimmed.length });
}

/** All the sentences the sender wrote. */
export function ownSentences(body: string, isForward = false): TextRange[] {
  return ownParagraphs(body, isForward).flatMap((paragraph) => sentencesIn(body, paragraph));
}
