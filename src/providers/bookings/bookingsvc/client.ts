import { equalBytes, hmacSha256 } from "../../../lib/crypto.ts";
import { toBytes, toHex } from "../../../lib/encoding.ts";
import { AppError, type ErrorCode } from "../../../lib/errors.ts";
import { limitedText } from "../../limited-text.ts";
import { type BookingAccount, type BookingProvider, PACE, type Pace } from "../provider.ts";
import { Account, bookingIdsIn, Envelope, readBooking, readEventType, zoneOf } from "./wire.ts";

const PAGE_SIZE = 250;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Each route has its own version; without it the provider silently uses an older format. */
const VERSIONS = { bookings: "2024-08-13", eventTypes: "2024-06-14" };

export function bookingsvc(baseUrl: string): BookingProvider {
  return {
    baseUrl,
    open: (apiKey, pace = PACE) => openAccount(baseUrl, apiKey, pace),
    webhook: { signatureHeader: "X-Cal-Signature-256", isSigned, bookingIdsIn },
  };
}

function openAccount(baseUrl: string, apiKey: string, pace: Pace): BookingAccount {
  let waitLeftMs = pace.maxWaitMs;

  async function get(path: string, version: string, query?: URLSearchParams): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const result = await once(`${baseUrl}${path}${query ? `?${query}` : ""}`, version);
      if ("data" in result) return result.data;
      const waitMs = result.waitMs ?? pace.firstWaitMs * 2 ** (attempt - 1);
      if (!result.retry || attempt >= pace.attempts || waitMs > waitLeftMs) throw result.error;
      waitLeftMs -= waitMs;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  async function once(url: string, version: string): Promise<{ data: unknown } | Failure> {
    try {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${apiKey}`, "cal-api-version": version, accept: "application/json" },
        signal: AbortSignal.timeout(pace.callMs),
        redirect: "manual",
      });
      if (!response.ok) {
        await response.body?.cancel();
        return refusal(response);
      }
      return { data: Envelope.parse(JSON.parse(await limitedText(response, MAX_RESPONSE_BYTES))).data };
    } catch (error) {
      if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError")) {
        return failure("provider_timeout", "The booking provider did not respond in time.", true);
      }
      // No connection, or a response that is incomplete or not as expected: a retry may succeed.
      return failure("provider_error", "The booking provider's response could not be read.", true);
    }
  }

  return {
    pageSize: PAGE_SIZE,
    async account() {
      const { data } = Account.safeParse(await get("/me", VERSIONS.bookings));
      if (!data) throw unknownForm();
      return { email: data.email, name: data.name ?? data.username ?? data.email, timeZone: zoneOf(data) };
    },
    async bookings({ by, from, skip }) {
      const filter = by === "updatedAt" ? "afterUpdatedAt" : "afterStart";
      const sort = by === "updatedAt" ? "sortUpdatedAt" : "sortStart";
      const query = new URLSearchParams({ [filter]: from.toISOString(), [sort]: "asc", take: String(PAGE_SIZE) });
      if (skip > 0) query.set("skip", String(skip));
      return rowsOf(await get("/bookings", VERSIONS.bookings, query)).map(readBooking);
    },
    async booking(uid) {
      const data = await get(`/bookings/${encodeURIComponent(uid)}`, VERSIONS.bookings);
      return (Array.isArray(data) ? data : [data]).map(readBooking);
    },
    async eventTypes() {
      return rowsOf(await get("/event-types", VERSIONS.eventTypes)).flatMap((row) => readEventType(row) ?? []);
    },
  };
}

function rowsOf(data: unknown): unknown[] {
  if (!Array.isArray(data)) throw unknownForm();
  return data;
}

function unknownForm(): AppError {
  return new AppError("provider_error", "The booking provider returned an unknown format.");
}

interface Failure {
  error: AppError;
  retry: boolean;
  waitMs?: number;
}

function failure(code: ErrorCode, detail: string, retry: boolean): Failure {
  return { error: new AppError(code, detail), retry };
}

function refusal({ status, headers }: Response): Failure {
  if (status === 401 || status === 403) {
    return failure("provider_unauthorized", "The booking provider rejected the API key.", false);
  }
  if (status === 404) return failure("provider_not_found", "The booking provider does not have this record.", false);
  if (status === 429) {
    const limited = failure("provider_error", "The booking provider limits requests. Try again in a minute.", true);
    return { ...limited, waitMs: resetMs(headers) };
  }
  return failure("provider_error", `The booking provider returned status ${status}.`, status >= 500);
}

/** The header has the seconds to wait; some deployments send a Unix time instead. */
function resetMs(headers: Headers): number {
  const reset = Number(headers.get("x-ratelimit-reset-default") ?? 60);
  if (!Number.isFinite(reset)) return 60_000;
  return reset > 1e9 ? Math.max(0, reset * 1000 - Date.now()) : reset * 1000;
}

/** The signature is the hex HMAC of the raw body. A sender without a secret puts other text there. */
function isSigned(secret: string, rawBody: string, signature: string | null): boolean {
  if (!signature || !/^[0-9a-f]{64}$/.test(signature)) return false;
  return equalBytes(toBytes(toHex(hmacSha256(secret, rawBody))), toBytes(signature));
}
