/*
 * Server-sent events. A verb gives its events as an async iterable, and a route answers with them:
 *
 *   if (wantsEvents(c)) return eventStream(c, (signal) => verb(contextOf(c), input, signal));
 *
 * - `signal` aborts as soon as the client has gone; pass it to whatever the verb waits for.
 * - A failure before the first event is answered as a plain problem. A later one becomes an `error`
 *   event that carries the problem document, and ends the stream.
 * - `immediately`: answers at once, without waiting for the first event (long-lived feeds).
 * - While nothing happens a comment goes out every `heartbeatMs`, so that proxies keep the connection.
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
  /** What a client that comes back sends as `Last-Event-ID`. */
  id?: string;
}

interface EventStreamOptions {
  heartbeatMs?: number;
  immediately?: boolean;
}

const HEARTBEAT_MS = 15_000;
const HEARTBEAT = Symbol("heartbeat");

/** Whether the client asked for events rather than JSON. */
export function wantsEvents(c: HonoContext<AppEnv>): boolean {
  return /\btext\/event-stream\b/i.test(c.req.header("accept") ?? "");
}

/** A stream is not kept, so a repeated one would do everything again: its key is refused, not dropped. */
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
  { heartbeatMs = HEARTBEAT_MS, immediately = false }: EventStreamOptions = {},
): Promise<Response & TypedResponse<never, never, never>> {
  const { requestId, signal: client, defer } = contextOf(c);
  const gone = new AbortController();
  if (client?.aborted) gone.abort();
  client?.addEventListener("abort", () => gone.abort(), { once: true });
  const events = open(gone.signal)[Symbol.asyncIterator]();
  let coming = events.next();
  // It is awaited below; until then its failure is nobody's to catch.
  coming.catch(() => {});
  if (!immediately) await orHeartbeat(coming, heartbeatMs);
  // It goes on after its handler has returned, and so may its writes: what follows a write waits for its end.
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
  // Proxies that gather an answer before they pass it on would hold the events back.
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

function textOf({ event, data, id }: ServerEvent): string {
  const mark = id === undefined ? "" : `id: ${id.replace(/[\r\n]/g, "")}\n`;
  return `${mark}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
