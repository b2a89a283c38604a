import type { ProviderName } from "../../lib/ai-kinds.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError } from "../../lib/errors.ts";
import { askedWaitMs, isQuota } from "./transport.ts";

/** The fields used of what the SDK throws or puts into a stream. */
interface Failure {
  name?: string;
  type?: string;
  statusCode?: number;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
  data?: unknown;
}

/**
 * The provider's message is never passed on: it can contain the key, the account's name or the prompt. `reason` becomes
 * the `fallbackReason` of the built-in engine.
 */
export function providerProblem(error: unknown, provider: ProviderName): AppError {
  if (error instanceof AppError) return error;
  const failure = rootOf(error);
  if (failure.name === "TimeoutError" || failure.name === "AbortError") return tooLate(provider);
  if (UNREADABLE.test(failure.name ?? "")) return unreadable(provider);
  const text = `${failure.type ?? ""} ${failure.responseBody ?? ""} ${safeJson(failure.data)}`;
  const status = failure.statusCode ?? statusOfStreamError(text);
  if (status !== undefined && status < 300) return unreadable(provider);
  if (status === 401 || status === 403 || (status === 400 && text.includes("API_KEY_INVALID"))) {
    return new AppError("provider_unauthorized", `The provider ${provider} rejected the API key.`);
  }
  if (isQuota(text)) return quotaUsedUp(provider);
  if (status === 429) return slowDown(provider, askedWaitMs(new Headers(failure.responseHeaders), text));
  if (status === 404) {
    return new AppError("provider_error", `The provider ${provider} does not have this model.`, {
      details: { reason: "model_not_found" },
    });
  }
  if (status === 408 || status === 504) return tooLate(provider);
  const what =
    status === undefined ? "could not be reached or closed the connection" : `responded with status ${status}`;
  return new AppError("provider_error", `The provider ${provider} ${what}.`);
}

/** The SDK's errors for output that is not JSON, does not match the schema or is empty. */
const UNREADABLE =
  /^AI_(?:NoObjectGenerated|NoOutputGenerated|JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|InvalidStreamPart)Error$/;

function tooLate(provider: ProviderName): AppError {
  return new AppError("provider_timeout", `The provider ${provider} did not respond in time.`);
}

function unreadable(provider: ProviderName): AppError {
  return new AppError("provider_error", `The response of the provider ${provider} could not be read.`, {
    details: { reason: "invalid_output" },
  });
}

export function cutShort(provider: ProviderName): AppError {
  return new AppError("provider_error", `The provider ${provider} stopped in the middle of its response.`, {
    details: { reason: "cut_short" },
  });
}

function quotaUsedUp(provider: ProviderName): AppError {
  return new AppError("provider_error", `The quota at the provider ${provider} is used up.`, {
    details: { reason: "provider_quota_exhausted" },
  });
}

function slowDown(provider: ProviderName, waitMs: number | null): AppError {
  return new AppError("provider_error", `The provider ${provider} limits the rate of requests. Try again later.`, {
    retryAfter: (waitMs ?? 30_000) / 1000,
    details: { reason: "provider_rate_limited" },
  });
}

/** The `fallbackReason` of a failure. */
export function reasonOf(error: AppError): string {
  const reason = error.extras.details?.reason;
  return typeof reason === "string" ? reason : error.code;
}

/** The same call would fail again. */
const LASTING = ["invalid_output", "model_not_found", "provider_quota_exhausted"];

/** Seconds after which the same call may succeed; null if it will not. */
export function secondsUntilRetry(error: AppError): number | null {
  const isPassing =
    error.code === "provider_timeout" ||
    error.code === "unavailable" ||
    (error.code === "provider_error" && !LASTING.includes(reasonOf(error)));
  return isPassing ? (error.extras.retryAfter ?? 0) : null;
}

/** The SDK wraps errors: the innermost one is the cause, unless an outer one has the status. */
function rootOf(error: unknown): Failure {
  let current = assertType<Failure & { cause?: unknown; lastError?: unknown }>(Object(error));
  for (let depth = 0; depth < 5 && current.statusCode === undefined && !UNREADABLE.test(current.name ?? ""); depth++) {
    const inner = current.lastError ?? current.cause;
    if (typeof inner !== "object" || inner === null) break;
    current = inner;
  }
  return current;
}

/** An error inside a stream has no status; it follows from the type. */
function statusOfStreamError(text: string): number | undefined {
  if (/overloaded_error/.test(text)) return 529;
  if (/rate_limit/.test(text)) return 429;
  if (/authentication_error|invalid_api_key/.test(text)) return 401;
  return undefined;
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
