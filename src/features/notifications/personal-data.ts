import { signedInUser } from "../../context.ts";
import { onePage, type PersonalDataSection } from "../../db/personal-data.ts";
import { selectPreferences, toPreferences } from "./preferences.ts";

export const personalData: readonly PersonalDataSection[] = [
  {
    name: "notificationPreferences",
    pages: onePage(async (ctx) => (await selectPreferences(ctx, signedInUser(ctx).id)).map(toPreferences)),
  },
];
