import { sql } from "drizzle-orm";
import { summaryColumns, summaryFields } from "../record.ts";

/** Of a longer thread, so many of its newest emails make up the summary. */
export const SUMMARIZED = 50;

/** What a summary reads of each email: a JSON array. */
export type ThreadEmail = readonly [
  id: number,
  direction: string,
  fromName: string,
  fromEmail: string,
  to: string,
  tags: string,
  status: string,
  isRead: number,
  isStarred: number,
  hasAttachments: number,
  snippet: string,
  receivedAt: number,
];

const PARTS =
  "id direction from_name from_email to_recipients tags status is_read is_starred has_attachments snippet received_at";

/** The newest emails of a thread that has several: those that are not put aside, or in the same box. Newest first. */
const threadEmails = sql<ThreadEmail[] | null>`iif(emails.has_thread_count, (
  SELECT json_group_array(json_array(${sql.raw(PARTS.replaceAll(" ", ", "))})) FROM (
    SELECT ${sql.raw(PARTS.replaceAll(" ", ", "))} FROM emails t INDEXED BY emails_thread
    WHERE t.thread_id = emails.thread_id AND t.has_thread_count = 1 AND t.is_aside = emails.is_aside
      AND (t.is_aside = 0 OR t.status = emails.status)
    ORDER BY t.received_at DESC, t.id DESC LIMIT ${sql.raw(String(SUMMARIZED))})), NULL)`
  .mapWith((json: string) => JSON.parse(json))
  .as("thread_emails");

/** The columns of a conversation: those of the email it is listed by, and its emails. */
export const threadColumns = { ...summaryColumns, threadEmails };

export const threadFields = {
  ...summaryFields,
  threadEmails: sql<ThreadEmail[] | null>`thread_emails`.mapWith((json: string) => JSON.parse(json)),
};
