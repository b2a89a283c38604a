import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { type RateLimitName, withinRate } from "../context.ts";
import { joinBytes } from "../lib/encoding.ts";
import { AppError } from "../lib/errors.ts";
import { type AppEnv, contextOf } from "./app-env.ts";
import { isJson } from "./media-type.ts";
import { fileTooLarge } from "./upload.ts";

export const MAX_BODY_BYTES = 1024 * 1024;
/** How many bytes a route takes as a stream; null for every other route. */
export type StreamLimit = (c: HonoContext<AppEnv>) => number | null;

/**
 * Refuses a large body before anything parses it, and waits for all of one that is accepted before anything else is
 * looked at: a request whose body comes slowly is one of the time when it is complete, and what its credential was worth
 * when it began does not count. A declared length can be trusted, because the runtime enforces it; a chunked body is read
 * here up to the limit. A file that a route takes as a stream is left to the route.
 */
export function limitBody(streamLimit: StreamLimit): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const limit = streamLimit(c);
    if (limit === null) await limitBuffered(c);
    else if (Number(c.req.header("content-length") ?? 0) > limit) throw fileTooLarge(limit);
    await next();
  };
}

async function limitBuffered(c: HonoContext<AppEnv>): Promise<void> {
  const { body, headers, method } = c.req.raw;
  const declared = headers.get("content-length");
  // A Request with the method GET cannot be constructed with a body, and nothing reads one.
  const isRead = method !== "GET" && method !== "HEAD";
  if (declared !== null) {
    if (!(Number(declared) <= MAX_BODY_BYTES)) throw tooLarge();
    // Hono keeps it: as text if it is JSON, because the validator reads that.
    if (body && isRead) await (isJson(c) ? c.req.text() : c.req.arrayBuffer());
  } else if (body) {
    const whole = await readLimited(body);
    if (isRead) c.req.raw = new Request(c.req.raw, { body: whole });
  }
  if (body) contextOf(c).now = new Date();
}

async function readLimited(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // `readToEnd` reads the rest of a refused body.
  for await (const chunk of body.values({ preventCancel: true })) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

function tooLarge(): AppError {
  return new AppError("body_too_large", `A body may have at most ${MAX_BODY_BYTES} bytes.`);
}

const PERIOD_SECONDS = 60;

export function limitRate(name: RateLimitName): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const ctx = contextOf(c);
    if (!(await withinRate(ctx, name))) {
      throw new AppError("rate_limited", "Too many requests from this address. Try again in a minute.", {
        retryAfter: PERIOD_SECONDS,
      });
    }
    await next();
  };
}
