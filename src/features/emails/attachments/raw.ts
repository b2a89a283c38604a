import type { Context } from "../../../context.ts";
import type { ByteSpan } from "../../../lib/byte-range.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import { requireShown } from "../record.ts";
import { requireEmail } from "../store.ts";
import { type EmailFile, openObject } from "./service.ts";

/** The message as it arrived, or composed from what is stored. */
export async function openRaw(ctx: Context, id: number): Promise<EmailFile> {
  const row = await requireEmail(ctx, id);
  requireShown(ctx, row);
  const { rawKey, rawSize } = row;
  if (rawKey === null || rawSize === null) return (await import("./composed.ts")).composedFile(ctx, row);
  const read = (span: ByteSpan | null) =>
    openObject(ctx, id, rawKey, { offset: span?.first ?? 0, length: span ? span.last - span.first + 1 : rawSize });
  return { name: `email-${id}.eml`, type: "message/rfc822", size: rawSize, tag: sha256Hex(rawKey).slice(0, 32), read };
}
