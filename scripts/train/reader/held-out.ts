import { SLOTS } from "../../../src/features/chat/reader/marks.ts";
import { loadReader, type Wish } from "../../../src/features/chat/reader/model.ts";
import { type Gate, gateFigures } from "./gate.ts";
import { CLOCK, type Labelled, trainingMessages } from "./labelled.ts";
import { trainReader, WANTS_NOTHING } from "./model.ts";

/** The reader is trained so many times, each time without a part of the voices. */
const FOLDS = 4;

/** A message as it is read by a reader that has not heard its voice. */
export interface HeldOut {
  message: Labelled;
  wishes: Wish[];
  /** Found in the parts that the message has, wherever the reader would begin them. */
  inParts: Wish[];
}

export const voicesOf = (messages: readonly Labelled[]) =>
  [...new Set(messages.filter(({ context }) => context !== "?").map(({ voice }) => voice))].sort();

/** Every message, read by a reader that has not heard its voice. */
export function heldOut(): HeldOut[] {
  const messages = trainingMessages();
  const voices = voicesOf(messages);
  return Array.from({ length: FOLDS }, (_, fold) => heldOutFold(messages, voices, fold)).flat();
}

/** Thresholds are chosen on every other voice, and judged by the rest. */
export function halvesOf(readings: readonly HeldOut[]): { chosenOn: HeldOut[]; judgedBy: HeldOut[] } {
  const voices = voicesOf(readings.map(({ message }) => message));
  const isFirst = ({ message }: HeldOut) => voices.indexOf(message.voice) % 2 === 0;
  return { chosenOn: readings.filter(isFirst), judgedBy: readings.filter((reading) => !isFirst(reading)) };
}

export function heldOutFold(messages: readonly Labelled[], voices: readonly string[], fold: number): HeldOut[] {
  const held = new Set(voices.filter((_, at) => at % FOLDS === fold));
  const read = loadReader(trainReader(messages.filter(({ voice }) => !held.has(voice))));
  return messages
    .filter(({ voice }) => held.has(voice))
    .map((message) => {
      const { text, context, parts } = message;
      return {
        message,
        wishes: read(text, context, CLOCK),
        inParts: read(
          text,
          context,
          CLOCK,
          parts.map(({ from }) => from),
        ),
      };
    });
}

/** The slots of a message as they are labelled. */
export function labelledSlots({ tokens, marks }: Labelled): string {
  const found: string[] = [];
  for (const [at, { start, end }] of tokens.entries()) {
    const mark = marks[at] ?? 0;
    if (mark === 0) continue;
    const name = SLOTS[Math.ceil(mark / 2) - 1];
    if (mark % 2 === 0) found[found.length - 1] = (found.at(-1) ?? "").replace(/\d+$/, `${end}`);
    else found.push(`${name} ${start} ${end}`);
  }
  return found.join();
}

export interface Figures {
  messages: number;
  parts: number;
  acts: number;
  boundaries: number;
  slots: number;
  whole: number;
}

/** How often the reader is right. In a message that wants nothing, slots do not count. */
export function figuresOf(readings: readonly HeldOut[]): Figures {
  const figures = { messages: 0, parts: 0, acts: 0, boundaries: 0, slots: 0, whole: 0 };
  for (const { message, wishes, inParts } of readings) {
    figures.messages += 1;
    figures.parts += message.parts.length;
    figures.acts += message.parts.filter(({ act }, at) => inParts[at]?.act === act).length;
    const begins = (list: readonly { start: number }[]) => list.map(({ start }) => start).join();
    const hasBounds = begins(wishes) === begins(inParts);
    const hasActs = hasBounds && message.parts.every(({ act }, at) => wishes[at]?.act === act);
    const slots = wishes.flatMap((wish) => wish.slots.map(({ slot, start, end }) => `${slot} ${start} ${end}`)).join();
    const hasSlots = slots === labelledSlots(message) || message.parts.every(({ act }) => WANTS_NOTHING.has(act));
    if (hasBounds) figures.boundaries += 1;
    if (hasSlots) figures.slots += 1;
    if (hasActs && hasSlots) figures.whole += 1;
  }
  return figures;
}

const LANGUAGES = { german: "German", french: "French", spanish: "Spanish" };

/** A Spanish speaker may write in English. */
function languageOf({ message: { voice } }: HeldOut): string {
  const found = Object.entries(LANGUAGES).find(([name]) => voice === name || voice.startsWith(`${name}-`));
  return found && !voice.endsWith("-speaker") ? found[1] : "English";
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

/** The figures as a table with a row for each language, and what passes the gate. */
export function heldOutLines(readings: readonly HeldOut[], gate: Gate): string[] {
  const row = (name: string, list: readonly HeldOut[]) => {
    const { messages, parts, acts, boundaries, slots, whole } = figuresOf(list);
    return `| ${name} | ${messages} | ${percent(acts, parts)} | ${percent(boundaries, messages)} | ${percent(slots, messages)} | ${percent(whole, messages)} |`;
  };
  const { judgedBy } = halvesOf(readings);
  return [
    "Read by a reader that has not heard the voice:",
    "| voices | messages | acts | boundaries | slots | whole messages |",
    "|---|---:|---:|---:|---:|---:|",
    row("all", readings),
    ...["English", ...Object.values(LANGUAGES)].map((language) =>
      row(
        language,
        readings.filter((reading) => languageOf(reading) === language),
      ),
    ),
    "",
    "Voices on which neither the gate nor its threshold was fitted:",
    "| voices | quiet messages | of them changed something | wishes for a change | done without a question | of these with the right act |",
    "|---|---:|---:|---:|---:|---:|",
    gateRow("all", judgedBy, gate),
    ...OTHER_THRESHOLDS.map((least) => gateRow(`all, from ${least}`, judgedBy, { ...gate, least })),
    gateRow(
      "plain requests",
      judgedBy.filter(({ message }) => message.voice.startsWith("plain-")),
      gate,
    ),
  ];
}

/** What stricter and laxer ones would do. */
const OTHER_THRESHOLDS = [0.99, 0.98, 0.95, 0.9, 0.8];

function gateRow(name: string, readings: readonly HeldOut[], gate: Gate): string {
  const { quiet, wrong, wishes, sure, right } = gateFigures(readings, gate);
  return `| ${name} | ${quiet} | ${wrong} (${percent(wrong, quiet)}) | ${wishes} | ${percent(sure, wishes)} | ${percent(right, sure)} |`;
}
