import type { ChatRecord } from "../../../db/schema/chat.ts";
import { datesIn, isMoment } from "../../../engine/notes/message-time.ts";
import { getTask } from "../../tasks/service.ts";
import type { Turn } from "../../tools/turn.ts";
import { readAct } from "../language/follow-ups/act.ts";
import { type Amendment, readAmendment } from "../language/follow-ups/amendment.ts";
import { isQuestion } from "../language/follow-ups/denial.ts";
import { spansOf } from "../language/follow-ups/named-span.ts";
import { backIn } from "../language/follow-ups/undo-words.ts";
import { amend, amendRecords, kindsFor } from "./amend.ts";
import { askWhether, doDeed, doWith, KINDS } from "./deeds.ts";
import { type Found, recordsMentioned, recordsNamed } from "./find-named.ts";
import type { Reply } from "./reply-text.ts";
import { takeBack, takeBackRecord } from "./undo.ts";

type Kind = ChatRecord["kind"];

interface Reading {
  name: string;
  kinds: readonly Kind[];
  run: (found: Found) => Promise<Reply | null>;
}

/** Changes that a message may make to a record that it names. A new title or place needs a verb of its own. */
const AMENDED: ReadonlySet<Amendment["kind"]> = new Set<Amendment["kind"]>([
  ...(["time", "shift", "priority", "undated", "list", "repeat"] as const),
]);
const ONLY_READS: ReadonlySet<string> = new Set(["tell", "read", "summarise"]);
/** More readings than these are not looked up. */
const MAX_LOOKUPS = 8;

/**
 * "star the invoice one", "push the tax office thing to Monday", "Tom's can go in the archive": the words that name a
 * record are replaced by "it", and what remains is read like any other request about "it". Null: no record has that name.
 */
export async function doByName(turn: Turn, message: string): Promise<Reply | null> {
  const text = message.replaceAll("’", "'").replace(/(?<![\s.!?])[\s.!?]+$/, "");
  const isAsked = isQuestion(message);
  const readings: Reading[] = [];
  for (const { name, about } of spansOf(text)) {
    const reading = readingOf(turn, about, isAsked);
    if (reading) readings.push({ ...reading, name });
    if (readings.length >= MAX_LOOKUPS) break;
  }
  for (const isWhole of [true, false]) {
    for (const { name, kinds, run } of readings) {
      const found = await recordsNamed(turn, name, kinds, isWhole);
      const reply = found && (await run(found));
      if (reply) return reply;
    }
  }
  if (isAsked) return null;
  return (
    (await afterTelling(turn, text)) ??
    (await completedByVerb(turn, text)) ??
    (await completedEach(turn, text)) ??
    boughtThing(turn, text)
  );
}

function readingOf(turn: Turn, about: string, isAsked: boolean): Omit<Reading, "name"> | null {
  const act = readAct(about);
  if (act) {
    if (isAsked && !ONLY_READS.has(act.deed.kind)) return null;
    return { kinds: KINDS[act.deed.kind], run: ({ records, isEach }) => doWith(turn, act.deed, records, isEach) };
  }
  const amended = isAsked ? null : readAmendment(about, turn.clock, true);
  if (!amended || !AMENDED.has(amended.amendment.kind)) return null;
  const { amendment } = amended;
  return {
    kinds: kindsFor(amendment),
    run: ({ records, isEach }) => amendRecords(turn, amendment, records, amended.isAsked, isEach),
  };
}

const PAST =
  "(?<verb>\\p{L}{2,}ed|\\p{L}{2,}wn|\\p{L}{3,}ken|paid|bought|sent|wrote|written|made|fed|took|taken|got|rang|read|cut|built|sold|brought|ran|swept|hung|found|told|given|gave|done|did|put|set|bound|lent|spent|taught|clean|tidy)";
/** "the card I bought on the way home" */
const OBJECT_FIRST = new RegExp(
  `^(?:and |but |so ){0,6}(?:the |my )(?<name>[^,;.?!]{2,40}?),? (?:i|we)(?:'ve| have)? (?:(?:just|already|finally|also|now) ){0,6}${PAST}(?: (?:up|out|off|in|back))?(?: (?:already|now|today|yesterday|this morning|on the way|on my way|last|while|at|before|too)\\b.{0,30})?$`,
  "iu",
);
const PASSIVE = new RegExp(
  `^(?:the |my )?(?<name>[^,;.?!]{2,40}?)(?:'s|s'| is| are| has been| have been| got| was| were)? (?:all |already |now |finally ){0,6}${PAST}(?: (?:up|out|off|in|on|over|down|back|already|now|too|as well)){0,6}$`,
  "iu",
);
const ACTIVE = new RegExp(
  `^(?:(?:i|i've|i have|we|we've) )?(?:(?:just|already|finally|also|now) ){0,6}${PAST}(?: (?:up|out|off|in|back))? (?:the |my |some |all )?(?<name>[^,;.?!]{2,40}?)(?: (?:already|now|too|as well|today|this morning|yesterday)){0,6}$`,
  "iu",
);
const STEMS = new Map(
  "paid pay,bought buy,sent send,wrote write,written write,made make,fed feed,took take,taken take,got get,rang ring,built build,sold sell,brought bring,ran run,swept sweep,found find,told tell,given give,gave give,done do,did do,lent lend,spent spend,taught teach"
    .split(",")
    .map((pair): [string, string] => [pair.split(" ")[0] ?? "", pair.split(" ")[1] ?? ""]),
);

const ITS_VERB = new RegExp(
  `^(?:(?:ok|okay|and|ah|oh|so|yes|right|well|cool|now)[\\s,]{1,9}){0,6}(?:(?:(?:i|i've|i have|we|we've) )?(?:(?:just|already|finally|also|now) ){0,6}${PAST}(?: (?:it|that|them))?|(?:it|that|they)(?:'s|'ve| is| are| was| has| have)(?: been)? (?:all |already |now |finally |just ){0,6}${PAST.replace("<verb>", "<passive>")})(?: (?:up|out|off|in|back))?(?: (?:already|now|just now|too|as well|today|this morning|yesterday|a minute ago|this afternoon)){0,6}$`,
  "iu",
);

/** "ok paid", "I've handed it in already": the one task that the conversation is about, or is about to have this verb. */
async function itIsDone(turn: Turn, text: string): Promise<Reply | null> {
  const found = ITS_VERB.exec(text)?.groups;
  const verb = found?.verb ?? found?.passive;
  const [[task, ...others] = []] = turn.state.groups;
  if (
    !verb ||
    (/^got$/i.test(verb) && !/\bthem\b/i.test(text)) ||
    /^(?:put|set|did|made|found|told|need(?:ed)?|want(?:ed)?|lik(?:ed)|agreed|changed|moved|cancell?ed|added|removed|deleted|undid|noted|understood|finished)$/i.test(
      verb,
    )
  )
    return null;
  if (task?.kind !== "task" || others.length > 0) return null;
  const isOpen = !/^(?:done|cancelled)$/.test((await getTask(turn.ctx, task.id)).status);
  return isOpen && (/\b(?:it|that|them|they)\b/i.test(text) || hasVerb(task.title, verb))
    ? doWith(turn, { kind: "complete" }, [task], true)
    : null;
}

const hasVerb = (title: string, verb: string) => {
  const stem = STEMS.get(verb.toLowerCase()) ?? verb.replace(/e?d$|n$/i, "");
  const start = stem.toLowerCase().replace(/(.)\1$/, "$1");
  return title
    .toLowerCase()
    .split(/\s+/)
    .some((word) => word.startsWith(start));
};

const GOT =
  /^(?:(?:i|we|i've|we've|i have|we have) )?(?:(?:just|already|finally|also|now) )*(?:got|bought|grabbed|picked up|found) (?:the |some |my |our )?(?<name>[\p{L}\d' -]{2,40}?)(?: (?:already|now|too|as well|today|this morning|at home))*$/iu;

/** "got rice": a thing of a list. */
async function boughtThing(turn: Turn, text: string): Promise<Reply | null> {
  const name = GOT.exec(text)?.groups?.name;
  const found =
    name && !datesIn(text, turn.clock).some(isMoment) ? await recordsNamed(turn, name, ["task"], true) : null;
  return found?.isEach ? doWith(turn, { kind: "complete" }, found.records, true) : null;
}

/** "fish fed, roses watered" */
async function completedEach(turn: Turn, text: string): Promise<Reply | null> {
  const clauses = text.split(/(?<!\s)\s*[,;]\s*(?:and\s+)?|(?<!\s)\s+and\s+/i);
  if (clauses.length < 2 || clauses.length > 5) return null;
  const tasks: ChatRecord[] = [];
  for (const clause of clauses) {
    const [task, ...others] = await tasksWithVerb(turn, clause);
    if (!task || others.length > 0) return null;
    tasks.push(task);
  }
  return doWith(turn, { kind: "complete" }, tasks, true);
}

/** "phone's charged", "just posted the parcel": the only task of that name that has this verb is done. */
async function completedByVerb(turn: Turn, text: string): Promise<Reply | null> {
  const done = await itIsDone(turn, text);
  if (done) return done;
  const tasks = await tasksWithVerb(turn, text);
  return tasks.length > 0 ? doWith(turn, { kind: "complete" }, tasks, true) : null;
}

async function tasksWithVerb(turn: Turn, text: string): Promise<ChatRecord[]> {
  const { name, verb } = (ACTIVE.exec(text) ?? OBJECT_FIRST.exec(text) ?? PASSIVE.exec(text))?.groups ?? {};
  if (!name || !verb || /\b(?:not|never|nearly|almost|if|when)\b/i.test(text)) return [];
  const found = await recordsNamed(turn, name.replace(/s$/, ""), ["task"], true);
  const tasks = found?.isEach ? found.records : [];
  return tasks.every(({ title }) => hasVerb(title, verb)) ? tasks : [];
}

const CLAUSES =
  /^(?<told>.{4,140})(?:[,;.–!]+ *| - | (?=so )| (?=(?:take|remove|delete|cancel|tick|cross|drop|scrap|reopen|untick) (?:it|that|them|this|those)\b))(?:so |and |then |please |let's |lets |can you |could you |you can |just |now |go ahead and )*(?<wish>\S.{3,90})$/i;
const TICKED = /^(?:tick|check|done|sorted|finished|ticked off|check that)$/i;
const MAKE_IT_THAT =
  /^(?:make|move|change|set|push|put|do) (?:it|that) (?:to |for |on )?(?:that|then|that day|that date)$/i;
const NAMES_SOMETHING = /\b(?:the|my|our) (?!(?:first|second|third|last|other|day|whole|same)\b)\p{L}{3,}/iu;
const PRONOUN = /\b(?:it|that|this|them|hers|theirs|those|these|both|that one|this one)\b/i;

/** "The slides are urgent, put them on Friday with high priority": several changes of what was told about. */
async function amendEachOf(turn: Turn, told: string, wish: string): Promise<Reply | null> {
  const [only, ...others] = await recordsMentioned(turn, told, ["task", "event"]);
  if (!only || others.length > 0 || !/^(?:make|put|move|set|give|change|push|shift) /i.test(wish)) return null;
  turn.state.groups.unshift([only]);
  return amend(turn, wish.replace(/\b(?:them|those|these)\b/gi, "it"));
}

/** "the Kessler invoice is out the door, tick it off": told first, and asked for afterwards. */
async function afterTelling(turn: Turn, text: string): Promise<Reply | null> {
  const { told, wish: said } = CLAUSES.exec(text)?.groups ?? {};
  const wish = said && TICKED.test(said) ? "mark it as done" : said;
  if (!told || !wish || !PRONOUN.test(wish)) return null;
  const [when] = MAKE_IT_THAT.test(wish) ? datesIn(told, turn.clock).filter(isMoment) : [];
  if (when) return amend(turn, `make it ${when.text}`);
  if (backIn(wish) === "restore" || backIn(wish) === "undo") {
    const [record] = await recordsMentioned(turn, told, ["task", "event", "email", "draft"]);
    return record ? takeBackRecord(turn, record) : takeBack(turn, wish);
  }
  const reading = readingOf(turn, wish, false);
  if (!reading) return amendEachOf(turn, told, wish);
  const found = await recordsMentioned(turn, told, reading.kinds);
  if (found.length > 0) return (await reading.run({ records: found, isEach: true })) ?? amendEachOf(turn, told, wish);
  // What was told names nothing: "it" is what the conversation is about. Something else may be meant by a name.
  const act = readAct(wish);
  if (act && NAMES_SOMETHING.test(told)) return askWhether(turn, act);
  return (await doDeed(turn, wish)) ?? amend(turn, wish);
}
