import type { Block } from "../../lib/notice.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import type { UrgentUnread } from "../emails/urgent-unread.ts";
import type { Task } from "../tasks/schemas.ts";

/** The number of tasks, and the first ones by due time. */
export interface DueTasks {
  count: number;
  first: Task[];
}

export interface BriefEvent extends CalendarEvent {
  /** Titles of the events that overlap it. */
  conflictsWith: string[];
}

export interface Brief {
  /** The day, in the person's time zone. */
  date: string;
  /** The whole brief as plain text. */
  text: string;
  /** The same in parts, without its first line. */
  blocks: readonly Block[];
  /** The events of the day, by start. */
  events: BriefEvent[];
  /** The number of invitations that wait for a response. */
  invitationsWaiting: number;
  tasksDueToday: DueTasks;
  overdueTasks: DueTasks;
  /** Urgent unread emails of the last 30 days. */
  urgentEmails: UrgentUnread;
  /** The next free half hour within working hours, within a week. */
  nextFreeSlot: { start: string; end: string } | null;
}
