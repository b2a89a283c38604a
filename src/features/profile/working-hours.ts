import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { signedInUser } from "../../context.ts";
import { assertExists, runBatch } from "../../db/assert.ts";
import { profiles } from "../../db/schema/profile.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../db/version.ts";
import type { PersonalHours } from "../../lib/profile-kinds.ts";
import { type ClockRange, DEFAULT_WORKING_HOURS, type WorkingHours } from "../../lib/working-hours.ts";
import { audit } from "../audit/service.ts";
import { ownerId } from "../people/owners.ts";
import { type ProfileRow, selectProfile } from "./service.ts";

type Week = Record<
  "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday",
  readonly ClockRange[]
>;

export async function readWorkingHours(ctx: Context) {
  const user = signedInUser(ctx);
  const [row] = await selectProfile(ctx, user.id);
  if (!row) throw missedWrite(undefined, "profile");
  return toWire(row, user.timeZone);
}

export async function setWorkingHours(
  ctx: Context,
  { timeZone, days }: { timeZone?: string; days: Week },
  expected: ExpectedVersions,
) {
  const user = signedInUser(ctx);
  const mine = and(eq(profiles.userId, user.id), versionIs(profiles.workingHoursVersion, expected));
  const workingHours: PersonalHours = { timeZone: timeZone ?? user.timeZone, days: byNumber(days) };
  const refusal = async () => {
    const [row] = await selectProfile(ctx, user.id);
    return missedWrite(row && { version: row.workingHoursVersion }, "working hours");
  };
  const [, , [row]] = await runBatch(ctx.db, [
    assertExists(ctx.db, profiles, mine, refusal),
    audit(ctx, "profile.working_hours_changed", { userId: user.id }),
    ctx.db
      .update(profiles)
      .set({ workingHours, workingHoursVersion: sql`${profiles.workingHoursVersion} + 1` })
      .where(eq(profiles.userId, user.id))
      .returning(),
  ] as const);
  if (!row) throw missedWrite(undefined, "profile");
  return toWire(row, user.timeZone);
}

/**
 * The hours of the person named, or of whoever asks, or of the owner where nobody had to say who they are; null while
 * none were set.
 */
export async function findWorkingHours(ctx: Context, userId?: number): Promise<PersonalHours | null> {
  const { actor } = ctx;
  const asking = actor.kind === "session" || actor.kind === "api_key" ? actor.user.id : undefined;
  const person = userId ?? asking;
  const whose = person === undefined ? ownerId(ctx) : sql`${person}`;
  const [row] = await ctx.db
    .select({ hours: profiles.workingHours })
    .from(profiles)
    .where(sql`${profiles.userId} = ${whose}`);
  return row?.hours ?? null;
}

function toWire({ workingHours, workingHoursVersion: version }: ProfileRow, timeZone: string) {
  const hours = workingHours ?? { timeZone, days: DEFAULT_WORKING_HOURS };
  return { timeZone: hours.timeZone, days: byName(hours.days), isDefault: workingHours === null, version };
}

function byName(days: WorkingHours) {
  const copy = (day: keyof WorkingHours) => days[day].map(({ start, end }) => ({ start, end }));
  return {
    monday: copy(1),
    tuesday: copy(2),
    wednesday: copy(3),
    thursday: copy(4),
    friday: copy(5),
    saturday: copy(6),
    sunday: copy(7),
  };
}

function byNumber(week: Week): WorkingHours {
  return {
    1: week.monday,
    2: week.tuesday,
    3: week.wednesday,
    4: week.thursday,
    5: week.friday,
    6: week.saturday,
    7: week.sunday,
  };
}
