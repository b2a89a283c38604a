import { eq } from "drizzle-orm";
import { signedInUser } from "../../context.ts";
import { onePage, type PersonalData } from "../../db/personal-data.ts";
import { notificationPreferences } from "../../db/schema/notifications.ts";
import { selectPreferences, toPreferences } from "./preferences.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "notificationPreferences",
    pages: onePage(async (ctx) => (await selectPreferences(ctx, signedInUser(ctx).id)).map(toPreferences)),
    archive: {
      table: notificationPreferences,
      where: (ctx) => eq(notificationPreferences.userId, signedInUser(ctx).id),
      replaces: true,
      isLast: true,
    },
  },
];
