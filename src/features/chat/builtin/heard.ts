import type { ChatRecord } from "../../../db/schema/chat.ts";
import { wordSet } from "../../../lib/words.ts";
import { searchWords, shareOf, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import type { Act } from "../reader/read.ts";
import { groupOf, isSure } from "../reader/sure.ts";
import { classesOf } from "../reader/word-classes.ts";
import { type Asked, askedIn } from "../request/asked.ts";
import { withoutStop, wordsOf } from "../request/exact.ts";
import { isOrder } from "../request/orders.ts";
import { isBetween, isByOther, isOnlyTold, isPastOf } from "../request/past.ts";
import { isReferring, referenceIn } from "../request/reference.ts";
import type { Request } from "../request/request.ts";
import { spanOf } from "../request/times.ts";
import { isQuestion as isAsking, vetoOf } from "../request/vetoes.ts";
import { isAboutConflicts } from "./answers/day.ts";
import { mayRead, openTasksWith, recordsSaid } from "./find.ts";
import { listOf, tagsIn } from "./labels.ts";
import { onlyOf, taskRecord } from "./plan.ts";
import { answersTo, type Recalled } from "./recall.ts";

/*
 * What a message means because of the records and of what was just done, whatever the reader makes of its words: a task
 * whose own verb is told in the past is done.
 */

const HEARD: readonly ((turn: Turn, request: Request) => Promise<Request | null>)[] = [
  toldDone,
  wholeList,
  taggedTask,
  askedAbout,
  saidDifferently,
  calledOff,
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
/** Words that say it is not done yet, or may not be done: "I will have paid", "once I paid". */
const HOLDS = wordSet(
  "any anyone will would should could must might may need needs want if when once after before until till unless not never didn't haven't hasn't isn't aren't wasn't can't almost nearly tomorrow who wird werde soll muss wenn nicht nie falls bevor quand si pas jamais sera cuando no nunca será",
);
const TELLS_ONLY_DONE = 4;

/** "I shipped the parcel", with a task "Ship the parcel"; "ok paid", after "Pay Netflix". */
async function toldDone(turn: Turn, request: Request): Promise<Request | null> {
  const { text } = request;
  const words = wordsOf(text);
  const isHeld = vetoOf(text) !== null || text.endsWith("?") || words.some((word) => HOLDS.has(word));
  const isOther = STAYS.has(request.act) && request.share >= HALF;
  if (isHeld || !mayRead(turn, "tasks:read") || isOther) return null;
  const [latest = []] = turn.state.groups;
  const [last, ...others] = latest;
  const isShort = words.length <= TELLS_ONLY_DONE && last?.kind === "task" && others.length === 0;
  if (isShort && last && words.some((word) => isPastOf(word, verbOf(last.title)))) {
    const rest = words.filter((word) => !isPastOf(word, verbOf(last.title)) && classesOf(word).length === 0);
    if (tellingWords(rest.join(" ")).length === 0) return about(sure(request, "done"), last);
  }
  const telling = searchWords(text);
  if (telling.length === 0) return null;
  const { data } = await openTasksWith(turn, telling);
  const told = data.flatMap((task) => {
    const verbs = wordsOf(task.title);
    const past = words.find((word) =>
      verbs.some((verb, at) => (at === 0 || at === verbs.length - 1) && isPastOf(word, verb)),
    );
    const object = verbs.filter((verb) => past === undefined || !isPastOf(past, verb)).join(" ");
    // "The chairs are borrowed", of "Borrow chairs for the reading".
    const share = Math.max(shareOf(object, [text]), HEAD * shareOf(object.split(BESIDE)[0] ?? "", [text]));
    return past && share >= HALF ? [{ record: taskRecord(task), share, past, object }] : [];
  });
  const best = Math.max(...told.map(({ share }) => share));
  const only = onlyOf(told.filter(({ share }) => share > best - 0.05));
  if (!only) return toldOfName(request, data);
  const alone = request.times.reduce((rest, time) => rest.replace(time.text, " "), text);
  const isDoubted = isByOther(text, only.past, only.object) || !isOnlyTold(alone, only.past, only.object);
  return about({ ...sure(request, "done"), ...(isDoubted && { share: 0.5, isKnown: false }) }, only.record);
}

/** "Fence done", "the printer's sorted now": a name, and a word that says no more than that. */
function toldOfName(request: Request, tasks: readonly { title: string }[]): Request | null {
  const words = wordsOf(request.text.replace(/'s\b/g, " is"));
  const name = tellingWords(words.filter((word) => !IS_DONE.has(word) && !isBetween(word)).join(" "));
  const isNamed = name.length > 0 && tasks.some(({ title }) => shareOf(name.join(" "), [title]) >= WHOLE);
  const isBare = words.some((word) => IS_DONE.has(word)) && words.length <= LONGEST_BARE;
  return isNamed && isBare ? { ...sure(request, "done"), names: [name.join(" ")], reference: null } : null;
}

/** Where that begins what a thing is for or from. */
const BESIDE = / (?:for|to|at|from|with|by|für|bei|von|mit|an|pour|chez|para|a|de) /;
const HEAD = 0.9;
const IS_DONE = wordSet(
  "done finished sorted completed complete handled erledigt fertig geschafft abgehakt fini finie terminé terminée réglé réglée fait faite hecho hecha listo lista terminado terminada acabado acabada",
);
const LONGEST_BARE = 8;
const WHOLE = 0.75;
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

const TAGGABLE: ReadonlySet<Act> = new Set<Act>(["note", "to_list", "rename", "add_task"]);

/** "Put the tag finance on the tax advisor task" */
async function taggedTask(turn: Turn, request: Request): Promise<Request | null> {
  if (!TAGGABLE.has(request.act) || request.share > SURE_OF_ACT || tagsIn(request.text).length === 0) return null;
  const only = onlyOf((await recordsSaid(turn, request.text, ["task"])).records);
  return only ? about(sure(request, "tag"), only) : null;
}

const SURE_OF_ACT = 0.8;

const SAY = /^(?:(?:actually|no|rather|instead|sorry)[\s,]+)*(?:say|write)\s+(?:that\s+)?(\S.*)$/i;

/** "Actually say I'll be late", after a draft was shown. */
async function saidDifferently({ state }: Turn, request: Request): Promise<Request | null> {
  const say = state.groups[0]?.[0]?.kind === "draft" ? SAY.exec(request.text)?.[1] : undefined;
  if (!say) return null;
  return { ...sure(request, "reply"), names: [], slots: [{ slot: "m", text: say, start: 0, end: 0 }] };
}

const CALLS_OFF = /^(?:bitte[\s,]){0,3}sage? (?<what>\S.{0,200}) ab$/i;

/** "Sag den Termin ab" says nothing. */
async function calledOff(_: Turn, request: Request): Promise<Request | null> {
  const what = CALLS_OFF.exec(withoutStop(request.text))?.groups?.what;
  if (!what) return null;
  const name = what.replace(/^(?:den|die|das|meinen?|meine|mein)\s/i, "");
  const isKnown = isReferring(what);
  return { ...sure(request, "remove"), names: isKnown ? [] : [name], reference: isKnown ? referenceIn(what) : null };
}

const READS: ReadonlySet<Act> = new Set<Act>(["ask_day", "ask_tasks", "ask_mail", "ask_about", "read", "summarise"]);

const OTHER_CHANNEL =
  /^(?:please[\s,]+)*(?:text|whatsapp|sms|slack|dm|tweet) (?!me\b)[\p{L}'-]+ (?:that|saying|to|and|about|i'm|i'll|we)\b/iu;

/** "Text Petra that I'm late" is no email, and nothing else can be sent. */
async function byOtherChannel(_: Turn, request: Request): Promise<Request | null> {
  return OTHER_CHANNEL.test(request.text) ? request.as("other_world") : null;
}

/** Readings of a question that have an answer of their own. */
const OWN: ReadonlySet<Act> = new Set<Act>(["ask_mail", "read", "summarise"]);
const LIKELY = 0.5;

/** A question is answered by the records that have its words: "how much was the metro trip?" */
async function askedAbout(turn: Turn, request: Request): Promise<Request | null> {
  const { act, share, text, times } = request;
  const isTagged = tagsIn(text).length > 0 && READS.has(act);
  const isDue = act === "ask_day" && wordsOf(text).includes("due");
  if (isTagged || isDue) return request.as(request.kind === "email" ? "ask_mail" : "ask_tasks");
  const [latest] = turn.state.groups[0] ?? [];
  const isSending = latest?.kind === "draft" && /\bsen[dt]\b/i.test(text) && isAsking(text);
  if (isSending) return request.as("ask_mail");
  const asked = askedIn(request);
  const isNamed = request.names.length > 0 || !asked?.before.length;
  if (OWN.has(act) && share >= LIKELY && share < 1 && isNamed) return { ...request, share: 1 };
  const isLeft = share === 1 || (act === "ask_free" && isFree(text));
  const isWanted = groupOf(act) !== null && isSure(request) && isOrder(text, act);
  if (!asked || isLeft || isWanted) return null;
  if (asked.kind === "task" && act !== "ask_day" && SURE_OF_ACT > share)
    return { ...request.as("ask_tasks"), share: 1 };
  const answer: Request = { ...request.as("ask_about"), share: 1, change: 0 };
  const said = new Set(times.flatMap((time) => wordsOf(time.text)));
  const isOnlyTime = asked.words.every((word) => said.has(word)) && asked.before.length === 0;
  // The weather is in an email only if it is what the email is about.
  const found = isOnlyTime
    ? []
    : await answersTo(turn, asked, spanOf(times, turn.clock), act === "other_world" || act === "help");
  const [best] = found;
  if (isAboutConflicts(text)) {
    const named = found.filter(({ isNamed: isOfName }) => isOfName).map(({ record }) => record);
    return { ...answer, act: "ask_free", ...(named.length > 0 && { recalled: named }) };
  }
  if (best && mayAnswer(request, asked, best)) return { ...answer, recalled: found.map(({ record }) => record) };
  const isOther = act === "quiet" || act === "ask_about" || act === "ask_free" || groupOf(act) !== null;
  return asked.strength !== "tag" && isOther ? answer : null;
}

const isFree = (text: string) => wordsOf(text).some((word) => classesOf(word).includes("free"));

/** The list of a day or of tasks answers its questions, but for what somebody has written and what no list is known by. */
function mayAnswer({ act, share }: Request, asked: Asked, best: Recalled): boolean {
  const isMail = asked.kind === "email" && best.record.kind === "email";
  if (act === "ask_tasks") return isMail || best.share >= (share < SURE_OF_ACT ? LIKELY : WHOLE);
  return act !== "ask_day" || isMail || best.share >= LIKELY || share < LIKELY;
}
