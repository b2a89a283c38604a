import { sql } from "drizzle-orm";

/** Tables whose triggers write `changes`. `chat_conversations` takes its proposals along. A test compares the triggers. */
export const LIVE_TABLES = [
  "emails",
  "email_drafts",
  "tasks",
  "task_lists",
  "events",
  "captions",
  "stream_sessions",
  "stream_milestones",
  "sync_runs",
  "chat_conversations",
  "chat_proposals",
  "webhook_deliveries",
  "reminders",
];

/** The column in which a write returns until when live clients listen; null or in the past if none does. */
export const LISTENED_UNTIL = "listened_until";

/** For the `returning` of a frequent write of such a table: `hints.ts` does not call the hub when nobody listens. */
export const LISTENED = { listenedUntil: sql<number | null>`(SELECT until FROM live_clients)`.as(LISTENED_UNTIL) };
