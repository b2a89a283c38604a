import type { streamSessions } from "../../db/schema/stream.ts";
import { AppError } from "../../lib/errors.ts";
import { maySessionMove, SESSION_MOVES, type SessionOrigin, type SessionState } from "../../lib/stream-session.ts";
import type { Report } from "./schemas.ts";

export type SessionRow = typeof streamSessions.$inferSelect;

/** The sessions of the report's platform that it can be about. */
export interface Candidates {
  /** The session with the report's `externalId`. */
  named?: SessionRow;
  live?: SessionRow;
  nextScheduled?: SessionRow;
  /** A scheduled session without an `externalId`. */
  unnamedScheduled?: SessionRow;
  /** The last one that ended or was cancelled. */
  lastFinished?: SessionRow;
  /** The last one that went live or ended. */
  lastAired?: SessionRow;
}

/** What a report changes. */
export type SessionChange =
  | { kind: "start"; to: SessionState }
  | { kind: "move"; session: SessionRow; to: SessionState }
  /** The state stays; counts and details are updated. */
  | { kind: "update"; session: SessionRow | null }
  /** The report is older than the session's state: it can only raise the peak. */
  | { kind: "stale"; session: SessionRow | null };

type ReportedState = Pick<Report, "platform" | "state" | "externalId"> & { at: Date };

/** Throws if the session cannot move to the reported state. */
export function planSessionChange(report: ReportedState, candidates: Candidates): SessionChange {
  const session = reportedSession(report, candidates);
  if (session) return changeOf(report, session, candidates);
  const { state: to, externalId, at } = report;
  if (to === undefined) {
    if (externalId === undefined) return { kind: "update", session: null };
    const detail = `There is no ${report.platform} session with the externalId ${externalId}. Report a state to start one.`;
    throw new AppError("not_found", detail);
  }
  if (!maySessionMove("none", to)) throw invalidMove("none", to);
  // Without an externalId the report may be about the last session; with one it is about a new session.
  const lastUnnamed = externalId === undefined ? candidates.lastFinished : undefined;
  const last = to === "live" ? candidates.lastAired : lastUnnamed;
  if (isBefore(at, last)) return { kind: "stale", session: (externalId === undefined && last) || null };
  if (to === "live" && candidates.live) throw alreadyLive(candidates.live);
  return { kind: "start", to };
}

/** Without an `externalId` a report is about the live session, otherwise the next one, otherwise the last one. */
function reportedSession({ state, externalId }: ReportedState, found: Candidates): SessionRow | undefined {
  if (externalId !== undefined) return found.named ?? unnamedSession(state, found);
  const { live, nextScheduled, lastFinished } = found;
  switch (state) {
    case "ended":
      return live ?? (lastFinished?.state === "ended" ? lastFinished : (nextScheduled ?? lastFinished));
    case "cancelled":
      return nextScheduled ?? live ?? lastFinished;
    case "scheduled":
      return nextScheduled ?? live;
    default:
      return live ?? nextScheduled;
  }
}

/** The session that a repeated report was about. */
export function sessionOfRepeated(report: ReportedState, candidates: Candidates): SessionRow | undefined {
  return reportedSession(report, candidates) ?? candidates.lastFinished;
}

/** An unknown `externalId` is given to the open session that has none yet, if there is one. */
function unnamedSession(state: SessionState | undefined, found: Candidates): SessionRow | undefined {
  if (state !== "scheduled" && found.live && found.live.externalId === null) return found.live;
  return state === "ended" ? undefined : found.unnamedScheduled;
}

function changeOf(report: ReportedState, session: SessionRow, { named, live }: Candidates): SessionChange {
  const { state: to, at } = report;
  // A platform may tell the real start after the stream was scheduled here: that is no report out of order.
  const isLateStart = named !== undefined && session.state === "scheduled" && to === "live";
  if (isBefore(at, session) && !isLateStart) return { kind: "stale", session };
  if (to === undefined || to === session.state) return { kind: "update", session };
  if (!maySessionMove(session.state, to)) throw invalidMove(session.state, to);
  if (to === "live" && live) throw alreadyLive(live);
  return { kind: "move", session, to };
}

function isBefore(at: Date, session: SessionRow | undefined): boolean {
  return session !== undefined && at < session.stateAt;
}

function invalidMove(from: SessionOrigin, to: SessionState): AppError {
  const allowed = SESSION_MOVES[from];
  const problem =
    from === "none" ? `A new session cannot start as ${to}.` : `The session is ${from} and cannot become ${to}.`;
  const choice = allowed.length > 0 ? `Allowed: ${allowed.join(", ")}.` : `The state ${from} is final.`;
  return new AppError("invalid_transition", `${problem} ${choice}`, { details: { from, to, allowed } });
}

function alreadyLive({ id, platform, externalId }: SessionRow): AppError {
  const name = externalId === null ? `session ${id}` : `session ${id} (${externalId})`;
  const detail = `${platform} is already live with ${name}. Report that session as ended first.`;
  const details = { liveSessionId: id, liveExternalId: externalId };
  return new AppError("stream_already_live", detail, { details, readBy: "stream:read" });
}
