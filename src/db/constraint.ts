/**
 * Whether a statement failed because of a constraint on `column` ("table.column"). Drizzle wraps D1's error of a single
 * query, but not that of a batch.
 */
export function brokeConstraint(error: unknown, column: string): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.message.includes("constraint failed") && current.message.includes(column)) return true;
  }
  return false;
}
