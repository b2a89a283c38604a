import { collapseSpace, firstCharacters } from "./text.ts";

const MAX_CHARACTERS = 100;

/**
 * Somebody's words in a sentence of the service: on one line, of limited length, between quotation marks that they
 * cannot close, and without characters that are invisible or change the direction of the text.
 */
export function quoted(text: string): string {
  const line = collapseSpace(text.replace(/[\p{Cc}\u2028\u2029]/gu, " ").replace(/[\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, ""));
  const plain = line.replace(/[“”„‟«»＂〝〞〟❝❞]/g, '"');
  const cut = firstCharacters(plain, MAX_CHARACTERS);
  return `“${cut.length < plain.length ? `${cut.trimEnd()}…` : plain}”`;
}
