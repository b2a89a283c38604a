import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Context, hasOwnWords } from "../../../context.ts";
import { compiledQuery } from "../../../db/compiled-query.ts";
import { events } from "../../../db/schema/calendar.ts";
import { type ExpectedVersions, versionIs } from "../../../db/version.ts";
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
  const given = assertType<(keyof EventInput)[]>(Object.keys(input)).filter((key) => input[key] !== undefined);
  const times = plainTimes(input);
  if (onConflict || !times || !given.every((key) => isDetail(key) || isTime(key))) return undefined;
  const conflicts = conflictsOfChanged(ctx, id);
  const [[row], [current], found] = await ctx.db.batch([
    update(ctx, id, input, given.filter(isDetail), times, expected),
    selectUnlessWritten(ctx, id),
    conflicts.statement,
  ]);
  return row ? { written: { row, conflicts: conflicts.read(row, found) } } : { current };
}

const IS_SINGLE = sql`deleted_at IS NULL AND rrule IS NULL AND recurring_event_id IS NULL AND original_start IS NULL`;
const NEXT_VERSION = sql`${events.version} + 1`;
/** Of an event whose status stays. */
const KEPT_REASON = sql`iif(${events.status} = 'cancelled', ${events.cancelReason}, NULL)`;

type Times = Partial<Pick<EventRow, "startAt" | "endAt" | "span">>;

const runUpdate = compiledQuery<EventRow>();

/** Built once for each set of details; with times or a status, each time. */
function update(
  ctx: Context,
  id: number,
  input: EventInput,
  given: readonly Detail[],
  times: Times,
  expected: ExpectedVersions,
) {
  // What is null or empty is part of the statement.
  const isBound = (name: Detail) => Boolean(input[name]?.toString());
  const isFixed = input.status === undefined && Object.keys(times).length === 0;
  const shape = JSON.stringify([
    given.map((name) => [name, isBound(name) || input[name]]),
    hasOwnWords(ctx),
    !expected,
  ]);
  const details = given.map((name) => [name, isBound(name) ? sql.placeholder(name) : input[name]] as const);
  const build = ({ db }: Pick<Context, "db">) => {
    const { columns, condition } = plainChange(ctx, details, times, input.status);
    const hasVersion = versionIs(events.version, expected && sql.placeholder("versions"));
    return db
      .update(events)
      .set(columns)
      .where(and(eq(events.id, sql.placeholder("id")), IS_SINGLE, hasVersion, condition))
      .returning(changedEvent);
  };
  const values = { ...input, id, versions: JSON.stringify(expected), now: ctx.now };
  return runUpdate(ctx.db, isFixed ? shape : null, build, values);
}

interface PlainChange {
  columns: Record<string, unknown>;
  /** On the event: the columns are the whole change, and there is one. */
  condition: SQL | undefined;
}

/** `details`: their values, or a placeholder for each that is not empty. `now` is a placeholder, too. */
function plainChange(
  ctx: Context,
  details: readonly (readonly [Detail, unknown])[],
  times: Times,
  status: EventInput["status"],
): PlainChange {
  const differs = (name: keyof EventRow, value: unknown) =>
    sql`${events[name]} IS NOT ${sql.param(value, events[name])}`;
  const differing = (among: readonly Detail[]) =>
    details.flatMap(([name, value]) => (among.includes(name) ? [differs(name, value)] : []));
  const moved = Object.entries(times).map(([name, value]) => differs(assertType(name), value));
  const sequenced = [...differing(SEQUENCED), ...moved];
  const words = details.filter(([name, value]) => WORDS.includes(name) && value?.toString());
  const newWords = words.map(([name, value]) => differs(name, value));
  const isOwn = hasOwnWords(ctx);
  return {
    columns: {
      ...Object.fromEntries(details),
      ...times,
      // A new start alone keeps the length.
      ...(times.startAt && !times.endAt && { endAt: sql`end_at + ${times.startAt.getTime()} - start_at` }),
      cancelReason: status ? reasonWith(status) : KEPT_REASON,
      ...(!isOwn && newWords.length > 0 && { outside: sql`${events.outside} OR ${or(...newWords)}` }),
      ...(sequenced.length > 0 && { sequence: sql`${events.sequence} + (${or(...sequenced)})` }),
      version: NEXT_VERSION,
      updatedAt: sql.placeholder("now"),
    },
    condition: and(
      or(...differing(DETAILS), ...moved),
      times.startAt && isNull(events.startDate),
      // A text that stays may be from outside. If the title changes, only a comparison of all texts tells whether one does.
      isOwn
        ? sql`(outside = 0 OR ${details.some(([name]) => name === "title") ? sql`0` : sql`title <> ''`})`
        : undefined,
      status && and(isNull(events.invitation), or(inArray(events.status, statusesBefore(status)), sql.raw(IS_OWN))),
    ),
  };
}

const reasonWith = (status: string) => (status === "cancelled" ? sql`${events.cancelReason}` : null);

/** The columns of new times that are moments; none without times; undefined for times that depend on the event. */
function plainTimes(input: EventInput): Times | undefined {
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
