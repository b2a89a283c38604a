import { signedInUser } from "../../context.ts";
import type { PersonalData } from "../../db/personal-data.ts";
import { selectPreferences, toPreferences } from "./preferences.ts";

const preferences: PersonalData = {
  name: "notificationPreferences",
  async *pages(ctx) {
    yield (await selectPreferences(ctx, signedInUser(ctx).id)).map(toPreferences);
  },
};

export const personalData: readonly PersonalData[] = [preferences];
