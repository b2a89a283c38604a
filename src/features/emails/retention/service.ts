import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { emailRetention } from "../../../db/schema/emails-sorting.ts";
import { type ExpectedVersions, missedWrite } from "../../../db/version.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
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
  // Only over the version that was read: of two changes at the same time, the second is told to read it again.
  const isCurrent = sql`coalesce((SELECT version FROM email_retention), 0) = ${before.version}`;
  const [, [row = next]] = await runBatch(ctx.db, [
    assertThat(ctx.db, "retention_version", isCurrent, () => missedWrite(before, "retention")),
    ctx.db.insert(emailRetention).values(next).onConflictDoUpdate({ target: emailRetention.id, set: next }).returning(),
    audit(ctx, "retention.changed", { userId: "user" in ctx.actor ? ctx.actor.user.id : null }),
  ]);
  return toRetention(row);
}
