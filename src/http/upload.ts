import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { AppError, validationFailed } from "../lib/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { isJson, mediaTypeOf } from "./media-type.ts";

/** Files that a route accepts as its body. */
export interface Upload {
  types: readonly string[];
  maxBytes: number;
  /** The body is not read before the handler takes it as a stream, and may be larger than any other. */
  isStreamed?: true;
}

interface UploadedFile {
  /** As declared by the client; the bytes may say otherwise. */
  type: string;
  bytes: Uint8Array;
}

export function limitUpload({ types, maxBytes, isStreamed }: Upload): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (isStreamed) return next();
    if (types.includes(mediaTypeOf(c)) && (await c.req.arrayBuffer()).byteLength > maxBytes) {
      throw fileTooLarge(maxBytes);
    }
    await next();
  };
}

/**
 * The file sent to an endpoint that takes it as a stream, or null when the body is JSON. Reading it fails with
 * `body_too_large` when it has more than the endpoint accepts.
 */
export function streamOf(c: HonoContext<AppEnv>, { types, maxBytes }: Upload): ReadableStream<Uint8Array> | null {
  if (isJson(c)) return null;
  if (!types.includes(mediaTypeOf(c))) {
    throw new AppError("unsupported_media_type", `Send the file with a Content-Type of ${types.join(" or ")}.`);
  }
  const { body } = c.req.raw;
  if (!body) throw validationFailed({ path: "", message: "A file is required as the body" });
  return limited(body, maxBytes);
}

/** Takes the body only while somebody reads it: what is left of it when they stop is not lost (see `readToEnd`). */
function limited(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  let size = 0;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      reader ??= body.getReader();
      const { done, value } = await reader.read();
      if (done) return controller.close();
      size += value.byteLength;
      if (size > maxBytes) {
        reader.releaseLock();
        throw fileTooLarge(maxBytes);
      }
      controller.enqueue(value);
    },
    cancel: () => reader?.releaseLock(),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

export function fileTooLarge(maxBytes: number): AppError {
  return new AppError("body_too_large", `A file may have at most ${maxBytes} bytes here.`);
}

/** The file sent, or null when the body is JSON. */
export async function uploadOf(c: HonoContext<AppEnv>): Promise<UploadedFile | null> {
  if (isJson(c)) return null;
  return { type: mediaTypeOf(c), bytes: new Uint8Array(await c.req.arrayBuffer()) };
}
