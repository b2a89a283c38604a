import { outsideAddressProblem } from "../lib/outside-address.ts";
import { encryptPush, type PushTarget, type VapidKey, vapidHeader } from "../lib/web-push.ts";

interface PushMessage {
  text: string;
  /** A later message with the same topic replaces this one, while no device has got it. */
  topic: string;
  /** How long the push service keeps it for a device that is off. */
  ttlSeconds: number;
}

export interface PushOutcome {
  /** `gone`: the device has unsubscribed, and the subscription is of no use any more. */
  status: "sent" | "gone" | "failed";
  /** Why it was not sent. */
  error: string | null;
  /** Whether the same may succeed later. */
  isTemporary: boolean;
}

interface Sender {
  vapid: VapidKey;
  subject: string;
  allowPrivate: boolean;
}

const TIMEOUT_MS = 10_000;

/**
 * Hands a message to the push service of a device. Only the status of the response counts, and redirects are not
 * followed. The address is checked again: the rules, or `ALLOW_PRIVATE_HOSTS`, may have changed since it was saved.
 */
export async function sendPush(
  target: PushTarget,
  { text, topic, ttlSeconds }: PushMessage,
  { vapid, subject, allowPrivate }: Sender,
): Promise<PushOutcome> {
  const failed = (error: string, isTemporary = false) => ({ status: "failed" as const, error, isTemporary });
  const problem = outsideAddressProblem(target.endpoint, { allowPrivate });
  if (problem) return failed(`The address of the push service ${problem}.`);
  try {
    const [body, authorization] = await Promise.all([
      encryptPush(target, text),
      vapidHeader(vapid, { endpoint: target.endpoint, subject, now: Date.now() }),
    ]);
    const response = await fetch(target.endpoint, {
      method: "POST",
      headers: {
        authorization,
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(ttlSeconds),
        urgency: "high",
        topic,
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // An unread body keeps its connection open, and a Worker may have only six.
    await response.body?.cancel().catch(() => undefined);
    const { ok, status } = response;
    if (ok) return { status: "sent", error: null, isTemporary: false };
    if (status === 404 || status === 410)
      return { status: "gone", error: "The device has unsubscribed.", isTemporary: false };
    return failed(`The push service responded ${status}.`, status === 429 || status >= 500);
  } catch (error) {
    const isLate = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
    return failed(`The push service ${isLate ? "did not respond in time" : "could not be reached"}.`, true);
  }
}
