import { capitalize, collapseSpace } from "../../lib/text.ts";
import { wordSet } from "../../lib/words.ts";
import { dueOf as dueDateOf } from "../due-date.ts";
import { datesIn, type Quote, quoteOf, type ReadEmail, textOf } from "./email.ts";
import { type RequestModel, requestModel } from "./request-model.ts";
import { IMPERATIVES } from "./request-words.ts";
import type { TextRange } from "./sentences.ts";

export interface ActionItem {
  /** What to do, short enough for a title. */
  text: string;
  quote: Quote;
  dueAt: Date | null;
  /** A name, "you" for the reader, or the sender for a promise. */
  assignee: string | null;
  confidence: number;
}

const MAX_ITEMS = 20;
const MAX_TITLE = 200;

/** The sentences of an email that ask, propose or promise something. */
export function actionItemsIn(email: ReadEmail, model: RequestModel = requestModel): ActionItem[] {
  const items: ActionItem[] = [];
  const seen = new Set<string>();
  for (const range of email.sentences) {
    const sentence = textOf(email, range);
    if (!/[a-z]/i.test(sentence)) continue;
    const margin = adjusted(sentence, model.margin(collapseSpace(sentence)), isListed(email, range));
    if (margin <= 0) continue;
    const text = titleOf(sentence);
    if (seen.has(text.toLowerCase())) continue;
    seen.add(text.toLowerCase());
    items.push({
      text,
      quote: quoteOf(email, range),
      dueAt: dueOf(email, range),
      assignee: assigneeOf(sentence, email),
      confidence: Math.round(100 / (1 + Math.exp(-margin))) / 100,
    });
    if (items.length === MAX_ITEMS) break;
  }
  return items;
}

const SURE_ASK =
  /\b(?:action (?:required|item)|to-?do)\s?:|\bplease (?:send|review|confirm|approve|sign|submit|reply|respond|call|forward|update|complete|let me know)\b|\b(?:can|could|would|will) you (?:please |kindly )?(?:send|review|confirm|approve|sign|submit|reply|respond|call|forward|update|complete|check|share|prepare)\b/i;
const SURE_TALK =
  /^(?:thanks?|thank you|congratulations|happy birthday)\b[^?]{0,80}[.!]?$|\bdo not reply to this\b|\bunsubscribe\b/i;

/** Corrects the model for plain requests and courtesies, which its training data has too few of. */
function adjusted(sentence: string, margin: number, listed: boolean): number {
  if (SURE_TALK.test(sentence)) return margin - 1;
  if (listed && COMMAND.test(sentence) && IMPERATIVES.has(sentence.split(/\W/, 1)[0]?.toLowerCase() ?? ""))
    return margin + 1.5;
  return SURE_ASK.test(sentence) ? margin + 0.7 : margin;
}

/** A verb with an object. "Check is in the mail" is a statement. */
const COMMAND = /^[a-z]{2,15}\s+(?!is\b|are\b|was\b|were\b|has\b|have\b|will\b|can\b)\S/i;
const BULLET_BEFORE = /(?:^|\n)\s{0,10}(?:[-*•–]|\d{1,2}[.)]|\[[ x]?\])\s{1,10}$/;

/** Whether the sentence is an item of a list. */
function isListed(email: ReadEmail, { start }: TextRange): boolean {
  return BULLET_BEFORE.test(email.visible.slice(Math.max(0, start - 25), start));
}

const COURTESY =
  /\b(?:if you have (?:any|questions)|if there (?:are|is) any|any (?:further )?questions|feel free|don't hesitate|do not hesitate|look(?:ing)? forward|please (?:find|note|see|accept|be advised|excuse|ignore)|can you believe|glad you|hope (?:you|this|all))\b/i;

/** Whether an item is work to do, not a phrase such as "feel free to ask". */
export function isTask({ quote }: ActionItem): boolean {
  return !COURTESY.test(quote.text);
}

const LEAD_IN =
  /^(?:(?:action required|to-?do|action item)\s?:\s?|(?:and|also|so|then|hi|hey|hello)\b\s?,?\s|[A-Z][a-z]{1,20}\s?[,-]\s|please\s|kindly\s|(?:could|can|would|will) you\s(?:please\s|kindly\s)?|i (?:need|want) you to\s|just\s)+/i;

function titleOf(sentence: string): string {
  const text = collapseSpace(sentence);
  const rest = text.replace(LEAD_IN, "").replace(/[.?!\s]+$/, "");
  const title = rest.length >= 3 ? rest : text;
  return [...capitalize(title)].slice(0, MAX_TITLE).join("");
}

const BY =
  /\b(?:by|before|until|till|due|no later than|not later than|deadline|due date)\b[^a-z0-9]{0,3}(?:the\s)?(?:on\s|is\s)?$/i;

/** The due date in a sentence: the date after "by" and similar words, or else the first future one. */
export function dueOf(email: ReadEmail, range: TextRange): Date | null {
  const dates = datesIn(email, range).filter((date) => date.from !== null && !date.doubt && date.type !== "set");
  const bound = dates.find((date) => BY.test(email.visible.slice(Math.max(range.start, date.start - 30), date.start)));
  const chosen = bound ?? dates.find((date) => (dueDateOf(date, email)?.getTime() ?? 0) >= email.reference.getTime());
  return chosen ? dueDateOf(chosen, email) : null;
}

const NAMED =
  /^(?:hi |hey |dear |@)?([A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?)\s?(?:,|-|–|:)\s|^([A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?) (?:to|will|should|must|needs to|has to|please)\b/;
const NOT_NAMES = wordSet(
  "please also if and so but then thanks let can could would will this that it we you they he she there when what who how where why ok okay hi hey dear hello finally first second third next monday tuesday wednesday thursday friday saturday sunday yes no sorry",
);

function assigneeOf(sentence: string, email: ReadEmail): string | null {
  const found = NAMED.exec(collapseSpace(sentence).slice(0, 80));
  const name = found?.[1] ?? found?.[2];
  if (name && !NOT_NAMES.has((name.split(" ")[0] ?? "").toLowerCase())) return name;
  if (/\b(?:i'll|i will|i shall|i am going to|i'm going to|i can (?:send|get|do|have))\b/i.test(sentence)) {
    return email.from?.name ?? email.from?.email ?? "sender";
  }
  return /\b(?:we'll|we will|let's|lets)\b/i.test(sentence) ? null : "you";
}
