import { glued, type Input, numberAt, tokenAt, wordAt } from "./tokens.ts";
import { ORDINALS, SMALL_NUMBERS, TENS } from "./vocabulary.ts";

export interface Counted {
  end: number;
  value: number;
}

/** The index after the hyphen of "twenty-five". */
function behindHyphen(input: Input, at: number): number {
  return wordAt(input, at) === "-" && glued(input, at) && glued(input, at + 1) ? at + 1 : at;
}

/** "seven", "twenty five", "forty-three": 1 to 99 in words. */
export function wordNumber(input: Input, at: number): Counted | null {
  const small = SMALL_NUMBERS.get(wordAt(input, at));
  if (small) return { end: at + 1, value: small };
  const tens = TENS.get(wordAt(input, at));
  if (!tens) return null;
  const next = behindHyphen(input, at + 1);
  const ones = SMALL_NUMBERS.get(wordAt(input, next));
  return ones && ones < 10 ? { end: next + 1, value: tens + ones } : { end: at + 1, value: tens };
}

/** "3rd", "third", "twenty-second", "thirty first": an ordinal up to 99. */
export function ordinal(input: Input, at: number): Counted | null {
  const value = numberAt(input, at);
  if (value >= 0) {
    const suffix = wordAt(input, at + 1);
    const isSuffix = suffix === "st" || suffix === "nd" || suffix === "rd" || suffix === "th";
    return value <= 99 && isSuffix && glued(input, at + 1) ? { end: at + 2, value } : null;
  }
  const small = ORDINALS.get(wordAt(input, at));
  if (small) return { end: at + 1, value: small };
  const tens = TENS.get(wordAt(input, at));
  if (!tens) return null;
  const next = behindHyphen(input, at + 1);
  const ones = ORDINALS.get(wordAt(input, next));
  return ones && ones < 10 ? { end: next + 1, value: tens + ones } : null;
}

/** A day of a month: "4", "4th", "04th", "fourth", "twenty nine". */
export function dayNumber(input: Input, at: number): (Counted & { ordinal: boolean }) | null {
  const nth = ordinal(input, at);
  if (nth) return nth.value >= 1 && nth.value <= 31 ? { ...nth, ordinal: true } : null;
  const token = tokenAt(input, at);
  if (token.kind === "number") {
    const value = numberAt(input, at);
    return token.text.length <= 2 && value >= 1 && value <= 31 ? { end: at + 1, value, ordinal: false } : null;
  }
  const words = wordNumber(input, at);
  return words && words.value <= 31 ? { ...words, ordinal: false } : null;
}

/** A year of two digits: from 40 on in the 20th century, below in the 21st. */
export function fullYear(short: number): number {
  return short >= 40 ? 1900 + short : 2000 + short;
}

/** "2019", "nineteen eighty six", "nineteen hundred ninety three", "two thousand and thirty two". */
export function year(input: Input, at: number): Counted | null {
  const token = tokenAt(input, at);
  if (token.kind === "number") {
    const value = numberAt(input, at);
    const isSuffixed = tokenAt(input, at + 1).kind === "word" && glued(input, at + 1);
    return token.text.length === 4 && value >= 1500 && value <= 2199 && !isSuffixed ? { end: at + 1, value } : null;
  }
  if (token.kind !== "word") return null;
  const head = wordNumber(input, at);
  if (!head) return null;
  const word = wordAt(input, head.end);
  if (word === "thousand" && head.value === 2) {
    const and = wordAt(input, head.end + 1) === "and" ? head.end + 2 : head.end + 1;
    const rest = wordNumber(input, and);
    return rest ? { end: rest.end, value: 2000 + rest.value } : { end: head.end + 1, value: 2000 };
  }
  if (head.value < 15 || head.value > 21) return null;
  if (word === "hundred") {
    const and = wordAt(input, head.end + 1) === "and" ? head.end + 2 : head.end + 1;
    const rest = wordNumber(input, and);
    return { end: rest?.end ?? head.end + 1, value: head.value * 100 + (rest?.value ?? 0) };
  }
  const tail = wordNumber(input, head.end);
  return tail && tail.value >= 10 ? { end: tail.end, value: head.value * 100 + tail.value } : null;
}
