import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time-zone.ts";

/* When a webhook message is sent again, and when an endpoint is left alone. */

/** The wait after the first attempt, the second, and so on. The last attempt is made a day after the event. */
const GAPS_MS = [MINUTE_MS / 4, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS];
/** How long a message is retried, how long an endpoint may fail, and the longest wait that a receiver can ask for. */
export const RETRY_MS = DAY_MS;
const SHORTEST_PAUSE_MS = MINUTE_MS / 4;
const LONGEST_PAUSE_MS = 15 * MINUTE_MS;

interface Failure {
  now: Date;
  /** Seconds that the receiver asks to wait. */
  retryAfter: number | null;
}

const askedMs = ({ retryAfter }: Failure) => Math.min((retryAfter ?? 0) * 1000, RETRY_MS);

/** When a delivery that has just failed is attempted again; null when it is not. */
export function nextAttempt(delivery: { attempts: number; createdAt: Date }, failure: Failure): Date | null {
  const now = failure.now.getTime();
  const end = delivery.createdAt.getTime() + RETRY_MS;
  if (now >= end) return null;
  const planned = Math.min(now + (GAPS_MS[delivery.attempts - 1] ?? RETRY_MS), end);
  return new Date(Math.max(planned, now + askedMs(failure)));
}

/**
 * Until when an endpoint that has just failed is left alone: for half the time that it has failed, within limits. It is
 * not (null) after a single failure or that of a message that failed before, which may be the message's fault, unless
 * the receiver asks for it.
 */
export function pauseAfter(
  { failingSince }: { failingSince: Date | null },
  { attempts }: { attempts: number },
  failure: Failure,
): Date | null {
  const now = failure.now.getTime();
  const isOutage = failingSince !== null && attempts === 1;
  const half = isOutage ? Math.max((now - failingSince.getTime()) / 2, SHORTEST_PAUSE_MS) : 0;
  const pause = Math.max(Math.min(half, LONGEST_PAUSE_MS), askedMs(failure));
  return pause > 0 ? new Date(now + pause) : null;
}
