import { and, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type Context, forBookkeeping } from "../../../context.ts";
import { assertExists, runBatch } from "../../../db/assert.ts";
import { emails, type WrittenDraft } from "../../../db/schema/emails.ts";
import { emailDrafts } from "../../../db/schema/emails-writing.ts";
import { type ExpectedVersions, missedWrite } from "../../../db/version.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { messageKey } from "../../../lib/message-id.ts";
import { errorFields, log } from "../../../log.ts";
import { type Content, wholeContent } from "../content.ts";
import { NOTHING_SENT } from "../delivery.ts";
import { followUpDaysOf } from "../follow-up.ts";
import { type EmailRow, emailColumns, requireShown, toEmail } from "../record.ts";
import type { Email } from "../schemas.ts";
import { compose, mailerOfLetter } from "../sending/compose.ts";
import { dispatch } from "../sending/dispatch.ts";
import { FOR_A_PERSON, type Letter, readDesk } from "../sending/letter.ts";
import { requireAddresses } from "../sending/recipients.ts";
import { returnUploads } from "../uploads/service.ts";
import { type DraftRow, toDraft } from "./record.ts";
import type { Draft } from "./schemas.ts";
import { missed, NEW_DRAFT, requireDraft, selectDraft } from "./service.ts";

/**
 * Sends a draft, once: the batch that stores the email removes the draft, so of parallel requests one finds it. If the
 * email service refuses the email, the draft is there again.
 */
export async function sendDraft(
  ctx: Context,
  id: number,
  expected: ExpectedVersions,
  { undoSeconds = 0 }: { undoSeconds?: number } = {},
): Promise<Email> {
  const draft = await requireSendable(ctx, id);
  if (expected && !expected.includes(draft.version)) throw missedWrite(draft, `draft ${id}`);
  const letter = letterOf(draft);
  const desk = await readDesk(ctx, draft.inReplyTo ?? draft.forwardOf, letter.attachmentIds);
  const isThis = and(eq(emailDrafts.id, id), eq(emailDrafts.version, draft.version));
  const mailer = mailerOfLetter(ctx, letter, desk);
  const outgoing = compose(ctx, mailer, letter, desk);
  const row = await dispatch(ctx, mailer, letter, desk, outgoing, {
    first: (own) => [
      assertExists(own.db, emailDrafts, isThis, () => missed(ctx, id)),
      own.db.delete(emailDrafts).where(eq(emailDrafts.id, id)),
    ],
    undoSeconds,
    writtenAs: writtenAs(draft),
    onRefused: (email) => restore(forBookkeeping(ctx), email, draft),
  });
  return toEmail(ctx, row, outgoing);
}

/** A program could send what it may not see to an address of its own. */
async function requireSendable(ctx: Context, id: number): Promise<DraftRow> {
  const draft = await requireDraft(ctx, id);
  requireShown(ctx, draft, FOR_A_PERSON);
  return draft;
}

/** What `sendDraft` would send, made by the same steps. */
export async function previewSending(ctx: Context, id: number) {
  const row = await requireSendable(ctx, id);
  const letter = letterOf(row);
  const desk = await readDesk(ctx, row.inReplyTo ?? row.forwardOf, letter.attachmentIds);
  const { original, identities } = desk;
  const outgoing = compose(ctx, mailerOfLetter(ctx, letter, desk), letter, desk);
  const identity = identities.find((each) => each.id === outgoing.identityId);
  const isSigned = row.signature && Boolean(identity?.signatureText ?? identity?.signatureHtml);
  return { draft: toDraft(ctx, row), original, outgoing, isSigned };
}

function writtenAs({ body, html, quote, signature, inReplyTo, forwardOf }: DraftRow): WrittenDraft {
  return { body, html, quote, signature, inReplyTo, forwardOf };
}

function letterOf(draft: DraftRow): Letter {
  const { subject, identityId, sendAt, followUpDays, quote, signature } = draft;
  const body = draft.body.trim() ? draft.body : undefined;
  const html = draft.html?.trim() ? draft.html : undefined;
  const isForward = draft.forwardOf !== null;
  if (!subject) throw validationFailed({ path: "subject", message: "is needed to send the draft" });
  const attachmentIds = draft.attachments.map(({ id }) => id);
  if (body === undefined && html === undefined && !isForward && attachmentIds.length === 0) {
    throw validationFailed({ path: "body", message: "is needed to send the draft, or html is" });
  }
  return {
    ...requireAddresses(draft),
    ...{ subject, body, html, sendAt, followUpDays, signature, quote, attachmentIds },
    draftId: draft.id,
    signIn: draft.signIn,
    relation: isForward ? "forward" : "reply",
    ...(identityId !== null && { identityId }),
  };
}

async function restore(ctx: Context, email: EmailRow, { attachments, ...draft }: DraftRow): Promise<void> {
  try {
    await ctx.db.batch([
      ctx.db.insert(emailDrafts).values({ ...draft, version: draft.version + 1, updatedAt: ctx.now }),
      ctx.db.delete(emails).where(and(eq(emails.id, email.id), eq(emails.delivery, "sending"))),
      ...returnUploads(ctx, email.attachments, sql`${draft.id}`),
    ]);
  } catch (error) {
    // The email is still stored, and the cron marks it as failed.
    log("error", "draft_not_restored", { emailId: email.id, requestId: ctx.requestId, ...errorFields(error) });
  }
}

/** Takes back an email that has not left: it becomes a draft. Of this and the sending of it, one wins. */
export async function cancelSending(ctx: Context, id: number): Promise<Draft> {
  const email = await requireWithDraft(ctx, id);
  if (!mayBeTakenBack(email)) throw cannotTakeBack(email);
  const isThis = and(
    eq(emails.id, id),
    sql`(${emails.delivery} = 'scheduled' OR (${emails.delivery} = 'failed' AND ${emails.version} = ${email.version}))`,
  );
  const results = await runBatch(ctx.db, [
    assertExists(ctx.db, emails, isThis, async () => cannotTakeBack(await requireWithDraft(ctx, id))),
    ...(await draftInstead(ctx, email)),
    selectDraft(ctx, NEW_DRAFT),
  ]);
  const [draft] = assertType<DraftRow[]>(results.at(-1));
  if (!draft) throw new Error("the draft has no row");
  return toDraft(ctx, draft);
}

type Unsent = EmailRow & { written: WrittenDraft | null };

/** The statements that put a draft in the place of an email that has not left. */
async function draftInstead(ctx: Context, email: Unsent): Promise<BatchItem<"sqlite">[]> {
  const content = await wholeContent(ctx, email);
  return [
    ctx.db.insert(emailDrafts).values({
      to: email.to,
      cc: email.cc,
      bcc: email.bcc ?? [],
      subject: email.subject,
      ...(email.written ?? asSent(email, content)),
      identityId: sql`(SELECT id FROM identities WHERE id = ${email.identityId})`,
      sendAt: null,
      followUpDays: followUpDaysOf(email),
      signIn: email.signIn,
      version: 1,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    }),
    ctx.db.delete(emails).where(eq(emails.id, email.id)),
    ...returnUploads(ctx, email.attachments, NEW_DRAFT),
  ];
}

/** For an import: the statements that make drafts of the first emails that never left, for this reason. */
export async function draftsInstead(ctx: Context, reason: string, limit: number): Promise<BatchItem<"sqlite">[]> {
  const rows = await ctx.db
    .select({ ...emailColumns, written: WRITTEN })
    .from(emails)
    .where(and(eq(emails.delivery, "failed"), eq(emails.deliveryError, reason)))
    .limit(limit);
  return (await Promise.all(rows.map((email) => draftInstead(ctx, email)))).flat();
}

const ORIGINAL = sql`coalesce(emails.written_as ->> 'inReplyTo', emails.written_as ->> 'forwardOf')`;
const HAS_ORIGINAL = sql`(${ORIGINAL} IS NULL OR EXISTS (SELECT 1 FROM emails AS original WHERE original.id = ${ORIGINAL}))`;
/** Null if there was none, or if what it would quote is deleted: only the text of the email still has that. */
const WRITTEN = sql<WrittenDraft | null>`CASE WHEN ${HAS_ORIGINAL} THEN emails.written_as END`
  .mapWith((json) => assertType<WrittenDraft>(JSON.parse(String(json))))
  .as("written");

async function requireWithDraft({ db }: Context, id: number): Promise<Unsent> {
  const [row] = await db
    .select({ ...emailColumns, written: WRITTEN })
    .from(emails)
    .where(eq(emails.id, id));
  if (!row) throw missedWrite(undefined, `email ${id}`);
  return row;
}

/** The draft of an email that was no draft before. */
function asSent({ inReplyTo }: EmailRow, { body, html }: Content) {
  const original = inReplyTo === null ? null : messageKey(inReplyTo);
  return {
    body,
    html,
    inReplyTo: sql`(SELECT id FROM emails WHERE message_key = ${original})`,
    forwardOf: null,
    // The text contains both.
    quote: false,
    signature: false,
  };
}

/** Not the one of which nobody knows whether it left: a second one might follow it. */
function mayBeTakenBack({ delivery, deliveryError }: EmailRow): boolean {
  return delivery === "scheduled" || (delivery === "failed" && (deliveryError?.includes(NOTHING_SENT) ?? false));
}

function cannotTakeBack({ id, delivery, deliveryError }: EmailRow): AppError {
  const why = {
    sent: "It has been sent.",
    sending: "It is being sent.",
    failed: deliveryError ?? "It may have been sent.",
    scheduled: "It has changed meanwhile.",
  };
  const detail = delivery === null ? "It is not an email that this service sends." : why[delivery];
  return new AppError("email_already_sent", `Email ${id} cannot be taken back. ${detail}`, { readBy: "emails:read" });
}
