import { eq, sql } from "drizzle-orm";
import { mailboxFolders, mailboxMessages } from "../../db/schema/mailboxes.ts";
import { readHeads, requireFew } from "./folder.ts";
import { applyGone, selectAgreed } from "./messages.ts";
import type { FolderRow, Work } from "./run.ts";

const HEADS_AT_ONCE = 50;

/** Reads the history of a folder, from the newest message, as far as the run has time. Returns how many are left. */
export async function walkFolder(work: Work, folder: FolderRow): Promise<number> {
  const { run, session } = work;
  if (folder.walkSince === null || folder.uidValidity === null) return 0;
  await run.claim();
  const { ctx } = run;
  const selected = await session.select(folder.path);
  if (selected.uidValidity !== folder.uidValidity) return 0;
  const found = (await session.uidsSince(folder.walkSince)).filter((uid) => uid < (folder.nextUid ?? 1));
  const known = new Set((await selectAgreed(ctx, [folder.id])).map(({ uid }) => uid));
  const uids = found.filter((uid) => !known.has(uid)).toSorted((one, other) => other - one);
  let left = uids.length;
  const note = (isDone: boolean) =>
    ctx.db
      .update(mailboxFolders)
      .set({ walkDone: found.length - left, walkWaiting: left, ...(isDone && { walkSince: null }) })
      .where(eq(mailboxFolders.id, folder.id));
  try {
    for (let at = 0; at < uids.length && !run.isOver; at += HEADS_AT_ONCE) {
      const heads = (await session.heads(uids.slice(at, at + HEADS_AT_ONCE))).toSorted(
        (one, other) => other.uid - one.uid,
      );
      const rest = await readHeads(work, folder, heads, { isNew: false, isGone: () => false });
      left = Math.max(0, uids.length - at - HEADS_AT_ONCE) + rest;
      if (rest > 0) break;
    }
  } finally {
    await note(false);
  }
  if (left > 0) return left;
  // Those that had another UID once, and were not found again.
  const old = await ctx.db
    .select({
      ...{ folderId: mailboxMessages.folderId, uid: mailboxMessages.uid, emailId: mailboxMessages.emailId },
      ...{ seen: mailboxMessages.seen, flagged: mailboxMessages.flagged },
    })
    .from(mailboxMessages)
    .where(sql`folder_id = ${folder.id} AND uid < 0`);
  requireFew(work, old.length, old.length + found.length);
  await applyGone(
    work,
    old.map((row) => ({ ...row, role: folder.role })),
  );
  await note(true);
  folder.walkSince = null;
  return 0;
}
