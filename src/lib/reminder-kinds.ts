import type { Channel, ReminderChannel } from "./channels.ts";
import { validationFailed } from "./errors.ts";

/** A reminder of a task or an event, as its row has it. Triggers read this too (`triggers/reminders.sql`). */
export type StoredReminder = { channel: ReminderChannel } & (
  | { at: number; minutesBefore?: undefined }
  | { minutesBefore: number; at?: undefined }
);

/** `id` of `reminder_times` has room for eight. */
export const MAX_REMINDERS = 5;
/** Four weeks. */
export const MAX_MINUTES_BEFORE = 4 * 7 * 24 * 60;
/** The default of a profile: a day at most. */
export const MAX_DEFAULT_MINUTES = 24 * 60;

export const REMINDER_STATES = ["fired", "snoozed", "dismissed"] as const;
export const REMINDER_RECORDS = ["task", "event"] as const;

export const DELIVERY_OUTCOMES = ["sent", "failed", "skipped", "unknown"] as const;

/** One line of the log of a reminder. */
export interface ReminderDelivery {
  /** Null: there was nothing to send any more. */
  channel: Channel | null;
  outcome: (typeof DELIVERY_OUTCOMES)[number];
  at: number;
  detail: string | null;
}

export interface QuietHours {
  /** "22:00", as the clock on the wall shows it. */
  start: string;
  end: string;
}

/** The reminders of a record as the API returns them. */
export function toReminders(stored: readonly StoredReminder[] | null) {
  return (
    stored?.map(({ at, minutesBefore, channel }) => ({
      at: at === undefined ? null : new Date(at).toISOString(),
      minutesBefore: minutesBefore ?? null,
      channel,
    })) ?? null
  );
}

/** Refuses reminders that would never fire: at a time that has passed, or at one time for a whole series. */
export function checkReminders(
  reminders: readonly StoredReminder[] | null | undefined,
  { after, isSeries = false }: { after?: Date; isSeries?: boolean },
): void {
  for (const [index, { at }] of (reminders ?? []).entries()) {
    if (at === undefined) continue;
    const path = `reminders.${index}.at`;
    if (isSeries) throw validationFailed({ path, message: "cannot be used for a series; use minutesBefore" });
    if (after && at <= after.getTime()) throw validationFailed({ path, message: "must be in the future" });
  }
}
