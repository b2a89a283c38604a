import { desc, eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { streamMilestones, streamSessions } from "../../../db/schema/stream.ts";
import type { CaptionKind } from "../../../lib/caption-kinds.ts";
import { type AppError, validationFailed } from "../../../lib/errors.ts";
import { milestoneLabel } from "../../../lib/milestone-card.ts";
import type { MilestoneRow } from "../milestones/reached.ts";
import type { SessionRow } from "../session-change.ts";
import type { NewCaptions } from "./schemas.ts";
import type { CaptionFacts } from "./writer.ts";

/** What captions are written about: a stream that starts or ends, or a milestone and the stream that reached it. */
export type CaptionTopic =
  | { kind: Exclude<CaptionKind, "milestone">; session: SessionRow; milestone: null }
  | { kind: "milestone"; session: SessionRow | null; milestone: MilestoneRow };

/** Identifies the topic: each platform has one caption per topic. */
export function topicKey({ kind, session, milestone }: CaptionTopic): string {
  return `${kind} ${milestone?.id ?? session?.id}`;
}

export function factsOf({ session, milestone }: CaptionTopic): CaptionFacts {
  const { startedAt, endedAt } = session ?? {};
  return {
    title: session?.title ?? null,
    url: session?.url ?? null,
    peakViewers: session?.peakViewers ?? null,
    durationMs: startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : null,
    milestone: milestone && {
      label: milestone.label ?? milestoneLabel(milestone.metric, milestone.threshold),
      isCustom: milestone.label !== null,
    },
  };
}

type TopicIds = Pick<NewCaptions, "kind" | "sessionId" | "milestoneId">;

export async function loadTopic(ctx: Context, { kind, sessionId, milestoneId }: TopicIds): Promise<CaptionTopic> {
  if (kind !== "milestone") return { kind, session: await loadSession(ctx, kind, sessionId), milestone: null };
  if (milestoneId === undefined) {
    throw validationFailed({ path: "milestoneId", message: "is required for captions about a milestone" });
  }
  const isMilestone = eq(streamMilestones.id, milestoneId);
  const own = ctx.db.select({ id: streamMilestones.sessionId }).from(streamMilestones).where(isMilestone);
  const [[milestone], [session = null]] = await ctx.db.batch([
    ctx.db.select().from(streamMilestones).where(isMilestone),
    ctx.db
      .select()
      .from(streamSessions)
      .where(eq(streamSessions.id, sessionId ?? sql`(${own})`)),
  ]);
  if (!milestone) throw validationFailed({ path: "milestoneId", message: `there is no milestone ${milestoneId}` });
  if (sessionId !== undefined && !session) throw noSession(sessionId);
  return { kind, milestone, session };
}

async function loadSession(ctx: Context, kind: CaptionKind, sessionId: number | undefined): Promise<SessionRow> {
  const sessions = ctx.db.select().from(streamSessions);
  const state = kind === "end" ? "ended" : "live";
  const [session] =
    sessionId === undefined
      ? await sessions.where(eq(streamSessions.state, state)).orderBy(desc(streamSessions.id)).limit(1)
      : await sessions.where(eq(streamSessions.id, sessionId));
  if (session) return session;
  if (sessionId !== undefined) throw noSession(sessionId);
  throw validationFailed({ path: "sessionId", message: `is required because no session is ${state}` });
}

function noSession(id: number): AppError {
  return validationFailed({ path: "sessionId", message: `there is no session ${id}` });
}
