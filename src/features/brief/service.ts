import type { Context } from "../../context.ts";
import { dateOf, toWall, wallDay } from "../../lib/time-zone.ts";
import { upcomingEvents } from "../calendar/list.ts";

export interface Brief {
  /** The day it is about, in the person's zone. */
  date: string;
  /** The whole brief as plain text, ready to be sent or shown. */
  text: string;
}

/** What the day holds. */
export async function dailyBrief(ctx: Context, { timeZone }: { timeZone: string }): Promise<Brief> {
  const { data: events } = await upcomingEvents(ctx, { days: 1, limit: 20 });
  const date = dateOf(wallDay(toWall(timeZone, ctx.now.getTime())));
  return { date, text: events.map(({ title }) => title).join("\n") };
}
