import { and, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { anyOf } from "../../../db/bulk.ts";
import { captions } from "../../../db/schema/stream-captions.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../../db/version.ts";
import { limitProblem } from "../../../engine/captions/limits.ts";
import { CAPTION_MOVES, type CaptionStatus, EDITABLE_STATUSES, sourcesOf } from "../../../lib/caption-kinds.ts";
import { AppError } from "../../../lib/errors.ts";
import { type CaptionRow, toCaption } from "./record.ts";
import type { Caption, CaptionChanges, CaptionDecision } from "./schemas.ts";

export async function getCaption(ctx: Context, id: number): Promise<Caption> {
  return toCaption(await rowOf(ctx, id));
}

async function rowOf(ctx: Context, id: number): Promise<CaptionRow> {
  const [row] = await ctx.db.select().from(captions).where(eq(captions.id, id));
  if (!row) throw missedWrite(undefined, `caption ${id}`);
  return row;
}

/** Changes the words. An approved caption stays approved: the person who edits it is the one who approves. */
export async function editCaption(
  ctx: Context,
  id: number,
  changes: CaptionChanges,
  expected: ExpectedVersions,
): Promise<Caption> {
  if (changes.text === undefined && changes.hashtags === undefined) throw new AppError("nothing_to_update");
  return changeRow(ctx, id, expected, (row) => {
    if (!EDITABLE_STATUSES.includes(row.status)) {
      throw new AppError("conflict", `The caption is ${row.status}; its words can no longer change.`, {
        details: { status: row.status, editable: EDITABLE_STATUSES },
      });
    }
    requireFit(row, changes);
    return changes;
  });
}

const TARGETS = { approve: "approved", skip: "skipped", restore: "pending" } as const;

/** A decision that has been made already is made again without harm. */
export async function decideCaption(
  ctx: Context,
  { captionId, action, text }: CaptionDecision,
  expected: ExpectedVersions,
): Promise<Caption> {
  const to = TARGETS[action];
  return changeRow(ctx, captionId, expected, (row) => {
    if (row.status === to && text === undefined) return null;
    if (row.status !== to) requireMove(row.status, to);
    if (text !== undefined) requireFit(row, { text });
    return { ...(text !== undefined && { text }), ...entering(to) };
  });
}

/** What a caption has on coming to a state a person puts it in: the trouble of earlier tries is over. */
function entering(status: "approved" | "skipped" | "pending") {
  return { status, uncertain: false, error: null, retryAt: null };
}

/** One statement, so that each is decided once; what is no longer pending is left alone. */
export async function decidePending(
  ctx: Context,
  { ids, status }: { ids?: readonly number[] | undefined; status: "approved" | "skipped" },
): Promise<{ updated: number; ids: number[]; notPending: number[] }> {
  const rows = await ctx.db
    .update(captions)
    .set({ ...entering(status), version: sql`${captions.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(captions.status, "pending"), ids && sql`${captions.id} IN ${anyOf(ids)}`))
    .returning({ id: captions.id });
  const decided = rows.map(({ id }) => id).sort((a, b) => a - b);
  return {
    updated: decided.length,
    ids: decided,
    notPending: [...new Set(ids)].filter((id) => !decided.includes(id)),
  };
}

type Change = Partial<Pick<CaptionRow, "text" | "hashtags" | "status" | "uncertain" | "error" | "retryAt">>;

const ATTEMPTS = 5;

/**
 * Compare and swap on the version: what was decided on the row as read is written to that very row, or decided
 * again on the row as it is by then. `decide` throws, or gives null to leave all as it is.
 */
async function changeRow(
  ctx: Context,
  id: number,
  expected: ExpectedVersions,
  decide: (row: CaptionRow) => Change | null,
): Promise<Caption> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await rowOf(ctx, id);
    if (expected && !expected.includes(row.version)) throw missedWrite(row, `caption ${id}`);
    const change = decide(row);
    if (change === null) return toCaption(row);
    const [changed] = await ctx.db
      .update(captions)
      .set({ ...change, version: row.version + 1, updatedAt: ctx.now })
      .where(
        and(
          eq(captions.id, id),
          versionIs(captions.version, [row.version]),
          inArray(
            captions.status,
            change.status ? [...sourcesOf(change.status), change.status] : [...EDITABLE_STATUSES],
          ),
        ),
      )
      .returning();
    if (changed) return toCaption(changed);
  }
  throw new AppError("conflict", "The caption is being changed by others. Try again.");
}

function requireMove(from: CaptionStatus, to: CaptionStatus): void {
  const allowed = CAPTION_MOVES[from];
  if (allowed.includes(to)) return;
  const next = allowed.length > 0 ? `only ${allowed.join(" or ")} may follow` : "nothing may follow";
  throw new AppError("invalid_transition", `The caption is ${from}: ${next}, not ${to}.`, {
    details: { from, to, allowed },
  });
}

function requireFit(row: CaptionRow, { text = row.text, hashtags = row.hashtags }: CaptionChanges): void {
  const problem = limitProblem(row.platform, text, hashtags);
  if (problem === null) return;
  const path = text === row.text ? "hashtags" : "text";
  throw new AppError("validation_failed", `The caption ${problem}.`, { errors: [{ path, message: problem }] });
}
