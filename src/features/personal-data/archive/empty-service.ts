import { getTableName, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { assertThat } from "../../../db/assert.ts";
import { AppError } from "../../../lib/errors.ts";
import { inArchiveOrder, isTable } from "./format.ts";

/** Sections that prevent an import: the name of each → whether it has records. */
function obstacles(): [name: string, exists: SQL][] {
  const tables = new Map<string, { name: string; added: SQL | undefined }>();
  for (const { name, archive } of inArchiveOrder()) {
    if (!isTable(archive) || archive.notImported || archive.replaces || archive.mayExist || archive.clears) continue;
    const table = getTableName(archive.table);
    if (!tables.has(table)) tables.set(table, { name, added: archive.addedByTriggers });
  }
  const filled = [...tables].map(([table, { name, added }]): [string, SQL] => [
    name,
    sql`EXISTS (SELECT 1 FROM ${sql.identifier(table)} WHERE NOT (${added ?? sql`0`}))`,
  ]);
  return [...filled, ["other accounts", sql`(SELECT count(*) FROM users) > 1`]];
}

/** Whether the service has nothing but the account of its owner, as an SQL expression. */
function isEmpty(): SQL {
  const exist = obstacles().map(([, exists]) => exists);
  return sql`NOT (${sql.join(exist, sql` OR `)})`;
}

/** Why nothing can be imported; null for an empty service. */
export async function obstacle(ctx: Context): Promise<AppError | null> {
  const all = obstacles();
  const fields = all.map(([, exists], index) => sql`${exists} AS ${sql.identifier(`n${index}`)}`);
  const [row] = await ctx.db.all<Record<string, number>>(sql`SELECT ${sql.join(fields, sql`, `)}`);
  const found = all.flatMap(([name], index) => (row?.[`n${index}`] ? [name] : []));
  if (found.length === 0) return null;
  const detail =
    `An archive can only be imported into an empty service, and this one has: ${found.join(", ")}. ` +
    "Use a new service, or delete your account, which deletes everything, and register again.";
  return new AppError("conflict", detail, { details: { inTheWay: found } });
}

/** Fails a batch unless the service is empty. */
export function assertEmpty(ctx: Context) {
  const changed = () => new AppError("conflict", "The service is no longer empty.");
  return assertThat(ctx.db, "service_is_empty", isEmpty(), async () => (await obstacle(ctx)) ?? changed());
}
