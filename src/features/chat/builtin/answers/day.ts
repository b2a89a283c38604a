import type { ChatRecord } from "../../../../db/schema/chat.ts";
import { type Clock, datesIn, isClock } from "../../../../engine/notes/message-time.ts";
import { merge } from "../../../../lib/intervals.ts";
import { DAY_MS } from "../../../../lib/time-zone.ts";
import { wordSet } from "../../../../lib/words.ts";
import { type EventView, eventView } from "../../../tools/calendar.ts";
import type { EmailDetails } from "../../../tools/emails.ts";
import { bestMatches } from "../../../tools/language/name-match.ts";
import type { TaskView } from "../../../tools/tasks.ts";
import { wordsOf } from "../../request/exact.ts";
import { type Request, slotsOf } from "../../request/request.ts";
import { minutesIn, type Span, spanOf } from "../../request/times.ts";
import { mayRead } from "../find.ts";
import { type Answer, eventOf, eventRecord, lookUp, type Scene, taskRecord } from "../plan.ts";
import { eventLine, lines, shorten, taskLine, type Voice } from "../words/voice.ts";

interface EventList {
  events: EventView[];
  more: boolean;
}

/** How a time is named in the answer: a date by its day, words as the person said them. */
export function whenWords({ say, day }: Voice, { label, start }: Span): string {
  if (/\d{4}-\d\d-\d\d/.test(label)) return say.on(day(start.getTime()));
  const [first = ""] = wordsOf(label);
  return say.on(SMALL.has(first) ? `${first}${label.slice(first.length)}` : label);
}

/** Words that are written small inside a sentence. */
const SMALL = wordSet("today tomorrow tonight yesterday this next last the in at on from between");

const NEXT = wordSet("next first earliest nächster nächste nächsten prochain prochaine próximo próxima proximo");
const FIRST = wordSet("first earliest erster erste erstes premier première primer primera");
const LAST = wordSet("last latest final letzter letzte dernier dernière último última");
const WHOLE_BRIEF = wordSet("brief briefing overview rundown plate überblick résumé resumen");
const AHEAD_DAYS = 7;
const NAMED_DAYS = 90;

/** What is on: the events of a day or a week, and the tasks that are due then. */
export async function askDay(scene: Scene, request: Request): Promise<Answer> {
  const { sight, voice } = scene;
  const { say } = voice;
  const words = wordsOf(request.rest);
  const isLook = words.includes("day") && words.includes("look") && request.times.length === 0;
  if ((isLook || words.some((word) => WHOLE_BRIEF.has(word))) && request.names.length === 0) return brief(scene);
  const span = daysOf(request.times, sight.clock);
  const names = [...request.names, ...slotsOf(request, "g")];
  const isNext = !span && words.some((word) => NEXT.has(word));
  const days = names.length > 0 || isNext ? NAMED_DAYS : AHEAD_DAYS;
  const start = span?.start ?? sight.ctx.now;
  const end = span?.end ?? new Date(start.getTime() + days * DAY_MS);
  const found = await lookUp<EventList>(scene, "list_events", {
    start: start.toISOString(),
    end: end.toISOString(),
    limit: 50,
  });
  if ("text" in found) return found;
  const events =
    names.length > 0
      ? bestMatches(names.join(" "), found.events, ({ title, attendees, location }) => [
          title,
          ...attendees,
          location ?? "",
        ])
      : found.events;
  const when = span ? whenWords(voice, span) : say.nextDays(days);
  const which = names.length > 0 ? ` (${shorten(names.join(", "), 40)})` : "";
  const [first] = events;
  if (first && isNext) return { text: say.next(eventLine(voice)(first)), about: [eventRecord(first)] };
  const isOf = (which: ReadonlySet<string>) => span !== null && words.some((word) => which.has(word));
  const edge = isOf(FIRST) ? first : isOf(LAST) ? events.at(-1) : undefined;
  if (edge) return { text: say.found(eventLine(voice)(edge)), about: [eventRecord(edge)] };
  const due =
    names.length > 0 || request.kind === "event" || (span?.isClock ?? false)
      ? []
      : await dueThen(scene, start, end, span !== null);
  const said = first
    ? lines(voice, say.events(events.length, `${when}${which}`), events, eventLine(voice))
    : say.noEvents(`${when}${which}`);
  const tasks =
    due.length > 0 ? `\n\n${lines(voice, say.tasksDue(due.length), due, taskLine(voice, sight.timeZone))}` : "";
  return { text: `${said}${tasks}`, about: [...events.map(eventRecord), ...due.map(taskRecord)].slice(0, 20) };
}

/** "Today and tomorrow" are both meant. */
function daysOf(times: Request["times"], clock: Clock): Span | null {
  const days = times.flatMap((time) => spanOf([time], clock) ?? []);
  const [first, ...others] = days;
  if (!first || others.length === 0 || days.some(({ isClock, isPoint }) => isClock || isPoint))
    return spanOf(times, clock);
  const at = (pick: (...all: number[]) => number, of: "start" | "end") =>
    new Date(pick(...days.map((day) => day[of].getTime())));
  return {
    ...first,
    start: at(Math.min, "start"),
    end: at(Math.max, "end"),
    label: days.map(({ label }) => label).join(" and "),
  };
}

async function dueThen(scene: Scene, start: Date, end: Date, isSaid: boolean): Promise<TaskView[]> {
  if (!mayRead(scene.sight, "tasks:read")) return [];
  const range = { ...(isSaid && { dueAfter: start.toISOString() }), dueBefore: end.toISOString() };
  const due = await lookUp<{ tasks: TaskView[] }>(scene, "list_tasks", { ...range, limit: 20 });
  return "text" in due ? [] : due.tasks;
}

async function brief(scene: Scene): Promise<Answer> {
  const found = await lookUp<{ text: string }>(scene, "daily_brief", {});
  return { text: found.text };
}

const LONGEST_SPAN = 26 * 3_600_000;

/** When there is time, or whether there is some at a time. */
export async function askFree(scene: Scene, request: Request): Promise<Answer> {
  const { sight, voice } = scene;
  const { say, span, moment } = voice;
  const asked = spanOf(request.times, sight.clock);
  const minutes = Math.min(Math.max(minutesIn(request.times) ?? 30, 5), 1440);
  if (isAboutConflicts(request.text)) {
    const event = await eventMeant(scene, request);
    if (event) return conflictsWith(scene, event);
    if (asked) return conflicts(scene, asked, minutes);
  }
  const offered = asked ? [] : await timesOffered(scene);
  if (offered.length > 0) {
    const each: Answer[] = [];
    for (const start of offered) each.push(await isFreeAt(scene, start, minutes, moment(start.getTime())));
    const text = each.map((answer) => answer.text).join("\n");
    // Whether it clashes is a question about the email, which the conversation stays with.
    return isAboutConflicts(request.text) ? { text } : { text, about: each.flatMap(({ about = [] }) => about) };
  }
  if (asked?.isPoint && asked.isClock) return isFreeAt(scene, asked.start, minutes, moment(asked.start.getTime()));
  const range = asked ? { start: asked.start.toISOString(), end: asked.end.toISOString() } : {};
  const isDay = asked && asked.end.getTime() - asked.start.getTime() <= LONGEST_SPAN;
  const busy = isDay ? await busyBetween(scene, asked.start, asked.end) : [];
  const found = await lookUp<{ slots: { start: string; end: string }[] }>(scene, "find_free_slots", {
    durationMinutes: minutes,
    limit: 50,
    ...range,
  });
  if ("text" in found) return found;
  const when = asked ? whenWords(voice, asked) : say.nextDays(AHEAD_DAYS);
  const taken = busy.length > 0 ? `\n${lines(voice, say.taken, busy, eventLine(voice))}` : "";
  if (found.slots.length === 0) return { text: `${say.notFree(minutes, when)}${taken}`, about: busy.map(eventRecord) };
  const gaps = merge(found.slots.map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) })));
  return {
    text: `${lines(voice, say.free(when), gaps, (gap) => span(gap.start, gap.end))}${taken}`,
    about: gaps.slice(0, 20).map(({ start }) => slotAt(new Date(start))),
  };
}

const slotAt = (at: Date): ChatRecord => ({ kind: "slot", id: 0, start: at.toISOString(), title: at.toISOString() });

/** The times that the email of the last reply names: "which one am I free?" */
async function timesOffered(scene: Scene): Promise<Date[]> {
  const { sight } = scene;
  const [email, ...others] = (sight.state.groups[0] ?? []).filter(({ kind }) => kind === "email");
  const read = email && others.length === 0 ? await lookUp<EmailDetails>(scene, "read_mail", { id: email.id }) : null;
  if (!read || "text" in read) return [];
  const found = datesIn(read.body, { ...sight.clock, reference: new Date(read.receivedAt) });
  const times = found.flatMap((each) => (isClock(each) && /date/.test(each.type) && each.from ? [each.from] : []));
  return times.filter((time) => time > sight.ctx.now).slice(0, MOST_TIMES);
}

const MOST_TIMES = 4;

/** The event that a question is about: by its name, or what was talked about. */
async function eventMeant({ sight }: Scene, { recalled, reference }: Request): Promise<EventView | null> {
  const events = (recalled ?? (reference ? sight.state.groups[0] : null) ?? []).filter(({ kind }) => kind === "event");
  const [record] = events;
  if (!record || (events.length > 1 && !recalled) || !mayRead(sight, "calendar:read")) return null;
  return eventView(await eventOf(sight, record));
}

async function conflictsWith(scene: Scene, event: EventView): Promise<Answer> {
  const { voice } = scene;
  const busy = await busyBetween(scene, new Date(event.start), new Date(event.end));
  const found = [event, ...busy.filter(({ id, occurrence }) => id !== event.id || occurrence !== event.occurrence)];
  if (found.length === 1)
    return { text: voice.say.noConflict(voice.moment(Date.parse(event.start))), about: [eventRecord(event)] };
  return { text: lines(voice, voice.say.conflicts, found, eventLine(voice)), about: found.map(eventRecord) };
}

export const isAboutConflicts = (text: string) => wordsOf(text).some((word) => CONFLICTS.has(word));

const CONFLICTS = wordSet(
  "collide collides colliding conflict conflicts clash clashes clashing overlap overlaps overlapping double-booked bite bites interfere interferes konflikt überschneidung überschneidungen überschneidet kollidiert beißt conflit chevauchement chevauche conflicto choque choca coincide solapa",
);

/** Whether events of a time overlap with each other, or with a time that is asked about. */
async function conflicts(scene: Scene, asked: Span, minutes: number): Promise<Answer> {
  const { voice } = scene;
  const { say } = voice;
  const end = asked.isPoint ? new Date(asked.start.getTime() + minutes * 60_000) : asked.end;
  const busy = await busyBetween(scene, asked.start, end);
  const overlaps = (one: EventView, other: EventView) => one.start < other.end && one.end > other.start;
  const isAny = (event: EventView) => busy.some((other) => other !== event && overlaps(event, other));
  const found = asked.isPoint ? busy : busy.filter(isAny);
  if (found.length > 0)
    return { text: lines(voice, say.conflicts, found, eventLine(voice)), about: found.map(eventRecord) };
  const at = asked.isPoint ? voice.moment(asked.start.getTime()) : null;
  return { text: at === null ? say.noConflicts(whenWords(voice, asked)) : say.noConflict(at) };
}

async function busyBetween(scene: Scene, start: Date, end: Date): Promise<EventView[]> {
  const found = await lookUp<EventList>(scene, "list_events", {
    start: start.toISOString(),
    end: end.toISOString(),
    limit: 20,
  });
  // What does not take up time does not count, such as an invitation from a stranger.
  return "text" in found ? [] : found.events.filter((event) => event.busy && !event.allDay);
}

/** What begins so soon after may be in the way as well. */
const SOON_MS = 3_600_000;

async function isFreeAt(scene: Scene, start: Date, minutes: number, at: string): Promise<Answer> {
  const { say } = scene.voice;
  const busy = await busyBetween(scene, start, new Date(start.getTime() + minutes * 60_000));
  if (busy.length === 0) {
    const end = start.getTime() + minutes * 60_000;
    const [next] = await busyBetween(scene, new Date(end), new Date(end + SOON_MS));
    const soon = next ? ` ${say.next(eventLine(scene.voice)(next))}` : "";
    return { text: `${say.isFree(at, minutes)}${soon}`, about: [slotAt(start)] };
  }
  return { text: lines(scene.voice, say.isBusy(at), busy, eventLine(scene.voice)), about: busy.map(eventRecord) };
}
