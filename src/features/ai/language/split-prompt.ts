import { collapseSpace } from "../../../lib/text.ts";
import { wordSet } from "../../../lib/words.ts";

/** A prompt split into its instruction and the text it applies to. */
export interface PromptParts {
  instruction: string;
  text: string;
  /** Only a preposition separates the two, so the text may be just a topic. */
  isTopic: boolean;
}

const MAX_INSTRUCTION = 300;
/** Each mark is a place where the instruction may end. */
const MAX_MARKS = 8;
const MARKS = /:(?=\s)|\n+|[.?!](?=\s)|\s[-–—]\s/g;
/** What can enclose the text: an opening mark and its closing mark. */
const FENCES: readonly (readonly [open: RegExp, close: (opened: string) => string])[] = [
  [/```[a-z]{0,12}\n?/, () => "```"],
  [/"""/, () => '"""'],
  [/<(?:text|email|mail|content|document|input|article|notes)>/i, (opened) => `</${opened.slice(1)}`],
  [/^\s{0,3}-{3,}\s{0,3}\n/m, () => "\n---"],
];

/**
 * The ways to split a prompt, likeliest first. Only understanding the instruction shows which is right: a colon may
 * end the instruction or belong to the text.
 */
export function partsOf(prompt: string): PromptParts[] {
  const whole = prompt.trim();
  const fenced = fencedParts(whole);
  if (fenced) return [fenced];
  const parts: PromptParts[] = [];
  const add = (instruction: string, text: string, isTopic = false) => {
    if (instruction.length <= MAX_INSTRUCTION && text.trim() !== "")
      parts.push({ instruction: collapseSpace(instruction), text: text.trim(), isTopic });
  };
  const head = whole.slice(0, MAX_INSTRUCTION + 1);
  const quoted = /^([^"“\n]{3,300}?)\s?["“]([\s\S]{3,})["”]\s?[.?!]?$/.exec(whole);
  if (quoted) add(quoted[1] ?? "", quoted[2] ?? "");
  for (const { index, 0: mark } of [...head.matchAll(MARKS)].slice(0, MAX_MARKS)) {
    add(whole.slice(0, index), whole.slice(index + mark.length));
  }
  const tail = /\n\s{0,10}([^\n]{3,300})$/.exec(whole.slice(-MAX_INSTRUCTION - 20));
  if (tail?.[1]) add(tail[1], whole.slice(0, whole.length - tail[0].length));
  const inline = /^(.{3,200}?\b(?:from|in|of))\s([\s\S]+)$/i.exec(head.length <= MAX_INSTRUCTION ? whole : "");
  if (inline) add(inline[1] ?? "", inline[2] ?? "", true);
  return parts;
}

/** Looks for each enclosing mark once, so that text full of them is not slow. */
function fencedParts(whole: string): PromptParts | null {
  for (const [open, close] of FENCES) {
    const found = open.exec(whole);
    if (!found) continue;
    const start = found.index + found[0].length;
    const mark = close(found[0]);
    const end = whole.indexOf(mark, start);
    if (end < 0) continue;
    const instruction = `${whole.slice(0, found.index)} ${whole.slice(end + mark.length)}`;
    const text = whole.slice(start, end).trim();
    if (text === "" || instruction.trim() === "" || instruction.length > MAX_INSTRUCTION) return null;
    return { instruction: collapseSpace(instruction), text, isTopic: false };
  }
  return null;
}

const POLITE =
  /^(?:(?:hi|hey|hello|ok|okay|so|now)\b[,!]?(?:\s|$)|please\s|kindly\s|just\s|(?:can|could|would|will) you (?:please |kindly |help me )?|i (?:want|need|would like|'d like) you to\s|i'd like you to\s|i (?:want|need) (?:to )?(?=a\b|an\b|the\b)|help me (?:to )?|let's\s|your task is to\s|you (?:should|must)\s){1,6}/i;

/** The instruction in lower case, without courtesies and marks at its end. */
export function plainInstruction(instruction: string): string {
  return instruction
    .replaceAll("’", "'")
    .replace(/(?<![\s:.?!,-])[\s:.?!,-]+$/, "")
    .replace(POLITE, "")
    .replace(/,?\s(?:please|thanks|thank you|for me)$/i, "")
    .toLowerCase();
}

const FILLERS = wordSet(
  "a an the this that these those it its of in from for to and or all any every each out me my given following below above text email mail emails message content document article passage paragraph note notes letter thread conversation transcript page snippet piece here you as with into is are there by one per line please list only mentioned contained found appear appearing which were was have has i we each's separate format form plain your",
);

/** Whether the rest of an instruction has only words that change nothing. */
export function isOnlyFiller(rest: string): boolean {
  return (rest.match(/[\p{L}\d']+/gu) ?? []).every((word) => FILLERS.has(word));
}

/** Removes a match from the rest of an instruction and returns it, or null. */
export function takeMatch(left: { rest: string }, pattern: RegExp): RegExpExecArray | null {
  const found = pattern.exec(left.rest);
  if (found) left.rest = `${left.rest.slice(0, found.index)} ${left.rest.slice(found.index + found[0].length)}`;
  return found;
}
