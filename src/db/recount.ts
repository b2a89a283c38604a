import { validationFailed } from "../lib/errors.ts";
import { DERIVED, SEARCH_INDEXES } from "./derived.ts";
import type { DerivedRows, Page, SearchIndex } from "./derived-rows.ts";

type Value = string | number | null;
type Row = Record<string, Value>;

/** Runs one statement. Its values are all in the text, so that any client of the database will do. */
export type Run = (statement: string) => Promise<Row[]>;

/** A row that is not as the records say. Of a search index, the key is its `rowid`. */
interface Difference {
  table: string;
  problem: "missing" | "surplus" | "different";
  key: Row;
  stored: Row | null;
  expected: Row | null;
}

export interface Recount {
  /** How many rows differ, by table. Every table that was read is there. */
  tables: Record<string, number>;
  /** The first of them. */
  differences: Difference[];
  /** Where to go on; null at the end. */
  next: string | null;
}

interface Options {
  repair?: boolean;
  /** The `next` of the call before. */
  after?: string;
  /** Records read by one statement, and pages of them in one call. */
  pageSize?: number;
  maxPages?: number;
  /** Repairs the search rows of emails with these ids, whose texts are outside of the database. */
  repairElsewhere?(ids: number[]): Promise<void>;
}

const DIFFERENCES_SHOWN = 20;
/** Each is read from the file store, and an invocation may do that a thousand times. */
const REPAIRED_ELSEWHERE = 200;
/** Enough words to tell whether an indexed text is the record's. */
const COMPARED_CHARACTERS = 200;
const WORD_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

interface Range {
  from: number | null;
  to: number | null;
}

/** A table to compare: what records its pages are of, and the statements for one page. */
interface Check {
  table: string;
  pages?: { records: string; by: string; parts?: readonly string[] };
  /** Selects `problem`, `total` and what makes up a difference. */
  compare(range: Range): string;
  /** Each computes and writes in one statement, so that no concurrent write is lost. */
  repair(range: Range, leavesElsewhere: boolean): string[];
  /** Selects the ids of wrong records whose texts are outside of the database. */
  elsewhere?(range: Range): string;
  toDifference(row: Row): Difference;
}

const CHECKS: readonly Check[] = [...DERIVED.map(rowsCheck), ...SEARCH_INDEXES.map(searchCheck)];

/**
 * Compares everything that triggers keep with the records it is made of, and repairs it if asked to. Safe while others
 * write: each comparison is one statement and sees one state, and so does each repair.
 */
export async function recount(run: Run, options: Options = {}): Promise<Recount> {
  const { repair = false, after, pageSize = 2000, maxPages = 200, repairElsewhere } = options;
  const result: Recount = { tables: {}, differences: [], next: null };
  let { index, from } = positionOf(after);
  for (let pages = 0; index < CHECKS.length; pages++) {
    const check = CHECKS[index];
    if (!check) break;
    if (pages === maxPages) return { ...result, next: `${index}:${from ?? ""}` };
    const range = { from, to: await lastOfPage(run, check, from, pageSize) };
    const rows = await run(check.compare(range));
    result.tables[check.table] = (result.tables[check.table] ?? 0) + Number(rows[0]?.total ?? 0);
    result.differences.push(...rows.map(check.toDifference));
    if (repair && rows.length > 0) {
      for (const statement of check.repair(range, repairElsewhere !== undefined)) await run(statement);
      const found = repairElsewhere && check.elsewhere ? await run(check.elsewhere(range)) : [];
      if (found.length > 0) await repairElsewhere?.(found.map(({ id }) => Number(id)));
      // There may be more of them: the next call looks at the same page.
      if (found.length === REPAIRED_ELSEWHERE) return { ...result, next: `${index}:${from ?? ""}` };
    }
    from = range.to;
    if (from === null) index += 1;
  }
  return result;
}

function positionOf(after: string | undefined): { index: number; from: number | null } {
  if (after === undefined) return { index: 0, from: null };
  const [, index = CHECKS.length, key] = /^(\d{1,2}):(-?\d{1,15})?$/.exec(after) ?? [];
  if (Number(index) >= CHECKS.length)
    throw validationFailed({ path: "after", message: "must be the `next` of an earlier response" });
  return { index: Number(index), from: key === undefined ? null : Number(key) };
}

/** Null for the last page, which has no end: surplus rows may lie behind the last record. */
async function lastOfPage(run: Run, { pages }: Check, from: number | null, size: number): Promise<number | null> {
  if (!pages) return null;
  const { records, by, parts = ["1"] } = pages;
  const rest = from === null ? "" : ` AND ${by} > ${from}`;
  const keys = parts.map((part) => `SELECT ${by} AS k FROM ${records} WHERE ${part}${rest}`).join(" UNION ALL ");
  const [row] = await run(`SELECT count(*) AS count, max(k) AS last FROM (${keys} ORDER BY 1 LIMIT ${size})`);
  return row?.count === size ? Number(row.last) : null;
}

const within = ({ from, to }: Range, lower: (value: number) => string = String): Page => {
  return (column) =>
    [
      ...(from === null ? [] : [`${column} > ${lower(from)}`]),
      ...(to === null ? [] : [`${column} <= ${lower(to)}`]),
    ].join(" AND ") || "1";
};

const list = (names: readonly string[], prefix = "") => names.map((name) => `${prefix}${name}`).join(", ");

function rowsCheck({ table, key, values, where = "1", expected, stored, surplus, pages }: DerivedRows): Check {
  const same = (a: string, b: string) => key.map((name) => `${a}.${name} = ${b}.${name}`).join(" AND ");
  const differs = (a: string, b: string) =>
    values.map((name) => `${a}.${name} IS NOT ${b}.${name}`).join(" OR ") || "0";
  const parts = (range: Range) => {
    const page = within(range);
    const rows = pages ? `${where} AND ${page(pages.column)}` : where;
    const compared = stored?.(page) ?? `SELECT * FROM ${table} WHERE ${rows}`;
    return `expected AS MATERIALIZED (${expected(page)}), stored AS MATERIALIZED (${compared})`;
  };
  // A counter that went down to 0 keeps its row.
  const isSurplus = surplus === "zero" ? values.map((name) => `stored.${name} <> 0`).join(" OR ") : "1";
  const columns = (of: string) => [...key, ...values].map((name) => `${of}.${name} AS ${of}_${name}`).join(", ");
  const unexpected = `NOT EXISTS (SELECT 1 FROM expected WHERE ${same("expected", table)})`;
  const inStored = `EXISTS (SELECT 1 FROM stored WHERE ${same("stored", table)})`;
  return {
    table,
    ...(pages && { pages }),
    compare: (range) => `WITH ${parts(range)}
      SELECT CASE WHEN stored.${key[0]} IS NULL THEN 'missing' WHEN expected.${key[0]} IS NULL THEN 'surplus'
          ELSE 'different' END AS problem,
        ${columns("stored")}, ${columns("expected")}, count(*) OVER () AS total
      FROM expected FULL JOIN stored ON ${same("expected", "stored")}
      WHERE stored.${key[0]} IS NULL OR (expected.${key[0]} IS NULL AND (${isSurplus}))
        OR (expected.${key[0]} IS NOT NULL AND (${differs("stored", "expected")}))
      LIMIT ${DIFFERENCES_SHOWN}`,
    repair: (range) => [
      surplus === "delete"
        ? `WITH ${parts(range)} DELETE FROM ${table} WHERE ${inStored} AND ${unexpected}`
        : `WITH ${parts(range)} UPDATE ${table} SET ${values.map((name) => `${name} = 0`).join(", ")}
           WHERE ${inStored} AND ${unexpected}`,
      ...(values.length === 0
        ? []
        : [
            `WITH ${parts(range)} UPDATE ${table} SET ${values.map((name) => `${name} = expected.${name}`).join(", ")}
             FROM expected WHERE ${same("expected", table)} AND (${differs(table, "expected")})`,
          ]),
      `WITH ${parts(range)} INSERT INTO ${table} (${list([...key, ...values])})
       SELECT ${list([...key, ...values], "expected.")} FROM expected
       WHERE NOT EXISTS (SELECT 1 FROM stored WHERE ${same("stored", "expected")})`,
    ],
    toDifference: (row) => {
      const part = (of: string, names: readonly string[]) =>
        Object.fromEntries(names.map((name) => [name, row[`${of}_${name}`] ?? null]));
      const isMissing = row.problem === "missing";
      const isExtra = row.problem === "surplus";
      return {
        table,
        problem: isMissing ? "missing" : isExtra ? "surplus" : "different",
        key: part(isMissing ? "expected" : "stored", key),
        stored: isMissing ? null : part("stored", values),
        expected: isExtra ? null : part("expected", values),
      };
    },
  };
}

function searchCheck({ table, records, pagedBy, isElsewhere, ...index }: SearchIndex): Check {
  const rowid = index.rowid("record");
  const columns = Object.entries(index.columns).map(([name, about]) => [name, about("record")] as const);
  const { parts = ["1"] } = index;
  const recordsIn = (range: Range) =>
    `${records} AS record WHERE (${parts.join(" OR ")}) AND ${within(range)(`record.${pagedBy}`)}`;
  const indexedIn = (range: Range) => `${table} WHERE ${within(range, index.lastIndexed)(index.indexedBy)}`;
  const isIndexed = `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.rowid = ${rowid})`;
  const isOrphan = `NOT EXISTS (SELECT 1 FROM ${records} AS record WHERE ${index.isRecordOf(`${table}.rowid`)})`;
  // The index has no texts to read, so it is asked for the words that each column should begin with.
  const isStale = columns
    .map(([name, text]) => {
      const isCut = `length(${text}) > ${COMPARED_CHARACTERS}`;
      const cut = `substr(${text}, 1, ${COMPARED_CHARACTERS})`;
      // The index has the stem of a whole word, which the part of one that was cut off may not begin with.
      const start = `iif(${isCut}, rtrim(${cut}, '${WORD_CHARACTERS}'), ${cut})`;
      const phrase = `'${name} : ^"' || replace(${start}, '"', '""') || iif(${isCut}, '"*', '"')`;
      // A text without words matches nothing, and a NUL would end the query.
      return `(${start} GLOB '*[a-zA-Z0-9]*' AND instr(${start}, char(0)) = 0 AND NOT EXISTS
        (SELECT 1 FROM ${table} WHERE ${table}.rowid = ${rowid} AND ${table} MATCH ${phrase}))`;
    })
    .join(" OR ");
  return {
    table,
    pages: { records, by: pagedBy, parts },
    compare: (range) => `SELECT *, count(*) OVER () AS total FROM (
        SELECT iif(${isIndexed}, 'different', 'missing') AS problem, CAST(${rowid} AS TEXT) AS id
        FROM ${recordsIn(range)} AND (NOT ${isIndexed} OR ${isStale})
        UNION ALL SELECT 'surplus', CAST(${table}.rowid AS TEXT) FROM ${indexedIn(range)} AND ${isOrphan}
      ) LIMIT ${DIFFERENCES_SHOWN}`,
    repair: (range, leavesElsewhere) => {
      const isHere = leavesElsewhere && isElsewhere ? `NOT (${isElsewhere})` : "1";
      return [
        `DELETE FROM ${table} WHERE rowid IN (SELECT ${table}.rowid FROM ${indexedIn(range)} AND ${isOrphan})`,
        `DELETE FROM ${table} WHERE rowid IN (SELECT ${rowid} FROM ${recordsIn(range)} AND ${isHere} AND (${isStale}))`,
        `INSERT INTO ${table} (rowid, ${columns.map(([name]) => name).join(", ")})
         SELECT ${rowid}, ${columns.map(([, text]) => text).join(", ")} FROM ${recordsIn(range)} AND ${isHere} AND NOT ${isIndexed}`,
      ];
    },
    ...(isElsewhere && {
      elsewhere: (range: Range) => `SELECT record.id FROM ${recordsIn(range)} AND ${isElsewhere}
        AND (NOT ${isIndexed} OR ${isStale}) LIMIT ${REPAIRED_ELSEWHERE}`,
    }),
    toDifference: ({ problem, id }) => ({
      table,
      problem: problem === "missing" || problem === "surplus" ? problem : "different",
      key: { rowid: id ?? null },
      stored: null,
      expected: null,
    }),
  };
}
