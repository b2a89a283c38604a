import { assertType } from "../lib/cast.ts";
import { type Compiled, compile, groupedRows, type Query, rememberShapes } from "./compiled-query.ts";

/**
 * A select as one cell, with its rows as JSON, for what another statement returns: the changed row and what belongs to
 * it come from one statement. `shape` is as in `compiledQuery`. As in `compiledBatch`, there must not be too many rows.
 */
export function compiledCell<Row>() {
  const compiled = rememberShapes<Pick<Compiled, "text" | "paramsOf" | "toRow">>();
  const compileCell = (query: Query) => {
    const { text, width, paramsOf, toRow } = compile(query, { isPart: true });
    return { text: groupedRows(text, width), paramsOf, toRow };
  };
  return (shape: string, build: () => Query, values: Record<string, unknown>) => {
    const { text, paramsOf, toRow } = compiled(shape, () => compileCell(build()));
    return {
      cell: { text, params: paramsOf(values) },
      read: (cell: unknown) =>
        assertType<Row[]>(assertType<unknown[][]>(JSON.parse(String(cell))).map((cells) => toRow(cells))),
    };
  };
}
