import type { streamEvents } from "../../db/schema/stream.ts";
import { assertType } from "../../lib/cast.ts";
import { withIsoTimes } from "../../lib/iso-times.ts";
import type { StreamEvent, StreamSession } from "./schemas.ts";
import type { SessionRow } from "./session-change.ts";

export function toSession(row: SessionRow, now: Date): StreamSession {
  const { stateAt, reportedAt, captionsDueSince, ...shown } = row;
  return { ...withIsoTimes(shown), durationSeconds: durationOf(row, now) };
}

function durationOf({ startedAt, endedAt }: SessionRow, now: Date): number | null {
  if (!startedAt) return null;
  return Math.max(0, Math.round(((endedAt ?? now).getTime() - startedAt.getTime()) / 1000));
}

export function toStreamEvent(row: typeof streamEvents.$inferSelect): StreamEvent {
  return { ...withIsoTimes(row), data: assertType<StreamEvent["data"]>(row.data) };
}
