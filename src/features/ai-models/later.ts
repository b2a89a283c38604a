import type { Limits } from "./model.ts";

/*
 * Background work that a language model should do. The record says when the next attempt is due and how many there were;
 * a message names the attempt, and its claim counts it, so that a message that comes twice does nothing.
 */

/** Seconds from a failed attempt to the next one. */
const DELAYS = [15, 60, 300];
const MAX_DELAY = 900;

/** How often a model is asked. After that the result of the built-in engine counts. */
export const MODEL_ATTEMPTS = DELAYS.length + 1;

/** The time limit of an attempt. One without a result by then has died, and the cron starts the next. */
export const ATTEMPT_SECONDS = 60;

/** Nobody waits, so a slow model has more time than in a request. */
export const BACKGROUND_LIMITS: Limits = { totalMs: 45_000, chunkMs: 45_000 };

/** When an attempt that starts now has died if it has no result. */
export function attemptEndsAt(now: Date): Date {
  return new Date(now.getTime() + ATTEMPT_SECONDS * 1000);
}

/** Seconds until the model is asked again; null if it is not. `retryAfter` is what the model's provider asks for. */
export function nextAttemptIn(attempt: number, retryAfter: number | null): number | null {
  const delay = DELAYS[attempt - 1];
  return delay === undefined || retryAfter === null ? null : Math.min(Math.max(delay, retryAfter), MAX_DELAY);
}
