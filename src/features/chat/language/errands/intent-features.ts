import { MONTHS, WEEKDAYS } from "../../../../engine/dates/vocabulary.ts";

const MAX_CHARACTERS = 400;
const MAX_WORDS = 40;

/** The words of a message, with one word for all numbers, one for all weekdays, one for all months. */
function messageWords(message: string): string[] {
  const text = message
    .slice(0, MAX_CHARACTERS)
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/\bto[- ]dos?\b/g, "todo")
    .replace(/\btime zone/g, "timezone");
  const found = text.match(/[a-z][a-z']*|\d+|\?/g) ?? [];
  return found.slice(0, MAX_WORDS).map((word) => {
    if (word.charCodeAt(0) < 58) return "0";
    const plain = word.replace(/'s$/, "");
    if (WEEKDAYS.has(plain) && plain.length > 3) return "$weekday";
    return MONTHS.has(plain) && plain.length > 3 ? "$month" : word;
  });
}

/** The features of a message: words, pairs of words, how it begins and ends, and its length. */
export function messageFeatures(message: string): string[] {
  const words = messageWords(message).filter((word) => word !== "?");
  const features = new Set<string>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const next = words[at + 1];
    features.add(word);
    if (word.length > 5) features.add(`${word.slice(0, 5)}-`);
    if (next !== undefined) features.add(`${word} ${next}`);
    const third = words[at + 2];
    if (third !== undefined) features.add(`${word} * ${third}`);
  }
  features.add(`^${words[0] ?? ""}`);
  features.add(`^${words[0] ?? ""} ${words[1] ?? ""}`);
  features.add(`$${words.at(-1) ?? ""}`);
  features.add(`#${words.length < 3 ? "tiny" : words.length < 6 ? "short" : words.length < 12 ? "middle" : "long"}`);
  return [...features];
}
