import { eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { profiles } from "../../db/schema/profile.ts";
import { assertType } from "../../lib/cast.ts";
import type { StoredHabits } from "../../lib/date-habits.ts";
import { DEFAULT_STYLE, type Speaker, speakerFor, type TimeStyle } from "../../lib/spoken-time.ts";

/** How times are written for the person who makes the request: 12 or 24 hours, and the order of their country. */
export function timeStyleOf({ actor }: Pick<Context, "actor">): TimeStyle {
  const stored = "user" in actor ? actor.user.habits : null;
  if (stored === null) return DEFAULT_STYLE;
  const [locale, timeFormat] = assertType<StoredHabits>(JSON.parse(stored));
  return { locale, timeFormat };
}

export function speakerOf(ctx: Pick<Context, "actor" | "now">, timeZone: string): Speaker {
  return speakerFor(timeZone, ctx.now, timeStyleOf(ctx));
}

/** The statement that reads how dates and times are written for a person, for a batch. */
export function selectWording(ctx: Context, userId: number) {
  return ctx.db
    .select({ locale: profiles.locale, timeFormat: profiles.timeFormat })
    .from(profiles)
    .where(eq(profiles.userId, userId));
}
