import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { listPage, type Page, type PageRequest } from "../../../db/page.ts";
import { emailSearches } from "../../../db/schema/emails-sorting.ts";
import { deleteVersion, type ExpectedVersions, missedWrite, versionIs } from "../../../db/version.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { withIsoTimes } from "../../../lib/iso-times.ts";
import { readingFor } from "../../people/reading.ts";
import { readSearch } from "../queries/search.ts";
import type { NewSavedSearch, SavedSearch, SavedSearchChanges } from "./schemas.ts";

const MAX_SEARCHES = 100;

export function listSearches(ctx: Context, request: PageRequest): Promise<Page<SavedSearch>> {
  return listPage(ctx, request, { list: "saved searches", table: emailSearches, by: ["id"] }, withIsoTimes);
}

/** What could not be searched for is not stored. */
function requireSearch(ctx: Context, q: string | undefined): void {
  const isSearch = q === undefined || readSearch(q, {}, { now: ctx.now, reading: () => readingFor(ctx) });
  if (!isSearch) throw validationFailed({ path: "q", message: "must have something to search for" });
}

export async function createSearch(ctx: Context, input: NewSavedSearch): Promise<SavedSearch> {
  requireSearch(ctx, input.q);
  const tooMany = () =>
    new AppError("search_limit_reached", `There are ${MAX_SEARCHES} saved searches. Delete one first.`);
  const [, [created]] = await runBatch(ctx.db, [
    assertThat(ctx.db, "searches_have_room", sql`(SELECT count(*) FROM email_searches) < ${MAX_SEARCHES}`, tooMany),
    ctx.db
      .insert(emailSearches)
      .values({ ...input, version: 1, createdAt: ctx.now, updatedAt: ctx.now })
      .returning(),
  ] as const);
  if (!created) throw new Error("the new search has no row");
  return withIsoTimes(created);
}

export async function updateSearch(
  ctx: Context,
  id: number,
  changes: SavedSearchChanges,
  expected: ExpectedVersions,
): Promise<SavedSearch> {
  if (Object.values(changes).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  requireSearch(ctx, changes.q);
  const isThis = eq(emailSearches.id, id);
  const [[updated], [current]] = await runBatch(ctx.db, [
    ctx.db
      .update(emailSearches)
      .set({ ...changes, version: sql`${emailSearches.version} + 1`, updatedAt: ctx.now })
      .where(and(isThis, versionIs(emailSearches.version, expected)))
      .returning(),
    ctx.db.select({ version: emailSearches.version }).from(emailSearches).where(isThis),
  ] as const);
  if (!updated) throw missedWrite(current, `saved search ${id}`);
  return withIsoTimes(updated);
}

export function deleteSearch({ db }: Context, id: number, expected: ExpectedVersions): Promise<void> {
  return deleteVersion(db, emailSearches, id, expected, `saved search ${id}`);
}

/** The search of this name, for a tool. */
export async function searchNamed(ctx: Context, name: string): Promise<string> {
  const saved = await ctx.db.select({ name: emailSearches.name, q: emailSearches.q }).from(emailSearches);
  const found = saved.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found) return found.q;
  const known = saved.map((each) => `"${each.name}"`).join(", ");
  throw new AppError(
    "not_found",
    `There is no saved search "${name}". ${known ? `There are ${known}.` : "None is saved."}`,
  );
}
