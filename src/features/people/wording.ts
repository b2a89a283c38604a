import { eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { profiles } from "../../db/schema/profile.ts";

/** The statement that reads how dates and times are written for a person, for a batch. */
export function selectWording(ctx: Context, userId: number) {
  return ctx.db
    .select({ locale: profiles.locale, timeFormat: profiles.timeFormat })
    .from(profiles)
    .where(eq(profiles.userId, userId));
}
