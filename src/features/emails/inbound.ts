import type { Context } from "../../context.ts";
import { kindOf, makesTasks } from "../../engine/email/kind.ts";
import { readAuthentication, type SenderProof, senderProof } from "../../lib/authentication-results.ts";
import { sha256Hex } from "../../lib/crypto.ts";
import type { EmailKind } from "../../lib/email-kinds.ts";
import { toHex } from "../../lib/encoding.ts";
import { AppError } from "../../lib/errors.ts";
import { readListHeaders } from "../../lib/list-headers.ts";
import { parseAddress } from "../../lib/parse-address.ts";
import { inboxTag } from "../../lib/tags.ts";
import { errorFields, log } from "../../log.ts";
import { sendToAnalysis } from "./analysis/owed.ts";
import { sortArrival } from "./arrival.ts";
import { parseEmail } from "./parse-mime.ts";
import type { EmailRow } from "./record.ts";
import { type EmailToStore, type StoreOptions, storeEmail } from "./store.ts";

/** A message from the platform, with its envelope addresses. */
export interface InboundMessage {
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

interface ReceiveOptions {
  /**
   * Called for each part after the email is stored, also for an email that arrives again. Not called for an email that
   * fails authentication.
   */
  onCalendarPart?(ctx: Context, part: CalendarPart): Promise<unknown>;
}

export type Receipt =
  | { stored: true; emailId: number; isNew: boolean }
  /** Sent back to the sender. */
  | { stored: false; reason: string };

/** Fits a Worker's memory together with the decoded parts. The platform accepts up to 25 MiB. */
const MAX_RAW_BYTES = 26 * 1024 * 1024;

/** Stores an inbound email. Throws only if that fails for now: the sending server then tries again. */
export async function storeInboundEmail(
  ctx: Context,
  message: InboundMessage,
  options: ReceiveOptions = {},
): Promise<Receipt> {
  if (message.rawSize > MAX_RAW_BYTES) {
    return { stored: false, reason: "The message is larger than 25 MB. Send large files as links." };
  }
  const raw = new Uint8Array(await new Response(message.raw).arrayBuffer());
  const { calendarParts, headers, messageId, to, ...email } = await parseEmail(raw);
  const from = email.from ?? parseAddress(message.from) ?? { name: "", email: message.from };
  const authentication = readAuthentication(
    { headers, from: from.email, envelopeFrom: message.from },
    ctx.config.TRUSTED_AUTHSERV,
  );
  const proof = senderProof(authentication);
  const { subject, body } = email;
  const kind = kindOf({
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
  });
  const recipients = to.length > 0 ? to : [{ name: "", email: message.to }];
  const list = readListHeaders(headers, from.email);
  const { timeZone, forwardTo, makesTask, ...sorted } = await sortArrival(ctx, {
    facts: {
      from,
      recipients: [...recipients, ...email.cc, { name: "", email: message.to }],
      subject,
      body,
      listId: list?.id ?? null,
      kind,
      authentication,
      hasAttachment: email.attachments.length > 0,
      size: message.rawSize,
    },
    list,
    tags: inboxTag(message.to),
  });
  const isDiscarded = sorted.email.status === "trash";
  const { row, created } = await storeOnce(
    ctx,
    {
      ...email,
      // Without a Message-ID, the same bytes count as the same email.
      messageId: messageId ?? `<${await digest(raw)}@no-message-id.invalid>`,
      direction: "inbound",
      source: "inbound",
      kind,
      authentication,
      delivery: null,
      from,
      to: recipients,
      list,
      receivedAt: ctx.now,
      ...sorted.email,
    },
    {
      createTasks: isDiscarded ? "none" : makesTask ? "at_least_one" : taskMode(ctx, kind),
      deliveredTo: message.to,
      timeZone,
      // What went to the trash is analyzed if somebody asks.
      owesAnalysis: !isDiscarded,
      forwardTo,
    },
  );
  const place = { emailId: row.id, requestId: ctx.requestId };
  log("info", "email_received", { ...place, isNew: created, kind, proof, bytes: raw.length });
  if (calendarParts.length > 0 && proof === "failed") log("warn", "calendar_part_refused", place);
  else if (!isDiscarded) {
    const isVerified = isSenderKnown(ctx, proof);
    await handCalendarParts(ctx, calendarParts, { from: from.email, emailId: row.id, isVerified }, place, options);
  }
  if (created && !isDiscarded) sendToAnalysis(ctx, row.id);
  return { stored: true, emailId: row.id, isNew: created };
}

/** What the setting makes of an email of this kind. */
function taskMode({ config: { INBOUND_TASKS: mode } }: Context, kind: EmailKind): "none" | "action_items" | "every" {
  return mode !== "none" && makesTasks(kind, mode) ? mode : "none";
}

/**
 * Stores an email unless it is stored already. A Message-ID is not a secret, and some can be guessed: an email of
 * another sender, or one that is better proved than the stored one, is stored beside it under an id of our own, so that
 * nobody can keep an email away by sending another with its Message-ID first.
 */
async function storeOnce(ctx: Context, email: EmailToStore, options: StoreOptions) {
  const stored = await storeEmail(ctx, email, options);
  if (stored.created || !isAnother(email, stored.row)) return stored;
  const { messageId, authentication, from } = email;
  const own = sha256Hex(JSON.stringify([messageId, from.email.toLowerCase(), senderProof(authentication)]));
  const references = [...email.references, messageId];
  return storeEmail(ctx, { ...email, references, messageId: `<${own}@reused-message-id.invalid>` }, options);
}

const STRENGTH: Record<SenderProof, number> = { failed: 0, unverified: 1, verified: 2 };

function isAnother({ from, authentication }: EmailToStore, stored: EmailRow): boolean {
  if (from.email.toLowerCase() !== stored.fromEmail.toLowerCase()) return true;
  const [given, known] = [senderProof(authentication), senderProof(stored.authentication)];
  return stored.source === "inbound" && STRENGTH[given] > STRENGTH[known];
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

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
