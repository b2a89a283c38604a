/**
 * Whether a statement failed because of a constraint on `column` ("table.column"). A single query
 * fails as a drizzle error with D1's text in its cause, a batch as D1's error itself.
 */
export function brokeConstraint(error: unknown, column: string): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.message.includes("constraint failed") && current.message.includes(column)) return true;
  }
  return false;
}
