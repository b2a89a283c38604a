import type { Context } from "../../context.ts";
import { joinBytes } from "../../lib/encoding.ts";
import { writeObject } from "../files/objects.ts";
import { abandonFile, announceFile } from "../files/service.ts";

/** R2 takes a stream of unknown length only in parts, which must be of equal size. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Writes what a client uploads to R2 as it arrives, a part at a time in memory. `keepFile` belongs into the batch that
 * refers to it. Returns its size.
 */
export async function storeUpload(ctx: Context, key: string, body: ReadableStream<Uint8Array>): Promise<number> {
  await announceFile(ctx, key, "r2");
  try {
    return await storeParts(ctx, key, body);
  } catch (error) {
    ctx.defer(abandonFile(ctx, key));
    throw error;
  }
}

async function storeParts(ctx: Context, key: string, body: ReadableStream<Uint8Array>): Promise<number> {
  let upload: R2MultipartUpload | null = null;
  const parts: R2UploadedPart[] = [];
  let pending: Uint8Array[] = [];
  let pendingSize = 0;
  let size = 0;
  try {
    for await (const chunk of body) {
      pending.push(chunk);
      pendingSize += chunk.byteLength;
      size += chunk.byteLength;
      while (pendingSize >= PART_BYTES) {
        upload ??= await ctx.config.bindings.FILES.createMultipartUpload(key);
        const joined = joinBytes(pending);
        parts.push(await upload.uploadPart(parts.length + 1, joined.subarray(0, PART_BYTES)));
        pending = [joined.slice(PART_BYTES)];
        pendingSize -= PART_BYTES;
      }
    }
    if (!upload) {
      await writeObject(ctx, key, joinBytes(pending));
      return size;
    }
    if (pendingSize > 0) parts.push(await upload.uploadPart(parts.length + 1, joinBytes(pending)));
    await upload.complete(parts);
    return size;
  } catch (error) {
    await upload?.abort().catch(() => {});
    throw error;
  }
}
