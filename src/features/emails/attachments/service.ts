import type { Context } from "../../../context.ts";
import { type StoredAttachment, shownAttachments } from "../../../lib/attachments.ts";
import { type ByteSpan, cutStream } from "../../../lib/byte-range.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { previewType } from "../../../lib/file-kinds.ts";
import { decodedStream } from "../../../lib/mime/transfer-encoding.ts";
import { log } from "../../../log.ts";
import { readObject } from "../../files/objects.ts";
import { attachmentsOf } from "../content.ts";
import { type EmailRow, requireShown } from "../record.ts";
import { requireEmail } from "../store.ts";

/** A file of an email. `read` returns its bytes, decoded, as a stream: nothing is held in memory. */
export interface EmailFile {
  name: string;
  type: string;
  size: number;
  /** Names these bytes. */
  tag: string;
  read(span: ByteSpan | null): Promise<ReadableStream<Uint8Array>>;
}

export async function listAttachments(ctx: Context, id: number) {
  return { data: shownAttachments(await attachmentsOf(ctx, await requireEmail(ctx, id))) };
}

/** The nth attachment of an email, from 1. */
export async function openAttachment(ctx: Context, id: number, n: number): Promise<EmailFile> {
  const row = await requireEmail(ctx, id);
  requireShown(ctx, row);
  const attachment = (await attachmentsOf(ctx, row))[n - 1];
  if (!attachment) throw new AppError("not_found", `Email ${id} has no attachment ${n}.`);
  return attachmentFile(ctx, row, attachment);
}

/** The same for a person to look at, with the media type that is safe to show. */
export async function openPreview(ctx: Context, id: number, n: number): Promise<EmailFile> {
  const file = await openAttachment(ctx, id, n);
  const type = previewType(file);
  if (type === null) throw new AppError("not_found", "This kind of file has no preview. Download it instead.");
  return { ...file, type };
}

/** For every reader of attachments, such as the export and a forwarded email. */
export function attachmentFile(
  ctx: Context,
  { id, rawKey }: Pick<EmailRow, "id" | "rawKey">,
  { name, type, size, encoding = "binary", ...place }: StoredAttachment,
): EmailFile {
  const key = place.key ?? rawKey;
  if (key === null || !isStored({ rawKey }, place)) {
    throw new AppError("not_found", `The content of this attachment of email ${id} is not stored.`);
  }
  const { offset = 0, length = size } = place;
  const read = async (span: ByteSpan | null) => {
    // As it is, only the wanted bytes are read; encoded, everything up to them must be decoded.
    const isDirect = encoding === "binary" && span !== null;
    const range = isDirect ? { offset: offset + span.first, length: span.last - span.first + 1 } : { offset, length };
    const bytes = await openObject(ctx, id, key, range);
    const decoded = encoding === "binary" ? bytes : bytes.pipeThrough(decodedStream(encoding));
    return span && !isDirect ? decoded.pipeThrough(cutStream(span)) : decoded;
  };
  return { name, type, size, tag: sha256Hex(`${key} ${offset} ${length}`).slice(0, 32), read };
}

/** Whether the content is known. Of an email that a program has stored, it may be only the names. */
export function isStored(
  { rawKey }: Pick<EmailRow, "rawKey">,
  { key, offset }: Pick<StoredAttachment, "key" | "offset">,
): boolean {
  return key !== undefined || (rawKey !== null && offset !== undefined);
}

/** A part of an object that belongs to an email. */
export async function openObject(ctx: Context, id: number, key: string, range: { offset: number; length: number }) {
  if (range.length === 0) return new Response("").body ?? new ReadableStream<Uint8Array>();
  const object = await readObject(ctx, key, range);
  if (object) return object.body;
  log("error", "email_object_missing", { emailId: id, requestId: ctx.requestId });
  throw new AppError("not_found", `The content of email ${id} is missing from the file store.`);
}
