import { type SQL, sql } from "drizzle-orm";
import type { ThreadParticipant } from "../../../db/schema/emails.ts";
import { summaryColumns, summaryFields } from "../record.ts";

/** What a list shows of the whole thread: a JSON array. */
export type ThreadFacts = readonly [
  emailCount: number,
  isMuted: number,
  participants: readonly ThreadParticipant[],
  count: number,
  unread: number,
  starred: number,
  files: number,
];

/** The emails that are counted: those in the same box as the listed one, if that is spam or the trash. */
type Group = "kept" | "spam" | "trash";

/** The facts from a row of `threads`, called `t`. */
export function factsOf(group: Group): SQL {
  const sums = ["count", "unread", "starred", "files"].map((sum) => `t.${group}_${sum}`).join(", ");
  return sql.raw(`json_array(t.email_count, EXISTS (
      SELECT 1 FROM muted_threads m INDEXED BY muted_threads_thread_id WHERE m.thread_id = t.id),
    json(t.participants), ${sums})`);
}

const toFacts = (json: string): ThreadFacts => JSON.parse(json);

const facts = sql<ThreadFacts | null>`(SELECT CASE emails.status WHEN 'spam' THEN ${factsOf("spam")}
    WHEN 'trash' THEN ${factsOf("trash")} ELSE ${factsOf("kept")} END FROM threads t WHERE t.id = emails.thread_id)`
  .mapWith(toFacts)
  .as("thread_facts");

/** The columns of a conversation: those of the email it is listed by, and the facts, which also have the count. */
export const threadColumns = { ...summaryColumns, threadCount: sql<number>`1`.as("thread_count"), facts };

/** The same where a row of `threads` was read before its email, see `placesOfThreads`. */
export const placedColumns = { ...threadColumns, facts: sql<ThreadFacts>`place.facts`.as("thread_facts") };

export const threadFields = { ...summaryFields, facts: sql<ThreadFacts | null>`thread_facts`.mapWith(toFacts) };
