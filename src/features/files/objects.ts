import type { Context } from "../../context.ts";
import { AppError } from "../../lib/errors.ts";
import { errorFields, log } from "../../log.ts";

/*
 * Objects in R2. Write the object first, then the row that refers to it: an object without a row is found and removed at
 * night by the day in its key (src/features/emails/orphans.ts for emails), a row without an object would be a loss.
 */

/** The folders of objects in R2. Each feature removes its own orphans. */
export type Room = "emails" | "uploads" | "exports";

interface ByteRange {
  offset: number;
  length: number;
}

/** R2 deletes at most this many objects in one call. */
export const OBJECTS_A_CALL = 1000;

/** A key that nobody can guess, with the day on which the object is written. Keys appear in logs: no words in them. */
export function newObjectKey(ctx: Pick<Context, "now">, room: Room): string {
  return `${room}/${dayOf(ctx.now)}/${crypto.randomUUID()}`;
}

/** A day as it is in keys. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Writes an object. Throws 503 if the store does not accept it. */
export async function writeObject(ctx: Context, key: string, content: string | ArrayBuffer | Uint8Array) {
  await orUnavailable(ctx, "file_not_stored", () => ctx.config.bindings.FILES.put(key, content));
}

/**
 * Writes an object from a stream of exactly `size` bytes, which is never held in memory. Throws 503 if the store does not
 * accept it; no object exists then. An error of the source is thrown as it is: to try again would not help.
 */
export async function writeObjectFrom(
  ctx: Context,
  key: string,
  source: ReadableStream<Uint8Array>,
  size: number,
): Promise<void> {
  // R2 takes a stream only if its length is known.
  const { readable, writable } = new FixedLengthStream(size);
  const { stream, failure } = watched(source);
  let pipeFailure: unknown;
  const piped = stream.pipeTo(writable).catch((error: unknown) => {
    pipeFailure = error;
  });
  try {
    await ctx.config.bindings.FILES.put(key, readable);
  } catch (error) {
    // Ends the pipe if the store has refused the stream.
    await readable.cancel(error).catch(() => {});
    await piped;
    throw failure() ?? unavailable(ctx, "file_not_stored", error);
  }
  await piped;
  if (pipeFailure !== undefined) throw pipeFailure;
}

/** The same stream, and its own failure. A pipe fails in the same way if its destination does. */
function watched(source: ReadableStream<Uint8Array>) {
  const reader = source.getReader();
  let failure: unknown;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        failure = error;
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { stream, failure: () => failure };
}

/** The object or a part of it; null if it does not exist. Throws 503 if the store does not respond. */
export function readObject(ctx: Context, key: string, range?: ByteRange): Promise<R2ObjectBody | null> {
  return orUnavailable(ctx, "file_not_read", () =>
    ctx.config.bindings.FILES.get(key, range && { range: { offset: range.offset, length: range.length } }),
  );
}

/** Deletes objects now, those included that do not exist. Throws 503 if the store does not respond. */
export async function deleteObjects(ctx: Context, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += OBJECTS_A_CALL) {
    const some = keys.slice(start, start + OBJECTS_A_CALL);
    await orUnavailable(ctx, "file_not_deleted", () => ctx.config.bindings.FILES.delete(some));
  }
}

async function orUnavailable<Result>(ctx: Context, event: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw unavailable(ctx, event, error);
  }
}

function unavailable(ctx: Context, event: string, error: unknown): AppError {
  log("error", event, { requestId: ctx.requestId, ...errorFields(error) });
  return new AppError("unavailable", "The file store does not respond right now. Try again.", { retryAfter: 5 });
}
