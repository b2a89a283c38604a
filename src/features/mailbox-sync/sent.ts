import { and, eq, sql } from "drizzle-orm";
import { emails } from "../../db/schema/emails.ts";
import { mailboxMessages, mailboxSent } from "../../db/schema/mailboxes.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import { noteSeenAsSent, outgoingOf } from "../emails/delivery.ts";
import { emailColumns } from "../emails/record.ts";
import { messageOf } from "../mailboxes/mailer.ts";
import { folderOf } from "./messages.ts";
import type { Work } from "./run.ts";

/** A server that files what it sends does so within this time. */
const FILED_MS = MINUTE_MS;
const EMAILS_A_RUN = 20;

/**
 * Looks for what has left among the sent emails of the mailbox, and puts it there where the server has not: once, because
 * it is always looked for first. An email of which nobody knows whether it left is sent if it is there.
 */
export async function fileSent(work: Work): Promise<void> {
  const { run, session } = work;
  const { ctx, mailboxId } = run;
  const folder = folderOf(work, "sent");
  if (!folder || folder.uidValidity === null) return;
  const rows = await ctx.db
    .select({ ...emailColumns, leftAt: mailboxSent.leftAt })
    .from(mailboxSent)
    .innerJoin(emails, eq(emails.id, mailboxSent.emailId))
    .where(eq(mailboxSent.mailboxId, mailboxId))
    .limit(EMAILS_A_RUN);
  if (rows.length === 0) return;
  await run.claim();
  const selected = await session.select(folder.path);
  if (selected.uidValidity !== folder.uidValidity) return;
  for (const { leftAt, ...row } of rows) {
    if (run.isOver) return;
    const isThis = eq(mailboxSent.emailId, row.id);
    const [uid] = await session.findByMessageId(row.messageId);
    const message = { folderId: folder.id, mailboxId, emailId: row.id, receivedAt: row.receivedAt };
    const note = (at: number, seen: boolean) =>
      ctx.db
        .insert(mailboxMessages)
        .values({ ...message, uid: at, seen, flagged: false })
        .onConflictDoNothing();
    if (uid !== undefined) {
      const [flags] = await session.flags([uid]);
      await ctx.db.batch([
        note(uid, flags?.seen ?? true),
        ...(leftAt ? [] : noteSeenAsSent(ctx, row)),
        ctx.db.delete(mailboxSent).where(isThis),
      ]);
      continue;
    }
    const age = Date.now() - row.updatedAt.getTime();
    if (age > DAY_MS && (work.isGmail || leftAt === null)) await ctx.db.delete(mailboxSent).where(isThis);
    // Gmail always files what it sends, and keeps a second copy as another message.
    if (leftAt === null || work.isGmail || age < FILED_MS) continue;
    const from = { name: row.fromName, email: row.fromEmail };
    const bytes = await messageOf(await outgoingOf(ctx, row), from);
    const appended = await session.append(folder.path, bytes, { seen: true }, row.receivedAt);
    run.figures.appended += 1;
    // Without its UID, the next run finds it.
    if (appended === null) continue;
    await ctx.db.batch([note(appended, true), ctx.db.delete(mailboxSent).where(and(isThis, sql`1`))]);
  }
}
