import { understandEmail } from "../../src/engine/email/intelligence.ts";

export interface EngineSpeed {
  name: string;
  /** Of CPU, for the whole analysis, the best of several runs. */
  milliseconds: number;
}

const RUNS = 8;
/** The first runs of any code are slow, until the runtime has compiled what is used often. */
const WARM_UPS = 30;
const MAIL =
  "Hi Ann,\n\nthanks for the notes you sent. The numbers look better than what we expected in spring, and the team is glad. " +
  "Could we meet on Tuesday at 3pm to go through them? I will send the slides by Friday. There is nothing else from our side " +
  "for now, but do tell me when the supplier has answered.\n\n";

/** Texts made to keep a careless reader busy. */
const HOSTILE = [
  "1 day ",
  "(((",
  "at at at ",
  "1234567890",
  "$1,000,000,",
  "x",
  "from 3 to ",
  "1.2.3.",
  "Monday ",
  "five ",
  "May 5, ",
  "in 2 weeks from ",
  "<div ",
  "a@",
  "can we ",
  "please? ",
  "\n",
  "> ",
  "e.g. ",
  "BEGIN:VEVENT\n",
];

/** How long the built-in engine takes over ordinary email, and over text that was written to slow it down. */
export function measureEngine(): EngineSpeed[] {
  const filled = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
  for (let run = 0; run < WARM_UPS; run++) analyse(filled(MAIL, 10_000));
  return [
    { name: "mail of 10 KB", text: filled(MAIL, 10_000) },
    { name: "mail of 50 KB", text: filled(MAIL, 50_000) },
    ...HOSTILE.map((piece) => ({ name: `${JSON.stringify(piece)} to 50 KB`, text: filled(piece, 50_000) })),
  ].map(({ name, text }) => ({ name, milliseconds: best(text) }));
}

function best(text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
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
