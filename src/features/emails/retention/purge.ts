import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { emails } from "../../../db/schema/emails.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { readRetention } from "./service.ts";

/** Deleting an email also deletes its search entry, tags and counts. */
const ROWS_A_BATCH = 200;
const MAX_BATCHES = 30;

/**
 * Deletes emails whose time is over: those in the trash, spam, those of kinds that are kept for a while, and those that
 * a rule gave a date. As any deletion, it leaves the files of the emails to be deleted a few days later. What does not
 * fit into one run is left to the next night.
 */
export async function purgeEmails(ctx: Context): Promise<number> {
  const { trashDays, spamDays, kindDays } = await readRetention(ctx);
  const before = (days: number) => ctx.now.getTime() - days * DAY_MS;
  const isDue = [
    sql`delete_at IS NOT NULL AND delete_at <= ${ctx.now.getTime()} AND is_starred = 0`,
    ...(trashDays === null
      ? []
      : [
          sql`is_aside = 1 AND status = 'trash' AND received_at < ${before(trashDays)} AND updated_at < ${before(trashDays)}`,
        ]),
    ...(spamDays === null
      ? []
      : [
          sql`is_aside = 1 AND status = 'spam' AND received_at < ${before(spamDays)} AND updated_at < ${before(spamDays)}
            AND is_starred = 0`,
        ]),
    ...Object.entries(kindDays).map(
      ([kind, days]) =>
        sql`kind = ${kind} AND is_aside = 0 AND received_at < ${before(days)} AND is_starred = 0 AND direction = 'inbound'`,
    ),
  ];
  let deleted = 0;
  let batches = 0;
  for (const condition of isDue) {
    for (let isMore = true; isMore && batches < MAX_BATCHES && !ctx.signal?.aborted; batches++) {
      const count = await deleteSome(ctx, condition);
      deleted += count;
      isMore = count === ROWS_A_BATCH;
    }
  }
  return deleted;
}

async function deleteSome({ db }: Context, condition: SQL): Promise<number> {
  const ids = db.select({ id: emails.id }).from(emails).where(condition).limit(ROWS_A_BATCH);
  const deleted = await db.delete(emails).where(sql`${emails.id} IN ${ids}`).returning({ id: emails.id });
  return deleted.length;
}
