import { plural } from "./plural.ts";

/* Reminders: the notice that appears when one fires, and the field of a task. */

function ahead(minutes: number): string {
  if (minutes % 10_080 === 0) return plural(minutes / 10_080, "week", "weeks");
  if (minutes % 1440 === 0) return plural(minutes / 1440, "day", "days");
  if (minutes % 60 === 0) return plural(minutes / 60, "hour", "hours");
  return plural(minutes, "minute", "minutes");
}

export const reminders = {
  fired: (title: string) => `Reminder: ${title}`,
  several: (count: number) => `${count} reminders are due.`,
  late: "This reminder is late: the service was not running at its time.",
  snooze: "Snooze 10 min",
  snoozed: (title: string, time: string) => `Snoozed until ${time}: ${title}`,
  done: "Done",
  dismiss: "Dismiss",
  notDone: "That was not saved.",
  field: "Reminders",
  byDefault: "As your settings say",
  none: "No reminder",
  before: (minutes: number) => (minutes === 0 ? "When it is due" : `${ahead(minutes)} before`),
  add: "Add a reminder",
  choose: "Add…",
  otherTime: "At another time…",
  turnOff: "No reminder",
  useDefault: "As your settings say",
  remove: (text: string) => `Remove: ${text}`,
  time: "Remind me",
  timeHint: "A day and a time: tomorrow 8am, friday at 17:30",
  timeUnclear: "Say a day and a time, such as tomorrow 8am.",
  addTime: "Add",
};
