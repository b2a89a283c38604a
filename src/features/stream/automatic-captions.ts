import { and, eq, gt, lt } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { withinRate } from "../../context.ts";
import { streamMilestones, streamSessions } from "../../db/schema/stream.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import { errorFields, log } from "../../log.ts";
import { type CaptionOrder, writeCaptions } from "./captions/write.ts";
import type { SessionRow } from "./session-change.ts";

type MilestoneRow = typeof streamMilestones.$inferSelect;
type Caption = Awaited<ReturnType<typeof writeCaptions>>[number];

/** Longer than a request takes to write its captions; later than this it has died. */
const GIVEN_UP_MS = 5 * MINUTE_MS;
/** News older than this is none. */
const STALE_MS = DAY_MS;
const AT_ONCE = 20;

/**
 * Writes the captions that a move and milestones call for. The change itself is done by then: when writing
 * fails, the captions stay owed and the cron writes them.
 */
export async function announce(
  ctx: Context,
  session: SessionRow | null,
  milestones: readonly MilestoneRow[],
): Promise<Caption[]> {
  const orders = [
    ...(session?.captionsOwedSince ? [sessionOrder(session)] : []),
    ...milestones.filter(({ captionsOwedSince }) => captionsOwedSince).map(milestoneOrder),
  ];
  const written = await Promise.all(orders.map((order) => fulfil(ctx, order)));
  return written.flat();
}

function sessionOrder({ id, state }: Pick<SessionRow, "id" | "state">): CaptionOrder {
  return { kind: state === "live" ? "go_live" : "end", sessionId: id, milestoneId: null };
}

function milestoneOrder({ id, sessionId }: MilestoneRow): CaptionOrder {
  return { kind: "milestone", sessionId, milestoneId: id };
}

async function fulfil(ctx: Context, order: CaptionOrder): Promise<Caption[]> {
  try {
    const captions = await writeCaptions(ctx, { ...order, withoutModel: !(await mayAskModel(ctx)) });
    await settle(ctx, order);
    return captions;
  } catch (error) {
    log("error", "captions_not_written", { requestId: ctx.requestId, ...order, ...errorFields(error) });
    return [];
  }
}

/** A report is never refused for being one of many, but a stranger's many do not each cost a model's answer. */
function mayAskModel(ctx: Context): Promise<boolean> {
  return withinRate(ctx, "expensive");
}

function settle(ctx: Context, { kind, sessionId, milestoneId }: CaptionOrder) {
  const settled = { captionsOwedSince: null };
  if (milestoneId !== null) {
    return ctx.db.update(streamMilestones).set(settled).where(eq(streamMilestones.id, milestoneId));
  }
  // A stream that has ended meanwhile owes its end captions, which these are not.
  const state = kind === "go_live" ? "live" : "ended";
  return ctx.db
    .update(streamSessions)
    .set(settled)
    .where(and(eq(streamSessions.id, sessionId ?? 0), eq(streamSessions.state, state)));
}

/** Writes what a request that died, or a writer in trouble, has left owed. */
export async function writeOwedCaptions(ctx: Context): Promise<number> {
  const from = new Date(ctx.now.getTime() - STALE_MS);
  const until = new Date(ctx.now.getTime() - GIVEN_UP_MS);
  const owed = <Column extends typeof streamSessions.captionsOwedSince | typeof streamMilestones.captionsOwedSince>(
    column: Column,
  ) => and(gt(column, from), lt(column, until));
  const [sessions, milestones] = await ctx.db.batch([
    ctx.db.select().from(streamSessions).where(owed(streamSessions.captionsOwedSince)).limit(AT_ONCE),
    ctx.db.select().from(streamMilestones).where(owed(streamMilestones.captionsOwedSince)).limit(AT_ONCE),
  ]);
  let written = (await announce(ctx, null, milestones)).length;
  for (const session of sessions) written += (await announce(ctx, session, [])).length;
  return written;
}
