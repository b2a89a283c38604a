import { HOUR_MS, toWall, wallDay } from "../../../lib/time-zone.ts";
import type { Turn } from "../../tools/turn.ts";
import { hoursToSameHalf } from "../language/follow-ups/open-time.ts";

/** A new time without "am" or "pm", in the half of the day of the event that is changed. */
export function inHalfOf({ timeZone }: Pick<Turn, "timeZone">, moment: Date, start: string): Date {
  const hour = (at: number) => (toWall(timeZone, at) - wallDay(toWall(timeZone, at))) / HOUR_MS;
  const hours = hoursToSameHalf(hour(moment.getTime()), hour(Date.parse(start)));
  return new Date(moment.getTime() + hours * HOUR_MS);
}
