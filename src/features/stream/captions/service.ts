import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { isOneOf } from "../../../db/bulk.ts";
import { listPage, type Page } from "../../../db/page.ts";
import { captions, captionTotals } from "../../../db/schema/stream-captions.ts";
import { type ExpectedVersions, missedWrite } from "../../../db/version.ts";
import { CAPTION_MOVES, type CaptionStatus, EDITABLE_STATUSES, sourcesOf } from "../../../lib/caption-kinds.ts";
import { limitProblem } from "../../../lib/caption-limits.ts";
import { AppError } from "../../../lib/errors.ts";
import { type CaptionRow, toCaption } from "./record.ts";
import type { BulkDecided, BulkDecision, Caption, CaptionChanges, CaptionDecision, CaptionQuery } from "./schemas.ts";

export function listCaptions(ctx: Context, query: CaptionQuery): Promise<Page<Caption>> {
  const where = and(
    query.status && inArray(captions.status, query.status),
    query.platform && inArray(captions.platform, query.platform),
    query.sessionId === undefined ? undefined : eq(captions.sessionId, query.sessionId),
  );
  return listPage(ctx, query, { list: "captions", table: captions, by: ["id"], order: "desc", where }, toCaption);
}

/** Ids that do not exist are left out. */
export async function loadCaptions(ctx: Context, ids: readonly number[]): Promise<Caption[]> {
  const rows = await ctx.db.select().from(captions).where(isOneOf(captions.id, ids));
  return rows.map(toCaption);
}

/** Number of captions by platform and status, as a statement for another query's batch. */
export function selectCaptionTotals(ctx: Context) {
  return ctx.db.select().from(captionTotals).where(gt(captionTotals.count, 0));
}

export function toCaptionTotals(rows: readonly (typeof captionTotals.$inferSelect)[]) {
  const byPlatform: Record<string, Record<string, number>> = {};
  for (const { platform, status, count } of rows) byPlatform[platform] = { ...byPlatform[platform], [status]: count };
  return byPlatform;
}

export async function getCaption(ctx: Context, id: number): Promise<Caption> {
  return toCaption(await rowOf(ctx, id));
}

async function rowOf(ctx: Context, id: number): Promise<CaptionRow> {
  const [row] = await ctx.db.select().from(captions).where(eq(captions.id, id));
  if (!row) throw missedWrite(undefined, `caption ${id}`);
  return row;
}

/** An approved caption stays approved: the person who edits it is also the one who approves. */
export async function editCaption(
  ctx: Context,
  id: number,
  changes: CaptionChanges,
  expected: ExpectedVersions,
): Promise<Caption> {
  if (changes.text === undefined && changes.hashtags === undefined) throw new AppError("nothing_to_update");
  return changeRow(ctx, id, expected, (row) => {
    if (!EDITABLE_STATUSES.includes(row.status)) {
      const detail = `The caption is ${row.status}. Only ${EDITABLE_STATUSES.join(", ")} captions can be edited.`;
      throw new AppError("conflict", detail, { details: { status: row.status, editable: EDITABLE_STATUSES } });
    }
    requireFit(row, changes);
    return changes;
  });
}

const TARGETS = { approve: "approved", skip: "skipped", restore: "pending" } as const;

/** Repeating a decision changes nothing. */
export async function decideCaption(
  ctx: Context,
  { captionId, action, text }: CaptionDecision,
  expected: ExpectedVersions,
): Promise<Caption> {
  const to = TARGETS[action];
  return changeRow(ctx, captionId, expected, (row) => {
    // An approval of what was approved automatically is a person's: the text they saw stays.
    if (row.status === to && text === undefined) return to === "approved" && row.modelDueAt ? {} : null;
    if (row.status !== to) requireMove(row.status, to);
    if (text !== undefined) requireFit(row, { text });
    return { ...(text !== undefined && { text }), ...statusChange(to) };
  });
}

/** A decision by a person also clears the error of an earlier attempt. */
function statusChange(status: "approved" | "skipped" | "pending") {
  return { status, uncertain: false, error: null, retryAt: null };
}

/** One statement, so that a caption that is no longer pending is not changed. */
export async function decidePending(ctx: Context, { ids, status }: BulkDecision): Promise<BulkDecided> {
  const rows = await ctx.db
    .update(captions)
    .set({ ...statusChange(status), modelDueAt: null, version: sql`${captions.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(captions.status, "pending"), ids && isOneOf(captions.id, ids)))
    .returning({ id: captions.id });
  const decided = rows.map(({ id }) => id).sort((a, b) => a - b);
  const notPending = [...new Set(ids)].filter((id) => !decided.includes(id));
  return { updated: decided.length, ids: decided, notPending };
}

type Change = Partial<Pick<CaptionRow, "text" | "hashtags" | "status" | "uncertain" | "error" | "retryAt">>;

const ATTEMPTS = 5;

/**
 * Compare-and-swap on the version: if the row has changed since it was read, `changeFor` is called again with the new
 * row. It throws to refuse, and returns null to change nothing. After a change, no model replaces the text.
 */
async function changeRow(
  ctx: Context,
  id: number,
  expected: ExpectedVersions,
  changeFor: (row: CaptionRow) => Change | null,
): Promise<Caption> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await rowOf(ctx, id);
    if (expected && !expected.includes(row.version)) throw missedWrite(row, `caption ${id}`);
    const change = changeFor(row);
    if (change === null) return toCaption(row);
    const allowed = change.status ? [...sourcesOf(change.status), change.status] : [...EDITABLE_STATUSES];
    const isAsRead = and(eq(captions.id, id), eq(captions.version, row.version));
    const [changed] = await ctx.db
      .update(captions)
      .set({ ...change, modelDueAt: null, version: row.version + 1, updatedAt: ctx.now })
      .where(and(isAsRead, inArray(captions.status, allowed)))
      .returning();
    if (changed) return toCaption(changed);
  }
  throw new AppError("conflict", "The caption is being changed by other requests. Try again.");
}

function requireMove(from: CaptionStatus, to: CaptionStatus): void {
  const allowed = CAPTION_MOVES[from];
  if (allowed.includes(to)) return;
  const choice = allowed.length > 0 ? `Allowed: ${allowed.join(", ")}.` : `The status ${from} is final.`;
  const detail = `The caption is ${from} and cannot become ${to}. ${choice}`;
  throw new AppError("invalid_transition", detail, { details: { from, to, allowed } });
}

function requireFit(row: CaptionRow, { text = row.text, hashtags = row.hashtags }: CaptionChanges): void {
  const problem = limitProblem(row.platform, text, hashtags);
  if (problem === null) return;
  const path = text === row.text ? "hashtags" : "text";
  throw new AppError("validation_failed", `The caption ${problem}.`, { errors: [{ path, message: problem }] });
}
