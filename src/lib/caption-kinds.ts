/** Where captions are posted. */
export const CAPTION_PLATFORMS = ["discord", "x", "instagram", "facebook", "webhook"] as const;
export type CaptionPlatform = (typeof CAPTION_PLATFORMS)[number];

export const CAPTION_KINDS = ["go_live", "milestone", "end"] as const;
export type CaptionKind = (typeof CAPTION_KINDS)[number];

export const CAPTION_STATUSES = ["pending", "approved", "skipped", "posting", "posted", "failed"] as const;
export type CaptionStatus = (typeof CAPTION_STATUSES)[number];

/** What may follow what. Every check, every answer and the description read this table. */
export const CAPTION_MOVES: Record<CaptionStatus, readonly CaptionStatus[]> = {
  pending: ["approved", "skipped"],
  approved: ["posting", "skipped"],
  posting: ["posted", "failed"],
  failed: ["approved"],
  skipped: ["pending"],
  posted: [],
};

/** The text of a caption can change while nobody has begun to post it. */
export const EDITABLE_STATUSES: readonly CaptionStatus[] = ["pending", "approved", "failed"];

export function canMove(from: CaptionStatus, to: CaptionStatus): boolean {
  return CAPTION_MOVES[from].includes(to);
}

/** The states from which a caption may come to this one. */
export function sourcesOf(to: CaptionStatus): CaptionStatus[] {
  return CAPTION_STATUSES.filter((from) => canMove(from, to));
}

/** The table as the description prints it. */
export const CAPTION_MOVES_TEXT = Object.entries(CAPTION_MOVES)
  .map(([from, to]) => `${from} → ${to.join(" | ") || "(final)"}`)
  .join("; ");

/** How a caption speaks. */
export const TONES = ["professional", "friendly", "hype", "mixed"] as const;
export type Tone = (typeof TONES)[number];

/** Whether a platform that can show a card gets one. */
export const FORMATS = ["embed", "plain"] as const;

/** What a credential can be for: the places captions go, and the one the stream's state is read from. */
export const CREDENTIAL_PLATFORMS = ["youtube", "discord", "x", "facebook", "instagram", "webhook"] as const;
export type CredentialPlatform = (typeof CREDENTIAL_PLATFORMS)[number];

/** Saved but never tried, accepted by the platform, refused by it. */
export const CREDENTIAL_STATUSES = ["unverified", "connected", "invalid"] as const;
export type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number];

export interface Voice {
  tone: Tone;
  customPrompt: string;
  hashtags: readonly string[];
  callToAction: string;
}
