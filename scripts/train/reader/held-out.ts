import { SLOTS } from "../../../src/features/chat/reader/marks.ts";
import { loadReader, type Wish } from "../../../src/features/chat/reader/model.ts";
import { type Group, groupOf, sureness } from "../../../src/features/chat/reader/sure.ts";
import { wouldWrite } from "./complete.ts";
import { CLOCK, type Labelled, trainingMessages } from "./labelled.ts";
import { trainReader } from "./model.ts";

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

const WANTS_NOTHING = new Set(["quiet", "other_world", "talk"]);

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

/** How sure the reader is of the change it would make, by kind. */
function surest(message: Labelled, wishes: readonly Wish[]): { group: Group; sure: number }[] {
  return wishes.flatMap((wish) => {
    const group = groupOf(wish.act);
    return group && wouldWrite(message, wish) ? [{ group, sure: sureness(wish) }] : [];
  });
}

const isQuiet = ({ message }: HeldOut) => message.parts.every(({ act }) => act === "quiet");

export type Thresholds = Record<Group, number>;
const GROUPS: readonly Group[] = ["add", "change", "remove", "email", "write"];

/** The share of quiet messages that may be taken for a wish: less than promised, as other voices are less alike. */
const MAY_BE_WRONG = 0.003;

/** Lowers the thresholds past one quiet message after the other, each time where most wishes are gained. */
export function chooseThresholds(readings: readonly HeldOut[]): Thresholds {
  const quiet = readings.filter(isQuiet);
  const wrong = quiet.flatMap(({ message, wishes }) => surest(message, wishes));
  const wanted = readings.filter((reading) => !isQuiet(reading)).flatMap(({ message, inParts }) => surest(message, inParts));
  const allowed = Math.floor(quiet.length * MAY_BE_WRONG);
  const thresholds: Thresholds = { add: 0.999, change: 0.999, remove: 0.999, email: 0.999, write: 0.999 };
  const next = (group: Group, passed: number) =>
    wrong
      .filter((each) => each.group === group)
      .map(({ sure }) => sure)
      .sort((a, b) => b - a)[passed] ?? 0;
  const keptAbove = (group: Group, sure: number) =>
    wanted.filter((each) => each.group === group && each.sure > sure).length;
  const passed = new Map<Group, number>(GROUPS.map((group) => [group, 0]));
  for (let used = 0; used < allowed; used += 1) {
    const gains = GROUPS.map((group) => {
      const at = passed.get(group) ?? 0;
      return { group, gain: keptAbove(group, next(group, at + 1)) - keptAbove(group, next(group, at)) };
    });
    const best = gains.reduce((most, each) => (each.gain > most.gain ? each : most));
    passed.set(best.group, (passed.get(best.group) ?? 0) + 1);
  }
  for (const group of GROUPS) {
    const least = next(group, passed.get(group) ?? 0);
    thresholds[group] = Math.max(0.3, Math.min(0.999, Math.ceil(least * 1000 + 1) / 1000));
  }
  return thresholds;
}

export interface Gate {
  quiet: number;
  wrong: number;
  wishes: number;
  kept: number;
  keptRight: number;
}

/** What passes these thresholds: quiet messages, and real wishes. */
export function gateFigures(readings: readonly HeldOut[], thresholds: Thresholds): Gate {
  const passes = (wish: Wish, message?: Labelled) => {
    const group = groupOf(wish.act);
    return group !== null && sureness(wish) >= thresholds[group] && (!message || wouldWrite(message, wish));
  };
  const gate = { quiet: 0, wrong: 0, wishes: 0, kept: 0, keptRight: 0 };
  for (const reading of readings) {
    if (isQuiet(reading)) {
      gate.quiet += 1;
      if (reading.wishes.some((wish) => passes(wish, reading.message))) gate.wrong += 1;
      continue;
    }
    for (const [at, { act }] of reading.message.parts.entries()) {
      const wish = reading.inParts[at];
      if (groupOf(act) === null || !wish) continue;
      gate.wishes += 1;
      if (passes(wish)) gate.kept += 1;
      if (passes(wish) && wish.act === act) gate.keptRight += 1;
    }
  }
  return gate;
}

const LANGUAGES = { german: "German", french: "French", spanish: "Spanish" };

/** A Spanish speaker may write in English. */
function languageOf({ message: { voice } }: HeldOut): string {
  const found = Object.entries(LANGUAGES).find(([name]) => voice === name || voice.startsWith(`${name}-`));
  return found && !voice.endsWith("-speaker") ? found[1] : "English";
}

/** What the figures say, a line for each language and one for the thresholds. */
export function heldOutLines(readings: readonly HeldOut[], thresholds: Thresholds): string[] {
  const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  const line = (name: string, list: readonly HeldOut[]) => {
    const { messages, parts, acts, boundaries, slots, whole } = figuresOf(list);
    return `${name}: acts ${percent(acts, parts)} of ${parts}, boundaries ${percent(boundaries, messages)}, slots ${percent(slots, messages)}, whole ${percent(whole, messages)} of ${messages}`;
  };
  const { quiet, wrong, wishes, kept, keptRight } = gateFigures(halvesOf(readings).judgedBy, thresholds);
  return [
    line("All voices", readings),
    ...["English", ...Object.values(LANGUAGES)].map((language) =>
      line(
        language,
        readings.filter((reading) => languageOf(reading) === language),
      ),
    ),
    `Voices on which no threshold was chosen: ${wrong} of ${quiet} quiet messages would change something (${percent(wrong, quiet)}); ${percent(kept, wishes)} of ${wishes} wishes for a change are sure, ${percent(keptRight, wishes)} with the right act`,
  ];
}
