import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { anyOf, isOneOf } from "../../db/bulk.ts";
import { deletedEmails, emails } from "../../db/schema/emails.ts";
import { mailboxDirty, mailboxFolders, mailboxMessages } from "../../db/schema/mailboxes.ts";
import type { EmailStatus } from "../../lib/email-kinds.ts";
import type { FolderRole } from "../../lib/mailbox-kinds.ts";
import { messageKey } from "../../lib/message-id.ts";
import type { Flags, Head } from "../../providers/mailbox/types.ts";
import type { Agreed, FolderRow, Work } from "./run.ts";

/** An email as far as a mailbox has it, too. */
const emailState = {
  id: emails.id,
  messageKey: emails.messageKey,
  isRead: emails.isRead,
  isStarred: emails.isStarred,
  status: emails.status,
  direction: emails.direction,
};
export type EmailState = Pick<typeof emails.$inferSelect, keyof typeof emailState>;

const agreed = {
  folderId: mailboxMessages.folderId,
  uid: mailboxMessages.uid,
  emailId: mailboxMessages.emailId,
  seen: mailboxMessages.seen,
  flagged: mailboxMessages.flagged,
};

/** Where an email of a folder is here. Null: the folder says nothing about that. */
export const STATUS_OF = { inbox: "inbox", archive: "archived", trash: "trash", sent: null } as const satisfies Record<
  FolderRole,
  EmailStatus | null
>;

/** The messages of these folders that are known; of some UIDs, or of all. Those of an earlier UIDVALIDITY are negative. */
export function selectAgreed({ db }: Context, folderIds: readonly number[], uids: readonly number[] | null = null) {
  const isIn = isOneOf(mailboxMessages.folderId, folderIds);
  return db
    .select(agreed)
    .from(mailboxMessages)
    .where(and(isIn, uids ? isOneOf(mailboxMessages.uid, uids) : gt(mailboxMessages.uid, 0)));
}

/** What is known of messages by their Message-IDs. */
export interface Known {
  emails: Map<string, EmailState>;
  /** Their messages in this mailbox, by the id of the email. */
  messages: Map<number, (Agreed & { role: FolderRole | null })[]>;
  /** Emails that a person deleted for good. */
  deleted: Set<string>;
}

/** The id by which an email is known: its Message-ID or, without one, that of its header and size. */
export function idOf(head: Pick<Head, "messageId" | "digest">): string {
  return head.messageId ?? `<${head.digest}@no-message-id.invalid>`;
}

export async function findKnown({ run }: Work, heads: readonly Head[]): Promise<Known> {
  const keys = heads.map((head) => messageKey(idOf(head)));
  const { ctx, mailboxId } = run;
  const ids = sql`(SELECT id FROM emails WHERE message_key IN ${anyOf(keys)})`;
  const [found, messages, deleted] = await ctx.db.batch([
    ctx.db.select(emailState).from(emails).where(isOneOf(emails.messageKey, keys)),
    ctx.db
      .select({ ...agreed, role: mailboxFolders.role })
      .from(mailboxMessages)
      .innerJoin(mailboxFolders, eq(mailboxFolders.id, mailboxMessages.folderId))
      .where(sql`${mailboxMessages.emailId} IN ${ids} AND ${mailboxMessages.mailboxId} = ${mailboxId}`),
    ctx.db
      .select({ key: deletedEmails.messageKey })
      .from(deletedEmails)
      .where(and(isOneOf(deletedEmails.messageKey, keys), gt(deletedEmails.expiresAt, ctx.now))),
  ]);
  return {
    emails: new Map(found.map((each) => [each.messageKey ?? "", each])),
    messages: Map.groupBy(messages, ({ emailId }) => emailId ?? 0),
    deleted: new Set(deleted.map(({ key }) => key)),
  };
}

/** A message whose email is stored already, or is not to be. */
export interface Settled {
  head: Head;
  email: EmailState | null;
  /** What both sides last agreed on, perhaps in another folder. */
  base: { seen: boolean; flagged: boolean };
  /** Where it is now, because it was moved in the mailbox. */
  status: EmailStatus | null;
}

/** Notes messages whose emails are stored already, and what was changed in the mailbox of them. */
export async function noteKnown(
  { run }: Work,
  folder: FolderRow,
  items: readonly Settled[],
  nextUid: number | null,
): Promise<void> {
  if (items.length === 0 && nextUid === null) return;
  await run.claim();
  const { ctx, mailboxId } = run;
  const rows = items.map(({ head, email }) => ({
    ...{ uid: head.uid, emailId: email?.id ?? null, at: head.internalDate, seen: head.seen, flagged: head.flagged },
  }));
  const read = (seen: boolean) =>
    items.flatMap(({ head, email, base }) =>
      email && head.seen !== base.seen && head.seen === seen && email.isRead !== seen ? [email.id] : [],
    );
  const starred = (flagged: boolean) =>
    items.flatMap(({ head, email, base }) =>
      email && head.flagged !== base.flagged && head.flagged === flagged && email.isStarred !== flagged
        ? [email.id]
        : [],
    );
  const moved = Map.groupBy(
    items.filter(({ email, status }) => email && status && email.status !== status),
    ({ status }) => status,
  );
  const ids = items.flatMap(({ email }) => email?.id ?? []);
  const statements: BatchItem<"sqlite">[] = [
    ...(items.length > 0
      ? [
          ctx.db.delete(mailboxMessages).where(sql`folder_id = ${folder.id} AND uid < 0 AND email_id IN ${anyOf(ids)}`),
          insertMessages(
            ctx,
            sql`SELECT ${folder.id}, value ->> 'uid', ${mailboxId}, (SELECT id FROM emails WHERE id = value ->> 'emailId'),
              value ->> 'at', value ->> 'seen', value ->> 'flagged' FROM json_each(${JSON.stringify(rows)}) WHERE 1`,
          ),
        ]
      : []),
    ...setFlags(ctx, "isRead", read),
    ...setFlags(ctx, "isStarred", starred),
    ...[...moved].flatMap(([status, some]) =>
      status ? [setStatus(ctx, status, sql`id IN ${anyOf(some.flatMap(({ email }) => email?.id ?? []))}`)] : [],
    ),
    ...(items.length > 0
      ? [
          markDirty(
            ctx,
            mailboxId,
            folder,
            sql`m.folder_id = ${folder.id} AND m.uid IN ${anyOf(rows.map(({ uid }) => uid))}`,
            // A copy that stays beside the original says nothing about where the email is.
            sql`e.id NOT IN ${anyOf(items.flatMap(({ email, status }) => (email && status === null ? [email.id] : [])))}`,
          ),
        ]
      : []),
    ...(nextUid === null ? [] : [advance(ctx, folder, nextUid)]),
  ];
  const [first, ...rest] = statements;
  if (first) await ctx.db.batch([first, ...rest]);
  run.figures.known += ids.length;
  run.figures.flagsIn += [true, false].reduce((sum, is) => sum + read(is).length + starred(is).length, 0);
  run.figures.movesIn += [...moved.values()].reduce((sum, some) => sum + some.length, 0);
}

/** The statements that set a flag of emails where it changed in the mailbox. */
function setFlags(ctx: Context, name: "isRead" | "isStarred", idsOf: (value: boolean) => number[]) {
  return [true, false].flatMap((value) => {
    const ids = idsOf(value);
    if (ids.length === 0) return [];
    const set = { [name]: value, version: sql`${emails.version} + 1`, updatedAt: ctx.now };
    return [
      ctx.db
        .update(emails)
        .set(set)
        .where(and(isOneOf(emails.id, ids), eq(emails[name], !value))),
    ];
  });
}

function setStatus(ctx: Context, status: EmailStatus | SQL, where: SQL) {
  return ctx.db
    .update(emails)
    .set({ status: sql`${status}`, version: sql`${emails.version} + 1`, updatedAt: ctx.now })
    .where(sql`${where} AND status <> ${status}`);
}

/** Of a message that is known already, only its email may have changed. */
function insertMessages({ db }: Context, select: SQL) {
  const { folderId, uid } = mailboxMessages;
  return db
    .insert(mailboxMessages)
    .select(select)
    .onConflictDoUpdate({ target: [folderId, uid], set: { emailId: sql`excluded.email_id` } });
}

/** Marks the emails of messages that are otherwise here than there, as the trigger does for later changes. */
function markDirty(ctx: Context, mailboxId: number, { role }: FolderRow, which: SQL, places: SQL) {
  const status = role && STATUS_OF[role];
  const isElsewhere =
    status === null ? sql`0` : sql`(e.direction = 'inbound' AND e.status NOT IN ('spam', ${status}) AND ${places})`;
  return ctx.db
    .insert(mailboxDirty)
    .select(
      sql`SELECT e.id, ${mailboxId} FROM mailbox_messages AS m JOIN emails AS e ON e.id = m.email_id
        WHERE ${which} AND (e.is_read <> m.seen OR e.is_starred <> m.flagged OR ${isElsewhere})`,
    )
    .onConflictDoNothing();
}

function advance({ db }: Context, folder: FolderRow, nextUid: number, only: SQL = sql`1`) {
  return db
    .update(mailboxFolders)
    .set({ nextUid })
    .where(and(eq(mailboxFolders.id, folder.id), sql`next_uid < ${nextUid}`, only));
}

/** For the batch that stores an email: the message it is, and how far the folder is read. `id` is NULL if it does not. */
export function noteStored(
  ctx: Context,
  { mailboxId }: { mailboxId: number },
  folder: FolderRow,
  head: Head,
  id: SQL,
  nextUid: number | null,
): BatchItem<"sqlite">[] {
  const { uid, internalDate, seen, flagged } = head;
  return [
    insertMessages(
      ctx,
      sql`SELECT ${folder.id}, ${uid}, ${mailboxId}, id, ${internalDate}, ${seen ? 1 : 0}, ${flagged ? 1 : 0} FROM emails
        WHERE id = ${id}`,
    ),
    markDirty(ctx, mailboxId, folder, sql`m.folder_id = ${folder.id} AND m.uid = ${uid}`, sql`1`),
    ...(nextUid === null ? [] : [advance(ctx, folder, nextUid, sql`${id} IS NOT NULL`)]),
  ];
}

/** Applies flags that changed in the mailbox. What changed on both sides is the same on both: there are two values. */
export async function applyFlags(
  { run }: Work,
  folder: FolderRow,
  changed: readonly Flags[],
  rows: readonly Agreed[],
): Promise<void> {
  const before = new Map(rows.map((row) => [row.uid, row]));
  const differing = changed.flatMap((flags) => {
    const row = before.get(flags.uid);
    return row && (row.seen !== flags.seen || row.flagged !== flags.flagged) ? [{ flags, row }] : [];
  });
  if (differing.length === 0) return;
  await run.claim();
  const { ctx } = run;
  const read = (seen: boolean) =>
    differing.flatMap(({ flags, row }) => (flags.seen !== row.seen && flags.seen === seen ? (row.emailId ?? []) : []));
  const starred = (flagged: boolean) =>
    differing.flatMap(({ flags, row }) =>
      flags.flagged !== row.flagged && flags.flagged === flagged ? (row.emailId ?? []) : [],
    );
  const values = JSON.stringify(differing.map(({ flags }) => flags));
  const now = (name: "seen" | "flagged") =>
    sql`(SELECT value ->> ${name} FROM json_each(${values}) WHERE value ->> 'uid' = mailbox_messages.uid)`;
  await ctx.db.batch([
    ctx.db
      .update(mailboxMessages)
      .set({ seen: now("seen"), flagged: now("flagged") })
      .where(
        sql`folder_id = ${folder.id} AND ${isOneOf(
          mailboxMessages.uid,
          differing.map(({ flags }) => flags.uid),
        )}`,
      ),
    ...setFlags(ctx, "isRead", read),
    ...setFlags(ctx, "isStarred", starred),
  ]);
  run.figures.flagsIn += differing.length;
}

/** Removes messages that are gone in the mailbox. Their emails stay: those of the inbox go to where they went, or to the archive. */
export async function applyGone({ run }: Work, gone: readonly (Agreed & { role: FolderRole | null })[]): Promise<void> {
  if (gone.length === 0) return;
  await run.claim();
  const { ctx, mailboxId } = run;
  const pairs = JSON.stringify(gone.map(({ folderId, uid }) => [folderId, uid]));
  const ids = gone.flatMap(({ role, emailId }) => (role === "inbox" && emailId !== null ? [emailId] : []));
  const isIn = (role: FolderRole) =>
    sql`EXISTS (SELECT 1 FROM mailbox_messages AS m JOIN mailbox_folders AS f ON f.id = m.folder_id
      WHERE m.email_id = emails.id AND m.mailbox_id = ${mailboxId} AND m.uid > 0 AND f.role = ${role})`;
  const target = sql`iif(${isIn("trash")} AND NOT ${isIn("archive")}, 'trash', 'archived')`;
  const hasLeft = sql`id IN ${anyOf(ids)} AND status = 'inbox' AND direction = 'inbound' AND NOT ${isIn("inbox")}`;
  const [, moved] = await ctx.db.batch([
    ctx.db
      .delete(mailboxMessages)
      .where(sql`(folder_id, uid) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${pairs}))`),
    setStatus(ctx, target, hasLeft).returning({ id: emails.id }),
  ]);
  run.figures.movesIn += moved.length;
}

/** Folders by their role. */
export function folderOf({ run }: Work, role: FolderRole): FolderRow | undefined {
  return run.state.folders.find((folder) => folder.role === role);
}
