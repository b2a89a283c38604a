import { limitedText } from "../limited-text.ts";

/**
 * The only retries: the SDK's own are off. `waitMs` is for providers that name no wait. A provider that asks for more
 * than `maxWaitMs` is not retried, because a person is waiting.
 */
export const PACE = { attempts: 2, waitMs: 300, maxWaitMs: 2000 };

/** 529 is Anthropic's status for being overloaded. */
const TRANSIENT: ReadonlySet<number> = new Set([500, 502, 503, 504, 529]);
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * `fetch` with retries for the providers' clients, each after `beforeRetry`. Redirects are not followed: they would send
 * the key elsewhere.
 */
export function createTransport(beforeRetry: () => Promise<void>): typeof fetch {
  return async (input, init) => {
    const request = { ...init, redirect: "manual" as const };
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= PACE.attempts;
      if (attempt > 1) await beforeRetry();
      const outcome = await once(input, request);
      if (outcome instanceof Response) {
        if (outcome.ok) return limited(outcome);
        const { response, waitMs } = await readFailure(outcome);
        if (isLast || waitMs === null || waitMs > PACE.maxWaitMs) return response;
        await pause(waitMs, init?.signal);
        continue;
      }
      if (isLast || init?.signal?.aborted) throw outcome.error;
      await pause(PACE.waitMs, init?.signal);
    }
  };
}

async function once(input: RequestInfo | URL, init: RequestInit): Promise<Response | { error: unknown }> {
  try {
    return await fetch(input, init);
  } catch (error) {
    return { error };
  }
}

/** The failed response, still readable, and the wait before a retry; null if a retry is pointless. */
async function readFailure(failure: Response): Promise<{ response: Response; waitMs: number | null }> {
  const { status, statusText, headers } = failure;
  // A body this long is not an error message.
  const text = await limitedText(failure, MAX_ERROR_BYTES).catch(() => "");
  const response = new Response(text, { status, statusText, headers });
  if (TRANSIENT.has(status)) return { response, waitMs: askedWaitMs(headers, text) ?? PACE.waitMs };
  if (status !== 429 || isQuota(text)) return { response, waitMs: null };
  return { response, waitMs: askedWaitMs(headers, text) ?? PACE.waitMs };
}

/** Waiting does not restore a used-up quota. */
export function isQuota(text: string): boolean {
  return /\binsufficient_quota\b|\bcredit balance\b|\bdaily free allocation\b/.test(text);
}

/** The wait the provider asks for: in one of two headers, or in Google's error body. */
export function askedWaitMs(headers: Headers, text: string): number | null {
  const exact = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const after = headers.get("retry-after");
  if (after !== null && /^\d+(?:\.\d+)?$/.test(after.trim())) return Number(after) * 1000;
  const moment = after === null ? Number.NaN : Date.parse(after);
  if (Number.isFinite(moment)) return Math.max(0, moment - Date.now());
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(text)?.[1];
  return delay === undefined ? null : Number(delay) * 1000;
}

async function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  if (signal?.aborted) throw signal.reason;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}

/** An endless response would fill the memory. */
function limited(response: Response): Response {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_RESPONSE_BYTES) controller.error(new Error("The response is too large."));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counter), response);
}
