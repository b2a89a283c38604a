import { signal } from "@preact/signals";
import { api } from "../../client/api.ts";
import { change, rememberVersion } from "../../client/changes.ts";
import { keep, kept } from "../../client/kept.ts";
import { reasonOf, undoToast } from "../../client/notices.ts";
import { isProblem } from "../../client/problem.ts";
import { known } from "../../lib/cast.ts";
import { navigate, withQuery } from "../../lib/router.ts";
import { shiftRule } from "../../lib/rule.ts";
import { addDays, daysBetween } from "../../lib/time.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { type Conflict, type Event, type EventChanges, eventQuery, isSame, keyOf, type WrittenEvent } from "./event.ts";
import { patchEvent, readSeries, type Scope } from "./event-changes.ts";
import { changedBody, type Form, formOf, isTimeChanged, newBody, shownOf } from "./form.ts";

/** What somebody typed and the API refused: the dialog opens again with it. */
export const refused = signal<{ key: string; form: Form; reason: string } | null>(null);
export const NEW_KEY = "new";

/** The dialog's content on this device, until it is saved or thrown away; null forgets it. */
export function keepForm(key: string, form: Form | null): void {
  keep(`event:${key}`, form);
}

/** Of a new event only the words come back: its time is where the person points now. */
export function keptForm(key: string, initial: Form): Form | null {
  const found = kept<Form>(`event:${key}`);
  if (!found || key !== NEW_KEY) return found;
  const { allDay, startDay, startTime, endDay, endTime, timeZone } = initial;
  return { ...found, allDay, startDay, startTime, endDay, endTime, timeZone };
}

/** The events in the way if the API was told to refuse them; null if it is on its way or saved. */
type Outcome = Conflict[] | null;

interface Options {
  /** Asks the API to refuse what overlaps: only it can compare all occurrences of a series. */
  isRefused: boolean;
}

function conflictsIn(error: unknown): Conflict[] | null {
  return isProblem(error, "time_conflict") ? known<Conflict[]>(error.document.conflicts ?? []) : null;
}

/** Brings the dialog back, with what was typed. */
function reopen(key: string, form: Form, error: unknown, query: Record<string, string | null>): void {
  refused.value = { key, form, reason: reasonOf(error) };
  navigate(withQuery(query));
}

let lastTemporary = -2_000_000;

export async function saveNew(form: Form, { isRefused }: Options): Promise<Outcome> {
  lastTemporary -= 1;
  const key = crypto.randomUUID();
  keepForm(NEW_KEY, form);
  let conflicts: Conflict[] | null = null;
  const saved = await change<Event, WrittenEvent | null>({
    kind: "event",
    ids: [lastTemporary],
    add: expected(lastTemporary, form),
    async send() {
      try {
        const query = isRefused ? { onConflict: "reject" as const } : {};
        const stored = await api.post("/api/calendar/events", { body: newBody(form), query, key });
        keepForm(NEW_KEY, null);
        return rememberVersion("event", stored);
      } catch (error) {
        conflicts = isRefused ? conflictsIn(error) : null;
        if (conflicts) return null;
        reopen(NEW_KEY, form, error, { new: `${form.startDay}T${form.startTime}/${form.endDay}T${form.endTime}` });
        throw error;
      }
    },
    failed: m.notAdded,
  });
  if (saved) undoToast(m.added(saved.title), { isOver: () => {}, undo: () => void takeBack(saved) });
  return conflicts;
}

/** Deletes what has just been added. */
function takeBack({ id }: Event): Promise<unknown> {
  return change<Event, undefined>({
    kind: "event",
    ids: [id],
    edit: () => null,
    send: () => api.delete("/api/calendar/events/{id}", { params: { id } }),
    failed: m.notDeleted,
  });
}

interface Edit extends Options {
  event: Event;
  form: Form;
  before: Form;
  scope: Scope;
}

export async function saveEdit({ event, form, before, scope, isRefused }: Edit): Promise<Outcome> {
  const isAll = scope === "all";
  const seriesId = event.recurringEventId ?? event.id;
  let conflicts: Conflict[] | null = null;
  let series: Event | null = null;
  keepForm(keyOf(event), form);
  const shown = isAll ? withoutTimes(shownOf(form)) : shownOf(form);
  await change<Event, WrittenEvent | null>({
    kind: "event",
    ids: [seriesId, event.id],
    edit: (each) => {
      const isMeant = isAll ? each.id === seriesId || each.recurringEventId === seriesId : isSame(each, event);
      return isMeant ? { ...each, ...shown } : each;
    },
    async send() {
      try {
        if (isAll && event.rrule === null) series = await readSeries(event);
        const body = series ? seriesBody(form, before, series) : changedBody(form, before);
        const stored = await patchEvent(series ?? event, body, { isRefused });
        keepForm(keyOf(event), null);
        return stored;
      } catch (error) {
        conflicts = isRefused ? conflictsIn(error) : null;
        if (conflicts) return null;
        reopen(keyOf(event), form, error, eventQuery(event));
        throw error;
      }
    },
    failed: m.notSaved,
    alsoStale: ["reminder"],
    ...(!isRefused && {
      undo: {
        done: m.saved(form.title.trim()),
        send: async (saved: WrittenEvent | null) => {
          const back = changedBody(before, form);
          return saved && patchEvent(saved, series ? { ...back, ...timesBefore(form, before, series) } : back);
        },
      },
    }),
  });
  return conflicts;
}

function withoutTimes(shown: Partial<Event>): Partial<Event> {
  const { start: _s, end: _e, startDate: _d, endDate: _f, allDay: _a, timeZone: _z, ...rest } = shown;
  return rest;
}

/** The change of one occurrence, made to its series: its days by as many, its clock times as they are now. */
function seriesBody(form: Form, before: Form, series: Event): EventChanges {
  const body = changedBody(form, before);
  if (!isTimeChanged(form, before)) return body;
  const of = formOf(series, series.rrule);
  const days = daysBetween(before.startDay, form.startDay);
  const startDay = addDays(of.startDay, days);
  const endDay = addDays(startDay, daysBetween(form.startDay, form.endDay));
  const { start, end } = newBody({ ...form, startDay, endDay });
  const rrule = body.rrule ?? (series.rrule === null ? null : shiftRule(series.rrule, days));
  return { ...body, start, ...(end !== undefined && { end }), ...(rrule !== null && { rrule }) };
}

function timesBefore(form: Form, before: Form, series: Event): EventChanges {
  if (!isTimeChanged(form, before)) return {};
  const { start, end, allDay, timeZone } = newBody(formOf(series, series.rrule));
  return {
    start,
    ...(end !== undefined && { end }),
    ...(allDay !== undefined && { allDay }),
    ...(timeZone !== undefined && { timeZone }),
    rrule: series.rrule,
  };
}

/** A new event as it will be, until the service has it. */
function expected(id: number, form: Form): Event {
  const now = new Date().toISOString();
  return {
    description: null,
    location: null,
    meetingUrl: null,
    notes: null,
    tags: [],
    organizer: null,
    attendees: [],
    reminders: null,
    status: "confirmed",
    busy: true,
    cancelReason: null,
    title: "",
    start: now,
    end: now,
    allDay: false,
    startDate: null,
    endDate: null,
    timeZone: form.timeZone,
    ...shownOf(form),
    id,
    awaitsAnswer: false,
    myResponse: null,
    source: "manual",
    outside: false,
    bookingId: null,
    emailId: null,
    icalUid: "",
    sequence: 0,
    rescheduledFromId: null,
    externalStatus: null,
    externalUpdatedAt: null,
    rrule: null,
    exdates: [],
    recurringEventId: null,
    originalStart: null,
    version: 0,
    createdAt: now,
    updatedAt: now,
  };
}
