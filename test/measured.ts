type Rows = Record<string, unknown>;

interface Watcher {
  statement(statement: D1PreparedStatement, method: "all" | "first" | "raw" | "run", args: unknown[]): unknown;
  /** `send` passes the statements on to the database, or to the session they were made on. */
  batch(statements: D1PreparedStatement[], send: D1Database["batch"]): Promise<D1Result[]>;
}

/** D1, or a session on it, with every call that reaches the database handed to the watcher. */
export function watchDatabase<Database extends D1Database | D1DatabaseSession>(
  db: Database,
  watcher: Watcher,
): Database {
  const originals = new WeakMap<object, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values));
        if (name === "all" || name === "first" || name === "raw" || name === "run") {
          return (...args: unknown[]) => watcher.statement(target, name, args);
        }
        return Reflect.get(target, name);
      },
    });
    originals.set(wrapped, statement);
    return wrapped;
  };
  return new Proxy(db, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => wrap(target.prepare(sql));
      if (name === "batch") {
        return (list: D1PreparedStatement[]) =>
          watcher.batch(
            list.map((statement) => originals.get(statement) ?? statement),
            (statements) => target.batch(statements),
          );
      }
      if (name === "withSession" && "withSession" in target) {
        return (start?: string) => watchDatabase(target.withSession(start), watcher);
      }
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

export function passOn(statement: D1PreparedStatement, method: string, args: unknown[]): unknown {
  return Reflect.get(statement, method).apply(statement, args);
}

/** Wraps D1 so that a test can say how often a request goes to it, and with how many statements. */
export function countStatements(db: D1Database): {
  db: D1Database;
  taken(): { roundTrips: number; statements: number };
} {
  let counted = { roundTrips: 0, statements: 0 };
  const count = (statements: number) => {
    counted = { roundTrips: counted.roundTrips + 1, statements: counted.statements + statements };
  };
  const watched = watchDatabase(db, {
    statement(...call) {
      count(1);
      return passOn(...call);
    },
    batch(statements, send) {
      count(statements.length);
      return send(statements);
    },
  });
  return {
    db: watched,
    taken() {
      const taken = counted;
      counted = { roundTrips: 0, statements: 0 };
      return taken;
    },
  };
}

/** D1 as a consumer sees it that dies: the first calls reach it, all later ones fail. */
export function dyingAfter(db: D1Database, calls: number): D1Database {
  let left = calls;
  const reach = () => {
    left -= 1;
    if (left < 0) throw new Error("the consumer died");
  };
  return watchDatabase(db, {
    async statement(...call) {
      reach();
      return passOn(...call);
    },
    async batch(statements, send) {
      reach();
      return send(statements);
    },
  });
}

export interface Price {
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
}

const nothing = (): Price => ({ roundTrips: 0, rowsRead: 0, rowsWritten: 0 });

/** Wraps D1 so that a test can say what a request costs. A round trip may have any number of statements. */
export function measurePrice(db: D1Database): { db: D1Database; taken(): Price } {
  let price = nothing();
  const note = (results: D1Result[]) => {
    price.roundTrips += 1;
    for (const { meta } of results) {
      price.rowsRead += meta.rows_read;
      price.rowsWritten += meta.rows_written;
    }
  };
  const watched = watchDatabase(db, {
    async statement(statement, method, args) {
      const result = await statement.all<Rows>();
      note([result]);
      if (method === "all" || method === "run") return result;
      // Rows as arrays come without figures, and as objects they lose the second of two columns of one name.
      return result.meta.changed_db ? valuesOf(result) : passOn(statement, method, args);
    },
    async batch(statements, send) {
      const results = await send(statements);
      note(results);
      return results;
    },
  });
  return {
    db: watched,
    taken() {
      const taken = price;
      price = nothing();
      return taken;
    },
  };
}

/** Wraps D1 so that a test can say how many rows each statement of a request read. */
export function measureRows(db: D1Database): { db: D1Database; taken(): number[] } {
  const reads: number[] = [];
  const note = (result: D1Result): D1Result => {
    reads.push(result.meta.rows_read);
    return result;
  };
  const watched = watchDatabase(db, {
    async statement(statement, method) {
      const result = note(await statement.all<Rows>());
      if (method === "first") throw new Error("`first` is not measured");
      // Rows as arrays come without figures, and as objects they lose the second of two columns of one name.
      return method === "raw" ? (result.meta.changed_db ? valuesOf(result) : statement.raw()) : result;
    },
    batch: async (statements, send) => (await send(statements)).map(note),
  });
  return { db: watched, taken: () => reads.splice(0) };
}

function valuesOf({ results }: D1Result): unknown[][] {
  return results.map((row) => Object.values(row as Rows));
}

/** A database on which `before` runs just ahead of the batch of that number, as if somebody else were faster. */
export function interruptBatch(db: D1Database, number: number, before: () => Promise<unknown>): D1Database {
  let batches = 0;
  return watchDatabase(db, {
    statement: passOn,
    async batch(statements, send) {
      batches += 1;
      if (batches === number) await before();
      return send(statements);
    },
  });
}
