import type { Context } from "../../context.ts";
import { writerFor } from "../../lib/spoken-time.ts";
import { dateOf, HOUR_MS, toWall, wallDay } from "../../lib/time-zone.ts";
import { type BriefReader, claimBrief, recordBriefStatus, walkBriefReaders } from "../notifications/briefs.ts";
import { type Outcome, sendNotification } from "../notifications/service.ts";
import { listPeople } from "../people/owners.ts";
import { dailyBrief } from "./service.ts";

/** A brief that is later than this is of no use any more; tomorrow's comes in time. */
const LATEST_MS = 4 * HOUR_MS;

type Person = Awaited<ReturnType<typeof listPeople>>[number];

/** For the cron: sends the brief to everyone whose morning has come, once a day each. */
export async function sendMorningBriefs(ctx: Context) {
  const figures = { sent: 0, skipped: 0, failed: 0 };
  for await (const readers of walkBriefReaders(ctx)) {
    const people = await listPeople(
      ctx,
      readers.map(({ userId }) => userId),
    );
    const byId = new Map(people.map((person) => [person.id, person]));
    for (const reader of readers) {
      // Whoever is left gets their brief from the next run.
      if (ctx.signal?.aborted) return figures;
      const person = byId.get(reader.userId);
      const date = person && dueDate(reader, toWall(person.timeZone, ctx.now.getTime()));
      if (person && date && (await claimBrief(ctx, person.id, date))) figures[await send(ctx, person, date)] += 1;
    }
  }
  return figures;
}

/** The person's day, when its brief is due by the clock on their wall: a change of the clocks skips and repeats none. */
function dueDate({ briefHour, briefDate, briefStatus }: BriefReader, wall: number): string | null {
  const late = wall - wallDay(wall) - briefHour * HOUR_MS;
  const date = dateOf(wall);
  const isDone = briefDate !== null && (briefDate > date || (briefDate === date && briefStatus !== "failed"));
  return late >= 0 && late < LATEST_MS && !isDone ? date : null;
}

async function send(ctx: Context, person: Person, date: string): Promise<Outcome> {
  const outcome = await sendNotification(ctx, [person], {
    kind: "daily_brief",
    write: async ({ id, timeZone, timeFormat, locale }) => {
      const { blocks } = await dailyBrief(ctx, { timeZone, timeFormat, locale, userId: id });
      return { subject: `Your day, ${writerFor(timeZone, person).date(date)}`, blocks };
    },
  });
  await recordBriefStatus(ctx, person.id, date, outcome);
  return outcome;
}
