import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { emailRetention } from "../../../db/schema/emails-sorting.ts";
import { type ExpectedVersions, missedWrite } from "../../../db/version.ts";
import { AppError } from "../../../lib/errors.ts";
import type { Retention, RetentionChanges } from "./schemas.ts";

type Row = typeof emailRetention.$inferSelect;

/** The only row. */
const ID = 1;
const DEFAULT_DAYS = 30;

/** While nothing was changed, there is no row. */
function defaults(): Row {
  const never = new Date(0);
  return {
    id: ID,
    trashDays: DEFAULT_DAYS,
    spamDays: DEFAULT_DAYS,
    kindDays: {},
    version: 0,
    createdAt: never,
    updatedAt: never,
  };
}

function toRetention({ id: _, kindDays, createdAt, updatedAt, ...row }: Row): Retention {
  const none = { newsletter: null, notification: null, receipt: null, bounce: null, auto_reply: null };
  return {
    ...row,
    kindDays: { ...none, ...kindDays },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export async function readRetention(ctx: Context): Promise<Row> {
  const [row] = await ctx.db.select().from(emailRetention);
  return row ?? defaults();
}

export async function getRetention(ctx: Context): Promise<Retention> {
  return toRetention(await readRetention(ctx));
}

export async function updateRetention(
  ctx: Context,
  { kindDays, ...changes }: RetentionChanges,
  expected: ExpectedVersions,
): Promise<Retention> {
  if (Object.values({ kindDays, ...changes }).every((value) => value === undefined))
    throw new AppError("nothing_to_update");
  const before = await readRetention(ctx);
  if (expected && !expected.includes(before.version)) throw missedWrite(before, "retention");
  const days = Object.entries({ ...before.kindDays, ...kindDays }).flatMap(([kind, value]) =>
    value === null || value === undefined ? [] : [[kind, value] as const],
  );
  const next = {
    ...before,
    ...changes,
    kindDays: Object.fromEntries(days),
    version: before.version + 1,
    createdAt: before.version === 0 ? ctx.now : before.createdAt,
    updatedAt: ctx.now,
  };
  const [row] = await ctx.db
    .insert(emailRetention)
    .values(next)
    // Only over the version that was read: of two changes at the same time, the second is told to read it again.
    .onConflictDoUpdate({
      target: emailRetention.id,
      set: next,
      setWhere: sql`${emailRetention.version} = ${before.version}`,
    })
    .returning();
  if (!row) throw missedWrite(await readRetention(ctx), "retention");
  return toRetention(row);
}
