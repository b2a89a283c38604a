import { KnownAbsence } from "../../lib/known-absence.ts";

/**
 * Most services have no webhooks. Events for an endpoint that another isolate enabled in this minute wait for the next
 * write or the cron.
 */
export const noneEnabled = new KnownAbsence(60_000);
