import { assertType } from "../../lib/cast.ts";
import { collapseSpace, firstCharacters } from "../../lib/text.ts";
import { limitedText } from "../limited-text.ts";
import type { Outcome, SocialPace } from "./post.ts";

/** A platform's answer; null when none came. */
export type Answer = { status: number; headers: Headers; json: Json } | null;

/** What an answer holds, to be looked into with care: nobody promised its form. */
export type Json = Record<string, unknown>;

interface Call {
  url: string;
  method: "GET" | "POST";
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
}

const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_RETRIES = 2;

/**
 * One call. A platform that asks to slow down is waited for within the pace's patience and asked again, which is
 * safe: it has done nothing yet. Nothing else is ever sent twice.
 */
export async function call(request: Call, pace: SocialPace): Promise<Answer> {
  let patienceMs = pace.patienceMs;
  for (let retry = 0; ; retry++) {
    const answer = await once(request, pace.callMs);
    if (answer?.status !== 429 || retry >= MAX_RETRIES) return answer;
    const waitMs = Math.max(50, (retryAtOf(answer)?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now());
    if (waitMs > patienceMs) return answer;
    patienceMs -= waitMs;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function once({ url, method, headers, json, form }: Call, timeoutMs: number): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: "application/json",
        "user-agent": "personal-operations-assistant",
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: json !== undefined ? JSON.stringify(json) : form && new URLSearchParams(form),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, headers: response.headers, json: await readJson(response) };
  } catch {
    return null;
  }
}

/** The status has been given by now: a body that breaks off, or is no JSON, does not take it back. */
async function readJson(response: Response): Promise<Json> {
  try {
    return object(JSON.parse(await limitedText(response, MAX_ANSWER_BYTES)));
  } catch {
    return {};
  }
}

export function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? assertType<Json>(value) : {};
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * When the platform says it takes calls again. `Retry-After` counts seconds, as does Discord's `retry_after`;
 * X names the second itself.
 */
export function retryAtOf({ headers, json }: NonNullable<Answer>): Date | undefined {
  const seconds = json.retry_after ?? headers.get("retry-after");
  if (seconds !== null && Number.isFinite(Number(seconds))) return later(Number(seconds) * 1000);
  const daily = headers.get("x-user-limit-24hour-remaining") === "0" && headers.get("x-user-limit-24hour-reset");
  const reset = Number(daily || headers.get("x-rate-limit-reset") || Number.NaN);
  return Number.isFinite(reset) ? later(reset * 1000 - Date.now()) : undefined;
}

const MAX_WAIT_MS = 31 * 86_400_000;

function later(ms: number): Date {
  return new Date(Date.now() + Math.min(Math.max(0, Math.ceil(ms)), MAX_WAIT_MS));
}

/** Words of the platform, cut to a line and without any of our secrets: some platforms repeat what they were sent. */
export function told(words: unknown, secrets: readonly string[]): string {
  let text = collapseSpace(textOf(words) ?? "");
  for (const secret of secrets) {
    if (secret.length >= 4) text = text.replaceAll(secret, "…");
  }
  return firstCharacters(text, 300);
}

/** A post whose answer never came, or came from a server in trouble, may have been taken all the same. */
export function lost(platform: string, answer: Answer): Outcome {
  const what = answer ? `${platform} answered ${answer.status}` : `${platform} did not answer in time`;
  return {
    result: "failed",
    error: `${what}. The post may or may not be there: look before you approve it again.`,
    uncertain: true,
  };
}

export function failed(error: string, more: { retryAt?: Date | undefined; refused?: boolean } = {}): Outcome {
  return {
    result: "failed",
    error,
    uncertain: false,
    ...(more.retryAt && { retryAt: more.retryAt }),
    ...(more.refused && { refused: true as const }),
  };
}

export function slowDown(platform: string, answer: NonNullable<Answer>): Outcome {
  const retryAt = retryAtOf(answer);
  const when = retryAt ? ` Posts are taken again at ${retryAt.toISOString()}.` : "";
  return failed(`${platform} asks to slow down.${when}`, { retryAt });
}

export function isTrouble(answer: Answer): boolean {
  return answer === null || answer.status >= 500;
}

export function isSuccess(answer: NonNullable<Answer>): boolean {
  return answer.status >= 200 && answer.status < 300;
}
