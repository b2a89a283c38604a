import { remembered } from "../lib/remembered.ts";

/** Whether a SELECT may return two columns of the same name. True also where the text does not show it. */
export const hasTwins = remembered((query) => {
  const names = columnNames(query);
  return names === null || new Set(names).size < names.length;
});

const TOKEN = /"[^"]*"|'[^']*'|`[^`]*`|[(),]|\bfrom\b|[^\s"'`(),]+|\s+/gi;

/** The names of the columns, in lower case; null if they are not in the text. */
function columnNames(query: string): string[] | null {
  const list = /^\s*select\s+(?:(?:distinct|all)\s+)?/i.exec(query)?.[0];
  if (list === undefined) return null;
  const columns: string[] = [];
  let column = "";
  let depth = 0;
  for (const [token] of query.slice(list.length).matchAll(TOKEN)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (depth === 0 && token.toLowerCase() === "from") break;
    if (depth > 0 || token !== ",") column += token;
    else {
      columns.push(column);
      column = "";
    }
  }
  const names = [...columns, column].map(nameOf);
  return names.every((name) => name !== null) ? names : null;
}

/**
 * The alias, the column's own name, or of a call its text; null for anything else. A name that is a number counts as
 * unknown, because objects have such members first.
 */
function nameOf(column: string): string | null {
  const text = column.trim().toLowerCase();
  const alias = /\bas ["`]?([a-z_]\w*)["`]?$/.exec(text)?.[1];
  const own = /^(?:["`]?\w+["`]?\.)?["`]?([a-z_]\w*)["`]?$/.exec(text)?.[1];
  return alias ?? own ?? (text.endsWith(")") ? text : null);
}
