import type { Context } from "../../context.ts";
import type { PersonalChannel } from "../../lib/channels.ts";
import type { QuietHours } from "../../lib/reminder-kinds.ts";
import { DEFAULT_WORKING_HOURS, type PersonalHours } from "../../lib/working-hours.ts";
import { selectAllWorkingHours } from "../calendar/working-hours/service.ts";
import { KINDS } from "../notifications/kinds.ts";
import type { Recipient } from "../notifications/notice.ts";
import { selectAllPreferences } from "../notifications/preferences.ts";
import { listEveryone } from "../people/owners.ts";

/** Somebody who is reminded, and how. */
export interface Person extends Recipient {
  /** Minutes before a task is due, and before an event begins, where these have no reminders of their own. */
  taskReminder: number | null;
  eventReminder: number | null;
  channels: readonly PersonalChannel[];
  quietHours: QuietHours | null;
  hours: PersonalHours;
}

/** The statements that read everyone who is reminded, for a batch, and what makes people of their rows. */
export function selectPeople(ctx: Context) {
  const statements = [listEveryone(ctx), selectAllPreferences(ctx), selectAllWorkingHours(ctx)] as const;
  const read = (
    everyone: readonly Recipient[],
    preferences: Awaited<(typeof statements)[1]>,
    working: Awaited<(typeof statements)[2]>,
  ): Person[] => {
    const preferencesOf = new Map(preferences.map((row) => [row.userId, row]));
    const hoursOf = new Map(working.map((row) => [row.userId, row]));
    return everyone.flatMap((person) => {
      const own = preferencesOf.get(person.id);
      if (!own?.reminders) return [];
      const { taskReminder, eventReminder, quietHours } = own;
      const channels = KINDS.reminder.channels(own);
      const hours = hoursOf.get(person.id) ?? { timeZone: person.timeZone, days: DEFAULT_WORKING_HOURS };
      return [{ ...person, taskReminder, eventReminder, quietHours, channels, hours }];
    });
  };
  return { statements, read };
}
