// Our built Worker with its database watched: each answer says what it cost in D1. Used apart from the
// speed runs, and by one request at a time, so that one set of totals is enough.
import worker, { type WorkerEnv } from "worker-under-test";

type Row = Record<string, unknown>;

const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
let cost = { roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };

function watch<Database extends D1Database | D1DatabaseSession>(database: Database): Database {
  const batch = async (statements: D1PreparedStatement[]): Promise<D1Result<Row>[]> => {
    cost.roundTrips += 1;
    cost.statements += statements.length;
    const results = await database.batch<Row>(statements.map((statement) => originals.get(statement) ?? statement));
    for (const { meta } of results) {
      cost.rowsRead += meta.rows_read;
      cost.rowsWritten += meta.rows_written;
    }
    return results;
  };

  const watchStatement = (statement: D1PreparedStatement, query: string): D1PreparedStatement => {
    // `raw` and `first` drop the figures, so every form of a query is sent as a batch of one.
    const run = async () => (await batch([statement]))[0] as D1Result<Row>;
    const forms = {
      bind: (...values: unknown[]) => watchStatement(statement.bind(...values), query),
      all: run,
      run,
      async raw() {
        const { results } = await run();
        // Two columns of one name are one member of a batch's row: a join is read again as it was asked.
        if (/^\s*select\b/i.test(query)) return statement.raw();
        return results.map((row) => Object.values(row));
      },
      async first(column?: string) {
        const row = (await run()).results[0];
        return column === undefined ? (row ?? null) : (row?.[column] ?? null);
      },
    };
    const watched = override(statement, forms);
    originals.set(watched, statement);
    return watched;
  };

  return override(database, {
    batch,
    prepare: (query: string) => watchStatement(database.prepare(query), query),
    withSession: (start?: string) => watch((database as D1Database).withSession(start)),
  });
}

function override<T extends object>(target: T, members: Record<string, unknown>): T {
  return new Proxy(target, {
    get(_, name) {
      if (typeof name === "string" && name in members && name in target) return members[name];
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

let watchedEnv: WorkerEnv | undefined;

export default {
  async fetch(request: Request, env: WorkerEnv, execution: ExecutionContext): Promise<Response> {
    watchedEnv ??= { ...env, DB: watch(env.DB) };
    cost = { roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
    const deferred: Promise<unknown>[] = [];
    const response = await worker.fetch(
      request,
      watchedEnv,
      override(execution, { waitUntil: (work: Promise<unknown>) => void deferred.push(work) }),
    );
    // Queries after the answer, and those of a streamed one, are part of the price.
    const body = response.body && (await response.arrayBuffer());
    await Promise.allSettled(deferred);
    const answer = new Response(body, response);
    answer.headers.set("x-bench-cost", JSON.stringify(cost));
    return answer;
  },
};
