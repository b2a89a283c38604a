import { and, eq, gt, inArray, lt } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { withinRate } from "../../context.ts";
import { streamMilestones, streamSessions } from "../../db/schema/stream.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import { errorFields, log } from "../../log.ts";
import type { Caption } from "./captions/schemas.ts";
import type { CaptionTopic } from "./captions/topic.ts";
import { writeCaptions } from "./captions/write.ts";
import type { MilestoneRow } from "./milestones/reached.ts";
import type { SessionRow } from "./session-change.ts";

/** Longer than a request needs to write its captions; after this time it has died. */
const MISSED_AFTER_MS = 5 * MINUTE_MS;
/** Too old to be announced. */
const STALE_MS = DAY_MS;
const BATCH_SIZE = 20;

/**
 * Writes the captions for a session that went live or ended and for reached milestones. The change itself is already
 * stored: captions that cannot be written now stay due, and the cron writes them.
 */
export async function writeAutomaticCaptions(
  ctx: Context,
  moved: SessionRow | null,
  milestones: readonly MilestoneRow[],
  /** The session if it is already loaded, also when its state did not change. */
  known: SessionRow | null = moved,
): Promise<Caption[]> {
  const due = milestones.filter(({ captionsDueSince }) => captionsDueSince);
  const sessions = await sessionsOf(ctx, due, known);
  const topics: CaptionTopic[] = due.map((milestone) => ({
    kind: "milestone",
    session: sessions.find(({ id }) => id === milestone.sessionId) ?? null,
    milestone,
  }));
  if (moved?.captionsDueSince) {
    topics.unshift({ kind: moved.state === "live" ? "go_live" : "end", session: moved, milestone: null });
  }
  return (await Promise.all(topics.map((topic) => writeAndMarkDone(ctx, topic)))).flat();
}

async function sessionsOf(
  ctx: Context,
  milestones: readonly MilestoneRow[],
  known: SessionRow | null,
): Promise<SessionRow[]> {
  const loaded = known ? [known] : [];
  const missing = milestones.flatMap(({ sessionId }) => sessionId ?? []).filter((id) => id !== known?.id);
  if (missing.length === 0) return loaded;
  return [...loaded, ...(await ctx.db.select().from(streamSessions).where(inArray(streamSessions.id, missing)))];
}

async function writeAndMarkDone(ctx: Context, topic: CaptionTopic): Promise<Caption[]> {
  try {
    // Reports are not rate-limited, but beyond the limit they no longer cost a model call.
    const withoutModel = !(await withinRate(ctx, "expensive"));
    const { data } = await writeCaptions(ctx, topic, { withoutModel, alsoWrite: clearDue(ctx, topic) });
    return data;
  } catch (error) {
    const about = { kind: topic.kind, sessionId: topic.session?.id, milestoneId: topic.milestone?.id };
    log("error", "captions_not_written", { requestId: ctx.requestId, ...about, ...errorFields(error) });
    return [];
  }
}

function clearDue(ctx: Context, { kind, session, milestone }: CaptionTopic) {
  const done = { captionsDueSince: null };
  if (milestone) return ctx.db.update(streamMilestones).set(done).where(eq(streamMilestones.id, milestone.id));
  // A stream that has ended meanwhile still needs its end captions.
  const state = kind === "go_live" ? "live" : "ended";
  return ctx.db
    .update(streamSessions)
    .set(done)
    .where(and(eq(streamSessions.id, session?.id ?? 0), eq(streamSessions.state, state)));
}

/** For the cron: captions that a request could not write. */
export async function writeMissedCaptions(ctx: Context): Promise<number> {
  const from = new Date(ctx.now.getTime() - STALE_MS);
  const until = new Date(ctx.now.getTime() - MISSED_AFTER_MS);
  const isMissed = (column: typeof streamSessions.captionsDueSince | typeof streamMilestones.captionsDueSince) =>
    and(gt(column, from), lt(column, until));
  const [sessions, milestones] = await ctx.db.batch([
    ctx.db.select().from(streamSessions).where(isMissed(streamSessions.captionsDueSince)).limit(BATCH_SIZE),
    ctx.db.select().from(streamMilestones).where(isMissed(streamMilestones.captionsDueSince)).limit(BATCH_SIZE),
  ]);
  let written = 0;
  for (const session of sessions) {
    if (!ctx.signal?.aborted) written += (await writeAutomaticCaptions(ctx, session, [])).length;
  }
  for (const milestone of milestones) {
    if (!ctx.signal?.aborted) written += (await writeAutomaticCaptions(ctx, null, [milestone])).length;
  }
  return written;
}
