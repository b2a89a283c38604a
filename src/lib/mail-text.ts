/** A stretch of a text: `text.slice(start, end)`. */
export interface Span {
  start: number;
  end: number;
}

const QUOTED_FROM_HERE = [
  /^-{2,}\s*(original message|forwarded message)\s*-{2,}/i,
  /^_{10,}$/,
  /^(on|am|le|el)\b.{5,200}\b(wrote|schrieb|a écrit|escribió)\s*:$/i,
  /^from:\s.+@/i,
];
const SIGNATURE = /^(--\s?|sent from my .+|get outlook for .+)$/i;
const SIGN_OFF =
  /^(best|kind|warm|many)?\s*(regards|wishes|thanks|thank you|cheers|sincerely|yours( truly| sincerely)?|best)[,!.]?$/i;
const GREETING = /^(hi|hello|hey|dear|good (morning|afternoon|evening))\b[^.?!]{0,40}[,!]?$/i;
const BULLET = /^\s*(?:[-*•–]|\d{1,2}[.)]|\[ ?\])\s+/;

/**
 * The paragraphs the sender wrote in this mail: no quoted answers, no signature, no greeting. A line
 * that begins with a bullet is a paragraph of its own, without its bullet.
 */
export function ownParagraphs(body: string): Span[] {
  const paragraphs: Span[] = [];
  let open: Span | null = null;
  let hasText = false;
  for (const line of linesOf(body)) {
    const text = body.slice(line.start, line.end).trim();
    if (isEnd(text, hasText)) break;
    if (text === "" || text.startsWith(">") || GREETING.test(text)) {
      open = null;
      continue;
    }
    hasText = true;
    const bullet = BULLET.exec(body.slice(line.start, line.end))?.[0].length ?? 0;
    if (open && bullet === 0) open.end = line.end;
    else {
      open = { start: line.start + bullet, end: line.end };
      paragraphs.push(open);
    }
  }
  return paragraphs;
}

/** Where the sender's own words stop. A sign-off ends a mail only after something was said. */
function isEnd(text: string, hasText: boolean): boolean {
  if (text.length > 250) return false;
  return SIGNATURE.test(text) || QUOTED_FROM_HERE.some((mark) => mark.test(text)) || (hasText && SIGN_OFF.test(text));
}

function linesOf(body: string): Span[] {
  const lines: Span[] = [];
  let start = 0;
  while (start <= body.length) {
    const newline = body.indexOf("\n", start);
    const end = newline < 0 ? body.length : newline;
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

const ABBREVIATION = /\b(e\.g|i\.e|etc|mr|mrs|ms|dr|st|vs|no|approx|a\.m|p\.m)\.$/i;

/** The sentences of a stretch, without the space around them. */
export function sentencesIn(body: string, { start, end }: Span): Span[] {
  const sentences: Span[] = [];
  const stop = /[.?!]+["')\]]*(?=\s|$)/g;
  let from = start;
  const text = body.slice(0, end);
  stop.lastIndex = start;
  for (let found = stop.exec(text); found; found = stop.exec(text)) {
    const to = found.index + found[0].length;
    if (ABBREVIATION.test(text.slice(from, to))) continue;
    pushTrimmed(sentences, body, from, to);
    from = to;
  }
  pushTrimmed(sentences, body, from, end);
  return sentences;
}

function pushTrimmed(sentences: Span[], body: string, start: number, end: number): void {
  const text = body.slice(start, end);
  const trimmed = text.trim();
  if (trimmed === "") return;
  const from = start + text.indexOf(trimmed);
  sentences.push({ start: from, end: from + trimmed.length });
}
