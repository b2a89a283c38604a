import { asc } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { mailboxes } from "../../db/schema/mailboxes.ts";
import { isoTimeOrNull } from "../../lib/iso-times.ts";
import { atMinute, reading } from "../../lib/service-problems.ts";
import { HOUR_MS } from "../../lib/time-zone.ts";

/** Providers have short outages, and the next run catches up. The sync itself tells the owner of a refused password. */
const FAILING_MS = 6 * HOUR_MS;

const { id, status, paused, lastOkAt, connectionChangedAt } = mailboxes;

/** The statement that reads how the mailboxes are, for a batch. There are few. */
export function selectMailboxVitals(ctx: Context) {
  return ctx.db.select({ id, status, paused, lastOkAt, connectionChangedAt }).from(mailboxes).orderBy(asc(id));
}

type Vitals = Pick<typeof mailboxes.$inferSelect, "id" | "status" | "paused" | "lastOkAt" | "connectionChangedAt">;

/** Without addresses and labels: details go by email, too. */
export function readMailboxVitals({ now }: Context, rows: readonly Vitals[]) {
  const failing = rows.filter((row) => !row.paused && row.status !== "connected");
  const problems = failing.flatMap((row) => {
    const since = row.lastOkAt ?? row.connectionChangedAt;
    if (now.getTime() - since.getTime() <= FAILING_MS) return [];
    const detail = `Mailbox ${row.id} has not been read since ${atMinute(since)} (${row.status}).`;
    return [{ code: "mailbox_failing" as const, subject: String(row.id), detail, since }];
  });
  return reading(
    {
      connected: rows.length,
      failing: failing.map((row) => ({ id: row.id, status: row.status, lastOkAt: isoTimeOrNull(row.lastOkAt) })),
    },
    problems,
  );
}
