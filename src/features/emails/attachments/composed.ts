import type { Context } from "../../../context.ts";
import type { ByteSpan } from "../../../lib/byte-range.ts";
import { cutStream } from "../../../lib/byte-range.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import { mimePieces, sizeOf, streamOf } from "../../../lib/mime-message.ts";
import { attachmentsOf, requireContent } from "../content.ts";
import { letterOf } from "../delivery.ts";
import type { EmailRow } from "../record.ts";
import { attachmentFile, type EmailFile, isStored } from "./service.ts";

/** Tells whoever finds the file later. */
const NOTE = "composed from the stored email; these are not the bytes that were sent";

/**
 * The message of an email that did not arrive as one: the service has handed it over in parts, or a program has stored it.
 * Nothing is stored for it: the same email gives the same bytes each time. Its blind copies are not in it, just as they
 * are in no message that leaves.
 */
export async function composedFile(ctx: Context, row: EmailRow): Promise<EmailFile> {
  const [content, attachments] = await Promise.all([requireContent(ctx, row), attachmentsOf(ctx, row)]);
  const { text, html, bcc: _, headers, ...letter } = letterOf(row, content);
  const tag = sha256Hex(`${row.id} ${row.messageId}`).slice(0, 32);
  const files = attachments.flatMap((attachment) => {
    if (!isStored(row, attachment)) return [];
    const { name, type, size, read } = attachmentFile(ctx, row, attachment);
    return [{ name, type, size, contentId: attachment.inline ? attachment.contentId : null, read: () => read(null) }];
  });
  const pieces = mimePieces({
    ...letter,
    messageId: row.messageId,
    date: row.receivedAt,
    headers: { ...headers, "X-Raw-Message": NOTE },
    alternatives: [
      { type: "text/plain; charset=utf-8", content: text },
      ...(html === undefined ? [] : [{ type: "text/html; charset=utf-8", content: html }]),
    ],
    files,
    boundary: `=_${tag}`,
  });
  const read = async (span: ByteSpan | null) => {
    const whole = streamOf(pieces);
    return span ? whole.pipeThrough(cutStream(span)) : whole;
  };
  return { name: `email-${row.id}.eml`, type: "message/rfc822", size: sizeOf(pieces), tag, read };
}
