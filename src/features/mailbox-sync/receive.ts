import type { SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { EmailStatus } from "../../lib/email-kinds.ts";
import { AppError } from "../../lib/errors.ts";
import { errorFields, log } from "../../log.ts";
import { type Head, type ImapSession, MailboxError } from "../../providers/mailbox/types.ts";
import { applyInvitation } from "../calendar/invitations/apply-invitation.ts";
import { pastEmail } from "../emails/import/past.ts";
import { acceptEmail } from "../emails/inbound.ts";
import { MAX_RAW_BYTES, type ReceivedMessage, receiveRaw } from "../emails/raw-message.ts";
import { storeEmail } from "../emails/store.ts";
import { type EmailState, idOf, noteKnown, noteStored } from "./messages.ts";
import type { FolderRow, Work } from "./run.ts";

/** Larger ones go to the file store piece by piece. */
const WHOLE_BYTES = 1024 * 1024;

/** A message that is read. Its raw message is kept if it came whole. */
type Read = Omit<ReceivedMessage, "raw"> & { raw: ReceivedMessage["raw"] | undefined };

interface Reading {
  /** Whether it came after the mailbox was connected: then it is a new email in every way. */
  isNew: boolean;
  /** How far the folder is read with it; null while its history is walked. */
  nextUid: number | null;
}

/** Reads a message and stores it as an email, together with the note that it was read. */
export async function receive(work: Work, folder: FolderRow, head: Head, { isNew, nextUid }: Reading): Promise<void> {
  const { run } = work;
  await run.claim();
  const ctx = run.fresh();
  const read = await readMessage(ctx, work, head).catch((error) => unreadable(run, head, error));
  if (read === "unreadable") {
    await noteKnown(work, folder, [{ head, email: null, base: NOTHING, status: null }], nextUid);
    return;
  }
  if (!read) return;
  run.figures.fetched += 1;
  const alongside = (own: Context, id: SQL) => noteStored(own, run, folder, head, id, nextUid);
  const { row, created } = isNew
    ? await arrive(ctx, work, head, read, alongside)
    : await storePast(ctx, work, folder, head, read, alongside);
  run.figures[created ? "created" : "known"] += 1;
  if (!created) await noteKnown(work, folder, [{ head, email: row, base: NOTHING, status: null }], nextUid);
}

/** What is agreed on of a message that only one side knows: whatever either side did with it counts. */
export const NOTHING = { seen: false, flagged: false };

type Alongside = (own: Context, id: SQL) => ReturnType<typeof noteStored>;
interface Stored {
  row: EmailState | null;
  created: boolean;
}

/** What is too large is not read. */
export function bytesToRead({ size }: Head): number {
  return size > MAX_RAW_BYTES ? 0 : size;
}

async function readMessage(ctx: Context, { session }: Work, { uid, size }: Head): Promise<Read | null> {
  if (size > MAX_RAW_BYTES) throw new TooLarge(size);
  if (size <= WHOLE_BYTES) {
    const bytes = await session.whole(uid, WHOLE_BYTES).catch(otherThanSaid);
    if (bytes !== "other") return bytes && receiveRaw(ctx, new Blob([bytes]).stream(), bytes.length);
  }
  const read = await readPieces(ctx, session, uid, size).catch(otherThanSaid);
  return read === "other" ? readPieces(ctx, session, uid, await lengthOf(session, uid)) : read;
}

/** Some servers only guess how long a message is. */
class OtherLength extends RangeError {}

/** Larger than any email can be here. */
class TooLarge extends Error {
  readonly size: number;

  constructor(size: number) {
    super("too large");
    this.size = size;
  }
}

function otherThanSaid(error: unknown): "other" {
  if (error instanceof RangeError) return "other";
  throw error;
}

/** The message is never in memory as a whole. It must be exactly so long: the file store wants to know that before. */
async function readPieces(ctx: Context, session: ImapSession, uid: number, size: number): Promise<Read> {
  const pieces = session.part(uid, "")[Symbol.asyncIterator]();
  let left = size;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        left -= value?.length ?? 0;
        if (left < 0 || (done && left > 0)) throw new OtherLength("not as long as the server said");
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  try {
    return await receiveRaw(ctx, stream, size);
  } finally {
    // Until the last command has its answer, nothing else may be asked.
    await pieces.return?.().catch(() => undefined);
  }
}

async function lengthOf(session: ImapSession, uid: number): Promise<number> {
  let size = 0;
  for await (const piece of session.part(uid, "")) {
    size += piece.length;
    if (size > MAX_RAW_BYTES) throw new TooLarge(size);
  }
  return size;
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** A message that is too large, or that cannot be read, must not stop all others. It is not tried again. */
function unreadable(run: Work["run"], { uid, internalDate }: Head, error: unknown): "unreadable" {
  if (error instanceof AppError || error instanceof MailboxError) throw error;
  const which = `A message of ${isoDate(internalDate)}`;
  const isTooLarge = error instanceof TooLarge;
  run.problem(
    isTooLarge
      ? `${which} has ${megabytes(error.size)} and was not read: ${megabytes(MAX_RAW_BYTES)} is the most. It stays in the mailbox.`
      : `${which} could not be read. It stays in the mailbox.`,
  );
  if (!isTooLarge) log("error", "mailbox_message_unreadable", { mailboxId: run.mailboxId, uid, ...errorFields(error) });
  return "unreadable";
}

function isoDate(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** A new email, exactly as one that Email Routing delivers. */
async function arrive(ctx: Context, { run }: Work, head: Head, read: Read, alongside: Alongside): Promise<Stored> {
  const { address } = run.state.mailbox;
  const receipt = await acceptEmail(
    ctx,
    {
      ...read,
      digest: head.digest,
      size: head.size,
      from: envelopeFrom(read),
      to: address,
      receivedAt: timeOf(ctx, head),
      isRead: head.seen,
      isStarred: head.flagged,
      // Only Email Routing takes out what a sender writes in the name of a trusted receiver: another server leaves it.
      trusted: [],
    },
    {
      alongside,
      onCalendarPart: (own, { content, ...email }) => applyInvitation(own, content, { ...email, to: address }),
    },
  );
  return { row: receipt.row && stateOf(receipt.row), created: receipt.isNew };
}

/** History, and what a person sent or filed elsewhere: it makes nothing but an email. */
async function storePast(
  ctx: Context,
  { run }: Work,
  folder: FolderRow,
  head: Head,
  read: Read,
  alongside: Alongside,
): Promise<Stored> {
  const { address } = run.state.mailbox;
  const isOwn = read.email.from?.email.toLowerCase() === address;
  const isSent = folder.role === "sent" || (isOwn && folder.role === "archive");
  const status: EmailStatus = folder.role === "inbox" ? "inbox" : "archived";
  const email = pastEmail(
    { ...read, id: read.email.messageId ?? idOf(head) },
    {
      ...{ isSent, status, tags: [], receivedAt: timeOf(ctx, head) },
      ...{ isRead: head.seen || isSent, isStarred: head.flagged },
    },
  );
  const { row, created } = await storeEmail(ctx, email, { alongside, isPlaced: true });
  return { row: stateOf(row), created };
}

function stateOf(row: Omit<EmailState, "messageKey">): EmailState {
  const { id, isRead, isStarred, status, direction } = row;
  return { id, isRead, isStarred, status, direction, messageKey: null };
}

/** No later than now: a server's clock may be ahead. */
function timeOf(ctx: Context, { internalDate }: Head): Date {
  return new Date(Math.min(internalDate, ctx.now.getTime()));
}

/** The receiving server notes the sender of the envelope at the top. */
function envelopeFrom({ email }: Read): string {
  const path = email.headers.find(({ key }) => key.toLowerCase() === "return-path")?.value ?? "";
  return /<([^<>\s]+)>/.exec(path)?.[1] ?? email.from?.email ?? "unknown@invalid";
}
