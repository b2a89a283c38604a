/** What came of one try to hand a message over. */
export interface Handover {
  isAccepted: boolean;
  /** The receiver's status; null when it gave none. */
  status: number | null;
  /** In words, when it was not accepted. */
  error: string | null;
  /** Seconds the receiver asked us to wait. */
  retryAfter: number | null;
  durationMs: number;
}

interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
}

/** Posts a message. Only the status of the answer is looked at, and a redirect leads nowhere. */
export async function postMessage({ url, headers, body, timeoutMs }: Post): Promise<Handover> {
  const startedAt = Date.now();
  const outcome = (rest: Omit<Handover, "durationMs">) => ({ ...rest, durationMs: Date.now() - startedAt });
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Personal-Operations-Assistant-Webhooks",
        ...headers,
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Unread bodies would keep their connections, of which a Worker has few.
    await response.body?.cancel().catch(() => undefined);
    const { ok, status } = response;
    return outcome({ isAccepted: ok, status, error: ok ? null : problemOf(status), retryAfter: waitOf(response) });
  } catch (error) {
    const isLate = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
    const problem = isLate ? `gave no answer within ${timeoutMs / 1000} seconds` : "could not be reached";
    return outcome({ isAccepted: false, status: null, error: problem, retryAfter: null });
  }
}

function problemOf(status: number): string {
  return status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`;
}

/** Retry-After, which means something with these two only; in seconds, or as a date. */
function waitOf({ status, headers }: Response): number | null {
  const text = headers.get("retry-after")?.trim();
  if (!text || (status !== 429 && status !== 503)) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
