import { and, gt } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { isOneOf } from "../../db/bulk.ts";
import { deletedEmails } from "../../db/schema/emails.ts";
import { kindOf, makesTasks } from "../../engine/email/kind.ts";
import type { Address } from "../../lib/addresses.ts";
import {
  passedSignatures,
  readAuthentication,
  type SenderProof,
  senderProof,
} from "../../lib/authentication-results.ts";
import { sha256Hex } from "../../lib/crypto.ts";
import type { EmailKind } from "../../lib/email-kinds.ts";
import { AppError } from "../../lib/errors.ts";
import { readListHeaders } from "../../lib/list-headers.ts";
import { messageKey } from "../../lib/message-id.ts";
import { parseAddress } from "../../lib/parse-address.ts";
import { inboxTag } from "../../lib/tags.ts";
import { errorFields, log } from "../../log.ts";
import { deleteObjects } from "../files/objects.ts";
import { sendToAnalysis } from "./analysis/owed.ts";
import { sortArrival } from "./arrival.ts";
import { type StoredMessage, wholeContent } from "./content.ts";
import type { ParsedEmail } from "./parse-mime.ts";
import { MAX_RAW_BYTES, receiveRaw } from "./raw-message.ts";
import type { EmailRow } from "./record.ts";
import { withoutSecrets } from "./rules/conditions.ts";
import { type EmailToStore, findSignIn, type StoreOptions, storeEmail } from "./store.ts";

/** A message from the platform, with its envelope addresses. */
interface InboundMessage {
  from: string;
  to: string;
  raw: ReadableStream<Uint8Array>;
  rawSize: number;
}

/** An iCalendar part of an email. */
export interface CalendarPart {
  content: string;
  from: string;
  /** The stored email. */
  emailId: number;
  /** False if nothing proves that the email is from `from`. */
  isVerified: boolean;
}

/** A message that was read, however it came. */
interface Arrived {
  email: ParsedEmail;
  /** The message as an object; undefined if it is not kept. */
  raw: StoredMessage | undefined;
  /** The same for the same message: the id of one without a Message-ID. */
  digest: string;
  size: number;
  /** The addresses of the envelope. */
  from: string;
  to: string;
  /** When it arrived. Default: now. */
  receivedAt?: Date;
  /** What another email program has already done with it. */
  isRead?: boolean;
  isStarred?: boolean;
  /** The receivers whose results about the sender count. Default: those that hand messages to this Worker. */
  trusted?: readonly string[];
}

interface ReceiveOptions extends Pick<StoreOptions, "alongside"> {
  /**
   * Called for each part after the email is stored, also for an email that arrives again. Not called for an email that
   * fails authentication.
   */
  onCalendarPart?(ctx: Context, part: CalendarPart): Promise<unknown>;
}

type Receipt = StoredReceipt | { stored: false; reason: string };

type StoredReceipt =
  /** `emailId` is null for an email that was deleted for good before it arrived again. */
  { stored: true; emailId: number | null; isNew: boolean; row: EmailRow | null };

/** Stores an inbound email. Throws only if that fails for now: the sending server then tries again. */
export async function storeInboundEmail(
  ctx: Context,
  message: InboundMessage,
  options: ReceiveOptions = {},
): Promise<Receipt> {
  if (message.rawSize > MAX_RAW_BYTES) {
    return { stored: false, reason: "The message is larger than 25 MB. Send large files as links." };
  }
  const { from, to, rawSize: size } = message;
  return acceptEmail(ctx, { ...(await receiveRaw(ctx, message.raw, size)), from, to, size }, options);
}

/** The same for a message that was read: by Email Routing or from a mailbox, it is sorted, stored and analyzed alike. */
export async function acceptEmail(
  ctx: Context,
  message: Arrived,
  options: ReceiveOptions = {},
): Promise<StoredReceipt> {
  const { raw, digest, receivedAt = ctx.now, isRead = false, isStarred = false } = message;
  const { trusted = ctx.config.TRUSTED_AUTHSERV } = message;
  const { calendarParts, headers, messageId, to, date: _, ...email } = message.email;
  const from = email.from ?? parseAddress(message.from) ?? { name: "", email: message.from };
  const authentication = readAuthentication({ headers, from: from.email, envelopeFrom: message.from }, trusted);
  const proof = senderProof(authentication);
  const isVerified = isSenderKnown(ctx, proof);
  const { subject, body, html } = email;
  const signIn = findSignIn({ from, subject, body, html, receivedAt, source: "inbound" });
  const kindFacts = {
    headers,
    proof,
    envelopeFrom: message.from,
    from: from.email,
    fromName: from.name,
    replyTo: email.replyTo?.email ?? null,
    deliveredTo: message.to,
    subject,
    body,
    calendarParts,
    isSignIn: signIn !== null,
  };
  // Without a Message-ID, the same bytes count as the same email.
  const id = messageId ?? `<${digest}@no-message-id.invalid>`;
  const recipients = to.length > 0 ? to : [{ name: "", email: message.to }];
  const passed = passedSignatures({ headers, from: from.email }, trusted);
  const list = readListHeaders(headers, from.email, passed);
  const sorting = sortArrival(ctx, {
    facts: {
      from,
      recipients: [...recipients, ...email.cc, { name: "", email: message.to }],
      ...withoutSecrets(signIn, { subject, body }),
      listId: list?.id ?? null,
      authentication,
      hasAttachment: email.attachments.some(({ inline }) => !inline),
      size: message.size,
    },
    kindOf: (trust) => kindOf({ ...kindFacts, ...trust }),
    isVerified,
    list,
    tags: inboxTag(message.to),
  });
  const marks = findDeleted(ctx, [id, ownIdOf(id, from, authentication)]);
  const [{ reading, forwardTo, makesTask, kind, isFromOwnAddress, ...sorted }, deleted] = await Promise.all([
    sorting,
    marks,
  ]);
  const isDiscarded = sorted.email.status === "trash";
  // Suspected spam is kept and analyzed, but does nothing by itself.
  const isAside = isDiscarded || sorted.email.status === "spam";
  const stored = await storeOnce(
    ctx,
    {
      ...email,
      messageId: id,
      ...(raw && { raw }),
      direction: "inbound",
      source: "inbound",
      kind,
      authentication,
      delivery: null,
      from,
      to: recipients,
      list,
      signIn,
      receivedAt,
      ...sorted.email,
      isRead: sorted.email.isRead || isRead,
      isStarred: sorted.email.isStarred || isStarred,
    },
    {
      createTasks: isAside ? "none" : makesTask ? "at_least_one" : taskMode(ctx, kind),
      deliveredTo: message.to,
      reading,
      // Emails in the trash are analyzed on request only.
      owesAnalysis: !isDiscarded,
      forwardTo,
      isOwn: isFromOwnAddress && isVerified,
      ...(options.alongside && { alongside: options.alongside }),
    },
    deleted,
  );
  if (raw && !stored?.created) await deleteObjects(ctx, [raw.key]).catch(() => {});
  if (!stored) {
    log("info", "email_stays_deleted", { requestId: ctx.requestId });
    return { stored: true, emailId: null, isNew: false, row: null };
  }
  const { row, created } = stored;
  const place = { emailId: row.id, requestId: ctx.requestId };
  log("info", "email_received", { ...place, isNew: created, kind, proof, bytes: message.size });
  if (calendarParts.length > 0 && proof === "failed") log("warn", "calendar_part_refused", place);
  else if (!isAside) {
    await handCalendarParts(ctx, calendarParts, { from: from.email, emailId: row.id, isVerified }, place, options);
  }
  if (created && !isDiscarded) sendToAnalysis(ctx, row.id);
  return { stored: true, emailId: row.id, isNew: created, row };
}

/** The tasks to create from an email of this kind, by the setting. */
function taskMode({ config: { INBOUND_TASKS: mode } }: Context, kind: EmailKind): "none" | "action_items" | "every" {
  return mode !== "none" && makesTasks(kind, mode) ? mode : "none";
}

/**
 * Stores an email unless it is stored already. A Message-ID is not a secret, and some can be guessed: an email of
 * another sender, or one that is better proved than the stored one, is stored beside it under an id of our own, so that
 * nobody can keep an email away by sending another with its Message-ID first. Null if it was deleted for good.
 */
async function storeOnce(ctx: Context, email: EmailToStore, options: StoreOptions, deleted: DeletedEmails) {
  const { messageId, authentication, from } = email;
  const isGone = (id: string) => {
    const mark = deleted.get(messageKey(id));
    return mark !== undefined && !isAnother(email, mark);
  };
  if (isGone(messageId)) return null;
  const stored = await storeEmail(ctx, email, { ...options, keepsRaw: true });
  if (stored.created || !isAnother(email, stored.row) || (await saysTheSame(ctx, email, stored.row))) return stored;
  const own = ownIdOf(messageId, from, authentication);
  if (isGone(own)) return null;
  const references = [...email.references, messageId];
  return storeEmail(ctx, { ...email, references, messageId: own }, { ...options, keepsRaw: true });
}

/** The id of an email whose Message-ID another one has already. */
function ownIdOf(messageId: string, from: Address, authentication: EmailToStore["authentication"]): string {
  const own = sha256Hex(JSON.stringify([messageId, from.email.toLowerCase(), senderProof(authentication)]));
  return `<${own}@reused-message-id.invalid>`;
}

const STRENGTH: Record<SenderProof, number> = { failed: 0, unverified: 1, verified: 2 };

type KnownEmail = Pick<EmailRow, "fromEmail" | "source" | "authentication">;

function isAnother({ from, authentication }: EmailToStore, stored: KnownEmail): boolean {
  if (from.email.toLowerCase() !== stored.fromEmail.toLowerCase()) return true;
  const [given, known] = [senderProof(authentication), senderProof(stored.authentication)];
  return stored.source === "inbound" && STRENGTH[given] > STRENGTH[known];
}

/** The message that a mailbox has and Email Routing brings, too: whoever sent it first has kept nothing away. */
async function saysTheSame(ctx: Context, email: EmailToStore, stored: EmailRow): Promise<boolean> {
  const { body, html } = await wholeContent(ctx, stored);
  const told = ({ subject, replyTo, attachments }: Pick<EmailRow, "subject" | "replyTo" | "attachments">) =>
    JSON.stringify([subject, replyTo, attachments.map(({ name, type, size }) => [name, type, size])]);
  const isSameSender = email.from.email.toLowerCase() === stored.fromEmail.toLowerCase();
  return isSameSender && email.body === body && email.html === html && told(email) === told(stored);
}

/** In local work no receiver checks anything, and `From` is believed. */
function isSenderKnown({ config }: Context, proof: SenderProof): boolean {
  return proof === "verified" || (proof === "unverified" && config.ALLOW_PRIVATE_HOSTS);
}

async function handCalendarParts(
  ctx: Context,
  contents: readonly string[],
  email: Omit<CalendarPart, "content">,
  place: { emailId: number; requestId: string },
  { onCalendarPart }: ReceiveOptions,
): Promise<void> {
  for (const content of contents) {
    try {
      await onCalendarPart?.(ctx, { content, ...email });
    } catch (error) {
      // The email is stored, so an invalid calendar part is no reason to reject it.
      // Anyone can send an invalid one, so that is not an error of this service.
      if (error instanceof AppError) log("warn", "calendar_part_failed", { ...place, message: error.message });
      else log("error", "calendar_part_failed", { ...place, ...errorFields(error) });
    }
  }
}

/** Emails that were deleted for good within the last month, by the key of their Message-ID. */
type DeletedEmails = ReadonlyMap<string, typeof deletedEmails.$inferSelect>;

/** Which of these Message-IDs belong to emails that a person has deleted for good. */
async function findDeleted(ctx: Context, messageIds: readonly string[]): Promise<DeletedEmails> {
  const rows = await ctx.db
    .select()
    .from(deletedEmails)
    .where(and(isOneOf(deletedEmails.messageKey, messageIds.map(messageKey)), gt(deletedEmails.expiresAt, ctx.now)));
  return new Map(rows.map((row) => [row.messageKey, row]));
}
