import type { CaptionKind } from "../../lib/caption-kinds.ts";

/** A caption to post, with what the platform may show beside the text. */
export interface Post {
  captionId: number;
  kind: CaptionKind;
  /** The text with its hashtags. */
  text: string;
  hashtags: readonly string[];
  format: "embed" | "plain";
  title: string | null;
  url: string | null;
  imageUrl: string | null;
  sessionId: number | null;
  milestoneId: number | null;
}

export type PostResult =
  | { result: "posted"; url: string | null }
  | {
      result: "failed";
      error: string;
      /** The post was sent, but it is unknown whether it exists. */
      uncertain: boolean;
      /** When the platform accepts posts again. */
      retryAt?: Date;
      isCredentialRefused?: true;
    };

/** The result of a harmless call that tests a credential. */
export type CredentialCheck =
  | { result: "connected"; account: string | null }
  | { result: "refused"; error: string }
  | { result: "unavailable"; error: string };

export interface SocialTimeouts {
  callMs: number;
  /** How long one post may wait in total for a platform that limits the rate. */
  maxWaitMs: number;
  /** Between two checks whether an image is processed. */
  pollMs: number;
  polls: number;
  /** Called before a request that creates a post leaves, and with false once the platform has refused it. */
  onPublish?(mayExist: boolean): void;
}

export const SOCIAL_TIMEOUTS: SocialTimeouts = { callMs: 10_000, maxWaitMs: 5_000, pollMs: 1_000, polls: 10 };
