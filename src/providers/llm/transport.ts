import { limitedText } from "../limited-text.ts";

/**
 * How a call is tried again. The only place that does: the SDK's own retries are off. `waitMs` is for a provider that
 * does not say; one that wants more patience than `maxWaitMs` is not tried again, because somebody is waiting.
 */
const PACE = { attempts: 2, waitMs: 300, maxWaitMs: 2000 };

/** 529 is Anthropic's word for being overloaded. */
const PASSING: ReadonlySet<number> = new Set([500, 502, 503, 504, 529]);
const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * `fetch` for the providers' clients: tries again what may pass, before a word of the answer has been
 * used. Redirects are not followed, because the key would go along.
 */
export function createTransport(): typeof fetch {
  return async (input, init) => {
    const request = { ...init, redirect: "manual" as const };
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= PACE.attempts;
      const outcome = await once(input, request);
      if (outcome instanceof Response) {
        if (outcome.ok) return limited(outcome);
        const { response, waitMs } = await readRefusal(outcome);
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

/** The refusal, readable again, and how long to wait before another try; null when that would change nothing. */
async function readRefusal(refusal: Response): Promise<{ response: Response; waitMs: number | null }> {
  const { status, statusText, headers } = refusal;
  // One that is too long to be a refusal says nothing we could use.
  const text = await limitedText(refusal, MAX_REFUSAL_BYTES).catch(() => "");
  const response = new Response(text, { status, statusText, headers });
  if (PASSING.has(status)) return { response, waitMs: askedWaitMs(headers, text) ?? PACE.waitMs };
  if (status !== 429 || isQuota(text)) return { response, waitMs: null };
  return { response, waitMs: askedWaitMs(headers, text) ?? PACE.waitMs };
}

/** Money that is used up does not come back by waiting. */
export function isQuota(text: string): boolean {
  return /\binsufficient_quota\b|\bcredit balance\b/.test(text);
}

/** What the provider asks for: two kinds of header, or Google's word in the body. */
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

/** A provider that never stops would fill the memory. */
function limited(response: Response): Response {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_ANSWER_BYTES) controller.error(new Error("The answer is too large."));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counter), response);
}
