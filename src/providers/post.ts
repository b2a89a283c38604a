import { outsideAddressProblem } from "../lib/outside-address.ts";

/** The outcome of one attempt. */
export interface Handover {
  isAccepted: boolean;
  /** The status of the response; null when there was none. */
  status: number | null;
  /** Why it was not accepted, to follow the name of the receiver. */
  error: string | null;
  /** Whether the same may be accepted later. */
  isTemporary: boolean;
  /** Seconds that the receiver asks to wait. */
  retryAfter: number | null;
  durationMs: number;
}

export const NOT_SENT: Handover = {
  isAccepted: false,
  status: null,
  error: null,
  isTemporary: false,
  retryAfter: null,
  durationMs: 0,
};

interface Post {
  url: string;
  allowPrivate: boolean;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
  /** Default: ten seconds. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/**
 * Posts a message to an address that somebody else gave. Only the response's status counts, and redirects are not
 * followed: they could lead inside. The address is checked again: the rules, or `ALLOW_PRIVATE_HOSTS`, may have changed
 * since it was saved.
 */
export async function post({ url, allowPrivate, headers, body, timeoutMs = TIMEOUT_MS }: Post): Promise<Handover> {
  const startedAt = Date.now();
  const outcome = (known: Partial<Handover>) => ({ ...NOT_SENT, ...known, durationMs: Date.now() - startedAt });
  const problem = outsideAddressProblem(url, { allowPrivate });
  if (problem) return outcome({ error: `cannot be called: its address ${problem}` });
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "user-agent": "Personal-Operations-Assistant", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    // An unread body keeps its connection open, and a Worker may have only six.
    await response.body?.cancel().catch(() => undefined);
    const { ok, status } = response;
    return outcome({
      isAccepted: ok,
      status,
      error: ok ? null : problemOf(status),
      isTemporary: status === 429 || status >= 500,
      retryAfter: waitOf(response),
    });
  } catch (error) {
    const isLate = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
    const reason = isLate ? `did not respond within ${timeoutMs / 1000} seconds` : "could not be reached";
    return outcome({ error: reason, isTemporary: true });
  }
}

function problemOf(status: number): string {
  return status >= 300 && status < 400 ? `responded ${status}: redirects are not followed` : `responded ${status}`;
}

/** Retry-After in seconds or as a date. It is defined for these two statuses only. */
function waitOf({ status, headers }: Response): number | null {
  const text = headers.get("retry-after")?.trim();
  if (!text || (status !== 429 && status !== 503)) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
