/*
 * Most services have no webhooks. Once it is known that no endpoint is enabled, the database is not asked again for a
 * minute. Events for an endpoint that another isolate enabled in that minute wait for the next write or the cron.
 */

const REMEMBERED_MS = 60_000;
let noneSince: number | null = null;
let changes = 0;

export function knowsNoneEnabled(): boolean {
  if (noneSince === null) return false;
  const passed = Date.now() - noneSince;
  return passed >= 0 && passed < REMEMBERED_MS;
}

/** How often endpoints changed in this isolate. Read it before asking the database. */
export function endpointChanges(): number {
  return changes;
}

/** Remembers that none is enabled, unless one changed here while the database was asked. */
export function rememberNoneEnabled(changesBefore: number): void {
  if (changesBefore === changes) noneSince = Date.now();
}

/** An endpoint was added or changed in this isolate. */
export function endpointsChanged(): void {
  changes += 1;
  noneSince = null;
}
