import { assertType } from "../lib/cast.ts";
import type { Database } from "./client.ts";

/** What D1 returns for a statement of a batch. */
type Result = Pick<D1Result<Record<string, unknown>>, "results">;

/**
 * A statement whose text is ready, and what makes its rows. To be awaited, or put into `db.batch` and `runBatch` among
 * statements of the query builder: `_prepare` is what drizzle calls there. Each column it returns has its own name.
 */
export class RowStatement<Row> implements PromiseLike<Row[]> {
  declare readonly _: { readonly dialect: "sqlite"; readonly result: Row[] };
  private readonly db: Database;
  private readonly text: string;
  private readonly params: unknown[];
  private readonly toRow: (cells: readonly unknown[]) => Row;

  constructor(db: Database, text: string, params: unknown[], toRow: (cells: readonly unknown[]) => Row) {
    this.db = db;
    this.text = text;
    this.params = params;
    this.toRow = toRow;
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement of the query builder is sent when it is awaited, too.
  then<Done = Row[], Failed = never>(
    onDone?: ((rows: Row[]) => Done | PromiseLike<Done>) | null,
    onFailed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.send().then(onDone, onFailed);
  }

  private async send(): Promise<Row[]> {
    const rows = await this.db.$client
      .prepare(this.text)
      .bind(...this.params)
      .raw<unknown[]>();
    return rows.map((cells) => this.toRow(cells));
  }

  toSQL() {
    return { sql: this.text, params: this.params };
  }

  _prepare() {
    return {
      stmt: this.db.$client.prepare(this.text),
      getQuery: () => this.toSQL(),
      mapResult: (result: unknown) =>
        assertType<Result>(result).results.map((cells) => this.toRow(Object.values(cells))),
    };
  }
}
