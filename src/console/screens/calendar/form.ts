import { addDays, type TimeHabits } from "../../lib/time.ts";
import { clockText, momentAt, normal, readLocal, type Wall, wallAt } from "../../lib/zone.ts";
import { event as m } from "../../messages/event.ts";
import { isDay } from "./days.ts";
import type { Event, EventChanges, NewEvent } from "./event.ts";

/* An event as its dialog has it: days and clock times in the zone of the event, texts instead of nulls. */

export interface Form {
  title: string;
  allDay: boolean;
  startDay: string;
  /** `09:30`; kept while the event covers whole days. */
  startTime: string;
  /** For whole days the last one, which counts. */
  endDay: string;
  endTime: string;
  timeZone: string;
  rrule: string;
  location: string;
  meetingUrl: string;
  description: string;
  attendees: Event["attendees"];
  reminders: Event["reminders"];
  tags: string;
  notes: string;
  status: Event["status"];
  busy: boolean;
  organizer: string;
  cancelReason: string;
  /** The email that a new event is made of. */
  emailId?: number;
}

const DEFAULT_MINUTES = 30;

const EMPTY = {
  title: "",
  allDay: false,
  rrule: "",
  location: "",
  meetingUrl: "",
  description: "",
  attendees: [],
  reminders: null,
  tags: "",
  notes: "",
  status: "confirmed" as const,
  busy: true,
  organizer: "",
  cancelReason: "",
};

/** A new event: on a day, on `first/last` days, or from one time to another. */
export function newForm(habits: TimeHabits, now: Date, text: string): Form {
  const [from = "", to = ""] = text.split("/");
  const [start, end] = [readLocal(from), readLocal(to)];
  if (start && end) return { ...EMPTY, ...timesOf(start, end), timeZone: habits.timeZone };
  const first = usualStart(habits, now, isDay(from) ? from : null);
  const times = timesOf(first, normal({ ...first, minutes: first.minutes + DEFAULT_MINUTES }));
  const isWhole = isDay(from) && isDay(to);
  const days = isWhole ? { allDay: true, busy: false, startDay: from, endDay: to } : {};
  return { ...EMPTY, ...times, ...days, timeZone: habits.timeZone };
}

/** The next half hour today, nine o'clock on other days. */
function usualStart({ timeZone }: TimeHabits, now: Date, day: string | null): Wall {
  const wall = wallAt(timeZone, now.getTime());
  if (day !== null && day !== wall.day) return { day, minutes: 540 };
  return normal({ day: wall.day, minutes: Math.ceil((wall.minutes + 1) / 30) * 30 });
}

export function timesOf(start: Wall, end: Wall) {
  return {
    startDay: start.day,
    startTime: clockText(start.minutes % 1440),
    endDay: normal(end).day,
    endTime: clockText(normal(end).minutes),
  };
}

export function formOf(event: Event, rrule: string | null): Form {
  const zone = event.timeZone;
  const [start, end] = [wallAt(zone, Date.parse(event.start)), wallAt(zone, Date.parse(event.end))];
  const days =
    event.allDay && event.startDate && event.endDate
      ? { startDay: event.startDate, endDay: addDays(event.endDate, -1), startTime: "09:00", endTime: "09:30" }
      : {};
  const { title, allDay, attendees, reminders, status, busy, organizer } = event;
  return {
    ...timesOf(start, end),
    ...days,
    title,
    allDay,
    timeZone: zone,
    rrule: rrule ?? "",
    location: event.location ?? "",
    meetingUrl: event.meetingUrl ?? "",
    description: event.description ?? "",
    attendees,
    reminders,
    tags: event.tags.join(", "),
    notes: event.notes ?? "",
    status,
    busy,
    organizer: organizer ? personText(organizer) : "",
    cancelReason: event.cancelReason ?? "",
  };
}

function personText({ name, email }: { name: string | null; email: string }): string {
  return name ? `${name} <${email}>` : email;
}

/** `Ann Lee <ann@example.com>` or an address alone; null if it is none. */
export function readPerson(text: string): { name: string | null; email: string } | null {
  const [, name = "", inner] = /^([^<]*)<([^<>]+)>$/.exec(text.trim()) ?? [];
  const email = (inner ?? text).trim().toLowerCase();
  return /^[^\s@<>]+@[^\s@<>]+$/.test(email) ? { name: name.replace(/^"|"$/g, "").trim() || null, email } : null;
}

/** The moments of a form, in its zone. */
export function momentsOf(form: Form): { start: number; end: number } {
  const wall = (day: string, clock: string): Wall => readLocal(`${day}T${clock}`) ?? { day, minutes: 0 };
  if (form.allDay) {
    return {
      start: momentAt(form.timeZone, { day: form.startDay, minutes: 0 }),
      end: momentAt(form.timeZone, { day: addDays(form.endDay, 1), minutes: 0 }),
    };
  }
  return {
    start: momentAt(form.timeZone, wall(form.startDay, form.startTime)),
    end: momentAt(form.timeZone, wall(form.endDay, form.endTime)),
  };
}

export type Problems = Partial<Record<"title" | "end" | "meetingUrl" | "timeZone" | "organizer", string>>;

export function problemsOf(form: Form): Problems {
  const problems: Problems = {};
  if (form.title.trim() === "") problems.title = m.problems.title;
  if (!isZone(form.timeZone)) problems.timeZone = m.problems.timeZone;
  else {
    const { start, end } = momentsOf(form);
    if (!(end > start)) problems.end = m.problems.end;
  }
  if (form.meetingUrl.trim() !== "" && !isWebAddress(form.meetingUrl.trim()))
    problems.meetingUrl = m.problems.meetingUrl;
  if (form.organizer.trim() !== "" && !readPerson(form.organizer)) problems.organizer = m.problems.person;
  return problems;
}

export function isZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const TIMES = ["allDay", "startDay", "startTime", "endDay", "endTime", "timeZone"] as const;

/** Everything, for a new event. */
export function newBody(form: Form): NewEvent {
  return {
    ...detailsOf(form),
    ...timeBody(form),
    title: form.title.trim(),
    ...(form.rrule && { rrule: form.rrule }),
    ...(form.emailId && { emailId: form.emailId }),
  };
}

/** Only what differs: the rest may have been changed elsewhere. */
export function changedBody(form: Form, before: Form): EventChanges {
  const [now, then] = [detailsOf(form), detailsOf(before)];
  const differs = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
  const details = Object.fromEntries(
    Object.entries(now).filter(([name, value]) =>
      differs(value, Object.entries(then).find(([key]) => key === name)?.[1]),
    ),
  );
  return {
    ...details,
    ...(form.title.trim() !== before.title && { title: form.title.trim() }),
    ...(TIMES.some((name) => form[name] !== before[name]) && timeBody(form)),
    ...(form.rrule !== before.rrule && { rrule: form.rrule || null }),
  };
}

export function isTimeChanged(form: Form, before: Form): boolean {
  return TIMES.some((name) => form[name] !== before[name]);
}

function timeBody({ allDay, startDay, startTime, endDay, endTime, timeZone }: Form) {
  return allDay
    ? { allDay, start: startDay, end: addDays(endDay, 1), timeZone }
    : { allDay, start: `${startDay}T${startTime}:00`, end: `${endDay}T${endTime}:00`, timeZone };
}

function detailsOf(form: Form) {
  const orNull = (text: string) => text.trim() || null;
  const { attendees, reminders, status, busy } = form;
  return {
    location: orNull(form.location),
    meetingUrl: orNull(form.meetingUrl),
    description: orNull(form.description),
    notes: orNull(form.notes),
    tags: tagsOf(form.tags),
    organizer: readPerson(form.organizer),
    attendees,
    reminders,
    status,
    busy,
    cancelReason: status === "cancelled" ? orNull(form.cancelReason) : null,
  };
}

function tagsOf(text: string): string[] {
  const names = text.split(",").map((tag) => tag.trim().replace(/^#/, ""));
  return [...new Set(names.filter((tag) => tag !== ""))];
}

/** What the calendar shows of it until the service has answered. */
export function shownOf(form: Form): Partial<Event> {
  const { start, end } = momentsOf(form);
  return {
    ...detailsOf(form),
    title: form.title.trim(),
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    allDay: form.allDay,
    startDate: form.allDay ? form.startDay : null,
    endDate: form.allDay ? addDays(form.endDay, 1) : null,
    timeZone: form.timeZone,
  };
}
