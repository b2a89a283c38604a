import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { selectColumns } from "../../db/bulk.ts";
import { NEXT_TASK_ID } from "../../db/next-id.ts";
import { taskColumns, tasks } from "../../db/schema/tasks.ts";
import { sha256Hex } from "../../lib/crypto.ts";
import { toTask } from "./record.ts";
import type { Task } from "./schemas.ts";

/** A task that an email asks for. Without a quote it stands for the whole email. */
export interface EmailTask {
  title: string;
  description: string;
  quote: string | null;
  dueAt: Date | null;
  tags: readonly string[];
}

const WHOLE_EMAIL = "mail";

/**
 * The statement that creates the tasks of an email, for the batch that stores it. `emailId` may be an expression;
 * nothing is created if that is NULL. Each part of an email becomes a task once, also in parallel requests.
 */
export function insertEmailTasks(ctx: Context, emailId: number | SQL, list: readonly EmailTask[]) {
  const parts = list.map(({ dueAt, quote, ...task }) => ({
    ...task,
    quote,
    dueAt: dueAt?.getTime() ?? null,
    emailPart: quote === null ? WHOLE_EMAIL : sha256Hex(quote).slice(0, 32),
  }));
  const now = sql`${ctx.now.getTime()}`;
  const row = selectColumns(tasks, {
    id: sql`${NEXT_TASK_ID} + key`,
    title: sql`value ->> 'title'`,
    description: sql`value ->> 'description'`,
    status: sql`'todo'`,
    priority: sql`'medium'`,
    dueAt: sql`value ->> 'dueAt'`,
    tags: sql`value -> 'tags'`,
    source: sql`'email'`,
    outside: sql`1`,
    emailId: sql`email.id`,
    quote: sql`value ->> 'quote'`,
    emailPart: sql`value ->> 'emailPart'`,
    version: sql`1`,
    createdAt: now,
    updatedAt: now,
  });
  return ctx.db
    .insert(tasks)
    .select(sql`${row} FROM (SELECT ${emailId} AS id) AS email JOIN json_each(${JSON.stringify(parts)})
      WHERE email.id IS NOT NULL`)
    .onConflictDoNothing()
    .returning({ id: tasks.id });
}

/** Creates the tasks that do not exist yet, and returns all tasks of the email. */
export async function convertToTasks(
  ctx: Context,
  emailId: number,
  list: readonly EmailTask[],
): Promise<{ created: number; tasks: Task[] }> {
  const [inserted, rows] = await ctx.db.batch([
    insertEmailTasks(ctx, emailId, list),
    ctx.db.select(taskColumns).from(tasks).where(eq(tasks.emailId, emailId)).orderBy(asc(tasks.id)).limit(100),
  ]);
  return { created: inserted.length, tasks: rows.map(toTask) };
}
