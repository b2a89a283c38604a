/** The start of a text is indexed as it is, so that phrases are found in it. */
const IN_FULL = 800;
/** Of the rest, each word that was not seen before, once, until the index has this much. */
const IN_ALL = 2000;
/** Longer ones are no words: encoded data, addresses with tracking codes. */
const LONGEST_WORD = 40;
/** Reading more would only cost time: the budget is used up long before. */
const MOST_READ = 400_000;

/**
 * What the search index gets of a long text. An index of every word and place would take as much room as the text, and a
 * database holds 10 GB.
 */
export function searchableText(text: string): string {
  if (text.length <= IN_ALL) return text;
  const cut = text.slice(0, IN_FULL);
  // Not in the middle of a word.
  const start = cut.slice(0, Math.max(cut.search(/(?<!\S)\S*$/u), IN_FULL - LONGEST_WORD));
  const seen = new Set(wordsOf(start));
  const further: string[] = [];
  let room = IN_ALL - start.length;
  for (const word of wordsOf(text.slice(start.length, MOST_READ))) {
    if (seen.has(word)) continue;
    seen.add(word);
    room -= word.length + 1;
    if (room < 0) break;
    further.push(word);
  }
  return `${start} ${further.join(" ")}`;
}

function* wordsOf(text: string): Generator<string> {
  for (const [word] of text.matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)) {
    if (word.length <= LONGEST_WORD) yield word.toLowerCase();
  }
}
