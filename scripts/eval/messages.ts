import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reader, SLOTS } from "../../src/features/chat/language/reader/reader.ts";
import { CLOCK, type Labelled, parseLabelled } from "../train/reader-model.ts";
import { accuracy, FOLDER, type Measure } from "./case-set.ts";

/** Scores the reader of messages on those that it was not trained on, in `test/data/messages`. */

const readMessages = (name: string) => parseLabelled(readFileSync(join(FOLDER, "messages", `${name}.txt`), "utf8"));

function wrongAct({ act, text }: Labelled): string | null {
  const [best] = reader.read(text, CLOCK).acts;
  return best?.act === act ? null : `${text} expected ${act}, found ${best?.act}`;
}

/** Which words are marked, as `slot:words`. */
function marked({ tokens, marks, text }: Labelled): string[] {
  const found: { slot: string; start: number; end: number }[] = [];
  for (const [at, token] of tokens.entries()) {
    const mark = marks[at] ?? 0;
    const last = found.at(-1);
    if (mark === 0) continue;
    if (mark % 2 === 0 && last) last.end = token.end;
    else found.push({ slot: SLOTS[Math.floor((mark - 1) / 2)] ?? "", start: token.start, end: token.end });
  }
  return found.map(({ slot, start, end }) => `${slot}:${text.slice(start, end)}`);
}

function wrongWords(message: Labelled): string | null {
  const expected = marked(message).join(" | ");
  const slots = reader.read(message.text, CLOCK).slots(message.act);
  const found = slots.map(({ slot, text }) => `${slot}:${text}`).join(" | ");
  return expected === found ? null : `${message.text} expected ${expected || "nothing"}, found ${found || "nothing"}`;
}

/** "May change something" is what counts for a message that is not meant for the assistant. */
const QUIET: ReadonlySet<string> = new Set(
  "other_world hearsay talk yes no pick ask_day ask_free ask_tasks ask_mail ask_about read summarise".split(" "),
);

function wrongChange({ text }: Labelled): string | null {
  const [best] = reader.read(text, CLOCK).acts;
  const isQuiet = !best || best.share < 0.5 || QUIET.has(best.act);
  return isQuiet ? null : `${text} expected no change, found ${best.act}`;
}

export function messageMeasures(): Measure[] {
  const ordinary = readMessages("ordinary");
  return [
    accuracy("messages.ordinary", "What an ordinary message wants", ordinary, wrongAct),
    accuracy("messages.words", "Names, titles, places and people in it", ordinary, wrongWords),
    accuracy("messages.unusual", "What an unusual message wants", readMessages("unusual"), wrongAct),
    accuracy("messages.quiet", "Messages that want no change", readMessages("out-of-scope"), wrongChange),
  ];
}
