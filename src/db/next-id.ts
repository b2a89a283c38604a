import { sql } from "drizzle-orm";

/*
 * Ids of emails, tasks and events are never used twice. AUTOINCREMENT would write a row of its own for that; instead the last
 * id is in a row of counts that every new one writes anyway, by a trigger. An INSERT has to give the next one.
 */

export const NEXT_TASK_ID = sql`(SELECT max(last_id, coalesce((SELECT max(id) FROM tasks), 0)) + 1 FROM task_totals)`;

export const NEXT_EVENT_ID = sql`(SELECT max(last_event_id, coalesce((SELECT max(id) FROM events), 0)) + 1
  FROM calendar_state)`;

/** Also the thread that the email begins. */
export const NEXT_EMAIL_ID = sql`(SELECT max(last_id, coalesce((SELECT max(id) FROM emails), 0)) + 1 FROM email_totals)`;
