import { type SQL, sql } from "drizzle-orm";
import { INHERITED, tasks } from "../../db/schema/tasks.ts";
import type { Due } from "../../lib/due.ts";
import type { EditScope } from "../../lib/task-kinds.ts";

/**
 * The column `repetition` after a change, as an expression: most tasks do not repeat, and are changed without being
 * read. Undefined if the change cannot affect it. For this occurrence alone, the values it had are kept for the next.
 */
export function repetitionAfter(
  set: Readonly<Record<string, unknown>>,
  due: Due | null | undefined,
  scope: EditScope,
): SQL | undefined {
  const changed = Object.entries(INHERITED).filter(([name]) => set[name] !== undefined);
  const { repetition } = tasks;
  if (scope === "this") {
    if (changed.length === 0) return undefined;
    const kept = changed.map(([name, column]) => {
      const value = column === tasks.tags ? sql`json(${column})` : sql`${column}`;
      return sql`${`$.template.${name}`}, ${value}`;
    });
    const template = sql`json_insert(json_insert(${repetition}, '$.template', json('{}')), ${sql.join(kept, sql`, `)})`;
    // The next occurrence gets these words back, and with them their mark.
    return sql`json_set(${template}, '$.template.outside', ${tasks.outside} OR coalesce(${repetition} ->> '$.template.outside', 0))`;
  }
  if (changed.length === 0 && !due) return undefined;
  const removed = changed.map(([name]) => sql`, ${`$.template.${name}`}`);
  const plain = changed.length === 0 ? sql`${repetition}` : sql`json_remove(${repetition}${sql.join(removed)})`;
  return due ? sql`json_set(${plain}, '$.at', ${due.dueDate ?? due.dueAt.toISOString()})` : plain;
}
