import { type SQL, sql } from "drizzle-orm";
import { assertType } from "../lib/cast.ts";
import { type Compiled, compile, groupedRows, type Query } from "./compiled-query.ts";

/**
 * A select as one cell, with its rows as JSON, for what another statement returns: the changed row and what belongs to
 * it come from one statement. As in `compiledBatch`, there must not be too many rows.
 */
export function compiledCell<Row>() {
  let compiled: { pieces: SQL[]; paramsOf: Compiled["paramsOf"]; toRow: Compiled["toRow"] } | undefined;
  const compileCell = (query: Query) => {
    const { text, width, params, paramsOf, toRow } = compile(query, { isPart: true });
    const pieces = groupedRows(text, width).split("?");
    if (pieces.length !== params.length + 1) throw new Error("a text of the select has a question mark");
    return { pieces: pieces.map((piece) => sql.raw(piece)), paramsOf, toRow };
  };
  return (build: () => Query, values: Record<string, unknown>) => {
    compiled ??= compileCell(build());
    const { pieces, paramsOf, toRow } = compiled;
    const params = paramsOf(values);
    return {
      cell: sql.join(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [sql`${params[index - 1]}`, piece]))),
      read: (cell: unknown) =>
        assertType<Row[]>(assertType<unknown[][]>(JSON.parse(String(cell))).map((cells) => toRow(cells))),
    };
  };
}
