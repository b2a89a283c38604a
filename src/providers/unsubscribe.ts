import { outsideAddressProblem } from "../lib/outside-address.ts";
import type { Handover } from "./webhooks.ts";

const TIMEOUT_MS = 10_000;

/**
 * Asks a mailing list to forget the person (RFC 8058): one POST without cookies or other credentials. Redirects are not
 * followed: they could lead inside, and the RFC forbids them.
 */
export async function postUnsubscribe({
  url,
  allowPrivate,
}: {
  url: string;
  allowPrivate: boolean;
}): Promise<Pick<Handover, "isAccepted" | "status" | "error">> {
  const problem = outsideAddressProblem(url, { allowPrivate });
  if (problem) return { isAccepted: false, status: null, error: `cannot be asked: its address ${problem}` };
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "user-agent": "Personal-Operations-Assistant",
      },
      body: "List-Unsubscribe=One-Click",
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // An unread body keeps its connection open, and a Worker may have only six.
    await response.body?.cancel().catch(() => undefined);
    const { ok, status } = response;
    return { isAccepted: ok, status, error: ok ? null : `responded ${status}` };
  } catch (error) {
    const isLate = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
    const reason = isLate ? `did not respond within ${TIMEOUT_MS / 1000} seconds` : "could not be reached";
    return { isAccepted: false, status: null, error: reason };
  }
}
