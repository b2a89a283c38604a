import { signedInUser } from "../../context.ts";
import { eraseAll, onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { events } from "../../db/schema/calendar.ts";
import { toEvent } from "./events/event.ts";
import { revokeFeed } from "./feed/service.ts";
import { selectWorkingHours } from "./working-hours/service.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "workingHours",
    pages: onePage(async (ctx) => {
      const rows = await selectWorkingHours(ctx, signedInUser(ctx).id);
      return rows.map(({ userId: _, ...hours }) => hours);
    }),
  },
  {
    // A series is one record with its rule.
    name: "events",
    ownersOnly: true,
    pages: tablePages(events, { map: (row) => toEvent(row) }),
    async erase(ctx) {
      await revokeFeed(ctx);
      await eraseAll(ctx.db, events);
    },
  },
];
