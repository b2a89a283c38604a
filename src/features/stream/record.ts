import type { streamEvents } from "../../db/schema/stream.ts";
import { assertType } from "../../lib/cast.ts";
import type { StreamEvent, StreamSession } from "./schemas.ts";
import type { SessionRow } from "./session-change.ts";

export function toSession(row: SessionRow, now: Date): StreamSession {
  return {
    id: row.id,
    platform: row.platform,
    externalId: row.externalId,
    title: row.title,
    url: row.url,
    thumbnailUrl: row.thumbnailUrl,
    state: row.state,
    scheduledFor: row.scheduledFor?.toISOString() ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    durationSeconds: durationOf(row, now),
    viewers: row.viewers,
    peakViewers: row.peakViewers,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function durationOf({ startedAt, endedAt }: SessionRow, now: Date): number | null {
  if (!startedAt) return null;
  return Math.max(0, Math.round(((endedAt ?? now).getTime() - startedAt.getTime()) / 1000));
}

export function toStreamEvent({ id, type, at, data }: typeof streamEvents.$inferSelect): StreamEvent {
  return { id, type, at: at.toISOString(), data: assertType<StreamEvent["data"]>(data) };
}
