import { readFileSync } from "node:fs";
import { join } from "node:path";
import { understandEmail } from "../../src/engine/email/intelligence.ts";

export interface EngineSpeed {
  name: string;
  /** Of CPU, for the whole analysis, the best of several runs. */
  milliseconds: number;
}

const RUNS = 8;
/** The first runs of any code are slow, until the runtime has compiled what is used often. */
const WARM_UPS = 60;
const SHORT = 10_000;
const LONG = 50_000;

const data = join(import.meta.dirname, "../../test/data");
const read = <T>(file: string): T => JSON.parse(readFileSync(join(data, file), "utf8"));

/** Ordinary text, no sentence twice until all were used: the emails and sentences of our own set. */
function proseOf(): string[] {
  const bodies = read<{ cases: { content: string }[] }>("emails.json").cases.map(({ content }) => content);
  const sentences = ["action-sentences.json", "meetings.json", "dates.json"].flatMap((file) =>
    read<{ cases: { text: string }[] }>(file).cases.map(({ text }) => text),
  );
  return [...bodies, ...sentences];
}

function phrasesOf(language: "de" | "fr" | "es"): string[] {
  return Object.keys(read<Record<string, Record<string, unknown>>>("languages.json")[language] ?? {});
}

/** The pieces one after the other, from another one on each time, until the text is long enough. */
function joined(pieces: readonly string[], size: number, from = 0): string {
  const text: string[] = [];
  let length = 0;
  for (let at = from; length < size; at += 1) {
    const piece = `${pieces[at % pieces.length]}${at % 4 === 3 ? "\n\n" : " "}`;
    text.push(piece);
    length += piece.length;
  }
  return text.join("").slice(0, size);
}

const filled = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const counted = (write: (at: number) => string) => (size: number) =>
  joined(
    Array.from({ length: 2000 }, (_, at) => write(Math.imul(at + 1, 2654435761) >>> 0)),
    size,
  );

const prose = proseOf();
const german = phrasesOf("de").map((phrase) => `Wir sollten den Bericht mit dem Vertrieb besprechen, ${phrase}`);

/** Ordinary text of each kind, and texts made to keep a careless reader busy. */
const SHAPES: readonly { name: string; write: (size: number) => string }[] = [
  { name: "email", write: (size) => joined(prose, size) },
  { name: "email in one line", write: (size) => joined(prose, size).replace(/[\n.!?]/g, " ") },
  { name: "German", write: (size) => joined(german, size) },
  { name: "French dates", write: (size) => joined(phrasesOf("fr"), size) },
  { name: "Spanish dates", write: (size) => joined(phrasesOf("es"), size) },
  { name: "numbers", write: counted((at) => String(at % 100_000)) },
  { name: "numbers with commas", write: counted((at) => `${at % 1000},${at % 77},`) },
  { name: "hexadecimal", write: counted((at) => at.toString(16)) },
  { name: "ISO times", write: counted((at) => `2026-11-${10 + (at % 20)}T10:00:00Z`) },
  ...[
    "1 day ",
    "(((",
    "at at at ",
    "1234567890",
    "$1,000,000,",
    "x",
    "from 3 to ",
    "1.2.3.",
    "3-4-",
    "Monday ",
    "five ",
    "twenty ",
    "May 5, ",
    "in 2 weeks from ",
    "9am New York time ",
    "<div ",
    "a@",
    "can we ",
    "please? ",
    "à 3h ",
    "a las 3 y ",
    "um 3 Uhr ",
    "会議は明日です。",
    "e\u0301",
    "😀 ",
    ",",
    "\n",
    "> ",
    "e.g. ",
    "Aa ",
    "BEGIN:VEVENT\n",
  ].map((piece) => ({ name: JSON.stringify(piece), write: filled(piece) })),
];

/** How long the built-in engine takes over ordinary email, and over text that was written to slow it down. */
export function measureEngine(): EngineSpeed[] {
  for (let run = 0; run < WARM_UPS; run++) analyse(joined(prose, SHORT, run * 11));
  return [
    { name: "email of 10 KB", text: joined(prose, SHORT, 7) },
    ...SHAPES.map(({ name, write }) => ({ name: `${name}, 50 KB`, text: write(LONG) })),
  ].map(({ name, text }) => ({ name, milliseconds: best(text, RUNS) }));
}

export interface Growth {
  name: string;
  /** How many times the CPU of 10 KB that 50 KB take: 5 if time grows with length, 25 if with its square. */
  ratio: number;
}

/** How the time grows with the length of a text; a ratio says the same on a fast and on a busy machine. */
export function measureGrowth(names?: readonly string[]): Growth[] {
  for (let run = 0; run < WARM_UPS / 4; run++) analyse(joined(prose, SHORT, run * 11));
  return SHAPES.filter(({ name }) => !names || names.includes(name)).map(({ name, write }) => {
    const long = write(LONG);
    const short = write(SHORT);
    best(long, 1);
    return { name, ratio: best(long, 4) / Math.max(best(short, 6), 0.2) };
  });
}

function best(text: string, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    analyse(text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function analyse(content: string): void {
  const reference = new Date("2026-11-18T10:00:00Z");
  understandEmail({ content, reference, timeZone: "Europe/Berlin", subject: "Hello" });
}
