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

export interface UploadedFile {
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

export interface StreamedFile {
  type: string;
  /** Fails with `body_too_large` when it has more than the endpoint accepts. */
  body: ReadableStream<Uint8Array>;
}

/** The file sent to an endpoint that takes it as a stream, or null when the body is JSON. */
export function streamOf(c: HonoContext<AppEnv>, { types, maxBytes }: Upload): StreamedFile | null {
  if (isJson(c)) return null;
  const type = mediaTypeOf(c);
  if (!types.includes(type)) {
    throw new AppError("unsupported_media_type", `Send the file with a Content-Type of ${types.join(" or ")}.`);
  }
  const { body } = c.req.raw;
  if (!body) throw validationFailed({ path: "", message: "A file is required as the body" });
  let size = 0;
  const limited = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > maxBytes) throw fileTooLarge(maxBytes);
      controller.enqueue(chunk);
    },
  });
  return { type, body: body.pipeThrough(limited) };
}

export function fileTooLarge(maxBytes: number): AppError {
  return new AppError("body_too_large", `A file may have at most ${maxBytes} bytes here.`);
}

/** The file sent, or null when the body is JSON. */
export async function uploadOf(c: HonoContext<AppEnv>): Promise<UploadedFile | null> {
  if (isJson(c)) return null;
  return { type: mediaTypeOf(c), bytes: new Uint8Array(await c.req.arrayBuffer()) };
}
