import { getTableColumns } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type Context, signedInUser } from "../../../context.ts";
import { type ArchivedTable, accountColumnsOf, insertRows, type Row } from "../../../db/archive.ts";
import { inParts } from "../../../db/bulk.ts";
import { openEntry, readEntry } from "../../../lib/zip/read.ts";
import { writeObjectFrom } from "../../files/objects.ts";
import { announceFile, keepFile } from "../../files/service.ts";
import { asOneChange } from "../../live/many.ts";
import type { ArchiveReader, Part } from "./reader.ts";

type Statement = BatchItem<"sqlite">;

/** A Worker may have six open connections: each copy reads and writes. */
const COPIES_AT_ONCE = 2;

/** Stores the files of a part. Returns the statements that write its rows. */
export async function writePart(
  ctx: Context,
  archive: ArchiveReader,
  part: Part,
  table: ArchivedTable,
  rows: readonly Row[],
): Promise<{ statements: Statement[]; settled: number }> {
  let settled = 0;
  const mapped: Row[] = [];
  for (const row of rows) {
    const quiet = (await table.settle?.row(row, ctx)) ?? null;
    if (quiet) settled += 1;
    mapped.push(...withOwnAccount(ctx, table, quiet ?? row, archive.manifest.account.id));
  }
  const completed: Row[] = [];
  for (const row of mapped) completed.push((await table.complete?.(ctx, row)) ?? row);
  const keys = new Map(completed.flatMap((row) => [...(table.newKeys?.(ctx, row) ?? [])]));
  const kept = await storeFiles(ctx, archive, part, table, completed, keys);
  const derived = await table.derive?.(
    ctx,
    completed,
    async (row) => (await archive.document(part, table, row))?.value ?? null,
  );
  const ready = completed.map((row) => table.withKeys?.(row, (path) => keys.get(path) ?? null) ?? row);
  const isFirst = part.part === 1;
  const statements = [
    ...kept,
    ...asOneChange(ctx, [
      ...(table.clears && isFirst ? [ctx.db.delete(table.table)] : []),
      ...(table.addedByTriggers && isFirst ? [ctx.db.delete(table.table).where(table.addedByTriggers)] : []),
      ...(table.write?.(ctx, ready) ?? inParts(ready, (row) => row).map((some) => insertRows(ctx.db, table, some))),
      ...(derived ?? []),
    ]),
  ];
  return { statements, settled };
}

/** The person who exported is the one who imports. Other accounts are not in the archive. */
function withOwnAccount(ctx: Context, { table }: ArchivedTable, row: Row, exporter: number): Row[] {
  const own = { ...row };
  const columns: Record<string, { notNull: boolean }> = getTableColumns(table);
  for (const key of accountColumnsOf(table)) {
    if (row[key] === exporter) own[key] = signedInUser(ctx).id;
    else if (columns[key]?.notNull) return [];
    else own[key] = null;
  }
  return [own];
}

async function storeFiles(
  ctx: Context,
  archive: ArchiveReader,
  part: Part,
  { files }: ArchivedTable,
  rows: readonly Row[],
  keys: ReadonlyMap<string, string>,
): Promise<Statement[]> {
  const kept: Statement[] = [];
  const wanted = rows.flatMap((row) => files?.(row) ?? []).values();
  const copy = async () => {
    for (const { key: path, store } of wanted) {
      const entry = part.files.get(path);
      const key = keys.get(path);
      if (!entry || !key) continue;
      if (store === "r2") await writeObjectFrom(ctx, key, await openEntry(archive.source, entry), entry.size);
      else {
        // An object of R2 that no row names is found at night; in KV nothing looks for it.
        await announceFile(ctx, key, "kv");
        await ctx.config.bindings.KV.put(key, await readEntry(archive.source, entry, entry.size));
        kept.push(...keepFile(ctx, key));
      }
    }
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, copy));
  return kept;
}
