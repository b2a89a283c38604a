/** Wraps D1 so that a test can say how many rows each statement of a request read. */
export function measureRows(db: D1Database): { db: D1Database; taken(): number[] } {
  let reads: number[] = [];
  const originals = new WeakMap<object, D1PreparedStatement>();
  const note = <T>(result: D1Result<T>): D1Result<T> => {
    reads.push(result.meta.rows_read);
    return result;
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values));
        if (name === "all" || name === "run") return async () => note(await target[name]());
        // Rows as arrays come without figures: ask again for those.
        if (name === "raw") {
          return async () => {
            note(await target.all());
            return target.raw();
          };
        }
        const member = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    originals.set(wrapped, statement);
    return wrapped;
  };
  const proxy = new Proxy(db, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => wrap(target.prepare(sql));
      if (name === "batch") {
        return async (list: D1PreparedStatement[]) =>
          (await target.batch(list.map((statement) => originals.get(statement) ?? statement))).map(note);
      }
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return {
    db: proxy,
    taken() {
      const taken = reads;
      reads = [];
      return taken;
    },
  };
}
