import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Email } from "./boxes.ts";
import { QuoteButton } from "./quote-button.tsx";
import { quoteStart } from "./quoted.ts";

interface Span {
  start: number;
  end: number;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"']+/g;
/** What ends a sentence, and no address. */
const PUNCTUATION = /(?<![.,;:!?)\]])[.,;:!?)\]]+$/;

interface MessageTextProps {
  id: number;
  text: string;
  analysis: Email["analysis"];
}

/** The place of what an analysis quotes from an email. */
export const markId = (id: number, start: number) => `quote-${id}-${start}`;

/** The text of an email, with its links and what the analysis quotes from it marked. What it answers is folded. */
export function MessageText({ id, text, analysis }: MessageTextProps) {
  const [isWhole, setIsWhole] = useState(false);
  const own = useMemo(() => quoteStart(text), [text]);
  const shown = text.slice(0, own).trimEnd();
  const quotes = quotesOf(shown, analysis);
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { start, end } of quotes) {
    parts.push(...linked(shown.slice(at, start), at));
    parts.push(
      <mark key={start} id={markId(id, start)} tabIndex={-1}>
        {linked(shown.slice(start, end), start)}
      </mark>,
    );
    at = end;
  }
  parts.push(...linked(shown.slice(at), at));
  return (
    <>
      <div class="message-text">{parts}</div>
      {own < text.length && (
        <>
          <QuoteButton isShown={isWhole} onToggle={() => setIsWhole(!isWhole)} />
          {isWhole && <div class="message-text muted">{linked(text.slice(own), own)}</div>}
        </>
      )}
    </>
  );
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
