import type { streamSessions } from "../../db/schema/stream.ts";
import { AppError } from "../../lib/errors.ts";
import { maySessionMove, SESSION_MOVES, type SessionOrigin, type SessionState } from "../../lib/stream-session.ts";
import type { Report } from "./schemas.ts";

export type SessionRow = typeof streamSessions.$inferSelect;

/** The sessions of the report's platform that it can be about. */
export interface Candidates {
  /** The one of the report's `externalId`. */
  named?: SessionRow;
  live?: SessionRow;
  /** The plan that comes first, and the one whose `externalId` nobody has told. */
  plan?: SessionRow;
  unnamedPlan?: SessionRow;
  /** The one that ended or was cancelled last, and the one that last went on air or off it. */
  over?: SessionRow;
  aired?: SessionRow;
}

export type Decision =
  | { kind: "start"; to: SessionState }
  | { kind: "move"; session: SessionRow; to: SessionState }
  /** The state stays; what else the report tells is kept. */
  | { kind: "note"; session: SessionRow | null }
  /** Older than what is known: only a peak it raises is kept. */
  | { kind: "late"; session: SessionRow | null };

type Known = Pick<Report, "platform" | "state" | "externalId"> & { at: Date };

/** What a report does to which session; throws when the table of moves forbids it. */
export function decide(report: Known, candidates: Candidates): Decision {
  const session = subjectOf(report, candidates);
  if (session) return decideKnown(report, session, candidates);
  const { state: to, externalId, at } = report;
  if (to === undefined) {
    if (externalId === undefined) return { kind: "note", session: null };
    const detail = `There is no ${report.platform} session with the externalId ${externalId}. Its \`state\` starts one.`;
    throw new AppError("not_found", detail);
  }
  if (!maySessionMove("none", to)) throw illegalMove("none", to);
  // What was last on the platform is only what a report without a name can have meant.
  const last = to === "live" ? candidates.aired : unlessNamed(externalId, candidates.over);
  if (isBefore(at, last)) return { kind: "late", session: unlessNamed(externalId, last) ?? null };
  if (to === "live" && candidates.live) throw alreadyLive(candidates.live);
  return { kind: "start", to };
}

/** Without an `externalId` a report is about what is on now, or else comes next, or else was last. */
function subjectOf({ state, externalId }: Known, found: Candidates): SessionRow | undefined {
  if (externalId !== undefined) return found.named ?? adoptable(state, found);
  switch (state) {
    case "ended":
      return found.live ?? (found.over?.state === "ended" ? found.over : (found.plan ?? found.over));
    case "cancelled":
      return found.plan ?? found.live ?? found.over;
    case "scheduled":
      return found.plan ?? found.live;
    default:
      return found.live ?? found.plan;
  }
}

/** The session a report is, or was, about. */
export function aboutOf(report: Known, candidates: Candidates): SessionRow | undefined {
  return subjectOf(report, candidates) ?? candidates.over;
}

/** An `externalId` nobody knows is that of the open session that has none yet, if there is one. */
function adoptable(state: SessionState | undefined, { live, unnamedPlan }: Candidates): SessionRow | undefined {
  if (state !== "scheduled" && live && live.externalId === null) return live;
  return state === "ended" ? undefined : unnamedPlan;
}

function decideKnown(report: Known, session: SessionRow, { named, live }: Candidates): Decision {
  const { state: to, at } = report;
  // The platform may say when a stream began only after we heard of the plan: by its name, that is no disorder.
  const isLateStart = named !== undefined && session.state === "scheduled" && to === "live";
  if (isBefore(at, session) && !isLateStart) return { kind: "late", session };
  if (to === undefined || to === session.state) return { kind: "note", session };
  if (!maySessionMove(session.state, to)) throw illegalMove(session.state, to);
  if (to === "live" && live) throw alreadyLive(live);
  return { kind: "move", session, to };
}

function unlessNamed(externalId: string | undefined, session: SessionRow | undefined): SessionRow | undefined {
  return externalId === undefined ? session : undefined;
}

function isBefore(at: Date, session: SessionRow | undefined): boolean {
  return session !== undefined && at < session.stateAt;
}

function illegalMove(from: SessionOrigin, to: SessionState): AppError {
  const allowed = SESSION_MOVES[from];
  const subject =
    from === "none" ? "No such session is known, and none can begin as" : `The session is ${from} and cannot become`;
  const choice = allowed.length > 0 ? `Possible: ${allowed.join(", ")}.` : "That state is final.";
  return new AppError("invalid_transition", `${subject} ${to}. ${choice}`, { details: { from, to, allowed } });
}

function alreadyLive({ id, platform, externalId }: SessionRow): AppError {
  const name = externalId === null ? `session ${id}` : `session ${id} (${externalId})`;
  const detail = `${platform} is live already with ${name}. Report that one as ended first.`;
  return new AppError("stream_already_live", detail, { details: { liveSessionId: id, liveExternalId: externalId } });
}
