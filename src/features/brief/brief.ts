import type { CalendarEvent } from "../calendar/events/event.ts";
import type { Task } from "../tasks/schemas.ts";

export interface UrgentMail {
  id: number;
  subject: string;
  from: string;
  urgency: string;
  receivedAt: string;
}

/** How many there are, and those due first. */
export interface DueTasks {
  count: number;
  first: Task[];
}

export interface BriefEvent extends CalendarEvent {
  /** Titles of what else takes up the same time. */
  conflictsWith: string[];
}

export interface Brief {
  /** The day it is about, in the person's zone. */
  date: string;
  /** The whole brief as plain text, ready to be sent or shown. */
  text: string;
  /** What takes place today, by start. */
  events: BriefEvent[];
  tasksDueToday: DueTasks;
  overdueTasks: DueTasks;
  /** How much urgent mail of the last 30 days is unread, and the first of it. */
  urgentMail: { count: number; top: UrgentMail[] };
  /** The next half hour within working hours that nothing takes up, within a week. */
  nextFreeSlot: { start: string; end: string } | null;
}
