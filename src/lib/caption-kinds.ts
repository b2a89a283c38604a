export const CAPTION_PLATFORMS = ["discord", "x", "instagram", "facebook", "webhook"] as const;
export type CaptionPlatform = (typeof CAPTION_PLATFORMS)[number];

export const CAPTION_KINDS = ["go_live", "milestone", "end"] as const;
export type CaptionKind = (typeof CAPTION_KINDS)[number];

export const CAPTION_STATUSES = ["pending", "approved", "skipped", "posting", "posted", "failed"] as const;
export type CaptionStatus = (typeof CAPTION_STATUSES)[number];

/** The statuses that may follow each status. */
export const CAPTION_MOVES: Record<CaptionStatus, readonly CaptionStatus[]> = {
  pending: ["approved", "skipped"],
  approved: ["posting", "skipped"],
  posting: ["posted", "failed"],
  failed: ["approved"],
  skipped: ["pending"],
  posted: [],
};

export const EDITABLE_STATUSES: readonly CaptionStatus[] = ["pending", "approved", "failed"];

export function canMove(from: CaptionStatus, to: CaptionStatus): boolean {
  return CAPTION_MOVES[from].includes(to);
}

/** The statuses from which a caption may move to this one. */
export function sourcesOf(to: CaptionStatus): CaptionStatus[] {
  return CAPTION_STATUSES.filter((from) => canMove(from, to));
}

/** For the API description. */
export const CAPTION_MOVES_TEXT = Object.entries(CAPTION_MOVES)
  .map(([from, to]) => `${from} → ${to.join(" | ") || "(final)"}`)
  .join("; ");

export const TONES = ["professional", "friendly", "hype", "mixed"] as const;
export type Tone = (typeof TONES)[number];

export const FORMATS = ["embed", "plain"] as const;

/** The platforms captions are posted to, and YouTube, where the stream's state is read. */
export const CREDENTIAL_PLATFORMS = ["youtube", "discord", "x", "facebook", "instagram", "webhook"] as const;
export type CredentialPlatform = (typeof CREDENTIAL_PLATFORMS)[number];

/** Saved but never tested, accepted by the platform, refused by the platform. */
export const CREDENTIAL_STATUSES = ["unverified", "connected", "invalid"] as const;

export interface Voice {
  tone: Tone;
  customPrompt: string;
  hashtags: readonly string[];
  callToAction: string;
}
