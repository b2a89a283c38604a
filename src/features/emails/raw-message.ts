import type { Context } from "../../context.ts";
import { toHex } from "../../lib/encoding.ts";
import { MessageSkim } from "../../lib/mime/skim.ts";
import { newObjectKey, writeObjectFrom } from "../files/objects.ts";
import type { StoredMessage } from "./content.ts";
import { type ParsedEmail, parseEmail } from "./parse-mime.ts";

/** The platform accepts messages of up to 25 MiB. */
export const MAX_RAW_BYTES = 26 * 1024 * 1024;

export interface ReceivedMessage {
  raw: StoredMessage;
  email: ParsedEmail;
  /** SHA-256 of the message, in hexadecimal. */
  digest: string;
}

/**
 * Writes a message to the file store as it comes, and reads it on the way: it is never in memory as a whole. For every way
 * in which raw messages arrive; pass `raw` and the parsed email to `storeEmail`. An object that no email refers to in the
 * end is removed at night, or at once by `deleteObjects`. Throws 503 if the store does not accept it.
 */
export async function receiveRaw(
  ctx: Context,
  source: ReadableStream<Uint8Array>,
  size: number,
): Promise<ReceivedMessage> {
  const skim = new MessageSkim();
  const digest = new crypto.DigestStream("SHA-256");
  const writer = digest.getWriter();
  const watched = source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        skim.push(chunk);
        await writer.write(chunk);
        controller.enqueue(chunk);
      },
    }),
  );
  const key = newObjectKey(ctx, "emails");
  await writeObjectFrom(ctx, key, watched, size);
  await writer.close();
  const hash = toHex(new Uint8Array(await digest.digest));
  return { raw: { key, size }, email: await parseEmail(skim.end()), digest: hash };
}
