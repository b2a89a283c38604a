import { assertType } from "../../lib/cast.ts";
import { collapseSpace, firstCharacters } from "../../lib/text.ts";
import { limitedText } from "../limited-text.ts";
import type { CredentialCheck, PostResult, SocialTimeouts } from "./post.ts";

export interface PlatformResponse {
  /** 0 if no response came. */
  status: number;
  /** The request could not be made from the credential, so nothing was sent. */
  isUnsent?: true;
  headers: Headers;
  json: Json;
}

type Json = Record<string, unknown>;

interface Call {
  url: string;
  method: "GET" | "POST";
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
  /** The call creates the post. */
  publishes?: boolean;
}

const MAX_RESPONSE_BYTES = 256 * 1024;
const MAX_RETRIES = 2;

/**
 * Makes one call. Only a rate-limited call is repeated, within `maxWaitMs`: the platform has not processed it.
 * Nothing else is ever sent twice.
 */
export async function call(request: Call, timeouts: SocialTimeouts): Promise<PlatformResponse> {
  let maxWaitMs = timeouts.maxWaitMs;
  for (let retry = 0; ; retry++) {
    const response = await callOnce(request, timeouts);
    if (response.status !== 429 || retry >= MAX_RETRIES) return response;
    const waitMs = Math.max(50, (retryAtOf(response)?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now());
    if (waitMs > maxWaitMs) return response;
    maxWaitMs -= waitMs;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function callOnce(call: Call, { callMs, onPublish }: SocialTimeouts): Promise<PlatformResponse> {
  const request = requestOf(call);
  if (!request) return { status: 0, isUnsent: true, headers: new Headers(), json: {} };
  if (call.publishes) onPublish?.(true);
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(callMs) });
    if (call.publishes && response.status >= 400 && response.status < 500) onPublish?.(false);
    return { status: response.status, headers: response.headers, json: await readJson(response) };
  } catch {
    return { status: 0, headers: new Headers(), json: {} };
  }
}

/** Made before anything is sent, so that a value that no request can carry is told from a lost response. */
function requestOf({ url, method, headers, json, form }: Call): Request | null {
  try {
    return new Request(url, {
      method,
      headers: {
        accept: "application/json",
        "user-agent": "personal-operations-assistant",
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: json !== undefined ? JSON.stringify(json) : form && new URLSearchParams(form),
      redirect: "manual",
    });
  } catch {
    return null;
  }
}

/** The status counts even if the body breaks off or is not JSON. */
async function readJson(response: Response): Promise<Json> {
  try {
    return object(JSON.parse(await limitedText(response, MAX_RESPONSE_BYTES)));
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

/** `Retry-After` and Discord's `retry_after` are seconds from now; X sends the time itself. */
function retryAtOf({ headers, json }: PlatformResponse): Date | undefined {
  const seconds = json.retry_after ?? headers.get("retry-after");
  if (seconds !== null && Number.isFinite(Number(seconds))) return fromNow(Number(seconds) * 1000);
  const daily = headers.get("x-user-limit-24hour-remaining") === "0" && headers.get("x-user-limit-24hour-reset");
  const reset = Number(daily || headers.get("x-rate-limit-reset") || Number.NaN);
  return Number.isFinite(reset) ? fromNow(reset * 1000 - Date.now()) : undefined;
}

const MAX_WAIT_MS = 31 * 86_400_000;

function fromNow(ms: number): Date {
  return new Date(Date.now() + Math.min(Math.max(0, Math.ceil(ms)), MAX_WAIT_MS));
}

/** The platform's error message in one line, without our secrets: some platforms repeat what they were sent. */
export function platformMessage(message: unknown, secrets: readonly string[]): string {
  let text = collapseSpace(textOf(message) ?? "");
  for (const secret of secrets) {
    if (secret.length >= 4) text = text.replaceAll(secret, "…");
  }
  return firstCharacters(text, 300);
}

export function isSuccess({ status }: PlatformResponse): boolean {
  return status >= 200 && status < 300;
}

export function isServerFailure({ status }: PlatformResponse): boolean {
  return status === 0 || status >= 500;
}

function describe(platform: string, { status, isUnsent }: PlatformResponse): string {
  if (isUnsent) return `${platform} was not called: the saved credential cannot be used in a request. Save it again.`;
  return status === 0 ? `${platform} did not respond in time.` : `${platform} responded with status ${status}.`;
}

export function unavailable(platform: string, response: PlatformResponse): CredentialCheck {
  return { result: "unavailable", error: describe(platform, response) };
}

export function notPosted(platform: string, response: PlatformResponse): PostResult {
  return failed(`${describe(platform, response)} Nothing was posted.`);
}

/** Without a usable response the post may have been accepted all the same. */
export function unknownResult(platform: string, response: PlatformResponse): PostResult {
  if (response.isUnsent) return notPosted(platform, response);
  const advice = "The post may or may not exist: check the platform before you approve it again.";
  return { result: "failed", error: `${describe(platform, response)} ${advice}`, uncertain: true };
}

/** The failures that are the same on every platform, or null. */
export function commonFailure(platform: string, response: PlatformResponse): PostResult | null {
  if (isServerFailure(response)) return unknownResult(platform, response);
  return response.status === 429 ? rateLimited(platform, response) : null;
}

export function rateLimited(platform: string, response: PlatformResponse): PostResult {
  const retryAt = retryAtOf(response);
  const when = retryAt ? ` It accepts posts again at ${retryAt.toISOString()}.` : "";
  return failed(`${platform} limits the rate of posts.${when}`, { ...(retryAt && { retryAt }) });
}

export function failed(error: string, more: { retryAt?: Date; isCredentialRefused?: true } = {}): PostResult {
  return { result: "failed", error, uncertain: false, ...more };
}
