import { WEEKDAYS } from "../../../lib/spoken-time.ts";
import { toWall } from "../../../lib/time-zone.ts";
import type { Turn } from "../../tools/turn.ts";
import type { Reply } from "./reply-text.ts";

const ASKS = /\b(?:what|which) (?:week ?day|day(?: of the week)?)\b/i;
const SHORT = /\b(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)(?= \d)/g;

/** "What weekday is that?" is answered by the whole name of the day, also where the reply says "tomorrow". */
export function withWeekdays({ clock, timeZone }: Turn, message: string, reply: Reply): Reply {
  if (!ASKS.test(message)) return reply;
  const today = new Date(toWall(timeZone, clock.reference.getTime())).getUTCDay();
  const text = reply.text
    .replace(SHORT, (name) => WEEKDAYS.find((day) => day.startsWith(name)) ?? name)
    .replace(/\btoday(?= \d)/, `today, ${WEEKDAYS[today]},`)
    .replace(/\btomorrow(?= \d)/, `tomorrow, ${WEEKDAYS[(today + 1) % 7]},`);
  return { ...reply, text };
}
