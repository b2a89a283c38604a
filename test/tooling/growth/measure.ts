import { PIECES } from "./parsers.ts";

/*
 * Whether what reads texts of others takes a time that grows with the text, and no faster. Wall time says nothing on a busy
 * machine, so the CPU of the process counts, against that of a plain walk over as many characters beside it; and only what
 * takes much more than that, and more than proportionally more than a quarter of the text, is a finding. Something quadratic
 * takes thousands of times as long as the walk.
 */

/** So many times a walk over the characters is usual: the slowest parser needs a tenth of this. */
const USUAL = 4000;
/** For a whole text. At a part of its length, something quadratic takes the square of that part. */
const LEAST_MS = 250;
const REPETITIONS = 3;
/** The first runs are slow, until the runtime has compiled what is used often. */
const WARM_UPS = 20;

function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  try {
    work();
  } catch {
    // What is refused is read all the same.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const least = (work: () => unknown) => Math.min(...Array.from({ length: REPETITIONS }, () => cpuOf(work)));

let sum = 0;
function walk(text: string): void {
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
}

const walks = new Map<number, number>();

/** The CPU of a walk over a text of this length, in milliseconds. */
function walkOf(length: number): number {
  const text = "x".repeat(length);
  const hundred = () => {
    for (let time = 0; time < 100; time++) walk(text);
  };
  const found = walks.get(length) ?? Math.max(least(hundred) / 100, length / 1_000_000);
  walks.set(length, found);
  return found;
}

/** The pieces whose repetition takes a parser longer than in proportion, at this share of the longest text it is given. */
export function slowPieces(
  longest: number,
  share: number,
  parse: (text: string) => unknown,
  pieces: readonly string[] = PIECES,
): string[] {
  const most = longest * share;
  // What it loads at its first use is no reading.
  cpuOf(() => parse("hello there"));
  const usual = Math.max(walkOf(most) * USUAL, LEAST_MS * share ** 2);
  return pieces.flatMap((piece) => {
    const text = piece.repeat(Math.ceil(most / piece.length)).slice(0, most);
    // Step by step, so that something exponential is found before it takes for ever.
    for (let length = 64; length < most; length *= 8) {
      if (cpuOf(() => parse(text.slice(0, length))) <= usual) continue;
      if (least(() => parse(text.slice(0, length))) > usual) return [`${JSON.stringify(piece)} × ${length} characters`];
    }
    // Once more before it is compared: the first time includes what the engine compiles.
    if (cpuOf(() => parse(text)) <= usual || cpuOf(() => parse(text)) <= usual) return [];
    const [whole, quarter] = [least(() => parse(text)), least(() => parse(text.slice(0, most / 4)))];
    return whole > usual && whole > quarter * 7
      ? [`${JSON.stringify(piece)}: ${whole} ms, a quarter ${quarter} ms`]
      : [];
  });
}

const UNIT = 100_000;

/** The CPU of work that is done often, in walks over 100,000 characters, each about a millisecond. */
export function pricesOf<Name extends string>(works: Record<Name, () => unknown>): Record<Name, number> {
  const text = "x".repeat(UNIT);
  const warm = (work: () => unknown) => {
    for (let time = 0; time < WARM_UPS; time++) cpuOf(work);
    return Math.min(...Array.from({ length: WARM_UPS }, () => cpuOf(work)));
  };
  const unit = warm(() => walk(text));
  const entries = Object.entries<() => unknown>(works).map(([name, work]) => [name, warm(work) / unit]);
  return Object.fromEntries(entries);
}
