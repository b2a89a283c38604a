import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { mailboxRuns } from "../../db/schema/mailboxes.ts";

export type MailboxRunRow = typeof mailboxRuns.$inferSelect;

export function toRun({ id: runId, startedAt, finishedAt, ...run }: MailboxRunRow) {
  return {
    runId,
    ...run,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

/** The latest run of each mailbox. For a batch. */
export function selectLastRuns(ctx: Pick<Context, "db">) {
  const latest = sql`SELECT (SELECT id FROM mailbox_runs WHERE mailbox_id = mailboxes.id
    ORDER BY started_at DESC, id DESC LIMIT 1) FROM mailboxes`;
  return ctx.db.select().from(mailboxRuns).where(sql`${mailboxRuns.id} IN (${latest})`);
}
