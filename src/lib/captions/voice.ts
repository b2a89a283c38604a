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
