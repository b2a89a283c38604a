import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { listPage, type Page, type PageRequest } from "../../../db/page.ts";
import { emailSnippets } from "../../../db/schema/emails-writing.ts";
import { deleteVersion, type ExpectedVersions, versionIs, whyMissed } from "../../../db/version.ts";
import { AppError } from "../../../lib/errors.ts";
import type { NewSnippet, Snippet, SnippetChanges } from "./schemas.ts";

const MAX_SNIPPETS = 500;

export function toSnippet(row: typeof emailSnippets.$inferSelect): Snippet {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}

export function listSnippets(ctx: Context, request: PageRequest): Promise<Page<Snippet>> {
  return listPage(ctx, request, { list: "snippets", table: emailSnippets, by: ["name"] }, toSnippet);
}

export async function createSnippet(ctx: Context, input: NewSnippet): Promise<Snippet> {
  const full = () => new AppError("conflict", `You have ${MAX_SNIPPETS} snippets. Delete one first.`);
  const hasRoom = sql`(SELECT count(*) FROM email_snippets) < ${MAX_SNIPPETS}`;
  const [, [row]] = await refusingTaken(input.name, () =>
    runBatch(ctx.db, [
      assertThat(ctx.db, "snippets_have_room", hasRoom, full),
      ctx.db
        .insert(emailSnippets)
        .values({ ...input, version: 1, createdAt: ctx.now, updatedAt: ctx.now })
        .returning(),
    ] as const),
  );
  if (!row) throw new Error("the snippet has no row");
  return toSnippet(row);
}

export async function updateSnippet(
  ctx: Context,
  id: number,
  input: SnippetChanges,
  expected: ExpectedVersions,
): Promise<Snippet> {
  if (Object.values(input).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  const [row] = await refusingTaken(input.name, () =>
    ctx.db
      .update(emailSnippets)
      .set({ ...input, version: sql`${emailSnippets.version} + 1`, updatedAt: ctx.now })
      .where(and(eq(emailSnippets.id, id), versionIs(emailSnippets.version, expected)))
      .returning(),
  );
  if (!row) throw await whyMissed(ctx.db, emailSnippets, id, expected, `snippet ${id}`);
  return toSnippet(row);
}

export function deleteSnippet(ctx: Context, id: number, expected: ExpectedVersions): Promise<void> {
  return deleteVersion(ctx.db, emailSnippets, id, expected, `snippet ${id}`);
}

async function refusingTaken<Result>(name: string | undefined, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!brokeConstraint(error, "email_snippets.name")) throw error;
    throw new AppError("conflict", `There is a snippet called “${name}” already.`);
  }
}
