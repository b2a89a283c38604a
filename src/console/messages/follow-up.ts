import { plural } from "./plural.ts";

/** Reminders of a missing reply. */
export const followUp = {
  label: "Remind me if nobody replies",
  days: (days: number) => plural(days, "day", "days"),
  after: (days: number) => `If nobody replies in ${plural(days, "day", "days")}`,
  chosen: (days: number) => `Comes back if nobody replies in ${plural(days, "day", "days")}`,
  off: "Do not remind me",
  ended: "No reminder of a missing reply",
  waits: (when: string) => `Comes back on ${when} if nobody replies`,
  back: (when: string) => `Nobody has replied: back since ${when}`,
  noReply: "No reply",
};
