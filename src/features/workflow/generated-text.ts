import { ADDRESSES } from "../../lib/text.ts";

const MAX_RESPONSE = 8000;
const LINK = /(?:https?:\/\/|www\.)[^\s<>"')\]]{1,500}/gi;
const PLACEHOLDER = /\[[A-Z][^\]\n]{1,40}\]|\{\{?[a-z_ ]{2,40}\}?\}|<(?:your|insert|name|date)\b[^>\n]{0,40}>|\bXX+\b/i;
const MENTIONS_ITSELF = /\b(?:as an ai|language model|system prompt|my instructions|i am an assistant)\b/i;
const SHINGLE_WORDS = 8;

/**
 * Whether a model's text can be used as it is: not empty, not too long, without placeholders, without links or
 * addresses that are not in the sources, and without parts of the instructions.
 */
export function isUsableText(text: string, sources: readonly string[], instructions: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length < 2 || trimmed.length > MAX_RESPONSE) return false;
  if (PLACEHOLDER.test(trimmed) || MENTIONS_ITSELF.test(trimmed)) return false;
  const known = sources.join("\n").toLowerCase();
  const named = [...trimmed.matchAll(LINK), ...trimmed.matchAll(ADDRESSES)].map(([found]) =>
    found.toLowerCase().replace(/(?<![.,;:!?])[.,;:!?]+$/, ""),
  );
  return named.every((found) => known.includes(found)) && !repeats(trimmed, instructions);
}

/** Whether the text contains eight consecutive words of the instructions. */
function repeats(text: string, instructions: string): boolean {
  const words = (of: string) => of.toLowerCase().match(/[\p{L}\d`']+/gu) ?? [];
  const haystack = ` ${words(text).join(" ")} `;
  const source = words(instructions);
  return source.some((_, at) => {
    const run = source.slice(at, at + SHINGLE_WORDS);
    return run.length === SHINGLE_WORDS && haystack.includes(` ${run.join(" ")} `);
  });
}
