import { CAPTION_LIMITS, composePost } from "../../../lib/caption-limits.ts";
import type { CaptionPlatform } from "./data.ts";

/** How long a post is as its platform counts it, and how long it may be: said while one types. The API decides. */
export function lengthOf(platform: CaptionPlatform, text: string, hashtags: readonly string[]) {
  const { characters: most, lengthOf: count } = CAPTION_LIMITS[platform];
  return { length: count(composePost(text, hashtags)), most };
}

/** "#live, coding" → live, coding */
export function hashtagsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).map((word) => word.replace(/^#+/, "")))].filter(Boolean);
}
