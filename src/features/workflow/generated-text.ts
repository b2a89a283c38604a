import { ADDRESSES } from "../../lib/text.ts";

const MAX_RESPONSE = 8000;
const LINK = /(?:https?:\/\/|www\.)[^\s<>"')\]]{1,500}/gi;
const PLACEHOLDER = /\[[A-Z][^\]\n]{1,40}\]|\{\{?[a-z_ ]{2,40}\}?\}|<(?:your|insert|name|date)\b[^>\n]{0,40}>|\bXX+\b/i;
const SELF = /\b(?:as an ai|language model|system prompt|my instructions|i am an assistant)\b/i;
const SHINGLE_WORDS = 8;

/**
 * Whether a model's text can leave as a mail: not empty, not endless, no gap left to fill, no link or address
 * that its sources do not hold, and nothing of what the model was told.
 */
export function isFitToSend(text: string, sources: readonly string[], told: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length < 2 || trimmed.length > MAX_RESPONSE) return false;
  if (PLACEHOLDER.test(trimmed) || SELF.test(trimmed)) return false;
  const known = sources.join("\n").toLowerCase();
  const named = [...trimmed.matchAll(LINK), ...trimmed.matchAll(ADDRESSES)].map(([found]) =>
    found.toLowerCase().replace(/[.,;:!?]+$/, ""),
  );
  return named.every((found) => known.includes(found)) && !repeats(trimmed, told);
}

/** Whether a run of words of the one stands in the other. */
export function repeats(text: string, told: string): boolean {
  const words = (of: string) => of.toLowerCase().match(/[\p{L}\d`']+/gu) ?? [];
  const spoken = ` ${words(text).join(" ")} `;
  const source = words(told);
  return source.some((_, at) => {
    const run = source.slice(at, at + SHINGLE_WORDS);
    return run.length === SHINGLE_WORDS && spoken.includes(` ${run.join(" ")} `);
  });
}
