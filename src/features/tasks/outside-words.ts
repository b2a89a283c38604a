import { or, type SQL, sql } from "drizzle-orm";
import { type Context, hasOwnWords } from "../../context.ts";
import { tasks } from "../../db/schema/tasks.ts";
import type { TaskChanges } from "./schemas.ts";

/**
 * The mark `outside` after a change, by the rule of `isOutsideAfter`, as an expression: a task is changed without being
 * read. Undefined if the change cannot affect it.
 */
export function outsideAfter(ctx: Context, { title, description, tags, quote }: TaskChanges): SQL | undefined {
  const given = [
    { column: tasks.title, empty: "", text: title },
    { column: tasks.description, empty: "", text: description },
    { column: tasks.tags, empty: "[]", text: tags && JSON.stringify(tags) },
  ];
  if (!hasOwnWords(ctx)) {
    const added = given.flatMap(({ column, empty, text }) =>
      text === undefined || text === empty ? [] : [sql`${column} <> ${text}`],
    );
    return added.length > 0 ? sql`${tasks.outside} OR ${or(...added)}` : undefined;
  }
  // A title is never empty, so the mark stays with it.
  if (title === undefined) return undefined;
  const kept = given.map(({ column, empty, text }) =>
    text === undefined ? sql`${column} <> ${empty}` : sql`(${column} <> ${empty} AND ${column} = ${text})`,
  );
  const hasQuote = quote === null ? undefined : sql`${tasks.quote} IS NOT NULL`;
  return sql`${tasks.outside} AND ${or(...kept, hasQuote)}`;
}
