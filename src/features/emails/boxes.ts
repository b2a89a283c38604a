import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { emailTotals } from "../../db/schema/emails.ts";
import type { EmailBoxes } from "./queries/schemas.ts";

/** The statement that reads the stored numbers of emails: one row. */
export function selectEmailTotals({ db }: Pick<Context, "db">) {
  return db.select().from(emailTotals);
}

/** Stored numbers, and those of the emails that are snoozed now, which are few: time alone ends a snooze. */
export async function countBoxes(ctx: Context): Promise<EmailBoxes> {
  const asleep = (condition: SQL) => sql<number>`count(*) FILTER (WHERE ${condition})`;
  const [[totals], [snoozed]] = await ctx.db.batch([
    selectEmailTotals(ctx),
    ctx.db
      .select({
        count: asleep(sql`is_aside = 0`).as("count"),
        unread: asleep(sql`is_aside = 0 AND is_read = 0`).as("unread"),
        inbox: asleep(sql`status = 'inbox'`).as("inbox"),
        inboxUnread: asleep(sql`status = 'inbox' AND is_read = 0`).as("inbox_unread"),
      })
      .from(sql`emails`)
      .where(sql`snoozed_until IS NOT NULL AND snoozed_until > ${ctx.now.getTime()}`),
  ]);
  if (!totals || !snoozed) throw new Error("the numbers of emails have no row");
  return {
    inbox: { count: totals.inbox - snoozed.inbox, unread: totals.inboxUnread - snoozed.inboxUnread },
    snoozed: { count: snoozed.count, unread: snoozed.unread },
    archived: { count: totals.archived, unread: totals.archivedUnread },
    sent: { count: totals.outbound, unread: totals.outboundUnread },
    starred: { count: totals.starred, unread: totals.starredUnread },
    spam: { count: totals.spam, unread: totals.spamUnread },
    trash: { count: totals.trash, unread: totals.trashUnread },
  };
}
