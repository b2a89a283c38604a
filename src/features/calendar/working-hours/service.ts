import { eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { signedInUser } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { workingHours } from "../../../db/schema/calendar.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../../db/version.ts";
import { assertType } from "../../../lib/cast.ts";
import { DEFAULT_WORKING_HOURS, type PersonalHours, type WorkingHours } from "../../../lib/working-hours.ts";
import { audit } from "../../audit/service.ts";
import { accountExists } from "../../people/account.ts";
import { ownerId } from "../../people/owners.ts";
import type { NewWorkingHours } from "./schemas.ts";

type Week = NewWorkingHours["days"];
type HoursRow = typeof workingHours.$inferSelect;

/** The version of the default hours, which have no row. */
const DEFAULT_VERSION = 1;

export function selectWorkingHours({ db }: Pick<Context, "db">, userId: number) {
  return db.select().from(workingHours).where(eq(workingHours.userId, userId));
}

/** The statement that reads the working hours of everyone who has set them. */
export function selectAllWorkingHours({ db }: Pick<Context, "db">) {
  return db
    .select({ userId: workingHours.userId, timeZone: workingHours.timeZone, days: workingHours.days })
    .from(workingHours);
}

export async function readWorkingHours(ctx: Context) {
  const user = signedInUser(ctx);
  const [row] = await selectWorkingHours(ctx, user.id);
  return toWire(row, user.timeZone);
}

export async function setWorkingHours(ctx: Context, { timeZone, days }: NewWorkingHours, expected: ExpectedVersions) {
  const user = signedInUser(ctx);
  const current = sql`(SELECT version FROM working_hours WHERE user_id = ${user.id})`;
  const isExpected = versionIs(sql`coalesce(${current}, ${DEFAULT_VERSION})`, expected) ?? sql`1`;
  const hours = { timeZone: timeZone ?? user.timeZone, days: byNumber(days), updatedAt: ctx.now };
  const refusal = async () => {
    const [row] = await selectWorkingHours(ctx, user.id);
    return missedWrite(row ?? { version: DEFAULT_VERSION }, "working hours");
  };
  const [, , [row]] = await runBatch(ctx.db, [
    assertThat(ctx.db, "working_hours_as_expected", sql`${accountExists(user.id)} AND ${isExpected}`, refusal),
    audit(ctx, "profile.working_hours_changed", { userId: user.id }),
    ctx.db
      .insert(workingHours)
      .values({ userId: user.id, ...hours, version: DEFAULT_VERSION + 1 })
      .onConflictDoUpdate({
        target: workingHours.userId,
        set: { ...hours, version: sql`${workingHours.version} + 1` },
      })
      .returning(),
  ] as const);
  return toWire(row, user.timeZone);
}

/**
 * The working hours of `userId`, else of the caller, else (for anonymous requests) of the owner. Office hours in
 * `timeZone` while that person has set none.
 */
export async function workingHoursOf(ctx: Context, timeZone: string, userId?: number): Promise<PersonalHours> {
  const { actor } = ctx;
  const caller = "user" in actor ? actor.user.id : undefined;
  const person = userId ?? caller;
  const [row] = await ctx.db
    .select({ timeZone: workingHours.timeZone, days: workingHours.days })
    .from(workingHours)
    .where(sql`${workingHours.userId} = ${person === undefined ? ownerId(ctx) : sql`${person}`}`);
  return row ?? { timeZone, days: DEFAULT_WORKING_HOURS };
}

function toWire(row: HoursRow | undefined, defaultZone: string) {
  const { timeZone, days, version } = row ?? {
    timeZone: defaultZone,
    days: DEFAULT_WORKING_HOURS,
    version: DEFAULT_VERSION,
  };
  return { timeZone, days: byName(days), isDefault: row === undefined, version };
}

/** In the order of their ISO numbers: Monday is 1. */
const DAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

function byName(days: WorkingHours): Week {
  const list = Object.values(days);
  return assertType(Object.fromEntries(DAY_NAMES.map((name, index) => [name, list[index]])));
}

function byNumber(week: Week): WorkingHours {
  return assertType(Object.fromEntries(DAY_NAMES.map((name, index) => [index + 1, week[name]])));
}
