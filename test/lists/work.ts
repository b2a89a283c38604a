import { watchDatabase } from "../measured.ts";

export interface Work {
  roundTrips: number;
  read: number;
  written: number;
}

/** Wraps D1 so that a test can say what the statements of a request cost together. */
export function measureWork(db: D1Database): { db: D1Database; taken(): Work } {
  let work: Work = { roundTrips: 0, read: 0, written: 0 };
  const note = (results: D1Result[]) => {
    work.roundTrips += 1;
    for (const { meta } of results) {
      work.read += meta.rows_read;
      work.written += meta.rows_written;
    }
    return results;
  };
  const watched = watchDatabase(db, {
    async statement(statement, method) {
      const [result] = note([await statement.all<Record<string, unknown>>()]);
      // Rows as arrays come without figures, and a write must not run twice.
      if (method === "raw") return result?.meta.changed_db ? result.results.map(valuesOf) : statement.raw();
      return result;
    },
    batch: async (statements, send) => note(await send(statements)),
  });
  return {
    db: watched,
    taken() {
      const taken = work;
      work = { roundTrips: 0, read: 0, written: 0 };
      return taken;
    },
  };
}

const valuesOf = (row: unknown) => Object.values(row as Record<string, unknown>);
