import type { webhookDeliveries } from "../../db/schema/webhooks.ts";

type DeliveryRow = typeof webhookDeliveries.$inferSelect;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a message is retried, and how long an endpoint may fail before it is disabled. */
export const RETRY_MS = 24 * HOUR_MS;
/** The wait after the first attempt, the second, and so on; the last one repeats. */
const GAPS_MS = [15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS];
const LONGEST_GAP_MS = 8 * HOUR_MS;
/** Waits are shortened by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.15;

/** When a failed delivery is retried; null when it is not. */
export function nextAttempt(
  { attempts, createdAt }: Pick<DeliveryRow, "attempts" | "createdAt">,
  now: Date,
  retryAfterSeconds: number | null,
): Date | null {
  const end = createdAt.getTime() + RETRY_MS;
  if (now.getTime() >= end) return null;
  const gap = (GAPS_MS[attempts - 1] ?? LONGEST_GAP_MS) * (1 - Math.random() * JITTER);
  const asked = Math.min((retryAfterSeconds ?? 0) * 1000, LONGEST_GAP_MS);
  // The last attempt is made at the end of the retry period, not hours before.
  return new Date(Math.min(now.getTime() + Math.max(gap, asked), end));
}
