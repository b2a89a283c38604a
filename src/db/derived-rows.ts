/** A part of a large table: the rows whose `column` lies in this page. */
export type Page = (column: string) => string;

/** A table, or some of its rows, that triggers keep in step with other tables; and what it should hold. */
export interface DerivedRows {
  table: string;
  /** The rows meant, where the table has others. */
  where?: string;
  key: readonly string[];
  /** None where the key is all there is. */
  values: readonly string[];
  /** SELECT of key and values from the records. */
  expected(page: Page): string;
  /** SELECT of the rows to compare, where no index finds the rows of a page by `pages.column`. */
  stored?(page: Page): string;
  /** What a row is that nothing is expected for: a counter that went down to 0, or a row that should be gone. */
  surplus: "zero" | "delete";
  /** For large tables: compared in pages of these records, by a whole number that is also in the derived rows. */
  pages?: { records: string; by: string; column: string };
}

/** Something about a record, in SQL: of the row of a trigger, or of `record` in a query. */
export type About = (row: "NEW" | "OLD" | "record") => string;

/** Records that are counted in `quarters` by time. */
export interface QuarterCounts {
  name: string;
  table: string;
  /** Each column of `quarters` that counts these records, and the time it counts them at. */
  counts: Record<string, About>;
  /** Which records count. Their times are never null. */
  isCounted?: About;
  /** The columns that all this depends on. Without any, records never move. */
  of?: readonly string[];
  /** `quarters_before` has the sums of the rows before its `until`, too. */
  isSummed?: boolean;
}

/** A full-text index without texts of its own. `rowid` and `columns` are expressions on the records. */
export interface SearchIndex {
  table: string;
  records: string;
  rowid: About;
  columns: Record<string, About>;
  /** The column of the records by which both are read in pages. */
  pagedBy: string;
  /** Conditions that each record meets one of. An index has the records of each in the order of `pagedBy`. */
  parts?: readonly string[];
  /** What rows of the index are read in pages by, and the last of it for the records whose `pagedBy` is this. */
  indexedBy: string;
  lastIndexed(value: number): string;
  /** Condition on `record`: its text is outside of the database. */
  isElsewhere?: string;
  /** Condition on `record`: it is the one that a rowid of the index stands for. */
  isRecordOf(rowid: string): string;
}

/** The counters of an area, each with the rows it counts. D1 takes at most five parts of a UNION. */
export function counters(area: string, counts: readonly (readonly [key: string, from: string])[]): DerivedRows {
  return {
    table: "counters",
    where: `area = '${area}'`,
    key: ["area", "key"],
    values: ["value"],
    expected: () =>
      counts
        .map(([key, from]) => `SELECT '${area}' AS area, ${key} AS key, count(*) AS value FROM ${from}`)
        .join(" UNION ALL "),
    surplus: "zero",
  };
}
