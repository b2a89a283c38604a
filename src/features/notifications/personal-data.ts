import { eq } from "drizzle-orm";
import { signedInUser } from "../../context.ts";
import { onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { notificationPreferences, pushSubscriptions } from "../../db/schema/notifications.ts";
import { toDevice } from "./channels/push/devices.ts";
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
  {
    name: "pushDevices",
    pages: tablePages(pushSubscriptions, {
      map: toDevice,
      where: (ctx) => eq(pushSubscriptions.userId, signedInUser(ctx).id),
    }),
    archive: { notImported: "A browser subscribes to one service: subscribe it again in the new one." },
  },
];
