/** Never bodies, credentials or query strings. */
type Fields = Record<string, string | number | boolean | null | undefined>;

type Level = "info" | "warn" | "error";

export function log(level: Level, event: string, fields: Fields = {}): void {
  console[level === "info" ? "log" : level](JSON.stringify({ level, event, ...fields }));
}

/**
 * The loggable fields of an unexpected error. Messages of database errors contain the bound values, which may be
 * personal or secret: they are removed, and the stack is reduced to its places.
 */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error };
  const cause = error.cause instanceof Error ? withoutValues(error.cause.message) : undefined;
  const places = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    message: withoutValues(error.message),
    cause,
    stack: places.slice(0, 8).join("\n"),
  };
}

function withoutValues(message: string): string {
  const statement = message.split(/\n?params:/)[0] ?? "";
  return withoutQuery(statement)
    .replace(/ for value '.*/s, "")
    .replace(/^([^"]*)".*"(?:\.{3})?(?= is not valid JSON)/s, "$1…")
    .slice(0, 500);
}

/** SQLite quotes what somebody searches for where it cannot read it, unless it says where in the statement that is. */
function withoutQuery(message: string): string {
  const [lead] = /no such column: |fts5: syntax error near /.exec(message) ?? [];
  if (!lead) return message;
  const start = message.indexOf(lead) + lead.length;
  const rest = message.slice(start);
  if (rest.includes(" at offset ")) return message;
  const end = rest.indexOf(": SQLITE");
  return `${message.slice(0, start)}…${end < 0 ? "" : rest.slice(end)}`;
}
