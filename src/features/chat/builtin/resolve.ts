import type { ChatRecord } from "../../../db/schema/chat.ts";
import { notToday } from "../../../engine/notes/message-time.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { wordSet } from "../../../lib/words.ts";
import { bestMatches, shareOf, tellingWords } from "../../tools/language/name-match.ts";
import { groupOf } from "../reader/sure.ts";
import { contentOf } from "../request/content.ts";
import { wordsOf } from "../request/exact.ts";
import { exceptIn, type Kind, kindIn, type Reference, referred } from "../request/reference.ts";
import { type Request, slotsOf } from "../request/request.ts";
import { type Span, spanOf } from "../request/times.ts";
import { mayRead, recordsNamed, recordsSaid, unread } from "./find.ts";
import { recordsOfEmail } from "./of-email.ts";
import { distinct, isSame, onlyOf, type Sight } from "./plan.ts";

/** The records that a request is about. */
type Target =
  | {
      records: ChatRecord[];
      /** They were found by a part of their name only: nothing is done before the person has agreed. */
      isGuess?: true;
      /** Names beside theirs that nothing has. */
      unknown?: string[];
    }
  /** Only the person knows which of these. */
  | { options: ChatRecord[]; words: string }
  /** Nothing has this name. */
  | { missing: string; kind?: Kind }
  /** Nothing that whoever talks may read has this name; why not all was looked for. */
  | { refused: string }
  /** Neither a name nor anything that a pronoun could mean. */
  | { unclear: true };

interface Options {
  kinds: readonly Kind[];
  /** The phrases about time that name the record, and do not say what to do with it. */
  times?: Request["times"];
  isDone?: boolean;
}

/**
 * Finds what a request is about, in this order: by the name it says, by the time it says, by what a pronoun or an
 * ordinal points to in the last reply. A name always wins, and nothing older than the last reply is reached by a
 * pronoun.
 */
export async function resolve(sight: Sight, request: Request, options: Options): Promise<Target> {
  const target = await found(sight, request, options);
  const { kinds } = options;
  const refused =
    "missing" in target ? unread(sight, request.kind && kinds.includes(request.kind) ? [request.kind] : kinds) : null;
  return refused === null ? target : { refused };
}

async function found(sight: Sight, request: Request, { kinds, times = [], isDone }: Options): Promise<Target> {
  if (request.about && kinds.includes(request.about.kind)) return { records: [request.about] };
  const except = exceptIn(request.text);
  if (except) return allBut(sight, except, kinds);
  const isMeeting = kinds.includes("event") && kinds.length > 1 && request.names.some(isMeetingWith);
  const wanted = isMeeting ? EVENTS : request.kind && kinds.includes(request.kind) ? [request.kind] : kinds;
  const span = spanOf(times, sight.clock);
  // "Mark email as done": a noun of another kind is a word of the name.
  const isSilent = request.names.length === 0 && !request.reference && contentOf(request.rest) === "";
  const isOfOther = (kind: Kind | null) => kind !== null && !kinds.includes(kind);
  const nouns = isSilent ? wordsOf(request.rest).filter((word) => isOfOther(kindIn(word))) : [];
  const called = nouns.length > 0 ? await recordsNamed(sight, { words: nouns.join(" "), kinds }) : [];
  if (called.length > 0) return called.length === 1 ? { records: called } : { options: called, words: nouns.join(" ") };
  const people = [...slotsOf(request, "g"), ...(TITLED.has(request.act) ? [] : slotsOf(request, "n"))];
  const senders = wanted.includes("email") ? slotsOf(request, "g") : [];
  // A person who is neither sender nor guest is part of the name. So is a new title that the act does not need: "take butter off".
  const names = request.names.length > 0 || senders.length > 0 || GUESTS.has(request.act) ? request.names : people;
  if (names.length > 0 || senders.length > 0) {
    const named = await byName(
      sight,
      { ...request, names },
      { kinds: wanted, span, senders, ...(isDone && { isDone }) },
    );
    return isMeeting && "missing" in named ? { ...named, kind: "event" } : named;
  }
  const [latest = []] = sight.state.groups;
  // "The Friday one", "the one at 9"
  if (request.reference?.which === "one" && span && wanted.includes("event") && ONE_THEN.test(request.text))
    return atTime(sight, request, span);
  if (request.reference) {
    // "Bin the one from Greg": a name wins over what was talked about.
    const name = request.reference.which === "one" ? contentOf(request.rest) : "";
    const only = name ? onlyOf(await recordsNamed(sight, { words: name, kinds: wanted, span })) : undefined;
    if (only) return { records: [only] };
    const other =
      request.reference.which === "one" && kinds.length === 1 ? await otherSaid(sight, request, kinds) : null;
    if (other) return other;
    const meant = (await ofEmailToo(sight, request, wanted)) ?? referredTo(sight, request.reference, wanted, kinds);
    if (meant) return meant;
  }
  // "Take butter off": a word that nothing accounts for names something, and nothing else is meant by silence.
  const content = request.reference ? "" : contentOf(request.rest);
  if (content) {
    const found = await recordsNamed(sight, { words: content, kinds: wanted, span });
    if (found.length === 1) return { records: found };
    return found.length > 1 ? { options: found, words: content } : saidIn(sight, request, wanted, content);
  }
  if (span && wanted.includes("event")) return atTime(sight, request, span);
  const byNoun = request.reference ? null : await withNoun(sight, request, wanted);
  if (byNoun) return byNoun;
  // "The email" is the one that was talked about last; "it" is only what the last reply was about.
  const said =
    request.kind && wanted.length === 1
      ? sight.state.groups.find((group) => group.some(({ kind }) => kind === request.kind))
      : null;
  const fitting = (said ?? latest).filter(({ kind }) => wanted.includes(kind));
  if (!request.reference && fitting.length === 1) return { records: fitting };
  if (!request.reference && fitting.length > 1) return { options: fitting, words: "" };
  // "Move it", after an email: what the email is about.
  const ofEmail = kinds.includes("email") ? [] : await recordsOfEmail(sight, wanted);
  const isBoth = request.reference?.which === "both" && ofEmail.length === 2;
  if (ofEmail.length === 1 || isBoth) return { records: ofEmail, isGuess: true };
  return ofEmail.length > 1 ? { options: ofEmail, words: "" } : { unclear: true };
}

/** "Make that urgent", after an email and a task that it is not about: either may be meant. */
async function ofEmailToo(sight: Sight, { reference }: Request, wanted: readonly Kind[]): Promise<Target | null> {
  const shown = distinct(sight.state.groups[0] ?? []).filter(({ kind }) => wanted.includes(kind));
  if (reference?.which !== "one" || sight.state.isWritten || wanted.includes("email") || shown.length !== 1)
    return null;
  const options = distinct([...shown, ...(await recordsOfEmail(sight, wanted))]);
  return options.length > 1 ? { options, words: "" } : null;
}

const EVENTS: readonly Kind[] = ["event"];
const WITH = wordSet("with mit avec con");

/** "The call with Bo" is an event, and never a task that has his name in it. */
function isMeetingWith(name: string): boolean {
  const [noun = "", next = ""] = wordsOf(name);
  return WITH.has(next) && kindIn(`the ${noun}`) === "event";
}

const GUESTS = wordSet("invite uninvite add_event");
const TITLED = wordSet("rename note place add_task add_event reply forward write tag remind pick other");
const MOST_OPTIONS = 6;

/** "The call": what the conversation is about, if it is one, or else the events that are called so. */
async function withNoun(sight: Sight, { noun, kind }: Request, kinds: readonly Kind[]): Promise<Target | null> {
  if (!noun || kind !== "event" || !kinds.includes("event") || GENERAL.has(noun)) return null;
  const isSo = ({ title }: ChatRecord) => wordsOf(title).includes(noun);
  const events = mayRead(sight, "calendar:read")
    ? await recordsNamed(sight, { words: "", kinds: ["event"], span: ahead(sight) })
    : [];
  const found = events.filter(isSo);
  if (found.length === 0) return null;
  return found.length === 1 ? { records: found } : { options: found.slice(0, MOST_OPTIONS), words: noun };
}

/** Any event may be called so. */
const GENERAL = wordSet("event events calendar termin evento événement agenda kalender calendario invitation invite");
const AHEAD_DAYS = 30;

const ahead = ({ ctx }: Sight): Span => ({
  start: ctx.now,
  end: new Date(ctx.now.getTime() + AHEAD_DAYS * DAY_MS),
  label: "",
  isClock: false,
  isPoint: false,
});

interface Naming {
  kinds: readonly Kind[];
  span: Span | null;
  senders: readonly string[];
  isDone?: boolean;
}

async function byName(sight: Sight, request: Request, { kinds, span, senders, isDone }: Naming): Promise<Target> {
  const names = request.names.length > 0 ? request.names : [""];
  const records: ChatRecord[] = [];
  const missing: string[] = [];
  for (const name of names) {
    const found = await oneName(sight, name, { kinds, span, senders, ...(isDone && { isDone }) });
    const [only, ...others] = found;
    const isAll = request.reference?.which === "all" || (request.reference?.which === "both" && found.length === 2);
    if (!only) missing.push([name, ...senders].filter(Boolean).join(" "));
    else if (others.length > 0 && !isAll) {
      const picked = request.reference && referred(request.reference, found);
      if (picked) records.push(...picked);
      else return { options: found, words: name || senders.join(" ") };
    } else records.push(...found);
  }
  const then =
    records.length === 0 && span && groupOf(request.act) !== null && kinds.includes("event")
      ? await atTime(sight, { ...request, reference: null }, span)
      : null;
  if (then && "records" in then) return { ...then, isGuess: true };
  if (records.length === 0) return saidIn(sight, request, kinds, missing.join(", "));
  return { records: distinct(records), ...(missing.length > 0 && { unknown: missing }) };
}

/** "Mr Novak has rung me, so that one is settled": what is named and was not talked about last is asked about. */
async function otherSaid(sight: Sight, request: Request, kinds: readonly Kind[]): Promise<Target | null> {
  if (!kinds.includes("task") || request.times.length > 0) return null;
  const [latest = []] = sight.state.groups;
  const { records } = await recordsSaid(sight, request.text, kinds);
  const only = onlyOf(records);
  return only && !latest.some((each) => isSame(each, only)) ? { records, isGuess: true } : null;
}

/** Finds records by the words of the message, when nothing has the name that was read. */
async function saidIn(sight: Sight, request: Request, kinds: readonly Kind[], missing: string): Promise<Target> {
  const { records, isGuess } = await recordsSaid(sight, request.text, kinds);
  if (records.length === 0) return { missing };
  if (records.length > 1) return isGuess ? { missing } : { options: records, words: missing };
  // "Cancel the picnic because of the dentist": another record than the name is about is only asked about.
  const isOther = missing !== "" && records.every(({ title }) => shareOf(title, [missing]) === 0);
  return { records, ...((isGuess || isOther) && { isGuess: true as const }) };
}

async function oneName(sight: Sight, name: string, { kinds, span, senders, isDone }: Naming): Promise<ChatRecord[]> {
  const known = span || senders.length > 0 ? [] : inConversation(sight, name, kinds);
  if (known.length === 1) return known;
  const search = { words: name, kinds, span, ...(senders[0] && { sender: senders[0] }), ...(isDone && { isDone }) };
  const found = await recordsNamed(sight, search);
  // A day said beside the name of a task: "the report for Friday".
  return found.length === 0 && span ? recordsNamed(sight, { ...search, span: null }) : found;
}

/** Of what was talked about, the only record that has all of these words. */
function inConversation({ state }: Sight, words: string, kinds: readonly Kind[]): ChatRecord[] {
  const known = distinct(state.groups.flat()).filter(({ kind }) => kinds.includes(kind));
  return bestMatches(words, known, ({ title }) => [title]).filter(({ title }) => shareOf(words, [title]) > 0.79);
}

const ONE_THEN = /\b(?:the|that|my) (?:\S+ ){1,2}ones?\b|\bones? (?:at|on|for|from|in)\b/i;

/** "my 3pm", "tomorrow's meeting" */
async function atTime(sight: Sight, request: Request, span: Span): Promise<Target> {
  const eventsIn = async (then: Span | null) =>
    then && mayRead(sight, "calendar:read") ? recordsNamed(sight, { words: "", kinds: ["event"], span: then }) : [];
  const today = await eventsIn(span);
  // "The Wednesday one", said on a Wednesday without any event.
  const later = spanOf(
    request.times.map((each) => notToday(each, sight.clock)),
    sight.clock,
  );
  const found = today.length > 0 ? today : await eventsIn(later);
  if (found.length === 1) return { records: found };
  if (found.length === 0) return { missing: span.label };
  const picked = request.reference && referred(request.reference, found);
  return picked ? { records: picked } : { options: found, words: span.label };
}

function referredTo(
  sight: Sight,
  reference: Reference,
  wanted: readonly Kind[],
  kinds: readonly Kind[],
): Target | null {
  const { which } = reference;
  const groups = sight.state.groups.map((group) => distinct(group.filter(({ kind }) => wanted.includes(kind))));
  const [latest = []] = groups;
  if (which === "one" || which === "them" || which === "all") {
    // "It" means what the last reply was about, of whatever kind; if that is of another kind, nothing is meant.
    const whole = which === "all" && latest.length === 1 ? listWith(latest[0], groups) : undefined;
    const records = whole ?? referred(reference, latest);
    // "Everything" is no single thing.
    const isVast = which === "all" && records?.length === 1 && !whole;
    if (records) return { records, ...(isVast && { isGuess: true }) };
    return latest.length > 1 ? { options: latest, words: "" } : null;
  }
  // "The second one" and "both" mean the last list, also after one of it was changed.
  const list = groups.find((group) => group.length > 1 && kinds.some((kind) => group[0]?.kind === kind));
  if (which === "other" || which === "rest") {
    const since = list ? groups.slice(0, groups.indexOf(list)).flat() : [];
    const rest = (list ?? []).filter((record) => !since.some((each) => isSame(each, record)));
    if (rest.length === 1 || (which === "rest" && rest.length > 0)) return { records: rest };
    return rest.length > 1 ? { options: rest, words: "" } : null;
  }
  // What was made or talked about one after the other is a list, too, the oldest first.
  const singles = distinct(groups.filter((group) => group.length === 1).flat()).reverse();
  const count = which === "both" ? 2 : "recent" in which ? which.recent : null;
  const records =
    (list && referred(reference, list)) ??
    (count !== null && singles.length >= count ? singles.slice(-count) : null) ??
    referred(reference, singles) ??
    referred(reference, latest);
  return records ? { records } : null;
}

/** "All except the vanilla": the last list without what is named. */
function allBut({ state }: Sight, name: string, kinds: readonly Kind[]): Target {
  const list = state.groups.find((group) => group.length > 1)?.filter(({ kind }) => kinds.includes(kind)) ?? [];
  const kept = bestMatches(name, list, ({ title }) => [title]);
  const isKnown = tellingWords(name).length > 0 && kept.length > 0 && kept.length < list.length;
  return isKnown ? { records: list.filter((record) => !kept.includes(record)) } : { unclear: true };
}

/** "All of them", after one of a list was changed: the list. */
function listWith(record: ChatRecord | undefined, groups: readonly ChatRecord[][]): ChatRecord[] | undefined {
  return groups.find((group) => group.length > 1 && group.some((each) => record && isSame(each, record)));
}
