import type { ChatRecord, ChatState } from "../../../db/schema/chat.ts";
import { datesIn } from "../../../engine/notes/message-time.ts";
import { wordSet } from "../../../lib/words.ts";
import { getEmail } from "../../emails/service.ts";
import { addressesOf } from "../../tools/addresses.ts";
import { bestMatches, shareOf } from "../../tools/language/name-match.ts";
import type { Act, Filled } from "../reader/read.ts";
import { groupOf, isSure } from "../reader/sure.ts";
import { classesOf, isDeterminer } from "../reader/word-classes.ts";
import { contentOf } from "../request/content.ts";
import { FOR_NAME, isOnlyTime, onlySetsRight, setsRight, titleSetRight } from "../request/corrections.ts";
import { remindsOfNew, withoutStop, wordsOf } from "../request/exact.ts";
import { shortItems } from "../request/items.ts";
import { isOfThatOne, isOrder, orderIn } from "../request/orders.ts";
import { isReferring, type Kind, kindIn } from "../request/reference.ts";
import { type Request, slotsOf } from "../request/request.ts";
import { letterText, tellingIn, toldBare } from "../request/telling.ts";
import { bareTime, factorIn, withoutFactor } from "../request/times.ts";
import { isQuestion, vetoOf } from "../request/vetoes.ts";
import { recordNamed } from "./acts/back.ts";
import { isTitle, tidy } from "./acts/titles.ts";
import { listOfLast } from "./labels.ts";
import { emailInTalk } from "./of-email.ts";
import { distinct, eventOf, isSame, lastChange, onlyOf, type Sight } from "./plan.ts";
import { resolve } from "./resolve.ts";

/*
 * Short messages that go on from the last reply: their meaning is known from it and from closed classes of words,
 * better than from the words that they leave out.
 */

export const QUESTIONS: ReadonlySet<Act> = new Set<Act>(["ask_day", "ask_free", "ask_tasks", "ask_mail"]);

const SHORT = 6;
const LONGEST = 10;
const SUGGESTS = /^(?:and |so |but )?(?:what|how) about\b|^(?:wie wäre|et si|qué tal)\b/i;

interface Place {
  isAsked: boolean;
  /** The message has no other wish. */
  isOnly: boolean;
}

export async function inContext(sight: Sight, request: Request, { isAsked, isOnly }: Place): Promise<Request> {
  const { state } = sight;
  const sure = { share: 1, change: 1, isKnown: true } as const;
  const back = isAsked ? null : broughtBack(state, request);
  if (back) return { ...request.as("undo"), names: [], about: back, ...sure };
  if (ASKS_MORE.test(request.text) && request.reference && !isAsked)
    return { ...request.as("ask_about"), share: 1, change: 0 };
  const isOfList = OF_LIST.test(request.text) && state.groups.some((group) => group.length > 1);
  const isAsking = isQuestion(request.text) || wordsOf(request.text).some((word) => classesOf(word).includes("wh"));
  if (isOfList && isAsking && !isAsked)
    return { ...request.as("ask_about"), names: [], times: [], share: 1, change: 0 };
  const told = toldPerson(sight, request);
  if (told) return told;
  const isAdd = groupOf(request.act) !== "remove" && !OF_TASKS.has(request.act);
  const isOfTask =
    isAdd &&
    isOfThatOne(request.text) &&
    (request.times.length > 0 || ACCORDINGLY.test(request.text)) &&
    !isAsking &&
    !isAsked;
  if (isOfTask && vetoOf(request.text) === null)
    return { ...request.as("move"), names: [], slots: [], kind: "task", reference: { which: "one" }, ...sure };
  const answer = await answeredInvitation(sight, request);
  if (answer) return answer;
  const byEmail = isAsked ? null : await likeEmail(sight, request);
  if (byEmail) return byEmail;
  if (isAsked || !isOnly || wordsOf(request.text).length > LONGEST) return request;
  // A suggestion is asked about.
  if (suggestsTime(state, request)) return { ...request.as("move"), share: 1, change: 1 };
  const question = askedAgain(state, request);
  // "And on Friday?", after a question about tasks, is about tasks.
  const kind = question === "ask_tasks" ? { kind: "task" as const } : {};
  if (question) return { ...request.as(question), ...kind, share: 1, change: 0 };
  if (request.text.endsWith("?")) return request;
  const [last] = state.groups[0] ?? [];
  const title =
    state.isWritten && last && state.groups[0]?.length === 1 ? titleSetRight(request.text, last.title) : null;
  if (title && last && (last.kind === "event" || last.kind === "task"))
    return {
      ...request.as("rename"),
      ...sure,
      names: [],
      slots: [{ slot: "n", text: title, start: 0, end: 0 }],
      about: last,
    };
  const copy = copied(state, request);
  if (copy) return { ...request.as("add_event"), ...sure, copyOf: copy };
  const meant = meantOtherwise(sight, request);
  if (meant) return { ...request.as(meant.act), ...meant, names: [], reference: null, ...sure };
  const same = await sameFor(sight, request);
  if (same) return same;
  const more = await moreFor(sight, request);
  return more ? { ...more, ...sure } : request;
}

const ACCORDINGLY = /\baccordingly\b|\blike that\b|\bthat time\b/i;
/** Acts that a time beside "the task" does not take the place of. */
const OF_TASKS = wordSet(
  "done reopen priority repeat no_repeat undate rename later earlier longer shorter length until undo redo",
);

const BACK =
  /\b(?:bring|put|get|want|need|have)\b(?<what>(?:(?!\b(?:bring|put|get|want|need|have)\b).){0,60}\bback\b.{0,200})|\b(?:hol|bring|nimm)\w{0,4}\b(?<was>.{0,60}\bzurück\b.{0,200})|\b(?:remets|devuelve|recupera)\b(?<que>.{0,200})/i;

/** "Bring back the second one": what was just taken away. A time behind it says where to put it. */
function broughtBack({ groups, isWritten, isUndone, act }: ChatState, request: Request): ChatRecord | null {
  const isGone = act !== null && /^(?:cancel_event|update_task|complete_task|update_mail)$/.test(act.tool);
  const { what, was, que } = BACK.exec(request.text)?.groups ?? {};
  const text = what ?? was ?? que;
  if (!text || !isGone || !(isWritten || isUndone) || request.times.length > 0 || request.text.endsWith("?"))
    return null;
  // "She only has the napkins, put lemonade back": what stands beside "back" is meant.
  const names = request.names.filter((name) => text.includes(name));
  return recordNamed(groups, { ...request, names, text }) ?? null;
}

/** "The first one, what are its times?", "and the other says?" */
const OF_LIST =
  /\b(?:first|second|third|fourth|last|latter|former|other)(?: one)?(?=[\s,]*(?:$|[?.!]|(?:what|what's|when|where|who|how|says?|said|is|was)\b))/i;

/** Records that may have been written since the email came up to which an answer is wanted. */
const MOST_SINCE = 3;

/** The only email of those that came up last, if little else was talked about since. */
function emailToAnswer(groups: readonly ChatRecord[][]): ChatRecord | null {
  const at = groups.findIndex((group) => group.some(({ kind }) => kind === "email"));
  const since = distinct(groups.slice(0, Math.max(0, at)).flat()).filter(
    ({ kind }) => kind !== "draft" && kind !== "slot",
  );
  const emails = distinct(groups[at] ?? []).filter(({ kind }) => kind === "email");
  return since.length > MOST_SINCE ? null : (onlyOf(emails) ?? null);
}

/** "Tell her yes": an answer to the email that was talked about, also if what it is about was changed since. */
function toldPerson({ state: { groups } }: Sight, request: Request): Request | null {
  const told = tellingIn(request.text);
  const about = told && emailToAnswer(groups);
  if (!told || !about) return null;
  const said = told.said || slotsOf(request, "m").join(" ") || letterText(told.before);
  const slots: Filled[] = said === "" ? [] : [{ slot: "m", text: said, start: 0, end: 0 }];
  return { ...request.as("reply"), names: [], times: [], slots, about, share: 1, change: 1, isKnown: true };
}

const SAYS_IT = /^(?:(?:and|please|just|then|so|ok) ){0,3}(?:say|answer) (?<text>\S.*)$/i;

/** "Confirm that", "say yes to her", about an email that is no invitation: an answer to it. */
async function answeredInvitation(sight: Sight, request: Request): Promise<Request | null> {
  const isResponse = RESPONDS.has(request.act) && request.names.length === 0 && slotsOf(request, "g").length === 0;
  const email = isResponse ? emailToAnswer(sight.state.groups) : null;
  if (!email || isQuestion(request.text) || vetoOf(request.text) !== null) return null;
  const event = sight.state.groups[0]?.find(({ kind }) => kind === "event");
  const isInvited = event !== undefined && (await eventOf(sight, event)).myResponse !== null;
  if (isInvited || (await getEmail(sight.ctx, email.id)).kind === "invitation") return null;
  const said = SAYS_IT.exec(request.text)
    ?.groups?.text?.replace(/ to (?:her|him|them)\b/i, "")
    .replace(/ and that /i, ", ");
  const slots: Filled[] = [
    {
      slot: "m",
      text: said ?? (request.act === "accept" ? "Yes, that works for me" : "Unfortunately that does not work for me"),
      start: 0,
      end: 0,
    },
  ];
  return { ...request.as("reply"), names: [], times: [], slots, about: email };
}

const RESPONDS = wordSet("accept decline");

/** "We are thirty. Tell him that.", "Take all. Write Jette.": what stands before is the text, unless it is an order. */
export async function toldBefore(sight: Sight, request: Request, before: Request | undefined): Promise<Request> {
  const who = tellingIn(request.text)?.said === "" ? "" : toldBare(request.text);
  const isOwn = before && (isOrder(before.text, before.act) || (groupOf(before.act) !== null && isSure(before)));
  if (who === null || !before || isOwn || before.recalled || isQuestion(before.text)) return request;
  const people = who === "" ? [] : await addressesOf(sight.ctx, who);
  if (who !== "" && people.length === 0) return request;
  const said = letterText(before.text);
  const slot = (name: "m" | "g", text: string): Filled => ({ slot: name, text, start: 0, end: 0 });
  const slots = [...(who ? [slot("g", who)] : []), ...(said ? [slot("m", said)] : [])];
  return { ...request.as(who ? "write" : "reply"), names: [], times: [], slots, share: 1, change: 1, isKnown: true };
}

const POINTS = wordSet("it that this them");
const INTO_CALENDAR =
  /\b(?:put|add|stick|pop|enter|save|note|write|get|block|book) (?:it|that|this|them) (?:(?:down|also|please) )?in(?:to)?\b(?! (?:the|my|a|its) (?!calend[ae]r|diary|agenda|schedule|planner)\p{L})/iu;
const CALENDAR = wordSet("calendar diary agenda schedule planner kalender calendario");
const ASKS = wordSet("wh read free remove out");
const CHANGES = wordSet("change move shift update adjust correct reschedule push fix");

/** "Put that in the calendar", "change it like that", "1530 then": what the email that was talked about says. It is asked about. */
async function likeEmail(sight: Sight, request: Request): Promise<Request | null> {
  const email = emailInTalk(sight);
  if (!email || request.names.length > 0 || vetoOf(request.text) !== null || isQuestion(request.text)) return null;
  const sure = { share: 1, change: 1, slots: [], names: [] };
  const title = await calledInEmail(sight, request, email);
  if (title !== null) {
    const slots: Filled[] = title === "" ? [] : [{ slot: "n", text: title, start: 0, end: 0 }];
    return { ...request.as("add_event"), ...sure, slots, about: email };
  }
  const words = wordsOf(request.text);
  const isThat = (at: number) =>
    POINTS.has(words[at] ?? "") || (isDeterminer(words[at] ?? "") && kindIn(words[at + 1] ?? "") === "event");
  const isMove = words.some((word, at) => classesOf(word).includes("move") && isThat(at + 1));
  const isTime = isOnlyTime(request.text, sight.clock);
  // "Move it to the archive" is about the email itself.
  const isOfEvent = isMove && groupOf(request.act) !== "email" && sight.state.groups[0]?.[0]?.kind !== "draft";
  return isOfEvent || (isTime && !sight.state.isWritten)
    ? { ...request.as("move"), ...sure, reference: { which: "one" } }
    : null;
}

/** What an event that is to be made of an email is called, in words of the email: "" if it is not said; null if none is to be made. */
async function calledInEmail(sight: Sight, request: Request, { id, title }: ChatRecord): Promise<string | null> {
  const { text, act, kind, rest } = request;
  const words = wordsOf(text);
  const isInto = INTO_CALENDAR.test(text);
  const isCalendar = words.some((word) => CALENDAR.has(word)) && words.length <= LONGEST;
  const isAsking = words.some((word) => CHANGES.has(word) || classesOf(word).some((name) => ASKS.has(name)));
  const isAdding = isInto || (!isAsking && (isCalendar || (act === "add_event" && orderIn(text) === "add")));
  if (!isAdding || kind === "task" || remindsOfNew(text)) return null;
  const named = [...slotsOf(request, "n"), ...slotsOf(request, "p")]
    .map(tidy)
    .filter((name) => !isReferring(name) && isTitle(name));
  const said = `${contentOf(rest)} ${named.join(" ")}`.trim();
  if (said === "" || isInto) return "";
  const { body } = await getEmail(sight.ctx, id);
  return shareOf(said, [`${title} ${body}`]) > 0.9 ? (named[0] ?? "") : null;
}

const ASKS_MORE =
  /\b(?:tell me (?:more )?about|more about|details (?:of|on|about)|erzähl mir|mehr über|dis-m'en plus|cuéntame más)\b/i;

/** "And on Friday?" asks the last question for another time. */
function askedAgain({ asked, isWritten }: ChatState, request: Request): Act | null {
  const isShort =
    wordsOf(request.text).length <= SHORT && request.names.length === 0 && slotsOf(request, "n").length === 0;
  const isNext = request.text.endsWith("?") || QUESTIONS.has(request.act);
  if (!asked || isWritten || !isShort || !isNext || request.times.length === 0) return null;
  return [...QUESTIONS].find((act) => act === asked) ?? null;
}

/** "What about Friday?", after a change, suggests that time for what was changed. */
const suggestsTime = ({ isWritten, groups }: ChatState, { text, names, times }: Request): boolean =>
  isWritten && SUGGESTS.test(text) && names.length === 0 && groups[0]?.length === 1 && times.length > 0;

const ONCE_MORE = wordSet("same another again gleiche selbe nochmal même pareil mismo igual otra");
const GOES_ON = wordSet("and also plus then und auch dann et aussi puis y también luego");
const LITTLE = wordSet("the a an one ones thing for on at in with to das den der die für am um le la el lo un une una");

/** "Same on Wednesday", "and Friday the 27th", "another one with Beth": the event that was just added, once more. */
function copied({ act, groups, isWritten }: ChatState, request: Request) {
  const [last, ...more] = groups[0] ?? [];
  const words = wordsOf(request.text);
  // Of an event that was only shown, another one is one more; "the same on Friday" may ask the same again.
  const isKnown = isWritten ? act?.tool === "create_event" : words.includes("another");
  if (!isKnown || !last || last.kind !== "event" || more.length > 0 || request.times.length === 0) return null;
  const named = [...slotsOf(request, "n"), ...request.names].join(" ");
  const isOnceMore =
    words.some((word) => ONCE_MORE.has(word)) || /^(?:and |also )?one (?:with|for)\b/i.test(request.text);
  // All that is said beside the time is with whom; anything else is an event of its own.
  const rest = wordsOf(`${request.rest} ${named}`.replace(GUEST, " "));
  const isBare = rest.every((word) => GOES_ON.has(word) || LITTLE.has(word) || ONCE_MORE.has(word));
  const isDayMore = GOES_ON.has(words[0] ?? "") && named === "";
  return isBare && (isOnceMore || isDayMore) && !setsRight(request.text) ? last : null;
}

const GUEST = /\b(?:with|for|mit|für|avec|pour|con|para)\s+\p{Lu}[\p{L}'-]*(?:\s\p{Lu}[\p{L}'-]*)*/gu;

const TIME_ACTS = wordSet(
  "move later earlier length longer shorter until answer other pick snooze rename priority add_task",
);
const UNTIL = /\b(?:until|till|til|bis|jusqu'(?:à|au)|hasta)\s+(?:the |next )?$/i;

/** "Actually 5", "no, the 4th", "I meant Saturday": another time for what was just changed. */
function meantOtherwise(
  { state, clock }: Sight,
  request: Request,
): (Pick<Request, "act" | "times"> & { about: ChatRecord }) | null {
  const [last, ...more] = state.groups[0] ?? [];
  if (!state.isWritten || !last || more.length > 0 || last.kind === "slot" || last.kind === "draft") return null;
  const said = datesIn(request.message, clock);
  const bare = said.length === 0 ? bareTime(request.text, clock) : [];
  const times = said.length > 0 ? said : bare;
  const isFactor = factorIn(request.text) !== null && last.kind === "event";
  if ((times.length === 0 && !isFactor) || times.some(({ type }) => type === "set")) return null;
  let rest = withoutFactor(request.text);
  for (const { text } of said) rest = rest.replace(text, " ");
  if (bare.length > 0) rest = rest.replace(/\d{1,2}(?:[:.]\d\d)?/g, " ");
  const named = FOR_NAME.exec(rest)?.groups?.name;
  if (named && shareOf(named, [last.title]) > 0.5) rest = rest.replace(FOR_NAME, " ");
  if (!onlySetsRight(rest.replace(UNTIL, " ").replace(/\b(?:till|until|bis)\b/gi, " "))) return null;
  const about = last;
  if (isFactor) return { act: "length", times, about };
  if (!setsRight(request.text) && !TIME_ACTS.has(request.act)) return null;
  if (last.kind === "email") return { act: "snooze", times, about };
  if (times.every(({ type }) => type === "duration")) return { act: "length", times, about };
  const [first] = said;
  const isEnd = last.kind === "event" && first && UNTIL.test(request.message.slice(0, first.start));
  return { act: isEnd ? "until" : "move", times: said, about };
}

const JOINS = /^(?:(?:oh|ah|ok|and|also|plus|then|und|auch|noch|et|aussi|y|también)[\s,]{1,2}){1,3}/i;
const TOO = /,? (?:too|as well|also|likewise|auch|aussi|también)$/i;

/** What a message adds to the one before: "and butter", "the cake too"; null if it does not go on from it. */
function addedBy(text: string): string | null {
  const whole = withoutStop(text);
  const bare = whole.replace(JOINS, "").replace(TOO, "");
  return bare === whole ? null : bare;
}

const asksOwn = (text: string) => wordsOf(text).some((word) => classesOf(word).some((name) => VERBS.has(name)));

/** "And the other one", "the cake too": the last change for another record. */
async function sameFor(sight: Sight, request: Request): Promise<Request | null> {
  const { isWritten, isUndone, groups } = sight.state;
  const bare = addedBy(request.text);
  const isActed = (isWritten && lastChange(sight.state) !== null) || isUndone;
  // "And the band rehearsal to 7" says what to do; "and the Friday one" does not.
  const isTold = /\d/.test(request.text) || (request.times.length > 0 && !/\bones?\b/i.test(request.text));
  if (bare === null || !isActed || isTold || wordsOf(request.text).length > SHORT || asksOwn(bare)) return null;
  const name = bare.replace(/^(?:the|my|der|die|das|den|le|la|les|el|los|las)\s/i, "");
  const isPointing = request.reference !== null && request.names.length === 0;
  const isTalkedAbout = bestMatches(name, groups.flat(), ({ title }) => [title]).length > 0;
  if (isUndone && !isPointing && !isTalkedAbout) return null;
  if (isUndone) return { ...request.as("undo"), names: isPointing ? [] : [name], share: 1, change: 1 };
  const kinds: Kind[] = [groups[0]?.[0]?.kind ?? "task"];
  const found: Request = { ...request.as("pick"), share: 1, change: 1, names: [] };
  for (const reading of isPointing ? [found, { ...found, names: [name] }] : [{ ...found, names: [name] }]) {
    const target = await resolve(sight, reading, { kinds, times: request.times });
    const [only, ...others] = "records" in target ? target.records : [];
    const isOther = only && others.length === 0 && !(groups[0] ?? []).some((each) => isSame(each, only));
    if (isOther) return { ...reading, names: [only.title] };
  }
  return null;
}

const ON_IT = /\s(?:to|on|onto) (?:it|there|that|the list)$/i;
const NEEDS = /^(?:(?:we|i)(?: also| still)? need|add|put|get)\s(?:some\s)?|^some\s/i;
const LONGEST_THING = 3;

/** "And butter", "garlic as well", "add eggs to it": more for the list that the last reply was about. */
async function moreFor(sight: Sight, request: Request): Promise<Request | null> {
  const { text, times } = request;
  const whole = withoutStop(text);
  const bare = addedBy(text) ?? (ON_IT.test(whole) ? whole : null);
  if (bare === null || times.length > 0 || vetoOf(text) !== null) return null;
  const things = shortItems(bare.replace(ON_IT, "").replace(NEEDS, ""));
  const areThings = things.every((thing) => {
    const said = wordsOf(thing);
    return said.length > 0 && said.length <= LONGEST_THING && !isReferring(thing) && !asksOwn(thing);
  });
  if (!areThings || (await listOfLast(sight)) === null) return null;
  const slots = things.map((thing): Filled => ({ slot: "n", text: thing, start: 0, end: 0 }));
  return { ...request.as("add_task"), slots };
}

/** Classes of words that ask for something of their own. */
const VERBS = wordSet(
  "remove done move later earlier longer shorter until rename invite priority repeat reopen undo read sum star unstar archive unread tag snooze reply forward send unsub add wh aux",
);
