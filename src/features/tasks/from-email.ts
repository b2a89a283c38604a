import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { type Context, requireScopes } from "../../context.ts";
import { isOneOf, selectColumns } from "../../db/bulk.ts";
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
  /** Of a day without a time; `dueAt` is its last millisecond. */
  dueDate?: string | null;
  tags: readonly string[];
  /** Default: medium. */
  priority?: Task["priority"];
}

const WHOLE_EMAIL = "mail";

/**
 * Whoever stores or moves an email may ask for a change of tasks with it. Each statement for that checks the scope, so that
 * no endpoint is a way around another; a verb checks it also where the email turns out to have no task.
 */
export function requireTaskWriting(ctx: Context): void {
  requireScopes(ctx, ["tasks:write"]);
}

/**
 * The statement that creates the tasks of an email, for the batch that stores it. `emailId` may be an expression;
 * nothing is created if that is NULL. Each part of an email becomes a task once, also in parallel requests.
 */
export function insertEmailTasks(ctx: Context, emailId: number | SQL, list: readonly EmailTask[]) {
  requireTaskWriting(ctx);
  const parts = list.map(({ dueAt, quote, ...task }) => ({
    ...task,
    quote,
    dueAt: dueAt?.getTime() ?? null,
    emailPart: partOf(quote),
  }));
  const now = sql`${ctx.now.getTime()}`;
  const row = selectColumns(tasks, {
    id: sql`${NEXT_TASK_ID} + key`,
    title: sql`value ->> 'title'`,
    description: sql`value ->> 'description'`,
    status: sql`'todo'`,
    priority: sql`coalesce(value ->> 'priority', 'medium')`,
    dueAt: sql`value ->> 'dueAt'`,
    dueDate: sql`value ->> 'dueDate'`,
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

function partOf(quote: string | null): string {
  return quote === null ? WHOLE_EMAIL : sha256Hex(quote).slice(0, 32);
}

/** Which of these quotes of an email have become a task already. */
export async function quotesWithTask(ctx: Context, emailId: number, quotes: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.db
    .select({ part: tasks.emailPart })
    .from(tasks)
    .where(and(eq(tasks.emailId, emailId), isOneOf(tasks.emailPart, quotes.map(partOf))));
  const parts = new Set(rows.map(({ part }) => part));
  return new Set(quotes.filter((quote) => parts.has(partOf(quote))));
}

/**
 * The statement that cancels the open tasks which these emails made, for the batch that puts the emails into the trash.
 * Tasks that a person made, and linked to an email, stay.
 */
export function cancelEmailTasks(ctx: Context, emailIds: SQL) {
  requireTaskWriting(ctx);
  return ctx.db
    .update(tasks)
    .set({ status: "cancelled", completedAt: ctx.now, version: sql`${tasks.version} + 1`, updatedAt: ctx.now })
    .where(
      sql`${tasks.emailId} IN ${emailIds} AND ${tasks.source} = 'email'
        AND ${tasks.status} IN ('todo', 'in_progress', 'waiting')`,
    );
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
