import { QUARTERS } from "../../lib/quarters.ts";
import type { About, QuarterCounts, SearchIndex } from "../derived-rows.ts";

/** The row of a trigger: as it is now, or as it was. */
type Row = "NEW" | "OLD";

/** One trigger. `event` is such as `AFTER INSERT ON tasks`. */
export function trigger(name: string, event: string, when: string | null, ...statements: string[]): string {
  const condition = when === null ? "" : ` WHEN ${when}`;
  return `CREATE TRIGGER ${name} ${event}${condition} BEGIN\n${statements.map((each) => `  ${each};`).join("\n")}\nEND;`;
}

/** Whether any of these columns has changed, also from or to null. */
export function changed(...columns: string[]): string {
  return columns.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(" OR ");
}

interface LiveChanges {
  kind: string;
  table: string;
  /** What the change is called, in SQL, where that depends on the row. */
  created?: string;
  updated?: string;
  /** Columns that change without a new version of the record. */
  follows?: string[];
  /** Where not every row is a record of its own. */
  isCreated?: string;
  isUpdated?: string;
  isDeleted?: string;
}

/** A row in `changes` for each change of a versioned record that clients can see (`lib/live-kinds.ts`). */
export function liveChanges({ kind, table, follows = [], ...options }: LiveChanges): string[] {
  const { created = `'${kind}.created'`, updated = `'${kind}.updated'` } = options;
  const told = (type: string, row: Row) =>
    `INSERT INTO changes (type, record_id, version) VALUES (${type}, ${row}.id, ${row}.version)`;
  const columns = ["version", ...follows];
  return [
    trigger(`changes_${kind}_inserted`, `AFTER INSERT ON ${table}`, options.isCreated ?? null, told(created, "NEW")),
    trigger(
      `changes_${kind}_updated`,
      `AFTER UPDATE OF ${columns.join(", ")} ON ${table}`,
      options.isUpdated ? `(${changed(...columns)}) AND ${options.isUpdated}` : changed(...columns),
      told(updated, "NEW"),
    ),
    trigger(
      `changes_${kind}_deleted`,
      `AFTER DELETE ON ${table}`,
      options.isDeleted ?? null,
      told(`'${kind}.deleted'`, "OLD"),
    ),
  ];
}

/** While no webhook endpoint is enabled, nothing is owed to any. */
const SOMEBODY_LISTENS = "EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1)";

/** Outbound events of a record, for every endpoint that wants them. `type` and `at` are SQL. */
export function outbox(
  name: string,
  event: string,
  when: string | null,
  type: string,
  at: string,
  id = "NEW.id",
): string {
  const condition = when === null ? SOMEBODY_LISTENS : `(${when}) AND ${SOMEBODY_LISTENS}`;
  return trigger(name, event, condition, `INSERT INTO outbox (type, record_id, at) VALUES (${type}, ${id}, ${at})`);
}

/** The time of the statement, in milliseconds. */
export const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

interface Totals {
  name: string;
  /** The records, and the row with their sums: the only one of `sums`, unless `where` finds it. */
  table: string;
  sums: string;
  where?: About;
  /** What each column of `sums` adds up, a number or a condition. */
  counts: Record<string, About>;
  /** The columns of the records that the counts depend on. */
  of: string[];
  /** The same for every record: counted once, when it comes and when it goes. */
  fixed?: Record<string, About>;
  /** The last id used is kept too, for the next one (`db/next-id.ts`). */
  keepsLastId?: boolean;
}

/** Sums over all records, in one row, so that whatever changes about a record writes one row of them. */
export function totals({ name, table, sums, where, counts, of, fixed = {}, keepsLastId = false }: Totals): string[] {
  const at = (row: Row) => (where ? ` WHERE ${where(row)}` : "");
  const lastId = keepsLastId ? ["last_id = max(last_id, NEW.id)"] : [];
  const moved = (all: Record<string, About>, change: (about: About) => string) =>
    Object.entries(all).map(([column, about]) => `${column} = ${column} ${change(about)}`);
  const every = { ...counts, ...fixed };
  const update = (changes: string[], row: Row) => `UPDATE ${sums} SET\n    ${changes.join(",\n    ")}${at(row)}`;
  return [
    trigger(
      `${name}_insert`,
      `AFTER INSERT ON ${table}`,
      null,
      update([...lastId, ...moved(every, (about) => `+ (${about("NEW")})`)], "NEW"),
    ),
    trigger(
      `${name}_update`,
      `AFTER UPDATE OF ${of.join(", ")} ON ${table}`,
      changed(...of),
      update(
        moved(counts, (about) => `+ (${about("NEW")}) - (${about("OLD")})`),
        "NEW",
      ),
    ),
    trigger(
      `${name}_delete`,
      `AFTER DELETE ON ${table}`,
      null,
      update(
        moved(every, (about) => `- (${about("OLD")})`),
        "OLD",
      ),
    ),
  ];
}

const QUARTER_MS = 15 * 60_000;
const BLOCK_MS = QUARTERS * QUARTER_MS;
const ZEROS = `'[' || substr(replace(hex(zeroblob(${QUARTERS})), '00', '0,'), 1, ${2 * QUARTERS - 1}) || ']'`;

/**
 * Statistics: `quarters` has an array of counts for two days (UTC), one for each quarter of an hour. Every time zone's
 * days begin on a quarter of an hour, so the days of any zone are sums of few rows.
 */
export function quarterCounts({ name, table, counts, isCounted, of = [], isSummed = false }: QuarterCounts): string[] {
  const columns = Object.entries(counts);
  const block = (about: About, row: Row) => `${about(row)} / ${BLOCK_MS}`;
  const slot = (about: About, row: Row) => `(${about(row)} % ${BLOCK_MS} / ${QUARTER_MS})`;
  const blocks = (row: Row) => columns.map(([, about]) => block(about, row));
  const add = (row: Row, sign: "+" | "-") =>
    `UPDATE quarters SET ${columns
      .map(([column, about]) => {
        const here = slot(about, row);
        const more = `json_set(${column}, '$[' || ${here} || ']', (${column} ->> ${here}) ${sign} 1)`;
        return `${column} = iif(id = ${block(about, row)}, ${more}, ${column})`;
      })
      .join(", ")} WHERE id IN (${blocks(row).join(", ")})`;
  const begin = `INSERT INTO quarters (id, ${Object.keys(counts).join(", ")})
    SELECT block, ${columns
      .map(
        ([, about]) =>
          `iif(block = ${block(about, "NEW")}, json_set(zeros, '$[' || ${slot(about, "NEW")} || ']', 1), zeros)`,
      )
      .join(", ")}
    FROM (SELECT ${blocks("NEW").join(" AS block UNION SELECT ")}${columns.length === 1 ? " AS block" : ""}), (SELECT ${ZEROS} AS zeros)
    WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = block)`;
  const sum = (row: Row, sign: "+" | "-") =>
    isSummed
      ? [
          `UPDATE quarters_before SET ${columns
            .map(([column, about]) => `${column} = ${column} ${sign} (until > ${block(about, row)})`)
            .join(", ")} WHERE until > ${blocks(row)[0]}`,
        ]
      : [];
  const into = [add("NEW", "+"), begin, ...sum("NEW", "+")];
  const out = [add("OLD", "-"), ...sum("OLD", "-")];
  const counted = (row: Row) => isCounted?.(row) ?? null;
  const isSame = columns.map(([, about]) => `${about("NEW")} = ${about("OLD")}`).join(" AND ");
  const unless = (one: Row, other: Row) => `${counted(one)} AND NOT (${counted(other)} AND ${isSame})`;
  return [
    trigger(`${name}_insert`, `AFTER INSERT ON ${table}`, counted("NEW"), ...into),
    // An update takes the old time out and puts the new one in.
    ...(of.length > 0
      ? [
          trigger(`${name}_out`, `AFTER UPDATE OF ${of.join(", ")} ON ${table}`, unless("OLD", "NEW"), ...out),
          trigger(`${name}_in`, `AFTER UPDATE OF ${of.join(", ")} ON ${table}`, unless("NEW", "OLD"), ...into),
        ]
      : []),
    trigger(`${name}_delete`, `AFTER DELETE ON ${table}`, counted("OLD"), ...out),
  ];
}

/** A search table, which stores no text of its own, and the words of a row of it. */
export function searchTable({ table, columns }: SearchIndex, tokenize: string): string[] {
  const names = Object.keys(columns).join(", ");
  return [
    `CREATE VIRTUAL TABLE ${table} USING fts5(${names}, content = '', contentless_delete = 1, tokenize = '${tokenize}');`,
    // Each write adds a segment, and by default four of a size are merged. Merging eight takes less time.
    `INSERT INTO ${table} (${table}, rank) VALUES ('automerge', 8);`,
  ];
}

export function addToSearch({ table, columns, rowid }: SearchIndex, place = rowid("NEW")): string {
  const names = Object.keys(columns).join(", ");
  const texts = Object.values(columns).map((about) => about("NEW"));
  return `INSERT INTO ${table} (rowid, ${names}) VALUES (${[place, ...texts].join(",\n    ")})`;
}

/** A changed row is one update, which gives all columns. */
export function changeInSearch({ table, columns, rowid }: SearchIndex, more = ""): string {
  const texts = Object.entries(columns).map(([name, about]) => `${name} = ${about("NEW")}`);
  return `UPDATE ${table} SET ${more}${texts.join(",\n    ")} WHERE rowid = ${rowid("OLD")}`;
}
