import { eq } from "drizzle-orm";
import { signedInUser } from "../../context.ts";
import { type PersonalData, tablePages } from "../../db/personal-data.ts";
import { reminders } from "../../db/schema/reminders.ts";
import { toReminder } from "./service.ts";

export const personalData: readonly PersonalData[] = [
  {
    // The title is that of the task or event, which are exported themselves.
    name: "reminders",
    pages: tablePages(reminders, {
      map: (row, ctx) => toReminder(ctx, { ...row, title: null }),
      where: (ctx) => eq(reminders.userId, signedInUser(ctx).id),
    }),
    archive: { notImported: "A log of what was sent. Tasks and events bring their reminders themselves." },
  },
];
