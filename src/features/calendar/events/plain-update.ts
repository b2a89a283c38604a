import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Context, hasOwnWords } from "../../../context.ts";
import { events } from "../../../db/schema/calendar.ts";
import { versionIs } from "../../../db/version.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError } from "../../../lib/errors.ts";
import { type EventInput, IS_OWN, statusesBefore } from "./changes.ts";
import { conflictsOfChanged } from "./conflicts.ts";
import type { EventRow } from "./event.ts";
import { isMoment, resolveTimes } from "./event-times.ts";
import { changedEvent, selectUnlessWritten, type WriteOptions, type Written } from "./write.ts";

type Detail = "title" | "description" | "location" | "meetingUrl" | "notes" | "tags" | "reminders" | "busy" | "status";
const WORDS: readonly Detail[] = ["title", "description", "location", "meetingUrl", "notes", "tags"];
const DETAILS: readonly Detail[] = [...WORDS, "reminders", "busy", "status"];
/** As in `changes.ts`: other calendars update their copy. */
const SEQUENCED: readonly Detail[] = ["location", "meetingUrl", "status"];

const isDetail = (key: keyof EventInput): key is Detail => DETAILS.some((name) => name === key);
const isTime = (key: keyof EventInput) => key === "start" || key === "end" || key === "durationMinutes";

/**
 * Updates an event without reading it first, in one round trip, where SQL alone can decide what it becomes: a single
 * event, and a change that depends on nothing that is stored. Local times, dates, series, invitations, links and
 * `onConflict` do. Returns what it wrote; otherwise the event as it is, for `changeEvent`, which decides every case.
 */
export async function updatePlainly(
  ctx: Context,
  id: number,
  input: EventInput,
  { onConflict, expected }: WriteOptions,
): Promise<{ written: Written } | { current: EventRow | undefined } | undefined> {
  const change = onConflict ? undefined : plainChange(ctx, input);
  if (!change) return undefined;
  const conflicts = conflictsOfChanged(ctx, id);
  const isThis = and(eq(events.id, id), IS_SINGLE, versionIs(events.version, expected), change.condition);
  const [[row], [current], found] = await ctx.db.batch([
    ctx.db.update(events).set(change.columns).where(isThis).returning(changedEvent),
    selectUnlessWritten(ctx, id),
    conflicts.statement,
  ]);
  return row ? { written: { row, conflicts: conflicts.read(row, found) } } : { current };
}

const IS_SINGLE = sql`deleted_at IS NULL AND rrule IS NULL AND recurring_event_id IS NULL AND original_start IS NULL`;
const NEXT_VERSION = sql`${events.version} + 1`;
/** Of an event whose status stays. */
const KEPT_REASON = sql`iif(${events.status} = 'cancelled', ${events.cancelReason}, NULL)`;

interface PlainChange {
  columns: Record<string, unknown>;
  /** On the event: the columns are the whole change, and there is one. */
  condition: SQL | undefined;
}

function plainChange(ctx: Context, input: EventInput): PlainChange | undefined {
  const keys = assertType<(keyof EventInput)[]>(Object.keys(input)).filter((key) => input[key] !== undefined);
  const times = plainTimes(input);
  if (!times || !keys.every((key) => isDetail(key) || isTime(key))) return undefined;
  const details = keys.filter(isDetail);
  const differs = (name: keyof EventRow, value: unknown) =>
    sql`${events[name]} IS NOT ${sql.param(value, events[name])}`;
  const isDifferent = (name: Detail) => differs(name, input[name]);
  const moved = Object.entries(times).map(([name, value]) => differs(assertType(name), value));
  const sequenced = [...details.filter((name) => SEQUENCED.includes(name)).map(isDifferent), ...moved];
  const newWords = details.filter((name) => WORDS.includes(name) && input[name]?.toString()).map(isDifferent);
  const isOwn = hasOwnWords(ctx);
  return {
    columns: {
      ...Object.fromEntries(details.map((name) => [name, input[name]])),
      ...times,
      // A new start alone keeps the length.
      ...(times.startAt && !times.endAt && { endAt: sql`end_at + ${times.startAt.getTime()} - start_at` }),
      cancelReason: input.status ? reasonWith(input.status) : KEPT_REASON,
      ...(!isOwn && newWords.length > 0 && { outside: sql`${events.outside} OR ${or(...newWords)}` }),
      ...(sequenced.length > 0 && { sequence: sql`${events.sequence} + (${or(...sequenced)})` }),
      version: NEXT_VERSION,
      updatedAt: ctx.now,
    },
    condition: and(
      or(...details.map(isDifferent), ...moved),
      times.startAt && isNull(events.startDate),
      // A text that stays may be from outside. If the title changes, only a comparison of all texts tells whether one does.
      isOwn ? sql`(outside = 0 OR ${details.includes("title") ? sql`0` : sql`title <> ''`})` : undefined,
      input.status &&
        and(isNull(events.invitation), or(inArray(events.status, statusesBefore(input.status)), sql.raw(IS_OWN))),
    ),
  };
}

const reasonWith = (status: string) => (status === "cancelled" ? sql`${events.cancelReason}` : null);

/** The columns of new times that are moments; none without times; undefined for times that depend on the event. */
function plainTimes(input: EventInput): Partial<Pick<EventRow, "startAt" | "endAt" | "span">> | undefined {
  const { start, end, durationMinutes } = input;
  if (start === undefined) return end === undefined && durationMinutes === undefined ? {} : undefined;
  if (!isMoment(start) || (end !== undefined && !isMoment(end))) return undefined;
  try {
    const { startAt, endAt, span } = resolveTimes({ start, end, durationMinutes, timeZone: "UTC", allDay: false });
    return end === undefined && durationMinutes === undefined ? { startAt } : { startAt, endAt, span };
  } catch (error) {
    // Refused once it is clear that the event exists.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
