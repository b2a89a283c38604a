import type { CaptionPlatform } from "./caption-kinds.ts";
import { countCharacters } from "./text.ts";
import { weightedLength } from "./weighted-length.ts";

interface Limits {
  characters: number;
  hashtags: number;
  lengthOf(text: string): number;
}

/** A webhook has no limit of its own; this one keeps posts reasonable. */
export const CAPTION_LIMITS: Record<CaptionPlatform, Limits> = {
  x: { characters: 280, hashtags: 30, lengthOf: weightedLength },
  discord: { characters: 2_000, hashtags: 30, lengthOf: countCharacters },
  instagram: { characters: 2_200, hashtags: 30, lengthOf: countCharacters },
  facebook: { characters: 63_206, hashtags: 30, lengthOf: countCharacters },
  webhook: { characters: 10_000, hashtags: 30, lengthOf: countCharacters },
};

export const MAX_HASHTAGS = 30;
export const MAX_CAPTION_CHARACTERS = 63_206;
const MAX_HASHTAG_CHARACTERS = 100;

/** `#Live Coding!` → `LiveCoding`; null if no valid hashtag is left. */
export function normaliseHashtag(text: string): string | null {
  const word = text.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}_]/gu, "");
  if (!/\p{L}/u.test(word) || countCharacters(word) > MAX_HASHTAG_CHARACTERS) return null;
  return word;
}

/** Ignores case. */
export function uniqueHashtags(list: readonly string[]): string[] {
  const seen = new Set<string>();
  return list.flatMap((text) => {
    const tag = normaliseHashtag(text);
    if (tag === null || seen.has(tag.toLowerCase())) return [];
    seen.add(tag.toLowerCase());
    return [tag];
  });
}

/** The post as it is sent: the text, then the hashtags on their own line. */
export function composePost(text: string, hashtags: readonly string[]): string {
  if (hashtags.length === 0) return text;
  return `${text}\n\n${hashtags.map((tag) => `#${tag}`).join(" ")}`;
}

/** Why the platform would refuse this post, or null. */
export function limitProblem(platform: CaptionPlatform, text: string, hashtags: readonly string[]): string | null {
  const limits = CAPTION_LIMITS[platform];
  const post = composePost(text, hashtags);
  const length = limits.lengthOf(post);
  if (length > limits.characters) {
    return `has ${length} characters with its hashtags, as ${platform} counts them; at most ${limits.characters} fit`;
  }
  const tags = post.match(/#[\p{L}\p{N}_]+/gu)?.length ?? 0;
  if (tags > limits.hashtags) return `has ${tags} hashtags; ${platform} takes at most ${limits.hashtags}`;
  return null;
}

export function fits(platform: CaptionPlatform, text: string, hashtags: readonly string[]): boolean {
  return limitProblem(platform, text, hashtags) === null;
}
