import type { SQL } from "drizzle-orm";
import { asc, isNotNull, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { mailboxes, mailboxFolders } from "../../db/schema/mailboxes.ts";
import { isoTimeOrNull } from "../../lib/iso-times.ts";
import { type MailboxRunRow, selectLastRuns, toRun } from "./runs.ts";
import type { Mailbox } from "./schemas.ts";

export type MailboxRow = typeof mailboxes.$inferSelect;

interface WalkRow {
  mailboxId: number;
  done: number;
  waiting: number;
  unfinished: number;
}

/** How far the first reading of each mailbox is. For a batch. */
function selectWalks({ db }: Pick<Context, "db">) {
  const sum = (column: SQL) => sql<number>`coalesce(sum(${column}), 0)`;
  return db
    .select({
      mailboxId: mailboxFolders.mailboxId,
      done: sum(sql`walk_done`).as("done"),
      waiting: sum(sql`walk_waiting`).as("waiting"),
      unfinished: sum(sql`walk_since IS NOT NULL OR uid_validity IS NULL`).as("unfinished"),
    })
    .from(mailboxFolders)
    .where(isNotNull(mailboxFolders.role))
    .groupBy(mailboxFolders.mailboxId);
}

/** The mailboxes that meet a condition, with what is said of each; there are few. */
export async function readMailboxes(ctx: Context, where?: SQL): Promise<Mailbox[]> {
  const [rows, walks, runs] = await ctx.db.batch([
    ctx.db.select().from(mailboxes).where(where).orderBy(asc(mailboxes.id)),
    selectWalks(ctx),
    selectLastRuns(ctx),
  ]);
  return rows.map((row) => toMailbox(row, walks, runs));
}

function toMailbox(row: MailboxRow, walks: readonly WalkRow[], runs: readonly MailboxRunRow[]): Mailbox {
  const walk = walks.find(({ mailboxId }) => mailboxId === row.id);
  const lastRun = runs.find(({ mailboxId }) => mailboxId === row.id);
  return {
    id: row.id,
    label: row.label,
    address: row.address,
    name: row.name,
    imap: row.imap,
    smtp: row.smtp,
    username: row.username,
    status: row.status,
    reason: row.problem?.detail ?? null,
    code: row.problem?.code ?? null,
    paused: row.paused,
    historyDays: row.historyDays,
    connectedAt: isoTimeOrNull(row.connectedAt),
    lastOkAt: isoTimeOrNull(row.lastOkAt),
    nextTryAt: isoTimeOrNull(row.nextTryAt),
    walk: walk && walk.unfinished === 0 ? null : { done: walk?.done ?? 0, waiting: walk?.waiting ?? 0 },
    lastRun: lastRun ? toRun(lastRun) : null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
