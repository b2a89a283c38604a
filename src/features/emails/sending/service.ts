import type { Context } from "../../../context.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { forwardSubject, replySubject } from "../../../lib/reply-subject.ts";
import { toEmail } from "../record.ts";
import type { Email } from "../schemas.ts";
import { copyAttachments, keepCopies } from "../uploads/copies.ts";
import { compose, mailerOfLetter, replyAllTo } from "./compose.ts";
import { dispatch } from "./dispatch.ts";
import { type Letter, readDesk, requireOriginal } from "./letter.ts";
import { repliedTo } from "./recipients.ts";
import type { NewForward, NewMessage, NewReply } from "./schemas.ts";

/** Sends a new email, or schedules it. */
export async function sendEmail(ctx: Context, { inReplyTo, ...input }: NewMessage): Promise<Email> {
  requireContent(input);
  const desk = await readDesk(ctx, inReplyTo ?? null, input.attachmentIds);
  if (inReplyTo !== undefined && !desk.original) {
    throw validationFailed({ path: "inReplyTo", message: "is not the id or Message-ID of a stored email" });
  }
  const letter: Letter = { ...input, relation: "reply", quote: false };
  const mailer = mailerOfLetter(ctx, letter, desk);
  const outgoing = compose(ctx, mailer, letter, desk);
  return toEmail(ctx, await dispatch(ctx, mailer, letter, desk, outgoing), outgoing);
}

/** Stores a reply in the thread and sends it. */
export async function replyToEmail(ctx: Context, id: number, input: NewReply): Promise<Email> {
  requireContent(input);
  const desk = await readDesk(ctx, id, input.attachmentIds);
  const original = requireOriginal(desk, id);
  const mailer = mailerOfLetter(ctx, input, desk);
  const to = input.to ?? repliedTo(original);
  if (to.length === 0)
    throw validationFailed({ path: "to", message: "is needed: the email has no address to reply to" });
  const letter: Letter = {
    ...input,
    to,
    cc: [...input.cc, ...(input.replyAll ? replyAllTo(desk, mailer.sender.email) : [])],
    subject: input.subject ?? replySubject(original.subject),
    relation: "reply",
  };
  const outgoing = compose(ctx, mailer, letter, desk);
  return toEmail(ctx, await dispatch(ctx, mailer, letter, desk, outgoing), outgoing);
}

/** Sends an email on to others, with its attachments. */
export async function forwardEmail(
  ctx: Context,
  id: number,
  { includeAttachments, ...input }: NewForward,
): Promise<Email> {
  const desk = await readDesk(ctx, id, input.attachmentIds);
  const original = requireOriginal(desk, id);
  const letter: Letter = {
    ...input,
    subject: input.subject ?? forwardSubject(original.subject),
    relation: "forward",
  };
  const mailer = mailerOfLetter(ctx, letter, desk);
  // First, because it finds out what is wrong with the request.
  const outgoing = compose(ctx, mailer, letter, desk);
  const { html, attachments: attached } = outgoing;
  const copies = includeAttachments ? await copyAttachments(ctx, original, { attached, html, quote: input.quote }) : [];
  const whole = { ...outgoing, attachments: [...attached, ...copies] };
  const row = await dispatch(ctx, mailer, letter, desk, whole, { first: (own) => keepCopies(own, copies) });
  return toEmail(ctx, row, outgoing);
}

function requireContent({ body, html, attachmentIds }: Pick<Letter, "body" | "html" | "attachmentIds">): void {
  if (body === undefined && html === undefined && attachmentIds.length === 0) {
    throw validationFailed({ path: "body", message: "is needed, or html is" });
  }
}
