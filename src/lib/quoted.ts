import { collapseSpace, firstCharacters } from "./text.ts";

const MAX_CHARACTERS = 100;
/** Also the fillers and selectors that count as letters or marks. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;
/** Everything that looks like one, also two single ones. */
const DOUBLE_QUOTES = /[“”„‟«»＂〝〞〟❝❞″‶ʺ˝״〃⹂🙶🙷🙸]|['‘’‚‛′ʹʼ＇]{2}/gu;

/**
 * Somebody's words in a sentence of the service: on one line, of limited length, between quotation marks that they
 * cannot close, and without characters that are invisible or change the direction of the text.
 */
export function quoted(text: string, characters = MAX_CHARACTERS): string {
  const line = collapseSpace(text.replace(/[\p{Cc}\u2028\u2029\u2800]/gu, " ").replace(INVISIBLE, ""));
  const plain = line.replace(DOUBLE_QUOTES, '"');
  const cut = firstCharacters(plain, characters);
  return `“${cut.length < plain.length ? `${cut.trimEnd()}…` : plain}”`;
}
