import { assertType } from "./cast.ts";

/** With what it has found so far, so that the compiler does not give up after fifty words. */
type Split<Text extends string, Found extends string[] = []> = Text extends `${infer First} ${infer Rest}`
  ? Split<Rest, [...Found, First]>
  : [...Found, Text];

/** The type of a word of this line. */
export type Word<Text extends string> = Split<Text>[number];

/** A list of words written as one line; its type has each of them. */
export const words = <Text extends string>(text: Text) => assertType<Readonly<Split<Text>>>(text.split(" "));

/** A set of words written as one line. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** A map written as lines of text: `pairs("me: you, my: your")`. */
export const pairs = (...lines: readonly string[]): ReadonlyMap<string, string> =>
  new Map(lines.flatMap((line) => line.split(", ")).map((pair) => assertType<[string, string]>(pair.split(": "))));
