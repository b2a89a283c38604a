import { join } from "node:path";
import { readMessage } from "../../src/features/chat/reader/read.ts";
import { groupOf, isSure } from "../../src/features/chat/reader/sure.ts";
import { labelledSlots } from "../train/reader/held-out.ts";
import { CLOCK, type Labelled, readVoices } from "../train/reader/labelled.ts";
import { accuracy, FOLDER, type Measure } from "./case-set.ts";

/** Scores the reader of messages on those that it was not trained on, in `test/data/messages`. They do not say what was talked about. */

const read = ({ text, context }: Labelled) => readMessage(text, context, CLOCK);

/** Each of these messages has one part. */
const readWhole = ({ text, context }: Labelled) => readMessage(text, context, CLOCK, [0]).slice(0, 1);

function wrongAct(message: Labelled): string | null {
  const [expected, found] = [message.parts[0]?.act, readWhole(message)[0]?.act];
  return found === expected ? null : `${message.text} expected ${expected}, found ${found}`;
}

function wrongWords(message: Labelled): string | null {
  const [wish] = readWhole(message);
  const slots = message.parts.flatMap(({ act }) => wish?.slotsFor(act) ?? []);
  const found = slots.map(({ slot, start, end }) => `${slot} ${start} ${end}`).join();
  const words = slots.map(({ slot, text }) => `${slot}:${text}`).join(" | ");
  return found === labelledSlots(message) ? null : `${message.text} found ${words || "nothing"}`;
}

function wrongChange(message: Labelled): string | null {
  const change = read(message).find((wish) => groupOf(wish.act) !== null && isSure(wish));
  return change ? `${message.text} expected no change, found ${change.act}` : null;
}

export function messageMeasures(): Measure[] {
  const all = readVoices(join(FOLDER, "messages"), "?");
  const of = (name: string) => all.filter(({ voice }) => voice === name);
  return [
    accuracy("messages.ordinary", "What an ordinary message wants", of("ordinary"), wrongAct),
    accuracy("messages.words", "Names, titles, places and people in it", of("ordinary"), wrongWords),
    accuracy("messages.unusual", "What an unusual message wants", of("unusual"), wrongAct),
    accuracy("messages.quiet", "Messages that want no change", of("out-of-scope"), wrongChange),
  ];
}
