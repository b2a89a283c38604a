import { sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { emails } from "../../db/schema/emails.ts";
import { whyNoDate } from "../../engine/due-date.ts";
import { snoozeTime } from "../../engine/snooze-time.ts";
import { LATEST_EMAIL } from "../../lib/email-kinds.ts";
import { validationFailed } from "../../lib/errors.ts";
import { lowerBound } from "../../lib/time-zone.ts";
import { readingFor } from "../people/reading.ts";
import type { EmailChanges } from "./schemas.ts";

type Snooze = Pick<EmailChanges, "snoozedUntil" | "snoozeText" | "timeZone" | "status">;

/** The columns that a snooze changes; none if there is no snooze. */
export function snoozeChanges(ctx: Context, { snoozedUntil, snoozeText, timeZone, status }: Snooze) {
  if (snoozedUntil !== undefined && snoozeText !== undefined) {
    throw validationFailed({ path: "snoozeText", message: "cannot be sent together with snoozedUntil" });
  }
  const zone = () => timeZone ?? timeZoneOf(ctx);
  const until = snoozeText === undefined ? lowerBound(zone, snoozedUntil ?? undefined) : read(ctx, snoozeText, zone());
  if (until === undefined) return snoozedUntil === null ? { snoozedUntil: null } : {};
  const path = snoozeText === undefined ? "snoozedUntil" : "snoozeText";
  // Of "999999999999 hours" JavaScript has no date.
  if (!(until < LATEST_EMAIL)) throw validationFailed({ path, message: "must be before 2200" });
  if (until <= ctx.now) {
    throw validationFailed({ path, message: `must be in the future; ${until.toISOString()} is past` });
  }
  // An archived email would otherwise not return to the inbox.
  const back =
    status === undefined ? { status: sql`iif(${emails.status} = 'archived', 'inbox', ${emails.status})` } : {};
  return { snoozedUntil: until, ...back };
}

function read(ctx: Context, text: string, zone: string): Date {
  const options = { reference: ctx.now, ...readingFor(ctx, zone) };
  const time = snoozeTime(text, options);
  if (time) return time;
  const message = whyNoDate(text, options) ?? `must be a time in words, such as "tomorrow morning"; "${text}" is not`;
  throw validationFailed({ path: "snoozeText", message });
}
