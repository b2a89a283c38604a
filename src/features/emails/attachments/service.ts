import type { Context } from "../../../context.ts";
import { type StoredAttachment, shownAttachments } from "../../../lib/attachments.ts";
import { type ByteSpan, cutStream } from "../../../lib/byte-range.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { decodedStream } from "../../../lib/mime/transfer-encoding.ts";
import { log } from "../../../log.ts";
import { readObject } from "../../files/objects.ts";
import { attachmentsOf } from "../content.ts";
import type { EmailRow } from "../record.ts";
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
  const attachment = (await attachmentsOf(ctx, row))[n - 1];
  if (!attachment) throw new AppError("not_found", `Email ${id} has no attachment ${n}.`);
  return attachmentFile(ctx, row, attachment);
}

/** For every reader of attachments, such as the export and a forwarded email. */
export function attachmentFile(
  ctx: Context,
  { id, rawKey }: Pick<EmailRow, "id" | "rawKey">,
  { name, type, size, encoding = "binary", ...place }: StoredAttachment,
): EmailFile {
  const key = place.key ?? rawKey;
  if (key === null || (place.key === undefined && place.offset === undefined)) {
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

/** The message as it arrived or left. */
export async function openRaw(ctx: Context, id: number): Promise<EmailFile> {
  const { rawKey, rawSize } = await requireEmail(ctx, id);
  if (rawKey === null || rawSize === null) {
    throw new AppError("not_found", `The raw message of email ${id} is not stored: it came by the API.`);
  }
  const read = (span: ByteSpan | null) =>
    openObject(ctx, id, rawKey, { offset: span?.first ?? 0, length: span ? span.last - span.first + 1 : rawSize });
  return { name: `email-${id}.eml`, type: "message/rfc822", size: rawSize, tag: sha256Hex(rawKey).slice(0, 32), read };
}

async function openObject(ctx: Context, id: number, key: string, range: { offset: number; length: number }) {
  if (range.length === 0) return new Response("").body ?? new ReadableStream<Uint8Array>();
  const object = await readObject(ctx, key, range);
  if (object) return object.body;
  log("error", "email_object_missing", { emailId: id, requestId: ctx.requestId });
  throw new AppError("not_found", `The content of email ${id} is missing from the file store.`);
}
