import { signedInUser } from "../../context.ts";
import { eraseAll, type PersonalData, walk } from "../../db/personal-data.ts";
import { events } from "../../db/schema/calendar.ts";
import { type EventRow, toEvent } from "./events/event.ts";
import { revokeFeed } from "./feed/service.ts";
import { selectWorkingHours } from "./working-hours/service.ts";

/** Series as they are, not one by one. */
const calendarEvents: PersonalData = {
  name: "events",
  ownersOnly: true,
  async *pages({ db }) {
    const pages = walk<EventRow>(
      events.id,
      ({ id }) => id,
      (where, order, limit) => db.select().from(events).where(where).orderBy(order).limit(limit),
    );
    for await (const rows of pages) yield rows.map(toEvent);
  },
  async erase(ctx) {
    await revokeFeed(ctx);
    await eraseAll(ctx.db, events);
  },
};

const hours: PersonalData = {
  name: "workingHours",
  async *pages(ctx) {
    const rows = await selectWorkingHours(ctx, signedInUser(ctx).id);
    yield rows.map(({ userId: _, ...hours }) => hours);
  },
};

export const personalData: readonly PersonalData[] = [hours, calendarEvents];
