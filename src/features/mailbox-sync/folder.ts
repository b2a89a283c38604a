import { and, eq, sql } from "drizzle-orm";
import { mailboxFolders, mailboxMessages } from "../../db/schema/mailboxes.ts";
import type { FolderRole } from "../../lib/mailbox-kinds.ts";
import { messageKey } from "../../lib/message-id.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import type { Flags, Head, Selected } from "../../providers/mailbox/types.ts";
import {
  applyFlags,
  applyGone,
  findKnown,
  idOf,
  type Known,
  noteKnown,
  type Settled,
  STATUS_OF,
  selectAgreed,
} from "./messages.ts";
import { bytesToRead, NOTHING, receive } from "./receive.ts";
import { type Agreed, type FolderRow, TooMuchMissing, type Work } from "./run.ts";

/*
 * What has changed in a folder of the mailbox, brought here: flags, messages that are gone, new messages. A message and
 * how far the folder is read are stored together, so a run that ends anywhere is continued by the next one.
 */

type Gone = Agreed & { role: FolderRole | null };

/** What a look at a folder found, and what is still to be done with it. */
export interface Look {
  folder: FolderRow;
  selected: Selected;
  gone: Gone[];
  /** Messages that are known, of which `gone` are missing. */
  compared: number;
  /** New messages that this run has not read. */
  waiting: number;
  /** Something of it is left for the next run, which has to find it again. */
  isOpen?: boolean;
}

const HEADS_AT_ONCE = 50;
/** So many are missing that a person has to agree. */
export function requireFew({ run }: Work, gone: number, of: number): void {
  if (!run.options.full && gone > 20 && gone > of / 2) throw new TooMuchMissing(gone, of);
}

/** A message that is new to a folder and older than this was put there, and did not arrive. */
const LATE_MS = DAY_MS;

/** Flags and messages that are gone are found and, but for the latter, applied; then new messages are read. */
export async function readFolder(work: Work, folder: FolderRow, looks: readonly Look[]): Promise<Look> {
  const { session, run } = work;
  const { uidValidity, modSeq } = folder;
  const selected = await session.select(folder.path, uidValidity === null ? undefined : { uidValidity, modSeq });
  const look: Look = { folder, selected, gone: [], compared: 0, waiting: 0 };
  if (uidValidity === null) {
    await begin(work, folder, selected);
    return look;
  }
  if (selected.uidValidity !== uidValidity) {
    await renew(work, folder, selected);
    return look;
  }
  const nextUid = folder.nextUid ?? 1;
  const fresh = selected.uidNext > nextUid ? await session.uids(nextUid) : [];
  const { flags, missing, rows, compared } = await compare(work, folder, selected, fresh.length);
  await applyFlags(work, folder, flags, rows);
  // A server may name some that are there.
  const there = missing.length > 0 ? await present(work, missing) : new Set<number>();
  look.gone = rows
    .filter(({ uid }) => missing.includes(uid) && !there.has(uid))
    .map((row) => ({ ...row, role: folder.role }));
  look.compared = compared;
  const isGone = new Set(
    [...looks.flatMap(({ gone }) => gone), ...look.gone].map(({ folderId, uid }) => `${folderId} ${uid}`),
  );
  look.waiting = await readNew(work, folder, fresh, ({ folderId, uid }) => isGone.has(`${folderId} ${uid}`));
  if (run.isClaimed) await reloadNextUid(work, folder);
  return look;
}

/** From then on, what comes is new. What is there already is history. */
async function begin({ run }: Work, folder: FolderRow, selected: Selected): Promise<void> {
  await run.claim();
  const { mailbox } = run.state;
  const since = new Date(run.since.getTime() - mailbox.historyDays * DAY_MS);
  await store(run.ctx, folder, {
    ...{ uidValidity: selected.uidValidity, nextUid: selected.uidNext, modSeq: selected.modSeq },
    ...{ messages: selected.exists, walkSince: folder.role === "trash" ? null : since, walkDone: 0, walkWaiting: 0 },
  });
}

/**
 * All UIDs are others now. The messages are found again by their Message-IDs, without being read; until then, those that
 * are known keep their old UIDs as negative numbers.
 */
async function renew({ run }: Work, folder: FolderRow, selected: Selected): Promise<void> {
  await run.claim();
  const { ctx } = run;
  const isHere = eq(mailboxMessages.folderId, folder.id);
  const [[oldest]] = await ctx.db.batch([
    ctx.db
      .select({ at: sql<number | null>`min(received_at)`.as("at") })
      .from(mailboxMessages)
      .where(isHere),
  ]);
  const since = new Date(Math.min(oldest?.at ?? run.since.getTime(), run.since.getTime()) - DAY_MS);
  const set = {
    ...{ uidValidity: selected.uidValidity, nextUid: selected.uidNext, modSeq: selected.modSeq },
    ...{ messages: selected.exists, walkSince: since, walkDone: 0, walkWaiting: 0 },
  };
  await ctx.db.batch([
    ctx.db.delete(mailboxMessages).where(and(isHere, sql`uid < 0`)),
    ctx.db.update(mailboxMessages).set({ uid: sql`-uid` }).where(isHere),
    ctx.db.update(mailboxFolders).set(set).where(eq(mailboxFolders.id, folder.id)),
  ]);
  Object.assign(folder, set);
}

async function store(ctx: Work["run"]["ctx"], folder: FolderRow, set: Partial<FolderRow>): Promise<void> {
  await ctx.db.update(mailboxFolders).set(set).where(eq(mailboxFolders.id, folder.id));
  Object.assign(folder, set);
}

async function reloadNextUid({ run: { ctx } }: Work, folder: FolderRow): Promise<void> {
  const [row] = await ctx.db
    .select({ nextUid: mailboxFolders.nextUid })
    .from(mailboxFolders)
    .where(eq(mailboxFolders.id, folder.id));
  folder.nextUid = row?.nextUid ?? folder.nextUid;
}

interface Compared {
  flags: Flags[];
  missing: number[];
  /** What is known of the messages that are named by the other two. */
  rows: Agreed[];
  compared: number;
}

/** Asks the server for as little as it can answer: what changed since, or everything if it cannot tell. */
async function compare(work: Work, folder: FolderRow, selected: Selected, fresh: number): Promise<Compared> {
  const { session, run } = work;
  const last = (folder.nextUid ?? 1) - 1;
  const isFull = run.options.full || folder.modSeq === null || selected.modSeq === null;
  const mayMiss = run.options.full || folder.messages === null || selected.exists !== folder.messages + fresh;
  if (last < 1) return { flags: [], missing: [], rows: [], compared: 0 };
  const changed = isFull
    ? null
    : (selected.changed ??
      (selected.modSeq === folder.modSeq
        ? []
        : await session.flags({ from: 1, to: last, changedSince: folder.modSeq ?? "1" })));
  const vanished = isFull || (mayMiss && selected.vanished === null) ? null : (selected.vanished ?? []);
  if (changed !== null && vanished !== null) {
    const deleted = changed.filter((flags) => isDeleted(work, flags)).map(({ uid }) => uid);
    const named = [...changed.map(({ uid }) => uid), ...vanished].filter((uid) => uid <= last);
    if (named.length === 0) return { flags: [], missing: [], rows: [], compared: 0 };
    const rows = await selectAgreed(run.ctx, [folder.id], named);
    const known = new Set(rows.map(({ uid }) => uid));
    const missing = [...vanished, ...deleted].filter((uid) => known.has(uid));
    const compared = missing.length > 20 ? await countKnown(work, folder) : missing.length * 3;
    return { flags: changed, missing, rows, compared };
  }
  const rows = (await knownOf(work)).filter(({ folderId }) => folderId === folder.id);
  if (rows.length === 0) return { flags: [], missing: [], rows, compared: 0 };
  const from = rows.reduce((least, { uid }) => Math.min(least, uid), last);
  const flags = changed ?? (await session.flags({ from, to: last }));
  const present =
    changed === null
      ? flags.filter((each) => !isDeleted(work, each)).map(({ uid }) => uid)
      : (await session.uids(from, last)).filter(
          (uid) => !changed.some((each) => each.uid === uid && isDeleted(work, each)),
        );
  const there = new Set(present);
  const missing = rows.flatMap(({ uid }) => (there.has(uid) ? [] : [uid]));
  return { flags, missing, rows, compared: rows.length };
}

/** Without UIDPLUS, a message that was moved stays behind like that: nobody may remove only this one. */
function isDeleted({ session }: Work, { deleted }: Flags): boolean {
  return deleted && !session.capabilities.has("UIDPLUS");
}

/** All messages of the mailbox that are known: one round trip for all of its folders. */
async function knownOf(work: Work): Promise<Agreed[]> {
  work.known ??= await selectAgreed(
    work.run.ctx,
    work.run.state.folders.map(({ id }) => id),
  );
  return work.known;
}

async function countKnown({ run: { ctx } }: Work, folder: FolderRow): Promise<number> {
  const [row] = await ctx.db
    .select({ count: sql<number>`count(*)`.as("count") })
    .from(mailboxMessages)
    .where(and(eq(mailboxMessages.folderId, folder.id), sql`uid > 0`));
  return row?.count ?? 0;
}

async function present(work: Work, uids: number[]): Promise<Set<number>> {
  const flags = await work.session.flags(uids);
  return new Set(flags.filter((each) => !isDeleted(work, each)).map(({ uid }) => uid));
}

/** Reads what is new, from the oldest. Returns how many are left for the next run. */
async function readNew(
  work: Work,
  folder: FolderRow,
  fresh: number[],
  isGone: (row: Agreed) => boolean,
): Promise<number> {
  const { run } = work;
  for (let at = 0; at < fresh.length; at += HEADS_AT_ONCE) {
    if (run.isOver) return fresh.length - at;
    const some = fresh.slice(at, at + HEADS_AT_ONCE);
    const heads = (await work.session.heads(some)).toSorted((one, other) => one.uid - other.uid);
    const left = await readHeads(work, folder, heads, { isGone, isNew: true });
    if (left > 0) return fresh.length - at - heads.length + left;
    const last = some.at(-1);
    if (last !== undefined) await noteKnown(work, folder, [], last + 1);
  }
  return 0;
}

interface How {
  isGone(row: Agreed): boolean;
  /** From the end of the folder; otherwise its history is walked. */
  isNew: boolean;
}

/** Stores the messages with these heads in their order. Returns how many are left because the budget is spent. */
export async function readHeads(work: Work, folder: FolderRow, heads: readonly Head[], how: How): Promise<number> {
  const { run } = work;
  const known = await findKnown(work, heads);
  let settled: Settled[] = [];
  const flush = async (nextUid: number | null) => {
    const items = settled;
    settled = [];
    await noteKnown(work, folder, items, nextUid);
  };
  for (const [at, head] of heads.entries()) {
    const place = placeOf(work, folder, head, known, how);
    if (place === "skip") continue;
    if (place !== "read") {
      settled.push(place);
      continue;
    }
    if (settled.length > 0) await flush(how.isNew ? head.uid : null);
    if (!run.take(bytesToRead(head))) return heads.length - at;
    const isNew = folder.role === "inbox" && isArrival(work, head, how.isNew);
    await receive(work, folder, head, { isNew, nextUid: how.isNew ? head.uid + 1 : null });
  }
  if (settled.length > 0) await flush(null);
  return 0;
}

function isArrival({ run }: Work, { internalDate }: Head, isNew: boolean): boolean {
  return internalDate >= run.since.getTime() - (isNew ? LATE_MS : 0);
}

/** Whether a message is read, or known already: moved here, found again, or come by Email Routing. */
function placeOf(work: Work, folder: FolderRow, head: Head, known: Known, how: How): Settled | "read" | "skip" {
  const key = messageKey(idOf(head));
  const email = known.emails.get(key) ?? null;
  const all = email ? (known.messages.get(email.id) ?? []) : [];
  if (all.some(({ folderId, uid }) => folderId === folder.id && uid === head.uid)) return "skip";
  if (!email) {
    if (known.deleted.has(key)) return { head, email, base: NOTHING, status: null };
    return folder.role === "trash" ? "skip" : "read";
  }
  const [base] = all;
  // Anybody can send another message with its Message-ID: whether it is the same, only the message can say.
  const isOther = all.some(
    ({ folderId, uid }) =>
      folderId === folder.id && uid > 0 && !how.isGone({ ...email, ...head, emailId: email.id, folderId, uid }),
  );
  const isFirst = base === undefined && folder.role === "inbox" && email.direction === "inbound";
  if (how.isNew && folder.role === "inbox" && (isOther || isFirst)) return "read";
  return { head, email, base: base ?? NOTHING, status: movedTo(work, folder, email, all, how) };
}

/** The status that follows from the place where a message appears; null if nothing does. */
function movedTo(
  { run }: Work,
  { role }: FolderRow,
  email: NonNullable<Settled["email"]>,
  all: readonly (Agreed & { role: FolderRole | null })[],
  how: How,
): Settled["status"] {
  const others = all.filter((each) => each.role !== "sent" && each.uid > 0);
  const status = role && STATUS_OF[role];
  if (email.direction === "outbound") return status === "trash" ? status : null;
  if (status === null || others.length === 0) return all.length > 0 || status === "inbox" ? email.status : status;
  const hasLeft = others.every((each) => how.isGone(each));
  if (!hasLeft && status !== "inbox") return null;
  const before = others[0]?.role;
  const agreed = before ? STATUS_OF[before] : null;
  if (agreed !== null && email.status !== agreed && email.status !== status && email.status !== "spam") {
    run.figures.conflicts += 1;
  }
  return status;
}

/**
 * After all folders: messages that are in none of them any more. While new messages wait to be read, they may be among
 * those: then the next run looks again.
 */
export async function settleGone(work: Work, looks: readonly Look[]): Promise<void> {
  const gone = looks.flatMap((look) => look.gone);
  if (gone.length === 0) return;
  if (looks.some(({ waiting }) => waiting > 0)) {
    for (const look of looks) look.isOpen = look.gone.length > 0;
    return;
  }
  const moved = await appearedElsewhere(work, gone);
  for (const { folder, compared } of looks) {
    const lost = gone.filter(({ folderId, emailId }) => folderId === folder.id && !moved.has(emailId ?? 0));
    requireFew(work, lost.length, compared);
  }
  await applyGone(work, gone);
}

/** Which of these emails are at another place of the mailbox. */
async function appearedElsewhere({ run }: Work, gone: readonly Gone[]): Promise<Set<number>> {
  const pairs = JSON.stringify(gone.map(({ folderId, uid, emailId }) => [folderId, uid, emailId]));
  const rows = await run.ctx.db
    .selectDistinct({ emailId: mailboxMessages.emailId })
    .from(mailboxMessages)
    .where(
      sql`email_id IN (SELECT value ->> 2 FROM json_each(${pairs})) AND mailbox_id = ${run.mailboxId} AND uid > 0
        AND (folder_id, uid) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(${pairs}))`,
    );
  return new Set(rows.map(({ emailId }) => emailId ?? 0));
}

/** Notes how far the flags of a folder are known, once nothing of it waits. */
export async function closeFolder({ run }: Work, { folder, selected, isOpen, waiting }: Look): Promise<void> {
  const set = {
    modSeq: isOpen ? folder.modSeq : selected.modSeq,
    messages: isOpen ? null : selected.exists - waiting,
  };
  if (set.modSeq === folder.modSeq && set.messages === folder.messages) return;
  await run.claim();
  await store(run.ctx, folder, set);
}
