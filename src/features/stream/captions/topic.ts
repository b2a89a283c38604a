import { desc, eq, inArray } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { streamMilestones, streamSessions } from "../../../db/schema/stream.ts";
import type { CaptionSubject } from "../../../engine/captions/writer.ts";
import type { CaptionKind } from "../../../lib/caption-kinds.ts";
import { AppError } from "../../../lib/errors.ts";
import { milestoneLabel } from "../../../lib/milestone-card.ts";

/** What a caption is about: its stream and, for a celebration, the milestone. */
export interface Subject extends CaptionSubject {
  /** One word for it, the same for every order about the same thing. */
  key: string;
  sessionId: number | null;
  milestoneId: number | null;
  thumbnailUrl: string | null;
}

type SessionRow = typeof streamSessions.$inferSelect;
type MilestoneRow = typeof streamMilestones.$inferSelect;

interface Wanted {
  kind: CaptionKind;
  sessionId: number | null;
  milestoneId: number | null;
}

export async function subjectOf(ctx: Context, wanted: Wanted): Promise<Subject> {
  if (wanted.kind !== "milestone") {
    const session = await sessionFor(ctx, wanted);
    return toSubject(`${wanted.kind} ${session.id}`, session, null);
  }
  if (wanted.milestoneId === null) throw missing("milestoneId", "is required for a milestone's captions");
  const [milestone] = await ctx.db.select().from(streamMilestones).where(eq(streamMilestones.id, wanted.milestoneId));
  if (!milestone) throw missing("milestoneId", "there is no such milestone");
  const sessionId = wanted.sessionId ?? milestone.sessionId;
  const session = sessionId === null ? null : await sessionFor(ctx, { ...wanted, sessionId });
  return toSubject(`milestone ${milestone.id}`, session, milestone);
}

async function sessionFor(ctx: Context, { kind, sessionId }: Wanted): Promise<SessionRow> {
  const sessions = ctx.db.select().from(streamSessions);
  const state = kind === "end" ? "ended" : "live";
  const [session] =
    sessionId === null
      ? await sessions.where(eq(streamSessions.state, state)).orderBy(desc(streamSessions.id)).limit(1)
      : await sessions.where(eq(streamSessions.id, sessionId));
  if (session) return session;
  throw missing(
    "sessionId",
    sessionId === null ? `no session is ${state}: name the one you mean` : "there is no such session",
  );
}

function missing(path: string, message: string): AppError {
  return new AppError("validation_failed", `${path}: ${message}.`, { errors: [{ path, message }] });
}

function toSubject(key: string, session: SessionRow | null, milestone: MilestoneRow | null): Subject {
  const { startedAt = null, endedAt = null } = session ?? {};
  return {
    key,
    sessionId: session?.id ?? null,
    milestoneId: milestone?.id ?? null,
    title: session?.title ?? null,
    url: session?.url ?? null,
    thumbnailUrl: session?.thumbnailUrl ?? null,
    peakViewers: session?.peakViewers ?? null,
    durationMs: startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : null,
    milestone: milestone && { label: labelOf(milestone), inOwnWords: milestone.label !== null },
  };
}

function labelOf({ label, metric, threshold }: MilestoneRow): string {
  return label ?? milestoneLabel(metric, threshold);
}

/** What is shown beside each of these captions. */
export async function shownBeside(
  ctx: Context,
  list: readonly { sessionId: number | null; milestoneId: number | null }[],
) {
  const idsOf = (ids: (number | null)[]) => [...new Set(ids.filter((id) => id !== null))];
  const [sessions, milestones] = await ctx.db.batch([
    ctx.db
      .select()
      .from(streamSessions)
      .where(inArray(streamSessions.id, idsOf(list.map(({ sessionId }) => sessionId)))),
    ctx.db
      .select()
      .from(streamMilestones)
      .where(inArray(streamMilestones.id, idsOf(list.map(({ milestoneId }) => milestoneId)))),
  ]);
  return (caption: { sessionId: number | null; milestoneId: number | null }) => {
    const session = sessions.find(({ id }) => id === caption.sessionId);
    const milestone = milestones.find(({ id }) => id === caption.milestoneId);
    return {
      title: milestone ? labelOf(milestone) : (session?.title ?? null),
      url: session?.url ?? null,
      imageUrl: session?.thumbnailUrl ?? null,
    };
  };
}
