import type { ChatRecord } from "../../../../db/schema/chat.ts";
import { datesIn, withoutPhrases } from "../../../../engine/notes/message-time.ts";
import { type EventSlots, eventSlots, taskSlots } from "../../../../engine/notes/slots.ts";
import { dueOfMoment } from "../../../../lib/due.ts";
import { ADDRESSES } from "../../../../lib/text.ts";
import { dateOf, MINUTE_MS, toInstant, toWall, wallDay, wallOfDate } from "../../../../lib/time-zone.ts";
import { wordSet } from "../../../../lib/words.ts";
import { shareOf, tellingWords } from "../../../tools/language/name-match.ts";
import { MAX_WRITES } from "../../../tools/turn.ts";
import { quotedIn, remindsOf, remindsOfNew, wordsOf } from "../../request/exact.ts";
import { enumerationIn, shortItems } from "../../request/items.ts";
import { referred } from "../../request/reference.ts";
import { type Request, slotsOf, withoutLooseEnd, withoutVerb } from "../../request/request.ts";
import { minutesIn, momentOf, spanOf } from "../../request/times.ts";
import { anchorOf } from "../anchors.ts";
import { deedOf } from "../describe.ts";
import { recordsNamed } from "../find.ts";
import { listOf, listOfLast, tagsIn, withoutList, withoutTags } from "../labels.ts";
import { addByEmail } from "../of-email.ts";
import { type Call, eventOf, onlyOf, type Planned, type Scene, type Sight } from "../plan.ts";
import { shorten } from "../words/voice.ts";
import { whichOf } from "./target.ts";
import { isTitle, newTitles, notTitles, tidy, toldTitle } from "./titles.ts";

const startOfToday = ({ ctx, timeZone }: Sight) => toInstant(timeZone, wallDay(toWall(timeZone, ctx.now.getTime())));

/** The words without names in which a day or a time stands: "the Friday report" says nothing about when. */
function textOf(request: Request, { clock }: Sight): string {
  let text = request.text;
  for (const name of [...slotsOf(request, "n"), ...slotsOf(request, "l")]) {
    if (datesIn(name, clock).length > 0) text = text.replace(name, "…");
  }
  return text;
}

/** A day is passed on as a date, so that the task is due without a time. */
export function dueInput({ timeZone }: Sight, due: Date): { dueAt: string } {
  return { dueAt: dueOfMoment(due, timeZone).dueDate ?? due.toISOString() };
}

/** A birthday is no task: it lasts the whole day. */
const DAY_OF_ITS_OWN =
  /^(?:.*(?:'s|s')\s+)?(?:birthday|anniversary|wedding|geburtstag|hochzeitstag|anniversaire|cumpleaños)$/i;

export async function addTask(scene: Scene, request: Request): Promise<Planned> {
  const { sight, voice } = scene;
  const [only, ...more] = newTitles(request);
  const isDay = only !== undefined && more.length === 0 && DAY_OF_ITS_OWN.test(only) && request.kind !== "task";
  if (isDay && request.times.length > 0 && !remindsOfNew(request.text)) return addEvent(scene, request);
  const said = (await listOf(sight, request)) ?? null;
  const listed = enumerationIn(withoutVerb(withoutList(request.text) ?? request.text));
  const taken = taskSlots(listed ? listed.head : textOf(request, sight), sight.clock);
  const read = { ...taken, due: (await dueBeforeEvent(sight, request)) ?? taken.due };
  const list = said ?? (read.due || read.rule ? null : await listGoesOn(scene, request));
  const tags = [
    ...new Set([...slotsOf(request, "tag").map((tag) => tag.toLowerCase().replace(/^#/, "")), ...tagsIn(request.text)]),
  ];
  const common = { ...inputOf(sight, read), ...(tags.length > 0 && { tags }), ...(list && { list }) };
  const items = listed ? itemsOf(scene, listed.items) : null;
  const doubt = read.doubt ?? items?.find((item) => item.doubt)?.doubt;
  if (doubt) return { text: `${doubt} ${voice.say.unchanged}` };
  const isPast = (due: Date | null) => due !== null && due.getTime() < startOfToday(sight);
  if (isPast(read.due) || items?.some(({ due }) => isPast(due))) return { text: voice.say.past, isLost: true };
  const tasks = items
    ? items.map(({ title, ...slots }) => ({ title, input: { ...common, ...inputOf(sight, slots) } }))
    : titlesOf(request, read.title, list !== null && !read.due).map((title) => ({ title, input: common }));
  if (tasks.length === 0) {
    return { text: voice.say.askTask(list), question: { kind: "what", tool: "create_task", input: common } };
  }
  const [first, ...rest] = tasks;
  const known = first && rest.length === 0 && list === null ? await openTaskLike(scene, request, first) : null;
  if (known) return known;
  const calls = tasks
    .slice(0, MAX_WRITES)
    .map(({ title, input }): Call => ({ tool: "create_task", input: { title, ...input }, label: title }));
  const beyond = tasks.slice(MAX_WRITES).map(({ title }) => title);
  const unknown = items ? [] : notTitles(request);
  const isGuess = unknown.length > 0 && unknown[0] === tidy(slotsOf(request, "n")[0] ?? "");
  return {
    calls,
    ...(beyond.length > 0 && { beyond }),
    ...(unknown.length > 0 && { unknown }),
    ...(isGuess && { isGuess }),
  };
}

const BEFORE_EVENT =
  /\bbefore (?:the|my|our) (?<name>\p{L}[\p{L}' -]{1,40}?)(?=[,.;!]|$| (?:to|that|on|at|today|tomorrow)\b)/iu;
const BEFORE_MINUTES = 30;

/** "Remind me half an hour before the rehearsal to pack the folder": when the event begins, or so long before it. */
async function dueBeforeEvent(sight: Sight, request: Request): Promise<Date | null> {
  const words = remindsOf(request.text) ? BEFORE_EVENT.exec(request.text)?.groups?.name : undefined;
  if (!words) return null;
  const span = spanOf(request.times, sight.clock);
  const event = onlyOf(await recordsNamed(sight, { words, kinds: ["event"], span }));
  const minutes = minutesIn(request.times) ?? BEFORE_MINUTES;
  return event ? new Date(Date.parse((await eventOf(sight, event)).start) - minutes * MINUTE_MS) : null;
}

const ALIKE = 0.85;

/** "Remind me Saturday of mum's present", with a task "Birthday present for mum": whether that one is meant is asked. */
async function openTaskLike(
  { sight, voice }: Scene,
  { text }: Request,
  { title, input }: { title: string; input: { dueAt?: string } },
): Promise<Planned | null> {
  // "The guest bed, until Saturday" is there; "water" alone says too little.
  const isKnown = ["the", "my", "die", "das", "den", "la", "el"].some((article) => isBehind(text, article, title));
  const isPossible = input.dueAt && (isKnown || tellingWords(title).length > 1) && quotedIn(text) === null;
  const [task, ...others] = isPossible ? await recordsNamed(sight, { words: title, kinds: ["task"] }) : [];
  // The same once more is one more: "water the plants".
  const isSame = task !== undefined && shareOf(task.title, [title]) >= ALIKE;
  if (!task || others.length > 0 || isSame || shareOf(title, [task.title]) < ALIKE) return null;
  const calls: Call[] = [
    { tool: "update_task", input: { id: task.id, dueAt: input.dueAt }, label: task.title },
    { tool: "create_task", input: { title, ...input }, label: title },
  ];
  const options = calls.map((call) => ({ ...call, label: deedOf(voice, call) }));
  return whichOf(voice, voice.say.which(title), options, [task]);
}

/** Whether a name stands behind an article, perhaps with one more word between them. */
function isBehind(text: string, article: string, name: string): boolean {
  const words = wordsOf(text.slice(0, Math.max(0, text.toLowerCase().indexOf(name.toLowerCase()))));
  return words.slice(-2).includes(article);
}

type TaskRead = ReturnType<typeof taskSlots>;

/** When it is due, how often, how urgent it is and when to remind, as far as the words say. */
function inputOf(sight: Sight, { due, priority, rule, remindBefore }: Omit<TaskRead, "title" | "list" | "doubt">) {
  return {
    ...(due && dueInput(sight, due)),
    ...(priority && { priority }),
    ...(rule && { rrule: rule.rrule, repeatFrom: rule.from }),
    ...(remindBefore.length > 0 && { reminders: remindBefore.map((minutesBefore) => ({ minutesBefore })) }),
  };
}

/** Each item of an enumeration with its own date; "due Friday" and "tag admin" belong to the item before them. */
function itemsOf({ sight }: Scene, items: readonly string[]): TaskRead[] {
  const whole: string[] = [];
  for (const item of items) {
    const { title } = taskSlots(item, sight.clock);
    const isDetail = whole.length > 0 && (title === "" || isTagOnly(item) || /^due$/i.test(title));
    if (isDetail) whole.push(`${whole.pop()}, ${item}`);
    else whole.push(item);
  }
  return whole.map((item) => {
    const read = taskSlots(withoutTags(item), sight.clock);
    return { ...read, title: tidy(withoutLooseEnd(read.title || item)) };
  });
}

const isTagOnly = (text: string) =>
  /^tags?:? [\p{L}\p{N}-]+$/iu.test(text) || (tagsIn(text).length > 0 && wordsOf(withoutTags(text)).length === 0);

/** What the new tasks are called. Things for a list are named one by one. */
function titlesOf(request: Request, rest: string, areItems: boolean): string[] {
  const said = newTitles(request).filter((title) => !isTagOnly(title));
  // "milk, bread and butter to the shopping list": what stands there counts, not what was taken for names.
  const before = areItems ? withoutList(request.text) : null;
  const listed = before ? shortItems(withoutVerb(before)).map(tidy) : [];
  if (listed.length > 0 && listed.length >= said.length && listed.every((item) => isTitle(item))) return listed;
  const titles = said.length > 0 ? said : [tidy(rest)].filter((title) => title !== "" && isTitle(title));
  const parts =
    areItems && quotedIn(request.text) === null ? titles.flatMap((title) => shortItems(title).map(tidy)) : [];
  return parts.length > 0 && parts.every((part) => isTitle(part)) ? parts : titles;
}

const LONGEST_THING = 3;

/** "And butter", "add ribbon and a card": things for the list that the last reply was about. */
async function listGoesOn({ sight }: Scene, request: Request): Promise<string | null> {
  const isOther = remindsOfNew(request.text) || (request.kind !== null && !/\blist/i.test(request.text));
  const things = newTitles(request).flatMap(shortItems);
  const areThings = things.every((thing) => wordsOf(thing).length <= LONGEST_THING);
  return isOther || !areThings ? null : listOfLast(sight);
}

export const withoutArticle = (title: string) =>
  tidy(title.replace(/^(?:an?|the|ein|eine|einen|un|une|una)\s+(?=\S)/i, ""));

const WHOLE_DAYS = wordSet(
  "all-day birthday anniversary holiday holidays vacation leave off away trip conference congress festival fair deadline weekend retreat camp hackathon offsite wfh ooo travel travelling hike tour exam exams payday christmas easter urlaub geburtstag ferien vacances anniversaire congé vacaciones cumpleaños viaje",
);

/** What lasts the whole day, or has no time of its own. */
const isWholeDay = (title: string, text: string) =>
  wordsOf(title).some((word) => WHOLE_DAYS.has(word)) ||
  /\b(?:all|whole|full)[- ]day\b|ganztägig|ganzen tag|toute la journée|todo el día/i.test(text);

export async function addEvent(scene: Scene, request: Request): Promise<Planned> {
  if (request.about?.kind === "email") return addByEmail(scene, request.about, request);
  if (request.copyOf) return copyEvent(scene, request, request.copyOf);
  const { sight, voice } = scene;
  const { say } = voice;
  const slots = eventSlots(`${textOf(request, sight)}${await dayInTalk(sight, request)}`, sight.clock);
  const { start, end, durationMinutes, day, rrule } = slots;
  const place = slotsOf(request, "p")[0]?.replace(PLACE_IS, "") ?? (await placeThere(sight, request));
  const addresses = request.text.match(ADDRESSES) ?? [];
  const details = {
    ...(place && { location: withoutArticle(place) }),
    ...(addresses.length > 0 && { attendees: [...new Set(addresses.map((email) => email.toLowerCase()))] }),
    ...(rrule && { rrule }),
  };
  const length = end ? { end: end.toISOString() } : durationMinutes ? { durationMinutes } : {};
  const told = toldTitle(withoutPhrases(request.text, datesIn(request.text, sight.clock)));
  const [title] = [
    ...newTitles(request),
    ...(told ? [told] : []),
    ...[tidy(slots.title)].filter((each) => isTitle(each)),
  ].map((each) => withoutArticle(each.replace(/\s(?:there|dort|là-bas|allí)$/i, "")));
  const slot = start || day ? null : freeSlot(sight, request);
  const from = start?.toISOString() ?? slot;
  const when = from ? { start: from, ...length } : day && { start: day, ...length, allDay: true };
  const doubt = doubtAbout(scene, slots);
  if (!title && !doubt) {
    return { text: say.askTitle, question: { kind: "what", tool: "create_event", input: { ...details, ...when } } };
  }
  if (!title || doubt) {
    const time = slots.time ?? (start && new Date(toWall(sight.timeZone, start.getTime())).toISOString().slice(11, 16));
    const minutes = end && start ? (end.getTime() - start.getTime()) / 60_000 : durationMinutes;
    const input = { title: title ?? "Meeting", ...details, ...(minutes && { durationMinutes: minutes }) };
    const known = { ...(time && { time }), ...(slots.span && { span: slots.span }) };
    return {
      text: doubt ?? say.askTitle,
      question: { kind: "when", tool: "create_event", input, day: null, ...known },
    };
  }
  if (from || (day && (end || rrule || isWholeDay(title, request.text)))) {
    const busy = !start && end ? { busy: true } : {};
    return { calls: [{ tool: "create_event", input: { title, ...when, ...details, ...busy }, label: title }] };
  }
  return {
    text: day ? say.askTime(voice.day(Date.parse(`${day}T12:00:00Z`))) : say.askWhen(shorten(title, 80)),
    question: { kind: "when", tool: "create_event", input: { title, ...length, ...details }, day },
  };
}

/** "Put the haircut at 3", after a question about a day, is on that day. */
async function dayInTalk(sight: Sight, { times }: Request): Promise<string> {
  const { asked, isWritten } = sight.state;
  const isDayless = times.length > 0 && times.every(({ type }) => /^(?:time|timerange|duration)$/.test(type));
  const anchor =
    isDayless && !isWritten && (asked === "ask_day" || asked === "ask_free") ? await anchorOf(sight) : null;
  return anchor ? ` on ${anchor.day}` : "";
}

const PLACE_IS = /^(?:the )?(?:place|location|venue|room|ort|lieu|lugar)(?: is| ist| est| es|:)?\s+/i;

const THERE = wordSet("there dort là-bas allí");

/** "Coffee there": where the event is that the last reply was about. */
async function placeThere(sight: Sight, { text }: Request): Promise<string | null> {
  const [last] = sight.state.groups[0] ?? [];
  if (!wordsOf(text).some((word) => THERE.has(word)) || last?.kind !== "event") return null;
  return (await eventOf(sight, last)).location;
}

const GUEST = /\b(?:with|for|mit|für|avec|pour|con|para)\s\p{Lu}[^\n]{0,120}$/u;

/** Another event like one that was just added: on another day, at another time, or with somebody else. */
async function copyEvent({ sight }: Scene, request: Request, copied: ChatRecord): Promise<Planned> {
  const { clock, timeZone } = sight;
  const like = await eventOf(sight, copied);
  const { start, end, durationMinutes, day } = eventSlots(request.text, clock);
  const from = toWall(timeZone, Date.parse(like.start));
  const moment = momentOf(request.times, clock);
  const wall = wallOfDate(moment?.day ?? day ?? dateOf(from));
  const [hours = 0, minutes = 0] = moment?.time?.split(":").map(Number) ?? [];
  const time = moment?.time ? (hours * 60 + minutes) * MINUTE_MS : from - wallDay(from);
  const at = new Date(toInstant(timeZone, wall + time));
  const length =
    end && start
      ? (end.getTime() - start.getTime()) / MINUTE_MS
      : (Date.parse(like.end) - Date.parse(like.start)) / MINUTE_MS;
  const [named = request.rest] = [...slotsOf(request, "n"), ...request.names];
  const guest = GUEST.exec(named)?.[0];
  const title = guest ? `${like.title.replace(GUEST, "").trim()} ${guest}` : like.title;
  const when = like.allDay
    ? { start: dateOf(wall), allDay: true }
    : { start: at.toISOString(), durationMinutes: durationMinutes ?? length };
  const place = like.location && !guest ? { location: like.location } : {};
  return { calls: [{ tool: "create_event", input: { title, ...when, ...place }, label: title }] };
}

/** "Book a call then", "take the first one": a free time of the last reply. */
function freeSlot({ state }: Sight, { reference }: Request): string | null {
  const slots = (state.groups[0] ?? []).filter(({ kind }) => kind === "slot");
  const [meant, ...others] = (reference && referred(reference, slots)) ?? slots;
  return meant?.start && others.length === 0 ? meant.start : null;
}

/** Why the event cannot be added as it was said, with a question for a better time. */
function doubtAbout({ sight, voice }: Scene, { doubt, span, start, end, rrule }: EventSlots): string | null {
  if (doubt) return `${doubt} ${voice.say.whenInstead}`;
  if (span) return voice.say.askDay(span);
  return start && !rrule && (end ?? start) < sight.ctx.now ? voice.say.past : null;
}

export const today = ({ ctx, timeZone }: Sight) => dateOf(toWall(timeZone, ctx.now.getTime()));
