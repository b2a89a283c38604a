import type { captions } from "../../../db/schema/stream-captions.ts";
import { withIsoTimes } from "../../../lib/iso-times.ts";
import type { Caption } from "./schemas.ts";

export type CaptionRow = typeof captions.$inferSelect;

export function toCaption({ topic, claimedAt, modelDueAt, modelAttempts, ...shown }: CaptionRow): Caption {
  return withIsoTimes(shown);
}
