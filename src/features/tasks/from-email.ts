import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { tasks } from "../../db/schema/tasks.ts";
import { sha256Hex } from "../../lib/crypto.ts";
import { toTask } from "./record.ts";
import type { Task } from "./schemas.ts";

/** What a mail asks for. Without a quote the task stands for the mail as a whole. */
export interface EmailTask {
  title: string;
  description: string;
  quote: string | null;
  dueAt: Date | null;
  tags: readonly string[];
}

const WHOLE_MAIL = "mail";

/**
 * The statement that makes tasks of a mail; goes into the batch that stores it. Each part of a mail
 * becomes a task once, however often and however parallel this runs.
 */
export function insertEmailTasks(ctx: Context, emailId: number | SQL, list: readonly EmailTask[], condition = sql`1`) {
  const now = ctx.now.getTime();
  const rows = list.map(({ title, description, quote, dueAt, tags }) => ({
    title,
    description,
    quote,
    dueAt: dueAt?.getTime() ?? null,
    tags,
    part: quote === null ? WHOLE_MAIL : sha256Hex(quote).slice(0, 32),
  }));
  return (
    ctx.db
      .insert(tasks)
      // In the order of the table's columns, which is what the insert lists.
      .select(sql`SELECT NULL, value ->> 'title', value ->> 'description', 'todo', 'medium', value ->> 'dueAt',
          value -> 'tags', 'email', ${emailId}, NULL, value ->> 'quote', value ->> 'part', NULL, 1, ${now}, ${now}
        FROM json_each(${JSON.stringify(rows)}) WHERE ${condition}`)
      .onConflictDoNothing({ target: [tasks.emailId, tasks.emailPart] })
      .returning({ id: tasks.id })
  );
}

/** Makes the tasks that are not there yet, and answers with all that the mail has led to. */
export async function convertToTasks(
  ctx: Context,
  emailId: number,
  list: readonly EmailTask[],
): Promise<{ created: number; tasks: Task[] }> {
  const [inserted, rows] = await ctx.db.batch([
    insertEmailTasks(ctx, emailId, list),
    ctx.db.select().from(tasks).where(eq(tasks.emailId, emailId)).orderBy(asc(tasks.id)).limit(100),
  ]);
  return { created: inserted.length, tasks: rows.map(toTask) };
}
