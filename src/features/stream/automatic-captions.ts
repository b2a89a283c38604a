import { and, eq, inArray, isNotNull, lt } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { withinRate } from "../../context.ts";
import { streamMilestones, streamSessions } from "../../db/schema/stream.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { errorFields, log } from "../../log.ts";
import { isAnyModelConfigured } from "../ai-models/model.ts";
import { rewriteOverdue, sendToModel } from "./captions/rewrite.ts";
import type { Caption } from "./captions/schemas.ts";
import type { CaptionTopic } from "./captions/topic.ts";
import { writeCaptionsAtOnce } from "./captions/write.ts";
import type { MilestoneRow } from "./milestones/reached.ts";
import type { SessionRow } from "./session-change.ts";

/** Too old to be announced. */
const STALE_MS = DAY_MS;
const BATCH_SIZE = 20;

/**
 * Writes the captions for a session that went live or ended and for reached milestones, with the built-in writer, and has
 * a model write them anew in the background. The change itself is already stored: captions that cannot be written now
 * stay due, and the cron writes them.
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
  if (topics.length === 0) return [];
  const hasModel = await isAnyModelConfigured(ctx);
  return (await Promise.all(topics.map((topic) => writeAndMarkDone(ctx, topic, hasModel)))).flat();
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

async function writeAndMarkDone(ctx: Context, topic: CaptionTopic, hasModel: boolean): Promise<Caption[]> {
  try {
    // Reports are not rate-limited, but beyond the limit they no longer cost a model call.
    const owesModel = hasModel && (await withinRate(ctx, "expensive"));
    const { data, written } = await writeCaptionsAtOnce(ctx, topic, { owesModel, alsoWrite: clearDue(ctx, topic) });
    if (owesModel && written > 0) sendToModel(ctx, topic);
    return data;
  } catch (error) {
    const about = { kind: topic.kind, sessionId: topic.session?.id, milestoneId: topic.milestone?.id };
    log("error", "captions_not_written", { requestId: ctx.requestId, ...about, ...errorFields(error) });
    return [];
  }
}

const DONE = { captionsDueSince: null };

function clearDue(ctx: Context, { kind, session, milestone }: CaptionTopic) {
  if (milestone) return ctx.db.update(streamMilestones).set(DONE).where(eq(streamMilestones.id, milestone.id));
  // A stream that has ended meanwhile still needs its end captions.
  const state = kind === "go_live" ? "live" : "ended";
  return ctx.db
    .update(streamSessions)
    .set(DONE)
    .where(and(eq(streamSessions.id, session?.id ?? 0), eq(streamSessions.state, state)));
}

/**
 * For the cron: captions that a request could not write, and those that still wait for a model. What is too old to be
 * announced is no longer due. Returns for how many sessions and milestones some were written.
 */
export async function writeMissedCaptions(ctx: Context): Promise<number> {
  const oldest = new Date(ctx.now.getTime() - STALE_MS);
  const [, , sessions, milestones] = await ctx.db.batch([
    ctx.db.update(streamSessions).set(DONE).where(lt(streamSessions.captionsDueSince, oldest)),
    ctx.db.update(streamMilestones).set(DONE).where(lt(streamMilestones.captionsDueSince, oldest)),
    ctx.db.select().from(streamSessions).where(isNotNull(streamSessions.captionsDueSince)).limit(BATCH_SIZE),
    ctx.db.select().from(streamMilestones).where(isNotNull(streamMilestones.captionsDueSince)).limit(BATCH_SIZE),
  ]);
  for (const session of sessions) {
    if (!ctx.signal?.aborted) await writeAutomaticCaptions(ctx, session, []);
  }
  for (const milestone of milestones) {
    if (!ctx.signal?.aborted) await writeAutomaticCaptions(ctx, null, [milestone]);
  }
  await rewriteOverdue(ctx);
  return sessions.length + milestones.length;
}
