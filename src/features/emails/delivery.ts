import { and, eq, lt, sql } from "drizzle-orm";
import { type Context, forBookkeeping } from "../../context.ts";
import { emails } from "../../db/schema/emails.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError } from "../../lib/errors.ts";
import { errorFields, log } from "../../log.ts";
import type { Mailer, OutgoingEmail } from "../../providers/mail.ts";
import { type EmailRow, emailColumns } from "./record.ts";
import { type EmailToStore, renameMessage, storeEmail } from "./store.ts";

const NOTHING_LEFT = "The email service did not accept this email. Nothing was sent.";
const MAY_HAVE_LEFT =
  "It is not known whether this email left: sending was interrupted. Check with its recipients before you send it again.";

/** No request takes that long. */
const CUT_OFF_MS = 10 * 60 * 1000;

/**
 * Stores an email as `sending`, sends it, and marks it. So whatever happens in between, an email that left is stored.
 * With an `Idempotency-Key`, the key is used up unless it is certain that nothing left.
 */
export async function sendStored(
  ctx: Context,
  mailer: Mailer,
  message: OutgoingEmail,
  email: Omit<EmailToStore, "messageId" | "delivery">,
): Promise<EmailRow> {
  // The email service chooses the Message-ID. Until it has, the email is known by one of our own.
  const messageId = `<${crypto.randomUUID()}@personal-operations-assistant.invalid>`;
  const { row } = await storeEmail(forBookkeeping(ctx), { ...email, messageId, delivery: "sending" });
  let outcome: Outcome;
  try {
    outcome = await ctx.irreversibly(() => attempt(mailer, message));
  } catch (error) {
    await markFailed(ctx, row.id, NOTHING_LEFT);
    throw error instanceof AppError && error.code === "provider_error"
      ? new AppError("provider_error", `${NOTHING_LEFT} It is kept as email ${row.id}.`)
      : error;
  }
  if ("lost" in outcome) {
    await markFailed(ctx, row.id, MAY_HAVE_LEFT);
    throw new AppError("provider_timeout", `${MAY_HAVE_LEFT} It is kept as email ${row.id}.`);
  }
  return markSent(ctx, row, outcome.messageId);
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
async function markSent(ctx: Context, row: EmailRow, messageId: string | null): Promise<EmailRow> {
  const isThis = eq(emails.id, row.id);
  const sent = {
    delivery: "sent",
    deliveryError: null,
    version: sql`${emails.version} + 1`,
    updatedAt: ctx.now,
  } as const;
  try {
    const results = await ctx.db.batch([
      ctx.db.update(emails).set(sent).where(isThis),
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

/** If this fails, the cron does it later. */
async function markFailed(ctx: Context, id: number, reason: string): Promise<void> {
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
  const settled = await ctx.db
    .update(emails)
    .set(failed(ctx, MAY_HAVE_LEFT))
    .where(and(sql`${emails.delivery} = 'sending'`, lt(emails.updatedAt, latest)))
    .returning({ id: emails.id });
  for (const { id } of settled) log("warn", "email_delivery_unknown", { emailId: id, requestId: ctx.requestId });
  return settled.length;
}
