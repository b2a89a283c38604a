import type { CaptionKind } from "../../lib/caption-kinds.ts";

/** A caption as it leaves, with what a platform may show beside it. */
export interface Post {
  captionId: number;
  kind: CaptionKind;
  /** The text with its hashtags, as it is to be read. */
  text: string;
  hashtags: readonly string[];
  format: "embed" | "plain";
  title: string | null;
  url: string | null;
  imageUrl: string | null;
  sessionId: number | null;
  milestoneId: number | null;
}

/** What became of a post. `uncertain`: it was sent, and whether it arrived is not known. */
export type Outcome =
  | { result: "posted"; url: string | null }
  | {
      result: "failed";
      error: string;
      uncertain: boolean;
      /** When the platform takes posts again. */
      retryAt?: Date;
      /** The platform refused the credential itself. */
      refused?: true;
    };

/** What became of a harmless call that shows whether a credential works. */
export type Check =
  | { result: "connected"; account: string | null }
  | { result: "refused"; error: string }
  | { result: "trouble"; error: string };

/** How long a call may take, and how much waiting a post has in it for a platform that asks to slow down. */
export interface SocialPace {
  callMs: number;
  /** All waits of one post together. */
  patienceMs: number;
  /** Between two looks at a picture that is being made ready. */
  pollMs: number;
  polls: number;
}

export const SOCIAL_PACE: SocialPace = { callMs: 10_000, patienceMs: 5_000, pollMs: 1_000, polls: 10 };
