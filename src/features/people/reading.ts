import { type Context, timeZoneOf } from "../../context.ts";
import { habitsFrom, type TimeReading } from "../../lib/date-habits.ts";

/** How words about time are read for the person who makes the request. Nothing is known of anybody who is not signed in. */
export function readingFor({ actor }: Pick<Context, "actor">, timeZone = timeZoneOf({ actor })): TimeReading {
  return { timeZone, habits: "user" in actor ? habitsFrom(actor.user.habits) : {} };
}
