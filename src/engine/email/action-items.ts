import { collapseSpace } from "../../lib/text.ts";
import { wordSet } from "../../lib/words.ts";
import type { FoundDate } from "../dates/find-dates.ts";
import { chosen, dueOf as dueDateOf } from "../due-date.ts";
import { datesIn, type Quote, quoteOf, type ReadEmail, textOf } from "./email.ts";
import { asksToMeet } from "./meeting-ask.ts";
import { type RequestModel, requestModel } from "./request-model.ts";
import { readRequest } from "./request-phrase.ts";
import { IMPERATIVES, NOT_NAMES } from "./request-words.ts";
import type { TextRange } from "./sentences.ts";
import { taskTitle } from "./task-title.ts";
import { writersOf } from "./writer.ts";

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

/** The sentences of an email that ask, propose or promise something. */
export function actionItemsIn(email: ReadEmail, model: RequestModel = requestModel): ActionItem[] {
  const items: ActionItem[] = [];
  const seen = new Set<string>();
  const known = new Set<string>();
  let writers: ReturnType<typeof writersOf> | null = null;
  for (const range of email.sentences) {
    const sentence = textOf(email, range);
    if (!/[a-z]/i.test(sentence) || known.has(sentence)) continue;
    known.add(sentence);
    const margin = adjusted(sentence, model.margin(collapseSpace(sentence)), isListed(email, range));
    if (margin <= 0) continue;
    const due = dueDate(email, range);
    writers ??= writersOf(email);
    const writer = writers(range.start);
    const text = taskTitle(due && !asksToMeet(sentence) ? withoutDue(sentence, range.start, due) : sentence, writer);
    if (seen.has(text.toLowerCase())) continue;
    seen.add(text.toLowerCase());
    items.push({
      text,
      quote: quoteOf(email, range),
      dueAt: due && dueDateOf(due, email),
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
  /^(?:see you (?:at|on|in|then|there|soon|tomorrow|next)\b[^?]{0,60}|have a (?:good|nice|great|lovely|safe|wonderful)\b[^?]{0,60}|(?:great|perfect|ok|okay|sure|fine|good|yes)[,!.] [^?]{0,40}\b(?:works|suits|is fine) (?:for )?(?:me|us)\b)[.!]?$|^(?:thanks?|thank you|congratulations|happy birthday)\b[^?]{0,80}[.!]?$|\bdo not reply to this\b|\bunsubscribe\b/i;

/** Corrects the model for plain requests and courtesies, which its training data has too few of. */
function adjusted(sentence: string, margin: number, listed: boolean): number {
  if (ENCLOSED.test(sentence) && !AND_DO.test(sentence)) return -1;
  if (SURE_TALK.test(sentence) || STATEMENT.test(sentence)) return margin - 1;
  if (NEEDED.test(sentence) || INDIRECT.test(sentence)) return Math.max(margin + 1.1, 0.2);
  if (listed && COMMAND.test(sentence) && IMPERATIVES.has(sentence.split(/\W/, 1)[0]?.toLowerCase() ?? ""))
    return margin + 1.5;
  if (SURE_ASK.test(sentence)) return EXPLICIT_ASK.test(sentence) ? Math.max(margin + 0.7, 0.2) : margin + 0.7;
  if (!PLAIN_ASK.test(sentence) || COURTESY.test(sentence)) return YES_OR_NO.test(sentence) ? margin + 0.35 : margin;
  return EXPLICIT_ASK.test(sentence) ? Math.max(margin + 1.1, 0.2) : margin + 1.1;
}

/** "Please find attached …" asks for nothing. */
const ENCLOSED =
  /^\W{0,3}(?:hi|hello|dear)?[\w ,]{0,20}\bplease (?:find|see) (?:attached|enclosed|below|the (?:attached|enclosed))\b[^?]*$/i;
const AND_DO =
  /\b(?:and|then) (?:please |kindly )?(?:sign|return|review|confirm|let|send|complete|fill|approve|pay|check|reply|advise|tell|forward)\b/i;
/** "Open enrolment closes on 30 November." begins with a word that is also a verb. */
const STATEMENT =
  /^\W{0,3}(?:[A-Z][a-z]+) (?:[a-z]+ ){1,2}(?:closes|opens|starts|begins|ends|runs|expires|arrives|departs|leaves|takes place)\b[^?]*$/;
/** "We still need your signature on the contract." */
const NEEDED =
  /^\W{0,3}(?:(?:and|also|but|so|then)[, ]+)?(?:i|we)(?:'re| are|'m| am)? (?:just |also |still |urgently |really )*(?:need|require|miss|missing|waiting for|awaiting) (?:your|an? (?:answer|reply|decision|signature|approval|copy) (?:from|of)|the \w+ (?:\w+ )?from you|the (?:\w+ ){1,4}(?:by|before|until|no later than))\b(?! help| support| love)[^?]*$|^\W{0,3}(?:i|we) (?:still )?(?:haven't|have not) (?:yet )?(?:received|got|had|seen) your\b/i;

/** "We'd be grateful if you returned the form", "Let us have your details", "Your feedback would be appreciated". */
const INDIRECT =
  /^\W{0,3}(?:(?:[A-Z][a-z]{1,15}|all of you|and|also|so)[,:]? )?(?:(?:i|we)(?:'d| would) (?:really |very |so )?(?:be (?:\w+ )?(?:grateful|glad|happy|thankful)|appreciate it) if you\b|(?:i|we)(?:'d| would) (?:really |very )?(?:be (?:\w+ )?grateful for|appreciate) (?:an?|your|some)\b|(?:i|we) (?:was|were|am|are) (?:just )?hoping (?:that )?you (?:might|could|would|can)\b|let (?:me|us) have (?:your|the|a)\b|(?:could|can|may|might) (?:i|we) (?:please )?(?:have|get|ask you (?:to|for)) (?!you know)|you(?:'ll| will) (?:also |still )?(?:need|have) to (?!know|be)\w|(?:i|we) expect (?:your|you to)\b|do (?:me|us) a favou?r and \w|your (?:\w+ ){1,6}would be (?:\w+ )?(?:appreciated|helpful|welcome)|all of you: \w)/i;

/** A question that wants an answer. */
const YES_OR_NO =
  /^\W{0,3}(?:(?:and|also|so|but|[A-Z][a-z]{1,15}),? )?(?:is|are|do|does|did|have|has|will|would|could|can|should|when (?:can|will|do)) (?!it not\b)(?=[^?]*\b(?:you|your|we|i)\b)[^?]{6,160}\?\W*$/i;

const EXPLICIT_ASK =
  /\b(?:kindly|remember to|forget to|(?:need|want|like) you to|(?:asked|requested|required) to|(?:must|needs? to|ha(?:s|ve) to) be)\b|\baction (?:required|item)\s?:/i;

/** How people today ask for something, which the training data, old business email and advertising, has too few of. */
const PLAIN_ASK =
  /^\W{0,3}(?:(?:and|also|so|then|[A-Z][a-z]{1,15}),? )?(?:kindly \w{3,}|(?:please )?remember to \w|(?:please )?(?:don't|do not) forget (?:to|about) \w|(?:i|we)(?:'d| would)? (?:need|want|like) you to (?!know)\w|you are (?:kindly )?(?:asked|requested|required) to \w|(?:[\w' ]{3,40} )(?:must|needs? to|has to|have to) be (?:\w{3,}ed|sent|paid|done|made|given|taken)\b.{0,30}\b(?:by|before|no later than)\b|(?:this is |just )?(?:a )?(?:quick |gentle |friendly )?reminder to \w)|^\W{0,3}(?:tell|submit|send|return|sign|pay|complete|bring|book|order|renew|cancel|prepare|print|upload|email|reply|confirm|approve|review|update|fix|clean|buy|finish)\b(?! (?:is|are|was|has|out|up to)\b)[^!]{3,80}\b(?:by|before|until|no later than|not later than)\b[^!]{2,40}\.?$|^\W{0,3}(?:tell|ask|remind) (?:the|my|your|[A-Z][a-z]+) \w|^\W{0,3}make sure (?:that )?(?:the|your|you|to|all|both|everyone)\b|^\W{0,3}(?:sign|return|update|submit|send|forward|print|scan|prepare|revise|correct|bring|book|order|renew|cancel|pay|approve|upload|clean|fix)(?:(?: here)? and (?:return|send|sign|file|forward|submit))? (?:the|both|all|my|me|us|him|her|them|this|these|it|copies|enclosed|attached)\b[^!$]{2,90}[.)]?$/i;

/** Whether a sentence asks for something in so many words. */
export function isPlainRequest(sentence: string): boolean {
  return SURE_ASK.test(sentence) || PLAIN_ASK.test(sentence);
}

/** A verb with an object. "Check is in the mail" is a statement. */
const COMMAND = /^[a-z]{2,15}\s+(?!is\b|are\b|was\b|were\b|has\b|have\b|will\b|can\b)\S/i;
const BULLET_BEFORE = /(?:^|\n)\s{0,10}(?:[-*•–]|\d{1,2}[.)]|\[[ x]?\])\s{1,10}$/;

/** Whether the sentence is an item of a list. */
function isListed(email: ReadEmail, { start }: TextRange): boolean {
  return BULLET_BEFORE.test(email.visible.slice(Math.max(0, start - 25), start));
}

const COURTESY =
  /\b(?:(?:call|contact|tell|let|write to|email) (?:us|me)(?: know)? if you (?:cannot|can't|can not|are unable)|if you have (?:any|questions)|if there (?:are|is) any|any (?:further )?questions|feel free|don't hesitate|do not hesitate|look(?:ing)? forward|please (?:find|note|see|accept|be advised|excuse|ignore|welcome)|can you believe|glad you|hope (?:you|this|all)|see you|have a (?:good|nice|great|lovely|safe|wonderful)|enjoy (?:the|your))\b/i;

/**
 * Whether an item is work for the reader. A phrase such as "feel free to ask" is not, nor a request to meet, which is
 * a meeting, nor what the sender promises.
 */
export function isTask({ quote, assignee }: { quote: { text: string }; assignee: string | null }): boolean {
  if (COURTESY.test(quote.text) || asksToMeet(quote.text)) return false;
  return assignee === "you" || readRequest(collapseSpace(quote.text)).kind !== "promise";
}

const BY =
  /\b(?:by|before|until|till|due|no later than|not later than|deadline|due date)\b[^a-z0-9]{0,3}(?:the\s)?(?:on\s|is\s)?$/i;

const ABOUT_DAY =
  /\b(?:whether|if)\b.{0,60}\b(?:works?|suits?|is (?:ok|okay|fine|good)|are (?:free|available|coming)|can (?:come|make it|join|attend))\b|^\W*(?:(?:and|also|then|so)[, ]+)?(?:are|is|will|do|does|did|have|has|was|were|which|when|what|who)\b.*\?[^\w?]*$/is;

/** The due date in a sentence: the date after "by" and similar words, or else the first future one. */
function dueDate(email: ReadEmail, range: TextRange): FoundDate | null {
  const dates = chosen(email.visible, datesIn(email, range)).filter(
    (date) => date.from !== null && !date.doubt && date.type !== "set",
  );
  const bound = dates.find((date) => BY.test(email.visible.slice(Math.max(range.start, date.start - 30), date.start)));
  // A question about a day is not due then: "let me know whether Thursday works".
  if (ABOUT_DAY.test(textOf(email, range))) return bound ?? null;
  const isAhead = (date: FoundDate) => (dueDateOf(date, email)?.getTime() ?? 0) >= email.reference.getTime();
  return bound ?? dates.find(isAhead) ?? null;
}

export function dueOf(email: ReadEmail, range: TextRange): Date | null {
  const found = dueDate(email, range);
  return found && dueDateOf(found, email);
}

const BEFORE_DUE =
  /(?:[\s,(–-]{1,9}(?:(?:at the latest |sometime |some time |any ?time |preferably |ideally |latest |due |deadline:? ?){0,4}(?:by|before|no later than|not later than|on or before|within|due(?: on| by)?|on|at|around|in)?(?: the)?)|^)[\s:]{0,9}$/i;
/** A date after one of these belongs to the thing and is no deadline: "a table for Friday". */
const PART_OF_TASK =
  /\b(?:for|from|of|since|after|until|till|between|about|than|to|and|or|the|our|your|my|this|that|last|with)\s*$/i;
const AFTER_DUE =
  /^(?:(?:at the latest|latest|sharp|if possible|please|thanks)\b|[)\s]){0,20}(?=$|[.,;:?!)–-]|\s(?:and|or|so|if|because|since|as|to|with|for|in|at|please|thanks)\b)/i;

/** The sentence without its due date, which the task has as a date: "Send it by Friday" → "Send it". */
function withoutDue(sentence: string, offset: number, due: FoundDate): string {
  const before = sentence.slice(0, due.start - offset);
  const after = sentence.slice(due.end - offset);
  const lead = BEFORE_DUE.exec(before);
  const end = AFTER_DUE.exec(after);
  const isBound = /\b(?:no|not) later than\s*$/i.test(before);
  if (!lead || !end || (PART_OF_TASK.test(before) && !isBound)) return sentence;
  const rest = after.slice(end[0].length);
  const kept = before.slice(0, lead.index);
  return kept === ""
    ? rest.replace(/^[\s,:–-]+/, "")
    : `${kept}${/^[.,;:?!)]/.test(rest) || rest === "" ? "" : " "}${rest.trimStart()}`;
}

const NAMED =
  /^(?:hi |hey |dear |@)?([A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?)\s?(?:,|-|–|:)\s|^([A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?) (?:to|will|should|must|needs to|has to|please)\b/;
const NOBODY = new Set([
  ...NOT_NAMES,
  ...wordSet(
    "hi hey dear hello by on at in for as per to from with since while unless whenever all team everyone everybody both guys folks",
  ),
]);

function assigneeOf(sentence: string, email: ReadEmail): string | null {
  const text = collapseSpace(sentence).slice(0, 300);
  const found = NAMED.exec(text.slice(0, 80));
  const name = found?.[1] ?? found?.[2];
  if (name && !NOBODY.has((name.split(" ")[0] ?? "").toLowerCase())) return isReader(name, email) ? "you" : name;
  if (readRequest(text).kind === "promise") return email.from?.name ?? email.from?.email ?? "sender";
  return /\b(?:we'll|we will|let's|lets)\b/i.test(sentence) ? null : "you";
}

const GREETED =
  /^\s{0,10}(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))[ ,]{1,2}(\p{Lu}\p{L}{1,20})(?: \p{Lu}\p{L}{1,20})?\s?[,!:.]?\s{0,3}$/imu;

/** Whether this name is that of the person the email greets or, without a greeting, of its only recipient. */
function isReader(name: string, { visible, to }: ReadEmail): boolean {
  const first = (name.split(" ")[0] ?? "").toLowerCase();
  const greeted = GREETED.exec(visible.slice(0, 300))?.[1];
  if (greeted) return greeted.toLowerCase() === first;
  const [only] = to?.length === 1 ? to : [];
  return (
    only !== undefined &&
    `${only.name ?? ""} ${only.email ?? ""}`
      .toLowerCase()
      .split(/[^\p{L}]/u)
      .includes(first)
  );
}
