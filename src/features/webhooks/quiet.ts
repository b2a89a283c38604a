/*
 * Most services have no webhooks. Once it is known that no endpoint is enabled, nothing is asked of the database
 * for a minute: what an endpoint added elsewhere is to hear of waits for the next write after that, or the cron.
 */

const QUIET_MS = 60_000;
let quietSince: number | null = null;
let changes = 0;

export function isQuiet(): boolean {
  if (quietSince === null) return false;
  const passed = Date.now() - quietSince;
  return passed >= 0 && passed < QUIET_MS;
}

/** Taken before the database is asked; handed to `noteQuiet` with its answer. */
export function quietMark(): number {
  return changes;
}

/** No endpoint is enabled; unless one was added here while the database was asked. */
export function noteQuiet(mark: number): void {
  if (mark === changes) quietSince = Date.now();
}

/** An endpoint was added or changed here: from now on there may be something to send. */
export function expectEvents(): void {
  changes += 1;
  quietSince = null;
}
