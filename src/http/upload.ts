import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { AppError } from "../lib/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { isJson, mediaTypeOf } from "./media-type.ts";

/** Files that a route accepts as its body. */
export interface Upload {
  types: readonly string[];
  maxBytes: number;
}

export interface UploadedFile {
  /** As declared by the client; the bytes may say otherwise. */
  type: string;
  bytes: Uint8Array;
}

export function limitUpload({ types, maxBytes }: Upload): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (types.includes(mediaTypeOf(c)) && (await c.req.arrayBuffer()).byteLength > maxBytes) {
      throw new AppError("body_too_large", `A file may have at most ${maxBytes} bytes here.`);
    }
    await next();
  };
}

/** The file sent, or null when the body is JSON. */
export async function uploadOf(c: HonoContext<AppEnv>): Promise<UploadedFile | null> {
  if (isJson(c)) return null;
  return { type: mediaTypeOf(c), bytes: new Uint8Array(await c.req.arrayBuffer()) };
}
