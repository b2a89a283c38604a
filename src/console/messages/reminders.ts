/* Reminders: the notice that appears when one fires, and the field of a task. */

const plural = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${count} ${many}`);

function ahead(minutes: number): string {
  if (minutes % 1440 === 0) return plural(minutes / 1440, "day", "days");
  if (minutes % 60 === 0) return plural(minutes / 60, "hour", "hours");
  return plural(minutes, "minute", "minutes");
}

export const reminders = {
  fired: (title: string) => `Reminder: ${title}`,
  several: (count: number) => `${plural(count, "reminder", "reminders")} are due.`,
  late: "This reminder is late: the service was not running at its time.",
  open: "Open",
  snooze: "Snooze 10 min",
  snoozed: (title: string, time: string) => `Snoozed until ${time}: ${title}`,
  done: "Done",
  dismiss: "Dismiss",
  notDone: "That was not saved.",
  field: "Reminders",
  byDefault: "As in your settings",
  none: "No reminder",
  atDue: "When it is due",
  onTheDay: "At the start of the day",
  before: (minutes: number) => `${ahead(minutes)} before`,
  add: "Add a reminder",
  addOther: "Another time…",
  remove: (text: string) => `Remove the reminder: ${text}`,
  useDefault: "Use the default",
  time: "Remind me at",
  addTime: "Add",
  cancelTime: "Cancel",
  needsDue: "Give the task a due date, or choose a time.",
  channels: { default: "", email: "by email", push: "by notification", webhook: "by webhook" },
  full: "A task can have 8 reminders.",
};
