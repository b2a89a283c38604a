import type { ComponentChildren } from "preact";
import type { Email } from "./boxes.ts";

interface Span {
  start: number;
  end: number;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"']+/g;
/** What ends a sentence, and no address. */
const PUNCTUATION = /(?<![.,;:!?)\]])[.,;:!?)\]]+$/;

/** The text of an email, with its links and what the analysis quotes from it marked. */
export function MessageText({ text, analysis }: { text: string; analysis: Email["analysis"] }) {
  const quotes = quotesOf(text, analysis);
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { start, end } of quotes) {
    parts.push(...linked(text.slice(at, start), at));
    parts.push(
      <mark key={start} id={`quote-${start}`} tabIndex={-1}>
        {linked(text.slice(start, end), start)}
      </mark>,
    );
    at = end;
  }
  parts.push(...linked(text.slice(at), at));
  return <div class="message-text">{parts}</div>;
}

/** In order and apart. Places that do not hold the quoted words are left out: the text may have been cut. */
function quotesOf(text: string, analysis: Email["analysis"]): Span[] {
  const all = [...(analysis?.actionItems ?? []), ...(analysis?.meeting ? [analysis.meeting] : [])]
    .map(({ quote }) => quote)
    .filter(({ start, end, text: words }) => text.slice(start, end) === words && end > start)
    .sort((a, b) => a.start - b.start);
  const apart: Span[] = [];
  for (const quote of all) if (quote.start >= (apart.at(-1)?.end ?? 0)) apart.push(quote);
  return apart;
}

function linked(text: string, offset: number): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const found of text.matchAll(ADDRESS)) {
    const address = found[0].replace(PUNCTUATION, "");
    if (address.endsWith("//")) continue;
    parts.push(text.slice(at, found.index));
    parts.push(
      <a key={offset + found.index} href={address} target="_blank" rel="noopener noreferrer nofollow">
        {address}
      </a>,
    );
    at = found.index + address.length;
  }
  parts.push(text.slice(at));
  return parts;
}
