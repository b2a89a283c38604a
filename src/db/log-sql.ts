import { log } from "../log.ts";
import type { Send } from "./statement.ts";

/**
 * The same, and prints each statement as D1 gets it (`LOG_SQL`). Of bound values only the number: they may be personal
 * or secret.
 */
export function logged(send: Send, requestId: string): Send {
  return async (statements) => {
    const begun = Date.now();
    const results = await send(statements).catch((error) => {
      print({ failed: true, tripMs: Date.now() - begun });
      throw error;
    });
    print({ tripMs: Date.now() - begun }, results);
    return results;

    function print(trip: { tripMs: number; failed?: true }, results?: Awaited<ReturnType<Send>>): void {
      statements.forEach(({ query, values }, index) => {
        const meta = results?.[index]?.meta;
        log("info", "sql", {
          requestId,
          statement: `${index + 1} of ${statements.length}`,
          sql: query.replaceAll(/\s+/g, " ").trim(),
          values: values.length,
          rowsRead: meta?.rows_read,
          rowsWritten: meta?.rows_written,
          ms: meta?.duration,
          ...trip,
        });
      });
    }
  };
}
