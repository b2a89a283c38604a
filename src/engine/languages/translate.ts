import type { Language } from "../../lib/languages.ts";
import { capitalize } from "../../lib/text.ts";
import type { Token } from "../dates/tokens.ts";
import { MONTHS } from "../dates/vocabulary.ts";
import { DE } from "./de.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import { compoundsOf, entries, type LanguageTable } from "./table.ts";

interface Element {
  words: readonly string[];
  optional: boolean;
  isJoined: boolean;
  isExcluded: boolean;
}

interface Phrase {
  pattern: readonly Element[];
  target: readonly string[];
}

interface Compiled {
  words: ReadonlyMap<string, readonly string[]>;
  kinds: Readonly<Record<"#" | "{u}" | "{d}" | "{m}", ReadonlyMap<string, string>>>;
  /** By the first word or kind. */
  phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** The words that can follow it, where they are known: most tokens are skipped by them. */
  seconds: ReadonlyMap<string, ReadonlySet<string>>;
}

function compile(table: LanguageTable): Compiled {
  const kinds = {
    "#": new Map(entries(table.numbers)),
    "{u}": new Map(entries(table.units)),
    "{d}": new Map(entries(table.weekdays)),
    "{m}": new Map(entries(table.months)),
  };
  const phrases = new Map<string, Phrase[]>();
  for (const line of table.phrases.trim().split("\n")) {
    const [left = "", right = ""] = line.split(" = ").map((part) => part.trim());
    const pattern = left.split(" ").map((word) => ({
      words: word.replace(/^[~!]|\?$/g, "").split("|"),
      optional: word.length > 1 && word.endsWith("?"),
      isJoined: word.startsWith("~"),
      isExcluded: word.startsWith("!"),
    }));
    const phrase = { pattern, target: right.split(" ").flatMap((word) => word.split(/(?=~)/)) };
    const firsts = [...(pattern[0]?.words ?? []), ...(pattern[0]?.optional ? (pattern[1]?.words ?? []) : [])];
    for (const first of firsts) phrases.set(first, [...(phrases.get(first) ?? []), phrase]);
  }
  for (const list of phrases.values()) list.sort((a, b) => b.pattern.length - a.pattern.length);
  // "eine Besprechung": one is an article as well, so it counts only inside a phrase.
  const counts = [...kinds["#"]].filter(([, value]) => value !== "1");
  const names = [kinds["{u}"], kinds["{d}"], kinds["{m}"]].flatMap((kind) => [...kind]);
  const all = [...entries(table.words), ...counts, ...names, ...compoundsOf(table)];
  const seconds = new Map<string, ReadonlySet<string>>();
  for (const [first, list] of phrases) {
    const behind = list.map(({ pattern }) => pattern[1]);
    const isOpen = behind.some((element) => !element || element.optional || element.words.includes("#"));
    const named = behind.flatMap((element) => element?.words ?? []);
    const isFirstOptional = list.some(({ pattern }) => pattern[0]?.optional);
    if (isOpen || isFirstOptional) continue;
    seconds.set(
      first,
      new Set(
        named.flatMap((word) =>
          word === "{u}" || word === "{d}" || word === "{m}" ? [...kinds[word].keys()] : [word],
        ),
      ),
    );
  }
  return { words: new Map(all.map(([name, value]) => [name, value.split(" ")])), kinds, phrases, seconds };
}

const SOURCES = { de: DE, fr: FR, es: ES };
const compiled = new Map<Language, Compiled>();

/** Made when first needed. */
function tableOf(language: "de" | "fr" | "es"): Compiled {
  const known = compiled.get(language);
  if (known) return known;
  const made = compile(SOURCES[language]);
  compiled.set(language, made);
  return made;
}

/** The tokens in the words of the English grammar, with the offsets they have in the text. */
export function translate(tokens: readonly Token[], language: "de" | "fr" | "es"): Token[] {
  const table = tableOf(language);
  const result: Token[] = [];
  let at = 0;
  while (at < tokens.length) {
    const token = tokens[at];
    if (!token) break;
    const match = matchAt(table, tokens, at, token);
    if (match) {
      push(result, tokens.slice(at, match.end), match.words);
      at = match.end;
      continue;
    }
    const words = token.kind === "word" ? table.words.get(token.lower) : undefined;
    if (words) push(result, [token], words);
    else result.push(token);
    at += 1;
  }
  return result;
}

/** Digits are a number in every language. */
function kindOf(table: Compiled, { kind, lower, text }: Token, name: string): string | undefined {
  if (name === "#" && kind === "number") return text.length <= 4 ? text : undefined;
  return name === "#" || name === "{u}" || name === "{d}" || name === "{m}" ? table.kinds[name].get(lower) : undefined;
}

/** A loop, since this runs for every phrase at every word. */
function anyKind(table: Compiled, token: Token, words: readonly string[]): string | undefined {
  for (const word of words) {
    const kind = kindOf(table, token, word);
    if (kind) return kind;
  }
  return undefined;
}

const KINDS = ["#", "{d}", "{u}", "{m}"];

function matchAt(table: Compiled, tokens: readonly Token[], at: number, first: Token) {
  for (const key of [first.lower, ...KINDS]) {
    if (key !== first.lower && kindOf(table, first, key) === undefined) continue;
    const next = tokens[at + 1]?.lower ?? "";
    const seconds = table.seconds.get(key);
    if (seconds && !seconds.has(next)) continue;
    for (const phrase of table.phrases.get(key) ?? []) {
      const found = read(table, tokens, at, phrase);
      if (found) return found;
    }
  }
  return null;
}

function read(table: Compiled, tokens: readonly Token[], at: number, { pattern, target }: Phrase) {
  const captured: string[] = [];
  let next = at;
  for (const { words, optional, isJoined, isExcluded } of pattern) {
    const token = tokens[next];
    const isOut = !token || (next > at && token.line) || (isJoined && token.gap);
    const kind = isOut ? undefined : anyKind(table, token, words);
    const isMet = !isOut && (kind !== undefined || words.includes(token.lower));
    if (isExcluded ? isMet : !isMet && !optional) return null;
    if (!isMet || isExcluded) continue;
    if (kind !== undefined) captured.push(kind);
    next += 1;
  }
  const fill = (word: string) => word.replace(/\$(\d)/, (_, digit) => captured[Number(digit) - 1] ?? "").split(" ");
  return { end: next, words: target.flatMap(fill) };
}

const MONTH_NAMES = new Set(MONTHS.keys());

function push(result: Token[], group: readonly Token[], words: readonly string[]): void {
  const [first] = group;
  const last = group.at(-1);
  if (!first || !last) return;
  for (const [index, word] of words.entries()) {
    const isJoined = word.startsWith("~");
    const lower = isJoined ? word.slice(1) : word;
    if (lower === "") continue;
    const kind = /^\d+$/.test(lower) ? "number" : /^[\p{L}']+$/u.test(lower) ? "word" : "mark";
    result.push({
      kind,
      // "may" and "march" are months only with a capital.
      text: MONTH_NAMES.has(lower) ? capitalize(lower) : lower,
      lower,
      start: first.start,
      end: last.end,
      value: kind === "number" ? Number(lower) : -1,
      gap: index === 0 ? first.gap : !isJoined,
      line: index === 0 && first.line,
    });
  }
}
