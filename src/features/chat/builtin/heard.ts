import type { ChatRecord } from "../../../db/schema/chat.ts";
import { wordSet } from "../../../lib/words.ts";
import { listTasks } from "../../tasks/list.ts";
import { searchWords, shareOf, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import type { Act, Filled } from "../reader/read.ts";
import { classesOf } from "../reader/word-classes.ts";
import { addsToList, withoutStop, wordsOf } from "../request/exact.ts";
import { shortItems } from "../request/items.ts";
import { isByOther, isOnlyTold, isPastOf } from "../request/past.ts";
import { isReferring, referenceIn } from "../request/reference.ts";
import type { Request } from "../request/request.ts";
import { isQuestion as isAsking, vetoOf } from "../request/vetoes.ts";
import { mayRead, recordsNamed, recordsSaid } from "./find.ts";
import { listOf, tagsIn } from "./labels.ts";

/*
 * What a message means because of the records and of what was just done, whatever the reader makes of its words: a task
 * whose own verb is told in the past is done.
 */

const HEARD: readonly ((turn: Turn, request: Request) => Promise<Request | null>)[] = [
  toldDone,
  wholeList,
  listed,
  taggedTask,
  askedAbout,
  saidDifferently,
  corrected,
  calledOff,
  intoCalendar,
  byOtherChannel,
];

export async function heard(turn: Turn, request: Request): Promise<Request> {
  for (const hear of HEARD) {
    const known = await hear(turn, request);
    if (known) return known;
  }
  return request;
}

const sure = (request: Request, act: Act): Request => ({ ...request.as(act), share: 1, change: 1, isKnown: true });
const about = (request: Request, record: ChatRecord): Request => ({ ...request, about: record });
const withTitles = (request: Request, titles: readonly string[]): Request => {
  const slots = titles.map((text): Filled => ({ slot: "n", text, start: 0, end: 0 }));
  return { ...request, slots: [...request.slots.filter(({ slot }) => slot !== "n"), ...slots] };
};

/** What is not done yet, or not by telling: "I will have paid", "once I paid". */
const HOLDS = wordSet(
  "any anyone will would should could must might may need needs want if when once after before until till unless not never didn't haven't hasn't isn't aren't wasn't can't almost nearly tomorrow who wird werde soll muss wenn nicht nie falls bevor quand si pas jamais sera cuando no nunca será",
);
const TELLS_ONLY_DONE = 4;

/** "I shipped the parcel", with a task "Ship the parcel"; "ok paid", after "Pay Netflix". */
async function toldDone(turn: Turn, request: Request): Promise<Request | null> {
  const { text } = request;
  const words = wordsOf(text);
  const isHeld = vetoOf(text) !== null || text.endsWith("?") || words.some((word) => HOLDS.has(word));
  if (isHeld || !mayRead(turn, "tasks:read") || STAYS.has(request.act)) return null;
  const [latest = []] = turn.state.groups;
  const [last, ...others] = latest;
  const isShort = words.length <= TELLS_ONLY_DONE && last?.kind === "task" && others.length === 0;
  if (isShort && last && words.some((word) => isPastOf(word, verbOf(last.title)))) {
    const rest = words.filter((word) => !isPastOf(word, verbOf(last.title)) && classesOf(word).length === 0);
    if (tellingWords(rest.join(" ")).length === 0) return about(sure(request, "done"), last);
  }
  const q = searchWords(text).join(" OR ");
  if (q === "") return null;
  const { data } = await listTasks(turn.ctx, { q, sort: "due", limit: 50, status: ["todo", "in_progress", "waiting"] });
  const told = data.flatMap(({ id, title, outside }) => {
    const verbs = wordsOf(title);
    const past = words.find((word) =>
      verbs.some((verb, at) => (at === 0 || at === verbs.length - 1) && isPastOf(word, verb)),
    );
    const object = verbs.filter((verb) => past === undefined || !isPastOf(past, verb)).join(" ");
    const share = shareOf(object, [text]);
    const record: ChatRecord = { kind: "task", id, title, ...(!outside && { isOwn: true }) };
    return past && share >= HALF ? [{ record, share, past, object }] : [];
  });
  const best = Math.max(...told.map(({ share }) => share));
  const [only, ...more] = told.filter(({ share }) => share > best - 0.05);
  if (!only || more.length > 0) return null;
  const alone = request.times.reduce((rest, time) => rest.replace(time.text, " "), text);
  const isDoubted = isByOther(text, only.past, only.object) || !isOnlyTold(alone, only.past, only.object);
  return about({ ...sure(request, "done"), ...(isDoubted && { share: 0.5, isKnown: false }) }, only.record);
}

const HALF = 0.5;
const STAYS: ReadonlySet<Act> = new Set<Act>(["remove", "undo", "reopen", "add_event", "move"]);
const verbOf = (title: string) => wordsOf(title)[0] ?? "";

/** "We've bought everything on the pharmacy list" */
async function wholeList(turn: Turn, request: Request): Promise<Request | null> {
  const words = wordsOf(request.text);
  const isDone = words.some((word) => classesOf(word)[0] === "done") && !words.some((word) => HOLDS.has(word));
  const isAll = words.some((word) => ALL.has(word));
  if (!isDone || !isAll || vetoOf(request.text) !== null || request.act === "remove") return null;
  return (await listOf(turn, request)) === null
    ? null
    : { ...sure(request, "done"), names: [], reference: { which: "all" } };
}

const ALL = wordSet("all everything alles alle tout todo todas todos");

const NEW_LIST =
  /^(?:please[\s,]){0,3}(?:add|make|start|create)\s(?:an?|the|my)\s(?:new\s)?(?<name>\p{L}[\p{L}-]{0,30}(?: \p{L}[\p{L}-]{0,30})?) list (?:with|of|containing|for)\s(?<items>\S.{0,500})$/iu;

/** "Put dusting on my list of things to do" adds it, unless it is there and changes its list. */
async function listed(turn: Turn, request: Request): Promise<Request | null> {
  const { name, items } = NEW_LIST.exec(withoutStop(request.text))?.groups ?? {};
  if (name && items && vetoOf(request.text) === null) {
    const made = withTitles(sure(request, "add_task"), shortItems(items));
    return { ...made, text: `add ${items} to the ${name} list` };
  }
  const thing = addsToList(request.text);
  if (!thing || vetoOf(request.text) !== null || isReferring(thing)) return null;
  const found = await recordsNamed(turn, { words: thing, kinds: ["task"] });
  return found.length > 0 ? null : withTitles(sure(request, "add_task"), [thing]);
}

const TAGGABLE: ReadonlySet<Act> = new Set<Act>(["note", "to_list", "rename", "add_task"]);

/** "Put the tag finance on the tax advisor task" */
async function taggedTask(turn: Turn, request: Request): Promise<Request | null> {
  if (!TAGGABLE.has(request.act) || request.share > SURE_OF_ACT || tagsIn(request.text).length === 0) return null;
  const { records } = await recordsSaid(turn, request.text, ["task"]);
  const [only, ...others] = records;
  return only && others.length === 0 ? about(sure(request, "tag"), only) : null;
}

const SURE_OF_ACT = 0.8;

const SAY = /^(?:(?:actually|no|rather|instead|sorry)[\s,]+)*(?:say|write)\s+(?:that\s+)?(\S.*)$/i;

/** "Actually say I'll be late", after a draft was shown. */
async function saidDifferently({ state }: Turn, request: Request): Promise<Request | null> {
  const say = state.groups[0]?.[0]?.kind === "draft" ? SAY.exec(request.text)?.[1] : undefined;
  if (!say) return null;
  return { ...sure(request, "reply"), names: [], slots: [{ slot: "m", text: say, start: 0, end: 0 }] };
}

const NOT_BUT =
  /^(?:(?:no|sorry|oh)[\s,]+)*(?:not (?<not>[\p{L}\p{N}'-]+)(?:,| but)+ (?<but>[\p{L}\p{N}'-]+)|(?:it's |make it )?(?<said>[\p{L}\p{N}'-]+),? not (?<wrong>[\p{L}\p{N}'-]+))[.!]?$/iu;

/** "Not Anna, Hannah": a word of the name of what was just made is another one. */
async function corrected({ state }: Turn, request: Request): Promise<Request | null> {
  const { not, but, said, wrong } = NOT_BUT.exec(request.text)?.groups ?? {};
  const [before, now] = [not ?? wrong, but ?? said];
  const [last, ...others] = state.isWritten ? (state.groups[0] ?? []) : [];
  const isEither = last?.kind === "task" || last?.kind === "event";
  if (!before || !now || !isEither || others.length > 0 || request.times.length > 0) return null;
  const at = last.title
    .toLowerCase()
    .split(/(?<=\s)|(?=\s)/)
    .indexOf(before.toLowerCase());
  if (at < 0) return null;
  const title = last.title
    .split(/(?<=\s)|(?=\s)/)
    .map((word, index) => (index === at ? now : word))
    .join("");
  return about(withTitles(sure(request, "rename"), [title]), last);
}

const CALLS_OFF =
  /^(?:(?:please|bitte)[\s,]){0,3}(?:call (?:off (?<of>\S.{0,200})|(?<whole>\S.{0,200}) off)|sage? (?<ab>\S.{0,200}) ab)$/i;

/** "Call off the meeting with Ann" calls nobody, "sag den Termin ab" says nothing. */
async function calledOff(_: Turn, request: Request): Promise<Request | null> {
  const { of, whole, ab } = CALLS_OFF.exec(withoutStop(request.text))?.groups ?? {};
  const name = of ?? whole ?? ab?.replace(/^(?:den|die|das|meinen?|meine|mein)\s/i, "");
  if (!name || (request.act === "remove" && !ab)) return null;
  const read = sure(request, "remove");
  if (ab) return { ...read, names: isReferring(ab) ? [] : [name], reference: isReferring(ab) ? referenceIn(ab) : null };
  return { ...read, names: read.names.length > 0 || isReferring(name) ? read.names : [name] };
}

const INTO_CALENDAR =
  /^(?:(?:and|please|then|also)[\s,]+)*(?:put|add|stick|pop|enter|save|note) (?:it|that|this|them) (?:down )?(?:in|into|on|onto|to) (?:my|the|our) (?:calendar|diary|agenda|schedule)[.!?]*$/i;

/** "Stick it in my calendar", after an email was read: what the email is about. It is proposed, never written at once. */
async function intoCalendar({ state }: Turn, request: Request): Promise<Request | null> {
  const [first = [], second = []] = state.groups;
  const [last, ...others] = first[0]?.kind === "draft" ? second : first;
  if (last?.kind !== "email" || others.length > 0 || !INTO_CALENDAR.test(request.text)) return null;
  return { ...about(sure(request, "add_event"), last), slots: [] };
}

const READS: ReadonlySet<Act> = new Set<Act>(["ask_day", "ask_tasks", "ask_mail", "ask_about", "read", "summarise"]);
const WHO_WROTE = /^(?:and |so )?who (?:has |have )?(?:wrote|written|emailed|mailed|replied|answered)\b/i;

const OTHER_CHANNEL =
  /^(?:please[\s,]+)*(?:text|whatsapp|sms|slack|dm|tweet) (?!me\b)[\p{L}'-]+ (?:that|saying|to|and|about|i'm|i'll|we)\b/iu;

/** "Text Petra that I'm late" is no email, and nothing else can be sent. */
async function byOtherChannel(_: Turn, request: Request): Promise<Request | null> {
  return OTHER_CHANNEL.test(request.text) ? request.as("other_world") : null;
}

const QUESTION = wordSet("what what's when when's where who which how whose why");

/** A question that names a record is about it: "how much was the metro trip?" */
async function askedAbout(turn: Turn, request: Request): Promise<Request | null> {
  const [first = ""] = wordsOf(request.text);
  const isTagged = tagsIn(request.text).length > 0 && READS.has(request.act);
  const isDue = request.act === "ask_day" && wordsOf(request.text).includes("due");
  if (isTagged || isDue) return request.as(request.kind === "email" ? "ask_mail" : "ask_tasks");
  if (WHO_WROTE.test(request.text)) return request.as("ask_mail");
  const [latest] = turn.state.groups[0] ?? [];
  const isSending = latest?.kind === "draft" && /\bsen[dt]\b/i.test(request.text) && isAsking(request.text);
  if (isSending) return request.as("ask_mail");
  const isQuestion = QUESTION.has(first) || request.text.endsWith("?");
  // "When do I take Pixel in?" does not ask for free time.
  const isOpen =
    request.act === "other_world" ||
    (request.act === "ask_free" &&
      request.times.length === 0 &&
      !wordsOf(request.text).some((word) => classesOf(word).includes("free")));
  if (!isOpen || !isQuestion) return null;
  const { records } = await recordsSaid(turn, request.text, ["email", "event", "task"]);
  const [only, ...others] = records;
  return only && others.length === 0 ? { ...request.as("ask_about"), about: only } : null;
}
