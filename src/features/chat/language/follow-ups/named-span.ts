/** Words of a message that may name a record, and the message with "it" in their place. */
interface NamedSpan {
  name: string;
  about: string;
}

const LONGEST_NAME = 9;
const MAX_WORDS = 28;
/** Where a name may begin: at an article, or after the words of the request. */
const ARTICLE = /^(?:the|my|that|this|our|those|these|all|both|every|everything|anything)$/i;
/** No name begins or ends with these. */
const NOT_FIRST =
  /^(?:is|are|was|were|be|to|as|on|in|at|for|by|until|till|of|off|and|or|up|out|with|it|from|about|a|an|me|again|please|not|than|into|onto|away|back|down|over|now|i|i've|i'm|we|you|he|she|they)$/i;
const NOT_LAST =
  /^(?:is|are|was|were|be|to|as|on|at|for|by|until|till|of|off|and|or|the|my|with|from|about|a|an|this|that|into|onto|not|than|please)$/i;

/** Every part of the message that may be a name, the longest first, those that begin with an article before others. */
export function spansOf(text: string): NamedSpan[] {
  const words = text.split(/\s+/);
  if (words.length < 2 || words.length > MAX_WORDS) return [];
  const spans: (NamedSpan & { rank: number })[] = [];
  for (let start = 0; start < words.length; start += 1) {
    const first = (words[start] ?? "").replace(/[,;:]$/, "");
    if (NOT_FIRST.test(first)) continue;
    const isArticle = ARTICLE.test(first) || /'s$/.test(first);
    for (let count = Math.min(LONGEST_NAME, words.length - start); count > 0; count -= 1) {
      const last = words[start + count - 1] ?? "";
      const name = words.slice(start, start + count).join(" ");
      if (NOT_LAST.test(last) || count === words.length || /[;:]/.test(name)) continue;
      const it = /\b(?:and|both|all|those|these|everything)\b|,/.test(name) ? "them" : "it";
      const about = [...words.slice(0, start), /[,]$/.test(last) ? `${it},` : it, ...words.slice(start + count)].join(
        " ",
      );
      spans.push({ name: name.replace(/(?<![,])[,]+$/, ""), about, rank: count + (isArticle ? 20 : 0) });
    }
  }
  return spans.sort((a, b) => b.rank - a.rank);
}
