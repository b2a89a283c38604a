/*
 * The length of a post as X counts it: the published rules of twitter-text, configuration version 3.
 * Code points in these ranges count one, all others two; a link counts 23 whatever its length, and an
 * emoji two whatever its code points. The text is counted in its composed form (NFC).
 */
const LIGHT_RANGES = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
] as const;
const LINK_WEIGHT = 23;
const EMOJI_WEIGHT = 2;
const HEAVY = 2;

// In a variable, because the compiler's target does not know the flag `v`; the runtime does.
const WITH_SEQUENCES = "gv";
const EMOJI = new RegExp("\\p{RGI_Emoji}|[#*0-9]\\u{20E3}", WITH_SEQUENCES);

/** Common top-level domains that X links even without `https://`; any two letters are a country code. */
const ENDINGS =
  "com|org|net|edu|gov|info|biz|app|dev|blog|live|stream|studio|shop|store|online|site|tech|club|games|game|video|media|link|page|news|art|fun|xyz|pro|top|world|show|fm|[a-z]{2}";
const LINK = new RegExp(
  [
    // Not inside a word, mention, hashtag or address.
    "(?<![\\p{L}\\p{N}@#$_./-])",
    "(?:",
    "https?:\\/\\/(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?\\.)+(?:xn--[a-z0-9-]+|\\p{L}{2,})",
    "|",
    `(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+(?:${ENDINGS})(?![\\p{L}\\p{N}@-])`,
    ")",
    "(?::\\d+)?",
    '(?:[/?#][^\\s<>"“”\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]*)?',
  ].join(""),
  "giu",
);
/** Maximum length of a DNS label. */
const LABEL_CHARACTERS = 63;
const TRAILING = /(?<![.,:;!?'")\]}…])[.,:;!?'")\]}…]+$/u;

/** The positions of links, without the punctuation that ends a sentence. */
function linkRanges(text: string): { start: number; end: number }[] {
  return [...text.matchAll(LINK)].flatMap(({ 0: found, index }) => {
    const link = withoutTrailing(found);
    return isNamed(link) ? [{ start: index, end: index + link.length }] : [];
  });
}

function isNamed(link: string): boolean {
  const url = /^https?:/i.test(link) ? link : `https://${link}`;
  return URL.canParse(url) && new URL(url).hostname.split(".").every((label) => label.length <= LABEL_CHARACTERS);
}

export function linksIn(text: string): string[] {
  return linkRanges(text).map(({ start, end }) => text.slice(start, end));
}

/** A closing bracket belongs to the link if the link opens it. */
function withoutTrailing(link: string): string {
  const tail = TRAILING.exec(link)?.[0] ?? "";
  const bare = link.slice(0, link.length - tail.length);
  const opened = bare.split("(").length > bare.split(")").length;
  return opened && tail.startsWith(")") ? `${bare})` : bare;
}

export function weightedLength(text: string): number {
  const composed = text.normalize("NFC");
  let weight = 0;
  let position = 0;
  for (const { start, end } of linkRanges(composed)) {
    weight += weightOfWords(composed.slice(position, start)) + LINK_WEIGHT;
    position = end;
  }
  return weight + weightOfWords(composed.slice(position));
}

function weightOfWords(text: string): number {
  let weight = 0;
  let position = 0;
  for (const { 0: emoji, index } of text.matchAll(EMOJI)) {
    weight += weightOfPoints(text.slice(position, index)) + EMOJI_WEIGHT;
    position = index + emoji.length;
  }
  return weight + weightOfPoints(text.slice(position));
}

function weightOfPoints(text: string): number {
  let weight = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    weight += LIGHT_RANGES.some(([from, to]) => point >= from && point <= to) ? 1 : HEAVY;
  }
  return weight;
}
