import * as z from "zod";
import { MAX_MINUTES_BEFORE, MAX_REMINDERS, type StoredReminder } from "../../lib/reminder-kinds.ts";
import { counted } from "../../lib/spoken-time.ts";
import { instantOf, Moment } from "./moment.ts";
import type { Facts } from "./said.ts";

/** The reminders of a task or an event, as the tools of the chat and of agents take them. */
export const RemindersInput = z
  .array(
    z
      .object({ minutesBefore: z.int().min(0).max(MAX_MINUTES_BEFORE).optional(), at: Moment.optional() })
      .refine(({ minutesBefore, at }) => (minutesBefore === undefined) !== (at === undefined), {
        error: "give minutesBefore or at",
      }),
  )
  .max(MAX_REMINDERS)
  .optional();
export type RemindersInput = z.output<typeof RemindersInput>;

export const REMINDERS_TEXT = "When to remind. Replaces the person's defaults; [] for no reminder.";

/** As the row has them. */
export function remindersOf(given: RemindersInput, zone: string): { reminders?: StoredReminder[] } {
  if (given === undefined) return {};
  const reminders = given.map(({ minutesBefore, at }): StoredReminder => {
    if (at === undefined) return { minutesBefore: minutesBefore ?? 0, channel: "default" };
    return { at: instantOf(at, zone).getTime(), channel: "default" };
  });
  return { reminders };
}

/** "1 hour", "15 minutes", "2 days" */
export function spokenMinutes(minutes: number): string {
  if (minutes > 0 && minutes % 1440 === 0) return counted(minutes / 1440, "day");
  return minutes > 0 && minutes % 60 === 0 ? counted(minutes / 60, "hour") : counted(minutes, "minute");
}

/** What a proposal says of them. */
export function spokenReminders(given: NonNullable<RemindersInput>, { due, context }: Facts): string {
  if (given.length === 0) return "no reminder";
  const parts = given.map(({ minutesBefore, at }) =>
    at === undefined ? `${spokenMinutes(minutesBefore ?? 0)} before` : due(instantOf(at, context.timeZone).getTime()),
  );
  return `reminders: ${parts.join(", ")}`;
}
