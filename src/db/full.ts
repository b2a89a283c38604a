/** How D1 and SQLite say that the database has reached its largest size. */
const FULL = /database or disk is full|SQLITE_FULL|maximum (?:db|database) size|database size limit/i;

/** Whether a write failed because the database is full. D1 and the query builder wrap the error in errors of their own. */
export function isDatabaseFull(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    // The text of a statement, which the query builder repeats, is not the database's word.
    if (!current.message.startsWith("Failed query") && FULL.test(current.message)) return true;
  }
  return false;
}
