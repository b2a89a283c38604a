import { eq, isNotNull, isNull, sql } from "drizzle-orm";
import { type Context, signedInUser } from "../../context.ts";
import type { Row } from "../../db/archive.ts";
import { eraseAll, onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { calendarState, deletedEvents, events, workingHours } from "../../db/schema/calendar.ts";
import { assertType } from "../../lib/cast.ts";
import { isSupportedRule } from "../../lib/recurrence.ts";
import { type EventRow, isSeries, seriesOf, toEvent } from "./events/event.ts";
import { endFeed } from "./feed/service.ts";
import { selectWorkingHours } from "./working-hours/service.ts";

function reserveEventIds({ db }: Context, lastId: number) {
  return [db.update(calendarState).set({ lastEventId: sql`max(last_event_id, ${lastId})` })];
}

/** Other people wrote the words of an invitation and of a booking, whatever an archive says. */
function withOutsideMark(_: Context, row: Row): Row {
  const isOutside = row.invitation !== null || row.bookingId !== null || row.source === "email";
  return { ...row, outside: row.outside === true || isOutside };
}

/** Whether its rule has occurrences depends on when the series starts. */
function misfit(row: Row): string | undefined {
  const event = assertType<EventRow>(row);
  return isSeries(event) && !isSupportedRule(event.rrule, seriesOf(event)) ? "rrule" : undefined;
}

export const personalData: readonly PersonalData[] = [
  {
    name: "workingHours",
    pages: onePage(async (ctx) => {
      const rows = await selectWorkingHours(ctx, signedInUser(ctx).id);
      return rows.map(({ userId: _, ...hours }) => hours);
    }),
    archive: {
      table: workingHours,
      where: (ctx) => eq(workingHours.userId, signedInUser(ctx).id),
      replaces: true,
      isLast: true,
    },
  },
  {
    // A series is one record with its rule.
    name: "events",
    ownersOnly: true,
    pages: tablePages(events, { map: (row) => toEvent(row), where: () => isNull(events.deletedAt) }),
    archive: {
      table: events,
      where: () => isNull(events.recurringEventId),
      reserve: reserveEventIds,
      misfit,
      complete: withOutsideMark,
    },
    async erase(ctx) {
      await endFeed(ctx);
      await eraseAll(ctx.db, events);
    },
  },
  {
    // After the series that they belong to.
    name: "editedOccurrences",
    ownersOnly: true,
    archive: {
      table: events,
      where: () => isNotNull(events.recurringEventId),
      reserve: reserveEventIds,
      misfit,
      complete: withOutsideMark,
    },
  },
  {
    name: "deletedEvents",
    ownersOnly: true,
    archive: { notImported: "A deletion can be taken back for a day, in the service where it was made." },
    erase: ({ db }) => eraseAll(db, deletedEvents),
  },
];
