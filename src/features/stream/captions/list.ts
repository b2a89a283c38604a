import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { anyOf } from "../../../db/bulk.ts";
import { keyset, type Page } from "../../../db/page.ts";
import { captions } from "../../../db/schema/stream-captions.ts";
import { toCaption } from "./record.ts";
import type { Caption, CaptionQuery } from "./schemas.ts";

/** Newest first. */
export async function listCaptions(ctx: Context, query: CaptionQuery): Promise<Page<Caption>> {
  const pages = keyset(ctx, "captions", [captions.id], "desc");
  const rows = await ctx.db
    .select()
    .from(captions)
    .where(
      and(
        query.status && inArray(captions.status, query.status),
        query.platform && inArray(captions.platform, query.platform),
        query.sessionId === undefined ? undefined : eq(captions.sessionId, query.sessionId),
        pages.after(query.cursor),
      ),
    )
    .orderBy(desc(captions.id))
    .limit(query.limit + 1);
  return pages.page(rows, query, (row) => [row.id], toCaption);
}

/** The captions of these ids that still exist, for those who tell others of them. */
export async function captionsByIds(ctx: Context, ids: readonly number[]): Promise<Caption[]> {
  const rows = await ctx.db
    .select()
    .from(captions)
    .where(sql`${captions.id} IN ${anyOf(ids)}`);
  return rows.map(toCaption);
}
