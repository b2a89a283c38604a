import { signedInUser } from "../../context.ts";
import { onePage, type PersonalData } from "../../db/personal-data.ts";
import { selectPreferences, toPreferences } from "./preferences.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "notificationPreferences",
    pages: onePage(async (ctx) => (await selectPreferences(ctx, signedInUser(ctx).id)).map(toPreferences)),
  },
];
