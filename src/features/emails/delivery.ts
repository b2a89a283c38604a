import { and, eq, lt, sql } from "drizzle-orm";
import { type Context, forBookkeeping } from "../../context.ts";
import { emails } from "../../db/schema/emails.ts";
import { mailboxSent } from "../../db/schema/mailboxes.ts";
import { asciiDomain, domainOf } from "../../lib/addresses.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError } from "../../lib/errors.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { errorFields, log } from "../../log.ts";
import { type Mailer, type OutgoingAttachment, type OutgoingEmail, RefusedEmail } from "../../providers/mail.ts";
import { settleThread } from "./answered.ts";
import { type Content, requireContent } from "./content.ts";
import { type EmailRow, emailColumns } from "./record.ts";
import { type EmailToStore, renameMessage, type StoreOptions, storeEmail } from "./store.ts";
import { loadAttachments } from "./uploads/service.ts";

/** Every `deliveryError` with this sentence says that the email certainly did not leave. */
export const NOTHING_SENT = "Nothing was sent.";
const REFUSED = `The email service did not accept this email. ${NOTHING_SENT}`;
const LOOKED_FOR = "It is looked for among the sent emails of its mailbox.";
const MAY_HAVE_LEFT =
  "It is not known whether this email left: sending was interrupted. Check with its recipients before you send it again.";

/** No request takes that long. */
const CUT_OFF_MS = 10 * 60 * 1000;
/** Mail servers limit the length of header lines; clients thread by the first and the latest ids. */
const SENT_REFERENCES = 10;

/** The email service chooses the Message-ID. Until it has, the email is known by one of our own. */
export function ownMessageId({ mailboxId, sender }: Mailer): string {
  // Through a mailbox it leaves with the one it is stored with.
  const domain =
    mailboxId === undefined ? "personal-operations-assistant.invalid" : asciiDomain(domainOf(sender.email));
  return `<${crypto.randomUUID()}@${domain}>`;
}

interface SendOptions extends Pick<StoreOptions, "first"> {
  /** Called instead of marking the email as failed, when it is certain that nothing left. */
  onRefused?(row: EmailRow): Promise<unknown>;
}

/**
 * Stores an email as `sending`, sends it, and marks it. So whatever happens in between, an email that left is stored.
 * With an `Idempotency-Key`, the key is used up unless it is certain that nothing left.
 */
export async function sendStored(
  ctx: Context,
  mailer: Mailer,
  email: Omit<EmailToStore, "messageId" | "delivery">,
  { first, onRefused }: SendOptions = {},
): Promise<EmailRow> {
  const stored = { ...email, messageId: ownMessageId(mailer), delivery: "sending" } as const;
  // Before the row: what cannot be read is not sent, and leaves nothing behind.
  const attachments = await loadAttachments(ctx, email.attachments);
  const { row } = await storeEmail(forBookkeeping(ctx), stored, { first, isPlaced: true });
  return deliverRow(ctx, mailer, row, await outgoingOf(ctx, row, attachments), onRefused);
}

/** A stored email as the email service takes it. */
export async function outgoingOf(
  ctx: Context,
  row: EmailRow,
  loaded?: readonly OutgoingAttachment[],
): Promise<OutgoingEmail> {
  const attachments = loaded ?? (await loadAttachments(ctx, row.attachments));
  const { messageId, receivedAt: date } = row;
  return {
    ...letterOf(row, await requireContent(ctx, row)),
    messageId,
    date,
    ...(attachments.length > 0 && { attachments }),
  };
}

/** The same without its files. */
export function letterOf(row: EmailRow, { body, html }: Content) {
  const { inReplyTo, references } = row;
  return {
    from: { name: row.fromName, email: row.fromEmail },
    replyTo: row.replyTo,
    to: row.to,
    cc: row.cc,
    bcc: row.bcc ?? [],
    subject: row.subject,
    // An email without any text still needs a part.
    text: body || "\n",
    ...(html !== null && { html }),
    ...(inReplyTo && { headers: { "In-Reply-To": bracketed(inReplyTo), References: referencesHeader(references) } }),
  } satisfies OutgoingEmail;
}

function bracketed(messageId: string): string {
  return messageId.startsWith("<") ? messageId : `<${messageId}>`;
}

function referencesHeader(references: readonly string[]): string {
  const sent =
    references.length > SENT_REFERENCES
      ? [...references.slice(0, 1), ...references.slice(1 - SENT_REFERENCES)]
      : references;
  return sent.map(bracketed).join(" ");
}

/** Sends an email that is stored as `sending`, and stores how that went. */
export async function deliverRow(
  ctx: Context,
  mailer: Mailer,
  row: EmailRow,
  message: OutgoingEmail,
  onRefused?: SendOptions["onRefused"],
): Promise<EmailRow> {
  const { mailboxId } = mailer;
  let outcome: Outcome;
  try {
    if (mailboxId !== undefined) await noteLeaving(ctx, row.id, mailboxId);
    outcome = await ctx.irreversibly(() => attempt(mailer, message));
  } catch (error) {
    const reason = error instanceof RefusedEmail ? refusalOf(error, row) : REFUSED;
    if (mailboxId !== undefined) await forgetLeaving(ctx, row.id);
    if (onRefused) await onRefused(row);
    else await markFailed(ctx, row.id, reason);
    if (!(error instanceof RefusedEmail)) throw error;
    throw new AppError(
      "provider_error",
      `${reason} ${onRefused ? "The draft is kept." : `It is kept as email ${row.id}.`}`,
    );
  }
  if ("lost" in outcome && mailboxId !== undefined) {
    // It stays as it is until the mailbox shows it among its sent emails.
    throw new AppError("provider_timeout", `${MAY_HAVE_LEFT} It is kept as email ${row.id}. ${LOOKED_FOR}`);
  }
  if ("lost" in outcome) {
    await markFailed(ctx, row.id, MAY_HAVE_LEFT);
    throw new AppError("provider_timeout", `${MAY_HAVE_LEFT} It is kept as email ${row.id}.`);
  }
  return markSent(ctx, row, outcome.messageId, mailboxId !== undefined);
}

/** The service takes a message for all of its recipients or for none: this says because of whom it took it for none. */
function refusalOf({ refusal }: RefusedEmail, { to, cc, bcc }: EmailRow): string {
  const named = [...to, ...cc, ...(bcc ?? [])].filter(({ email }) =>
    refusal.toLowerCase().includes(email.toLowerCase()),
  );
  const who = named.map(({ email }) => email).join(", ");
  return [REFUSED, who && `It does not accept ${who}.`, refusal && `It says: ${refusal}`].filter(Boolean).join(" ");
}

type Outcome = { messageId: string | null } | { lost: true };

/** Throws only if nothing left. */
async function attempt(mailer: Mailer, message: OutgoingEmail): Promise<Outcome> {
  try {
    return await mailer.send(message);
  } catch (error) {
    if (error instanceof AppError && error.code === "provider_timeout") return { lost: true };
    throw error;
  }
}

/** The email has left, so a failure here is no reason to tell the client otherwise: it would send it again. */
async function markSent(ctx: Context, row: EmailRow, messageId: string | null, byMailbox: boolean): Promise<EmailRow> {
  const isThis = eq(emails.id, row.id);
  try {
    const results = await ctx.db.batch([
      ctx.db.update(emails).set(sent(ctx)).where(isThis),
      ...(byMailbox
        ? [ctx.db.update(mailboxSent).set({ leftAt: ctx.now }).where(eq(mailboxSent.emailId, row.id))]
        : []),
      ...(row.inReplyTo ? [settleThread(ctx, sql`${row.id}`, row)] : []),
      ...(messageId ? renameMessage(ctx, row.messageId, messageId) : []),
      ctx.db.select(emailColumns).from(emails).where(isThis),
    ]);
    // The batch varies in length, so its type only covers the first result.
    const [marked] = assertType<EmailRow[]>(results.at(-1));
    return marked ?? { ...row, delivery: "sent" };
  } catch (error) {
    log("error", "sent_email_not_marked", { emailId: row.id, requestId: ctx.requestId, ...errorFields(error) });
    return row;
  }
}

function sent(ctx: Context) {
  return {
    delivery: "sent",
    deliveryError: null,
    writtenAs: null,
    version: sql`${emails.version} + 1`,
    updatedAt: ctx.now,
  } as const;
}

/** For the batch that finds an email among the sent ones of its mailbox: it has left, whatever was known of it. */
export function noteSeenAsSent(ctx: Context, row: EmailRow) {
  return [
    ctx.db
      .update(emails)
      .set(sent(ctx))
      .where(and(eq(emails.id, row.id), sql`delivery IN ('sending', 'failed')`)),
    ...(row.inReplyTo ? [settleThread(ctx, sql`${row.id}`, row)] : []),
  ];
}

/** Before an email leaves through a mailbox: so it is looked for there, whatever happens. */
async function noteLeaving(ctx: Context, emailId: number, mailboxId: number): Promise<void> {
  await ctx.bookkeeping.insert(mailboxSent).values({ emailId, mailboxId, leftAt: null }).onConflictDoNothing();
}

async function forgetLeaving(ctx: Context, emailId: number): Promise<void> {
  await ctx.bookkeeping
    .delete(mailboxSent)
    .where(eq(mailboxSent.emailId, emailId))
    .catch(() => undefined);
}

/** If this fails, the cron does it later. */
export async function markFailed(ctx: Context, id: number, reason: string): Promise<void> {
  try {
    await ctx.bookkeeping.update(emails).set(failed(ctx, reason)).where(eq(emails.id, id));
  } catch (error) {
    log("error", "failed_email_not_marked", { emailId: id, requestId: ctx.requestId, ...errorFields(error) });
  }
}

function failed(ctx: Context, reason: string) {
  return {
    delivery: "failed",
    deliveryError: reason,
    version: sql`${emails.version} + 1`,
    updatedAt: ctx.now,
  } as const;
}

/** Settles emails whose sending was cut off: nobody knows whether they left, and nothing sends them again. */
export async function settleCutOffEmails(ctx: Context): Promise<number> {
  const latest = new Date(ctx.now.getTime() - CUT_OFF_MS);
  const isLookedFor = sql`(updated_at > ${ctx.now.getTime() - DAY_MS} AND id IN (SELECT email_id FROM mailbox_sent))`;
  const settled = await ctx.db
    .update(emails)
    .set(failed(ctx, MAY_HAVE_LEFT))
    .where(and(sql`${emails.delivery} = 'sending'`, lt(emails.updatedAt, latest), sql`NOT ${isLookedFor}`))
    .returning({ id: emails.id });
  for (const { id } of settled) log("warn", "email_delivery_unknown", { emailId: id, requestId: ctx.requestId });
  return settled.length;
}
