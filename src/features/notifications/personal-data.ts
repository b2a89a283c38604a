import { signedInUser } from "../../context.ts";
import type { KeptData } from "../../db/personal-data.ts";
import { selectPreferences, toPreferences } from "./preferences.ts";

const preferences: KeptData = {
  name: "notificationPreferences",
  async *pages(ctx) {
    yield (await selectPreferences(ctx, signedInUser(ctx).id)).map(toPreferences);
  },
};

export const personalData: readonly KeptData[] = [preferences];
