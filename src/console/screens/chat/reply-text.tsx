interface Block {
  kind: "text" | "bullets" | "numbers";
  lines: string[];
}

const BULLET = /^\s*[-*•]\s+(\S.*|)$/;
const NUMBER = /^\s*\d{1,3}[.)]\s+(\S.*|)$/;
const BOLD = /\*\*([^*]+)\*\*/;

/** A reply as text and lists. The built-in engine and models write lists as lines that begin with "- " or "1. ". */
export function ReplyText({ text }: { text: string }) {
  return (
    <div class="said-text">
      {blocksOf(text).map(({ kind, lines }, index) => {
        if (kind === "text") return <p key={index}>{inline(lines.join("\n").trim())}</p>;
        const items = lines.map((line, at) => <li key={at}>{inline(line)}</li>);
        return kind === "bullets" ? <ul key={index}>{items}</ul> : <ol key={index}>{items}</ol>;
      })}
    </div>
  );
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (const line of text.split("\n")) {
    const bullet = BULLET.exec(line)?.[1];
    const number = NUMBER.exec(line)?.[1];
    const kind = bullet !== undefined ? "bullets" : number !== undefined ? "numbers" : "text";
    const last = blocks.at(-1);
    if (last?.kind === kind) last.lines.push(bullet ?? number ?? line);
    else if (kind !== "text" || line.trim() !== "") blocks.push({ kind, lines: [bullet ?? number ?? line] });
  }
  return blocks;
}

/** Models stress words by two stars. */
function inline(text: string) {
  return text.split(BOLD).map((part, index) => (index % 2 === 1 ? <strong key={index}>{part}</strong> : part));
}
