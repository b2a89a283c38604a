/** More than any body that is taken without a stream. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MS = 3000;

/**
 * Reads and drops what is left of a body that was refused before it was read. The runtime closes a connection with an
 * unread body, and a proxy in front of it (such as `wrangler dev`) then fails its next request on that connection. What
 * is larger, or comes too slowly, is cancelled: the connection is closed.
 */
export async function readToEnd({ body, headers }: Request): Promise<void> {
  if (!body || body.locked) return;
  const reader = body.getReader();
  const isTooLarge = Number(headers.get("content-length") ?? 0) > MAX_BYTES;
  const isOver = isTooLarge || !(await Promise.race([dropped(reader), scheduler.wait(MAX_MS).then(() => false)]));
  // A client that has gone needs nothing more.
  if (isOver) await reader.cancel().catch(() => {});
}

/** True once everything has come, or the client has gone. */
async function dropped(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  let size = 0;
  try {
    while (size <= MAX_BYTES) {
      const { done, value } = await reader.read();
      if (done) return true;
      size += value.byteLength;
    }
    return false;
  } catch {
    return true;
  }
}
