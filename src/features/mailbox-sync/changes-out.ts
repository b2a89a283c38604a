import { and, eq, sql } from "drizzle-orm";
import { anyOf, selectColumns } from "../../db/bulk.ts";
import { emails } from "../../db/schema/emails.ts";
import { mailboxDirty, mailboxFolders, mailboxMessages } from "../../db/schema/mailboxes.ts";
import type { FolderRole } from "../../lib/mailbox-kinds.ts";
import { type Agreed, type FolderRow, readFolders, type Work } from "./run.ts";

/*
 * What was changed here, brought to the mailbox. What both sides agree on is stored after the server has done it; the
 * note that something is owed goes only if the email is still as it was read.
 */

const EMAILS_A_RUN = 200;

interface Owed extends Agreed {
  role: FolderRole | null;
  emailId: number;
  version: number;
  isRead: boolean;
  isStarred: boolean;
  status: typeof emails.$inferSelect.status;
  direction: typeof emails.$inferSelect.direction;
}

/** Returns how many emails are left for the next run. */
export async function writeChanges(work: Work): Promise<number> {
  const { run } = work;
  const { ctx, mailboxId } = run;
  await run.claim();
  const [dirty, owed] = await ctx.db.batch([
    ctx.db
      .select({ id: mailboxDirty.emailId, version: emails.version })
      .from(mailboxDirty)
      .innerJoin(emails, eq(emails.id, mailboxDirty.emailId))
      .where(eq(mailboxDirty.mailboxId, mailboxId))
      .orderBy(mailboxDirty.emailId)
      .limit(EMAILS_A_RUN + 1),
    ctx.db
      .select({
        ...{ folderId: mailboxMessages.folderId, uid: mailboxMessages.uid, role: mailboxFolders.role },
        ...{ seen: mailboxMessages.seen, flagged: mailboxMessages.flagged },
        ...{ emailId: emails.id, version: emails.version, isRead: emails.isRead, isStarred: emails.isStarred },
        ...{ status: emails.status, direction: emails.direction },
      })
      .from(mailboxMessages)
      .innerJoin(emails, eq(emails.id, mailboxMessages.emailId))
      .innerJoin(mailboxFolders, eq(mailboxFolders.id, mailboxMessages.folderId))
      .where(
        sql`${mailboxMessages.mailboxId} = ${mailboxId} AND ${mailboxMessages.uid} > 0 AND ${emails.id} IN
          (SELECT email_id FROM mailbox_dirty WHERE mailbox_id = ${mailboxId} ORDER BY email_id LIMIT ${EMAILS_A_RUN})`,
      ),
  ]);
  const kept = new Set<number>();
  for (const [folderId, messages] of Map.groupBy(owed, (each) => each.folderId)) {
    const folder = run.state.folders.find(({ id }) => id === folderId);
    if (!folder) continue;
    if (run.isOver) {
      for (const { emailId } of messages) kept.add(emailId);
      continue;
    }
    const later = await writeFolder(work, folder, messages);
    for (const id of later) kept.add(id);
  }
  const done = dirty.slice(0, EMAILS_A_RUN).filter(({ id }) => !kept.has(id));
  await ctx.db.delete(mailboxDirty).where(
    and(
      eq(mailboxDirty.mailboxId, mailboxId),
      // Read after its messages would be too late: what was changed in between is owed.
      sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(done)}) AS done JOIN emails AS e ON e.id = done.value ->> 'id'
        WHERE e.id = ${mailboxDirty.emailId} AND e.version = done.value ->> 'version')`,
    ),
  );
  return kept.size + Math.max(0, dirty.length - EMAILS_A_RUN);
}

/** Returns the emails that are to be looked at again. */
async function writeFolder(work: Work, folder: FolderRow, messages: readonly Owed[]): Promise<number[]> {
  const { run, session } = work;
  const selected = await session.select(folder.path);
  if (selected.uidValidity !== folder.uidValidity) return messages.map(({ emailId }) => emailId);
  for (const [, some] of Map.groupBy(messages.filter(differs), (each) => `${each.isRead} ${each.isStarred}`)) {
    const [{ isRead: seen, isStarred: flagged } = { isRead: false, isStarred: false }] = some;
    const uids = some.map(({ uid }) => uid);
    await session.setFlags(uids, { seen, flagged });
    await run.ctx.db
      .update(mailboxMessages)
      .set({ seen, flagged })
      .where(sql`folder_id = ${folder.id} AND uid IN ${anyOf(uids)}`);
    run.figures.flagsOut += uids.length;
  }
  const later: number[] = [];
  for (const [role, some] of Map.groupBy(messages, wantedRole)) {
    if (role === null || role === folder.role) continue;
    const target = await targetOf(work, role);
    if (!target) {
      run.problem(`The mailbox has no folder for the ${role}: ${some.length} messages were not moved there.`);
      continue;
    }
    later.push(...(await moveAll(work, folder, target, some)));
  }
  return later;
}

function differs({ seen, flagged, isRead, isStarred }: Owed): boolean {
  return seen !== isRead || flagged !== isStarred;
}

/** Where a message belongs; null where it is. */
function wantedRole({ role, status, direction }: Owed): FolderRole | null {
  if (direction === "outbound") {
    if (status === "trash") return "trash";
    return role === "trash" ? "sent" : null;
  }
  if (role === "sent" || status === "spam") return null;
  return ({ inbox: "inbox", archived: "archive", trash: "trash" } as const)[status];
}

/** Only a folder for the archive is ever made, and only when something is archived. */
async function targetOf(work: Work, role: FolderRole): Promise<FolderRow | undefined> {
  const { run, session } = work;
  const find = () => run.state.folders.find((folder) => folder.role === role);
  const found = find();
  if (found || role !== "archive") return found;
  const path = await session.create("Archive");
  const { ctx, mailboxId } = run;
  await ctx.db.batch([
    ctx.db.insert(mailboxFolders).select(
      sql`${selectColumns(mailboxFolders, { mailboxId: sql`${mailboxId}`, path: sql`${path}`, name: sql`'Archive'`, roleIsChosen: sql`0`, walkDone: sql`0`, walkWaiting: sql`0` })}
        WHERE NOT EXISTS (SELECT 1 FROM mailbox_folders WHERE mailbox_id = ${mailboxId} AND path = ${path})`,
    ),
    ctx.db
      .update(mailboxFolders)
      .set({ role })
      .where(and(eq(mailboxFolders.mailboxId, mailboxId), eq(mailboxFolders.path, path))),
  ]);
  run.state.folders = await readFolders(ctx, mailboxId);
  return find();
}

async function moveAll(work: Work, folder: FolderRow, target: FolderRow, messages: readonly Owed[]): Promise<number[]> {
  const { run, session } = work;
  const { ctx } = run;
  // Creating a folder may have changed what is selected.
  await session.select(folder.path);
  const moved = await session.move(
    messages.map(({ uid }) => uid),
    target.path,
  );
  run.figures.movesOut += messages.length;
  // The next run finds them there by their Message-IDs.
  if (!moved) return messages.map(({ emailId }) => emailId);
  const pairs = JSON.stringify([...moved]);
  await ctx.db.batch([
    ctx.db.delete(mailboxMessages).where(sql`folder_id = ${target.id} AND uid IN ${anyOf([...moved.values()])}`),
    ctx.db
      .update(mailboxMessages)
      .set({
        folderId: target.id,
        uid: sql`(SELECT value ->> 1 FROM json_each(${pairs}) WHERE value ->> 0 = mailbox_messages.uid)`,
      })
      .where(sql`folder_id = ${folder.id} AND uid IN ${anyOf([...moved.keys()])}`),
    ctx.db
      .update(mailboxFolders)
      .set({ messages: sql`max(0, messages - ${moved.size})` })
      .where(eq(mailboxFolders.id, folder.id)),
  ]);
  if (folder.messages !== null) folder.messages = Math.max(0, folder.messages - moved.size);
  return messages.filter(({ uid }) => !moved.has(uid)).map(({ emailId }) => emailId);
}
