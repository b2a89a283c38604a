import { dueMoment } from "../../../../lib/due.ts";
import type { Language } from "../../../../lib/languages.ts";
import { spokenRule } from "../../../../lib/spoken-rule.ts";
import { type Speaker, speakerFor } from "../../../../lib/spoken-time.ts";
import { collapseSpace, firstCharacters } from "../../../../lib/text.ts";
import { DAY_MS, toWall, wallDay } from "../../../../lib/time-zone.ts";
import { timeStyleOf } from "../../../people/speaking.ts";
import type { EventView } from "../../../tools/calendar.ts";
import type { EmailView } from "../../../tools/emails.ts";
import { spokenMinutes } from "../../../tools/reminder-input.ts";
import type { TaskView } from "../../../tools/tasks.ts";
import type { Turn } from "../../../tools/turn.ts";
import { DE } from "./de.ts";
import { EN } from "./en.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import type { Phrases } from "./phrases.ts";

const PHRASES: Record<Language, Phrases> = { en: EN, de: DE, fr: FR, es: ES };

/** How the reply to a message is worded: sentences and times in its language. */
export interface Voice extends Speaker {
  say: Phrases;
  language: Language;
}

export function voiceOf({ ctx, timeZone, language }: Pick<Turn, "ctx" | "timeZone" | "language">): Voice {
  const style = timeStyleOf(ctx);
  const english = speakerFor(timeZone, ctx.now, style);
  const times = language === "en" ? english : { ...english, ...localTimes(language, timeZone, ctx.now, english) };
  return { ...times, say: PHRASES[language], language };
}

const NEAR: Record<Exclude<Language, "en">, readonly [string, string, string, at: string]> = {
  de: ["gestern", "heute", "morgen", "um"],
  fr: ["hier", "aujourd'hui", "demain", "à"],
  es: ["ayer", "hoy", "mañana", "a las"],
};

function localTimes(
  language: Exclude<Language, "en">,
  zone: string,
  now: Date,
  { clock }: Speaker,
): Omit<Speaker, "clock"> {
  const today = wallDay(toWall(zone, now.getTime()));
  const names = NEAR[language];
  const day: Speaker["day"] = (instant) => {
    const wall = wallDay(toWall(zone, Number(instant)));
    const distance = Math.round((wall - today) / DAY_MS);
    const near = Math.abs(distance) <= 1 ? names[distance + 1] : undefined;
    if (near) return near;
    const isNear = distance > 1 && distance < 7;
    const parts = isNear
      ? ({ weekday: "long" } as const)
      : ({ weekday: "short", day: "numeric", month: "short" } as const);
    return new Intl.DateTimeFormat(language, { ...parts, timeZone: "UTC" }).format(wall);
  };
  const span: Speaker["span"] = (start, end) =>
    day(start) === day(Number(end) - 1)
      ? `${day(start)} ${clock(start)}–${clock(end)}`
      : `${day(start)} ${clock(start)} – ${day(end)} ${clock(end)}`;
  return { day, span, moment: (instant) => `${day(instant)} ${names[3]} ${clock(instant)}` };
}

const LINE_CHARACTERS = 120;
const MAX_LINES = 12;

/** One line of limited length. */
export function shorten(text: string, characters = LINE_CHARACTERS): string {
  const line = collapseSpace(text);
  const cut = firstCharacters(line, characters);
  return cut.length < line.length ? `${cut.trimEnd()}…` : line;
}

export function lines<Item>(
  { say }: Voice,
  title: string,
  items: readonly Item[],
  line: (item: Item) => string,
): string {
  const rest = items.length - MAX_LINES;
  const shown = items.slice(0, MAX_LINES).map((item) => `- ${line(item)}`);
  return [title, ...shown, ...(rest > 0 ? [`- ${say.more(rest)}`] : [])].join("\n");
}

/** A task that is due on a day without a time is stored as due at its last minute. */
function dueWords({ day, clock, moment }: Voice, task: TaskDue, zone: string): string | null {
  const at = dueMoment(task, zone);
  if (at === null) return null;
  return task.dueDate !== null || /^(?:23:59|11:59 pm)$/i.test(clock(at)) ? day(at) : moment(at);
}

type TaskDue = Pick<TaskView, "dueAt" | "dueDate">;

/** "Call Ann, due tomorrow at 15:00, urgent" */
export function taskLine(voice: Voice, zone: string): (task: Pick<TaskView, "title" | "priority"> & TaskDue) => string {
  return (task) => {
    const due = dueWords(voice, task, zone);
    const { priority } = task;
    const urgent = voice.language === "en" ? priority : voice.say.priority[priority];
    return [
      shorten(task.title),
      ...(due === null ? [] : [voice.say.due(due)]),
      ...(priority === "urgent" || priority === "high" ? [urgent] : []),
    ].join(", ");
  };
}

/** A task with everything that was set: its due time, repetition, priority and reminders. */
export function wholeTask(voice: Voice, zone: string, task: TaskView, from?: unknown): string {
  const { say } = voice;
  const due = dueWords(voice, task, zone);
  const rule =
    task.rrule === null
      ? []
      : [voice.language === "en" ? spokenRule(task.rrule, from === "done" ? "done" : "due") : say.repeating];
  return [
    task.title,
    ...(due === null ? [] : [say.due(due)]),
    ...rule,
    ...(task.priority === "medium" ? [] : [say.priority[task.priority]]),
    ...remindWords(voice, task.reminders),
  ].join(", ");
}

type Reminders = readonly { minutesBefore: number | null }[] | null;

/** "1 hour before" */
export function beforeWords({ say }: Voice, reminders: Reminders): string[] {
  const minutes = (reminders ?? []).flatMap(({ minutesBefore }) => (minutesBefore === null ? [] : [minutesBefore]));
  return minutes.map((each) => (each === 0 ? say.atItsTime : say.before(spokenMinutes(each))));
}

function remindWords(voice: Voice, reminders: Reminders): string[] {
  const times = beforeWords(voice, reminders);
  return times.length === 0 ? [] : [voice.say.reminder(times)];
}

type EventTimes = Pick<EventView, "title" | "start" | "end" | "allDay" | "location">;

/** "tomorrow 15:00–16:00: Dentist, Main Street" */
export function eventLine({ day, span, say }: Voice): (event: EventTimes) => string {
  return ({ title, start, end, allDay, location }) => {
    const days = [...new Set([day(Date.parse(start)), day(Date.parse(end) - 1)])].join(" – ");
    const when = allDay ? `${days}, ${say.allDay}` : span(Date.parse(start), Date.parse(end));
    return `${when}: ${shorten(title)}${location ? `, ${shorten(location, 60)}` : ""}`;
  };
}

export function emailLine({ moment }: Voice): (mail: EmailView) => string {
  return ({ from, subject, receivedAt, isRead, urgency, summary, snippet }) => {
    const marks = [isRead ? "" : "unread", urgency === "high" || urgency === "critical" ? "urgent" : ""].filter(
      Boolean,
    );
    const about = shorten(summary || snippet, 140);
    const when = [moment(Date.parse(receivedAt)), ...marks].join(", ");
    return `${shorten(from, 60)}: ${shorten(subject) || "(no subject)"} (${when})${about ? `. ${about}` : ""}`;
  };
}
