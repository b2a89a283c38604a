import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { MOST_COUNTED } from "../../lib/service-problems.ts";

/** The statement that counts the files of imports and exports, which are few: each is deleted after a week. */
export function selectTransferFiles({ db }: Context) {
  return db
    .select({
      objects: sql<number>`count(*)`.as("objects"),
      bytes: sql<number>`coalesce(sum(file_size), 0)`.as("bytes"),
    })
    .from(sql`(SELECT file_size FROM transfers WHERE file_size IS NOT NULL LIMIT ${MOST_COUNTED})`);
}
