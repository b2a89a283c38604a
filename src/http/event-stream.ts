/*
 * Server-sent events. A service function returns its events as an async iterable, and the route sends them:
 *
 *   if (wantsEvents(c)) return eventStream(c, (signal) => verb(contextOf(c), input, signal));
 *
 * - `signal` aborts when the client disconnects; pass it to everything the function waits for.
 * - An error before the first event is an ordinary error response. A later one becomes an `error` event with the
 *   problem document and ends the stream.
 * - While nothing happens, a comment is sent every `heartbeatMs`, so that proxies keep the connection open.
 */
import type { Context as HonoContext, MiddlewareHandler, TypedResponse } from "hono";
import { assertType } from "../lib/cast.ts";
import { AppError, validationFailed } from "../lib/errors.ts";
import { type AppEnv, contextOf } from "./app-env.ts";
import { problemDocument, unexpected } from "./problem.ts";

export interface ServerEvent {
  event: string;
  /** Sent as JSON. */
  data: unknown;
  /** A client that reconnects sends it as `Last-Event-ID`. */
  id?: string;
  /** After how many milliseconds a client that was cut off connects again. */
  retry?: number;
}

const HEARTBEAT_MS = 15_000;
const HEARTBEAT = Symbol("heartbeat");

export function wantsEvents(c: HonoContext<AppEnv>): boolean {
  // The response to a HEAD has no body: nobody would read the stream, or end it.
  return c.req.method !== "HEAD" && /\btext\/event-stream\b/i.test(c.req.header("accept") ?? "");
}

export function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** The header of a client that connects again; `unknown` if no feed has sent such an id. */
export function lastEventIdOf(c: HonoContext<AppEnv>): number | "unknown" | undefined {
  const id = c.req.header("last-event-id");
  if (id === undefined) return undefined;
  return /^\d{1,15}$/.test(id) ? Number(id) : "unknown";
}

/** A stream is not stored and cannot be replayed, so a key that promises that is an error. */
export const refuseKeyOfStream: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (wantsEvents(c) && c.req.header("idempotency-key") !== undefined) {
    const message = "cannot be used with a stream: request JSON or send no key";
    throw validationFailed({ path: "Idempotency-Key", message });
  }
  await next();
};

export async function eventStream(
  c: HonoContext<AppEnv>,
  open: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
  heartbeatMs = HEARTBEAT_MS,
): Promise<Response & TypedResponse<never, never, never>> {
  const { requestId, signal: client, defer } = contextOf(c);
  const gone = new AbortController();
  if (client?.aborted) gone.abort();
  client?.addEventListener("abort", () => gone.abort(), { once: true });
  const events = open(gone.signal)[Symbol.asyncIterator]();
  let coming = events.next();
  // Awaited below; without this, a rejection before that is reported as unhandled.
  coming.catch(() => {});
  await orHeartbeat(coming, heartbeatMs);
  // The stream may still write after its handler has returned, so work that follows a write waits for its end.
  let end = () => {};
  if (c.req.method !== "GET") {
    defer(
      new Promise<void>((resolve) => {
        end = resolve;
      }),
    );
  }

  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const result = await orHeartbeat(coming, heartbeatMs);
        if (result === HEARTBEAT) return controller.enqueue(encode(": still here\n\n"));
        if (result.done) {
          end();
          return controller.close();
        }
        controller.enqueue(encode(textOf(result.value)));
        coming = events.next();
        coming.catch(() => {});
      } catch (error) {
        // Nobody reads the stream any more, and a closed one cannot be written to.
        if (gone.signal.aborted) return end();
        const known = error instanceof AppError ? error : unexpected(error, requestId);
        controller.enqueue(encode(textOf({ event: "error", data: problemDocument(known, requestId) })));
        end();
        controller.close();
      }
    },
    async cancel() {
      gone.abort();
      await events.return?.();
      end();
    },
  });
  c.header("Content-Type", "text/event-stream");
  // Keeps proxies from buffering the events.
  c.header("X-Accel-Buffering", "no");
  return assertType<Response & TypedResponse<never, never, never>>(c.newResponse(body));
}

async function orHeartbeat<T>(work: Promise<T>, heartbeatMs: number): Promise<T | typeof HEARTBEAT> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const beat = new Promise<typeof HEARTBEAT>((resolve) => {
    timer = setTimeout(() => resolve(HEARTBEAT), heartbeatMs);
  });
  try {
    return await Promise.race([work, beat]);
  } finally {
    clearTimeout(timer);
  }
}

function textOf({ event, data, id, retry }: ServerEvent): string {
  const wait = retry === undefined ? "" : `retry: ${retry}\n`;
  const mark = id === undefined ? "" : `id: ${id.replace(/[\r\n]/g, "")}\n`;
  return `${wait}${mark}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
