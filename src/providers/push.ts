import { encryptPush, type PushTarget, type VapidKey, vapidHeader } from "../lib/web-push.ts";
import { post } from "./post.ts";

export interface PushMessage {
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

/** Hands a message to the push service of a device. Never throws. */
export async function sendPush(
  target: PushTarget,
  { text, topic, ttlSeconds }: PushMessage,
  { vapid, subject, allowPrivate }: Sender,
): Promise<PushOutcome> {
  const { endpoint } = target;
  const sealed = await Promise.all([
    encryptPush(target, text),
    vapidHeader(vapid, { endpoint, subject, now: Date.now() }),
  ]).catch(() => null);
  if (!sealed) return { status: "failed", error: "The keys of the device cannot be used.", isTemporary: false };
  const [body, authorization] = sealed;
  const headers = {
    authorization,
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
    ttl: String(ttlSeconds),
    urgency: "high",
    topic,
  };
  const { isAccepted, status, error, isTemporary } = await post({ url: endpoint, allowPrivate, headers, body });
  if (isAccepted) return { status: "sent", error: null, isTemporary };
  if (status === 404 || status === 410) return { status: "gone", error: "The device has unsubscribed.", isTemporary };
  return { status: "failed", error: `The push service ${error}.`, isTemporary };
}
