import { and, isNull, or, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { anyOf, inParts, selectRows } from "../../../db/bulk.ts";
import { NEXT_EVENT_ID } from "../../../db/next-id.ts";
import { events } from "../../../db/schema/calendar.ts";
import { raisingNoEvents } from "../../../db/without-events.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError } from "../../../lib/errors.ts";
import { BOOKING_SOURCE } from "../../../lib/event-kinds.ts";
import { type InvitedEvent, readInvitation } from "../../../lib/ics/read.ts";
import { type IcsGroup, type SplitCalendar, splitCalendar } from "../../../lib/ics/split.ts";
import { letOthersIn } from "../../../lib/let-others-in.ts";
import { occursAt } from "../../../lib/recurrence.ts";
import { readObject } from "../../files/objects.ts";
import { discardFiles } from "../../files/service.ts";
import { asOneChange } from "../../live/many.ts";
import { type Outcome, type Runner, type Slice, TransferFailed } from "../../transfers/slices.ts";
import { changeEvent, type Draft, draftEvent, type NewEvent } from "../events/changes.ts";
import { type EventRow, isSeries, occurrenceRow, seriesOf } from "../events/event.ts";
import { isOwnUid } from "../events/own-uid.ts";
import { commit, type Plan, updatePlan } from "../events/write.ts";
import { editPlan } from "../series/occurrence.ts";
import type { CalendarImport } from "./schemas.ts";
import { NOTHING_YET } from "./service.ts";

type Result = CalendarImport["result"];

interface Position {
  /** Groups that are done. */
  done: number;
  result: Result;
}

/** Read and written together. */
const GROUPS_AT_ONCE = 200;
/** After so many it lets other requests in: to find out that a rule never matches takes a hundredth of a second. */
const GROUPS_BETWEEN = 10;
const MAX_PROBLEMS = 100;

export const calendarImportRunner: Runner = {
  async run(ctx, slice) {
    const { fileKey, position } = slice.transfer;
    const file = await (await readObject(ctx, fileKey ?? ""))?.text();
    if (file === undefined) throw new TransferFailed("The uploaded file is gone. Upload it again.");
    const split = splitCalendar(file);
    const { groups } = split;
    if (groups.length === 0) throw new TransferFailed("The file has no event. Send a calendar file (.ics).");
    const current = assertType<Position | null>(position) ?? { done: 0, result: withLeftOut(split) };
    return new CalendarImporter(ctx, slice, groups).run(structuredClone(current));
  },
};

/** Parts of a file that are not read at all are reported first. */
function withLeftOut({ others, zonesLeftOut, isCut }: SplitCalendar): Result {
  const reasons = Object.entries(others).map(
    ([name, count]) => `${count} × ${name}: only events (VEVENT) are imported.`,
  );
  if (zonesLeftOut > 0)
    reasons.push(`${zonesLeftOut} × VTIMEZONE: not read, because they are too many, too long or have no TZID.`);
  if (isCut) reasons.push("The file ends in the middle of an entry, which is not imported.");
  return {
    ...NOTHING_YET,
    skipped: Object.values(others).reduce((sum, count) => sum + count, isCut ? 1 : 0),
    problems: reasons.map((reason) => ({ uid: "", reason })),
  };
}

/** The events of a group: the series or single event, and edited occurrences. */
interface ReadGroup {
  uid: string;
  main: InvitedEvent | undefined;
  occurrences: InvitedEvent[];
}

class CalendarImporter {
  readonly #ctx: Context;
  readonly #slice: Slice;
  readonly #groups: IcsGroup[];

  constructor(ctx: Context, slice: Slice, groups: IcsGroup[]) {
    this.#ctx = ctx;
    this.#slice = slice;
    this.#groups = groups;
  }

  async run(position: Position): Promise<Outcome | null> {
    const { length: total } = this.#groups;
    while (position.done < total) {
      if (this.#ctx.signal?.aborted) return null;
      await this.#importSome(position, total);
    }
    const { fileKey } = this.#slice.transfer;
    if (fileKey) this.#ctx.defer(discardFiles(this.#ctx, [fileKey], "r2"));
    return { result: position.result };
  }

  async #importSome(position: Position, total: number): Promise<void> {
    const ctx = this.#ctx;
    const { result } = position;
    const some = this.#groups.slice(position.done, position.done + GROUPS_AT_ONCE);
    const stored = await this.#stored(some.map(({ uid }) => uid));
    const fresh: Draft[] = [];
    let done = 0;
    for (const group of some) {
      // Each change of an event that is there takes several statements.
      if (ctx.signal?.aborted) break;
      if (group.leftOut > 0) {
        const reason = `${group.leftOut} of the events with this UID were not imported: they are too many or too large.`;
        skip(result, group.uid, reason, group.leftOut);
      }
      if (group.parts.length === 0) {
        done += 1;
        continue;
      }
      try {
        const read = this.#read(group);
        const rows = stored.get(read.uid) ?? [];
        const further = read.main?.furtherDates ?? 0;
        if (further > 0)
          skip(result, group.uid, `${further} further dates (RDATE) of this event were not imported.`, further);
        if (rows.length === 0) {
          for (const draft of draftsOf(ctx, read)) fresh.push(draft);
          result.created += 1;
        } else result[await update(ctx, read, rows)] += 1;
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        skip(result, group.uid, error.message);
      }
      done += 1;
      if (done % GROUPS_BETWEEN === 0) await letOthersIn();
    }
    position.done += done;
    const statements = fresh.length > 0 ? asOneChange(ctx, raisingNoEvents(ctx, insertAll(ctx, fresh))) : [];
    await this.#slice.commit({ position, done: position.done, total }, statements);
  }

  #read(group: IcsGroup): ReadGroup {
    const zone = String(this.#slice.transfer.options.timeZone ?? "UTC");
    const { events: read } = readInvitation(group.text(), zone, "file");
    const main = read.find(({ recurrenceStart }) => recurrenceStart === null);
    const uid = read[0]?.uid ?? "";
    if (isOwnUid(uid) && !main) throw new AppError("validation_failed", "It is an occurrence without its series.");
    return { uid, main, occurrences: read.filter(({ recurrenceStart }) => recurrenceStart !== null) };
  }

  async #stored(uids: readonly string[]): Promise<Map<string, EventRow[]>> {
    const isThese = sql`ical_uid IN ${anyOf(uids)}`;
    // Two conditions for two indexes.
    const rows = await this.#ctx.db
      .select()
      .from(events)
      .where(or(and(isThese, isNull(events.originalStart)), and(isThese, sql`original_start IS NOT NULL`)));
    const byUid = new Map<string, EventRow[]>();
    for (const row of rows) {
      const group = byUid.get(row.icalUid) ?? [];
      group.push(row);
      byUid.set(row.icalUid, group);
    }
    return byUid;
  }
}

function skip(result: Result, uid: string, reason: string, count = 1): void {
  result.skipped += count;
  if (result.problems.length < MAX_PROBLEMS) result.problems.push({ uid: uid.slice(0, 200), reason });
}

/** The rows of a group that is not there yet. The series comes first, and knows which occurrences have their own row. */
function draftsOf(ctx: Context, { main, occurrences }: ReadGroup): Draft[] {
  const edited = occurrences.map((event): Draft => {
    const draft = draftEvent(ctx, { ...inputOf(event), ...identityOf(event) });
    return { ...draft, originalStart: new Date(event.recurrenceStart ?? 0) };
  });
  if (!main) return edited;
  const draft = draftEvent(ctx, { ...inputOf(main), ...identityOf(main) });
  const overrides = draft.rrule ? edited.flatMap(({ originalStart }) => originalStart?.getTime() ?? []) : [];
  return [{ ...draft, overrides }, ...(draft.rrule ? edited : [])];
}

function identityOf({ uid, sequence, stamp }: InvitedEvent) {
  return {
    icalUid: uid,
    sequence,
    externalSequence: sequence,
    externalUpdatedAt: stamp === null ? null : new Date(stamp),
  };
}

function insertAll(ctx: Context, drafts: readonly Draft[]) {
  const id = sql`${NEXT_EVENT_ID} + key`;
  const series = sql`(SELECT s.id FROM events s
    WHERE s.ical_uid = json_extract(value, '$.ical_uid') AND s.original_start IS NULL)`;
  const insert = (rows: readonly Draft[], computed: Parameters<typeof selectRows>[2]) =>
    inParts(rows, (row) => row).map((some) =>
      ctx.db
        .insert(events)
        .select(selectRows(events, some, computed))
        .onConflictDoNothing(),
    );
  return [
    ...insert(
      drafts.filter(({ originalStart }) => originalStart === null),
      { id },
    ),
    ...insert(
      drafts.filter(({ originalStart }) => originalStart !== null),
      { id, recurringEventId: series },
    ),
  ];
}

/** Brings the event that is there up to date, with its edited occurrences. */
async function update(ctx: Context, read: ReadGroup, rows: readonly EventRow[]): Promise<"updated" | "unchanged"> {
  if (rows.some(({ source }) => source === BOOKING_SOURCE))
    throw new AppError("conflict", "The event belongs to the booking provider.");
  let isUpdated = false;
  for (const event of [...(read.main ? [read.main] : []), ...read.occurrences]) {
    const row = rows.find(({ originalStart }) => (originalStart?.getTime() ?? null) === event.recurrenceStart);
    const plan = row ? await changePlan(ctx, row, event) : await addPlan(ctx, event);
    if (!plan?.statement) continue;
    await commit(ctx, plan);
    isUpdated = true;
  }
  return isUpdated ? "updated" : "unchanged";
}

async function changePlan(ctx: Context, row: EventRow, event: InvitedEvent): Promise<Plan | null> {
  if (event.sequence < (row.externalSequence ?? 0)) return null;
  return updatePlan(ctx, row, changeEvent(ctx, row, inputOf(event), "origin", { deletedAt: null }));
}

/** An occurrence that is edited in the file for the first time. */
async function addPlan(ctx: Context, event: InvitedEvent): Promise<Plan | null> {
  const [series] = await ctx.db.select().from(events).where(sql`ical_uid = ${event.uid} AND original_start IS NULL`);
  const start = event.recurrenceStart;
  if (!series || start === null || !isSeries(series)) return null;
  const occurrence = occursAt(seriesOf(series), start);
  return occurrence ? editPlan(ctx, series, occurrenceRow(series, occurrence), inputOf(event), "origin") : null;
}

/** An event of a file as the calendar takes it. Alarms and unknown properties have no place in it. */
function inputOf(event: InvitedEvent): NewEvent {
  const { title, start, end, allDay, timeZone, description, location, url, status, busy, organizer, attendees } = event;
  const series =
    event.recurrenceStart === null && event.rrule !== null ? { rrule: event.rrule, exdates: event.exdates } : {};
  return {
    ...{ title, start, end, allDay, timeZone, description, location, status, busy, organizer, attendees },
    ...series,
    meetingUrl: url,
  };
}
