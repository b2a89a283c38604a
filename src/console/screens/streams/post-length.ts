import type { CaptionPlatform } from "./data.ts";

/* How long a post is as its platform counts it. The API decides; this only tells while one types. */

export const LIMITS: Record<CaptionPlatform, number> = {
  x: 280,
  discord: 2000,
  instagram: 2200,
  facebook: 63_206,
  webhook: 10_000,
};

/** X counts a link as 23, and what is not Latin, Greek, Cyrillic or alike as two. */
const LINK =
  /(?<![\p{L}\p{N}@#_./-])(?:https?:\/\/|(?=[a-z0-9-]+\.(?:com|org|net|app|dev|live|tv|[a-z]{2})(?![\p{L}\p{N}])))[^\s<>"“”]+/giu;
const TRAILING = /(?<![.,:;!?'")\]}…])[.,:;!?'")\]}…]+$/u;
const LINK_WEIGHT = 23;
const EMOJI =
  /\p{Extended_Pictographic}(?:\u200D\p{Extended_Pictographic}|[\uFE0F\u{1F3FB}-\u{1F3FF}])*|\p{RI}\p{RI}/gu;
const HEAVY = /[\u1100-\u1FFF\u200E\u200F\u2020-\u2031\u2038-\u{10FFFF}]/u;

function weightedLength(text: string): number {
  let weight = 0;
  const words = text.normalize("NFC").replace(LINK, (link) => {
    weight += LINK_WEIGHT;
    return TRAILING.exec(link)?.[0] ?? "";
  });
  const letters = words.replace(EMOJI, () => {
    weight += 2;
    return "";
  });
  for (const letter of letters) weight += HEAVY.test(letter) ? 2 : 1;
  return weight;
}

export function lengthOf(platform: CaptionPlatform, text: string, hashtags: readonly string[]): number {
  const post = hashtags.length === 0 ? text : `${text}\n\n${hashtags.map((tag) => `#${tag}`).join(" ")}`;
  return platform === "x" ? weightedLength(post) : [...post].length;
}

/** "#live, coding" → live, coding */
export function hashtagsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).map((word) => word.replace(/^#+/, "")))].filter(Boolean);
}
