import { or, type SQL, sql } from "drizzle-orm";
import { type Context, hasOwnWords } from "../../context.ts";
import { tasks } from "../../db/schema/tasks.ts";
import { SPACES, withoutSpace } from "../../lib/outside-words.ts";
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
  const kept = given.flatMap(({ column, empty, text }) => (text === undefined ? [sql`${column} <> ${empty}`] : []));
  const hasQuote = quote === null ? undefined : sql`${tasks.quote} IS NOT NULL`;
  return sql`${tasks.outside} AND ${or(...kept, hasQuote, isAmong([title, description ?? "", ...(tags ?? [])]))}`;
}

/** Whether one of the texts stands somewhere in the stored task, compared as `isOutsideAfter` compares. */
function isAmong(texts: readonly string[]): SQL {
  const forms = texts.map(withoutSpace).flatMap((text) => [text, text.normalize("NFC"), text.normalize("NFD")]);
  const stored = sql`SELECT ${tasks.title} AS text UNION ALL SELECT ${tasks.description} UNION ALL SELECT ${tasks.quote}
    UNION ALL SELECT value FROM json_each(${tasks.tags})`;
  const squeezed = SPACES.reduce((text, space) => sql`replace(${text}, ${space}, '')`, sql`text`);
  return sql`EXISTS (SELECT 1 FROM (SELECT ${squeezed} AS text FROM (${stored})) WHERE text <> ''
    AND text IN (SELECT value FROM json_each(${JSON.stringify([...new Set(forms)])})))`;
}
