import { eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { assertThat } from "../../db/assert.ts";
import { compiledSelect } from "../../db/compiled-query.ts";
import { LISTENED } from "../../db/live-tables.ts";
import { IS_OPEN, type TaskRow, taskColumns, tasks } from "../../db/schema/tasks.ts";
import { missedWrite } from "../../db/version.ts";
import type { EditScope } from "../../lib/task-kinds.ts";

/** For the statements that change tasks. */
export const changedTask = { ...taskColumns, ...LISTENED };
export const NEXT_VERSION = sql`${tasks.version} + 1`;

const selectTask = compiledSelect(({ db }) =>
  db
    .select(taskColumns)
    .from(tasks)
    .where(eq(tasks.id, sql.placeholder("id"))),
);

export async function taskRow(ctx: Context, id: number): Promise<TaskRow> {
  const [row] = await selectTask(ctx.db, { id });
  if (!row) throw missedWrite(undefined, `task ${id}`);
  return row;
}

type Check = ReturnType<typeof assertThat>;

/** What a request changes, as columns and checks. */
export interface Change {
  set: Record<string, unknown>;
  checks: Check[];
  isCompletion: boolean;
  scope: EditScope;
}

/** An open occurrence without a next one. */
export const WILL_REPEAT = `coalesce(repetition IS NOT NULL AND repetition ->> 'next' IS NULL AND ${IS_OPEN}, 0)`;
