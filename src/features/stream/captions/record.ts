import type { captions } from "../../../db/schema/stream-captions.ts";
import type { Caption } from "./schemas.ts";

export type CaptionRow = typeof captions.$inferSelect;

export function toCaption(row: CaptionRow): Caption {
  return {
    id: row.id,
    sessionId: row.sessionId,
    milestoneId: row.milestoneId,
    kind: row.kind,
    platform: row.platform,
    text: row.text,
    hashtags: row.hashtags,
    status: row.status,
    uncertain: row.uncertain,
    postUrl: row.postUrl,
    error: row.error,
    retryAt: row.retryAt?.toISOString() ?? null,
    attempts: row.attempts,
    engine: row.engine,
    postedAt: row.postedAt?.toISOString() ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
