import { type Context, signedInOwner } from "../../../context.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { newObjectKey } from "../../files/objects.ts";
import { findTransfer, releaseUpload, startTransfer, updatePosition } from "../../transfers/service.ts";
import type { TransferRow } from "../../transfers/slices.ts";
import type { ArchiveUpload } from "./schemas.ts";

/*
 * An archive that is too large for one request is sent in parts, in any order, and a part that failed is sent again. The
 * parts go straight to R2, which joins them when the import begins.
 */

/** Below what any plan of the platform lets through in one request, and 9,999 of them are 300 GB. */
export const UPLOAD_PART_BYTES = 32 * 1024 * 1024;

interface Position {
  multipartId: string;
  /** Number of a part → what R2 says of it. */
  parts: Record<string, { etag: string; size: number }>;
}

function positionOf({ position }: TransferRow): Position {
  return assertType<Position>(position);
}

export async function startUpload(ctx: Context): Promise<ArchiveUpload> {
  const { id: userId } = signedInOwner(ctx);
  const fileKey = newObjectKey(ctx, "uploads");
  const { uploadId } = await ctx.config.bindings.FILES.createMultipartUpload(fileKey);
  const position: Position = { multipartId: uploadId, parts: {} };
  return toUpload(await startTransfer(ctx, { kind: "upload", userId, fileKey, position }));
}

function toUpload(row: TransferRow): ArchiveUpload {
  const { parts } = positionOf(row);
  return {
    id: row.id,
    partSize: UPLOAD_PART_BYTES,
    parts: Object.keys(parts).map(Number),
    size: sizeOf(parts),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

function sizeOf(parts: Position["parts"]): number {
  return Object.values(parts).reduce((sum, { size }) => sum + size, 0);
}

export async function getUpload(ctx: Context, id: string): Promise<ArchiveUpload> {
  return toUpload(await findTransfer(ctx, "upload", id));
}

export async function uploadPart(
  ctx: Context,
  { id, part }: { id: string; part: number },
  body: ReadableStream<Uint8Array>,
): Promise<ArchiveUpload> {
  const row = await findTransfer(ctx, "upload", id);
  const bytes = await new Response(body).arrayBuffer();
  if (bytes.byteLength === 0) throw validationFailed({ path: "", message: "A part must not be empty" });
  const upload = ctx.config.bindings.FILES.resumeMultipartUpload(row.fileKey ?? "", positionOf(row).multipartId);
  const { etag } = await upload.uploadPart(part, bytes);
  // Parts may arrive at the same time, so each changes only its own member.
  return toUpload(await updatePosition(ctx, row, ["parts", String(part)], { etag, size: bytes.byteLength }));
}

/** Joins the parts. `take` belongs into the batch that the file belongs to from then on. */
export async function completeUpload(ctx: Context, id: string) {
  const row = await findTransfer(ctx, "upload", id);
  const { parts, multipartId } = positionOf(row);
  const numbers = Object.keys(parts).map(Number);
  const missing = numbers.findIndex((number, index) => number !== index + 1);
  if (numbers.length === 0 || missing >= 0) {
    throw new AppError("conflict", `Part ${missing + 1 || 1} of the upload is missing.`);
  }
  const short = numbers.slice(0, -1).find((number) => parts[number]?.size !== UPLOAD_PART_BYTES);
  if (short) throw new AppError("conflict", `Part ${short} must have ${UPLOAD_PART_BYTES} bytes. Send it again.`);
  const fileKey = row.fileKey ?? "";
  const { FILES } = ctx.config.bindings;
  // Joined already, if the import was refused the first time.
  if (!(await FILES.head(fileKey))) {
    const uploaded = numbers.map((number) => ({ partNumber: number, etag: parts[number]?.etag ?? "" }));
    await FILES.resumeMultipartUpload(fileKey, multipartId).complete(uploaded);
  }
  return { fileKey, fileSize: sizeOf(parts), take: releaseUpload(ctx, row) };
}
