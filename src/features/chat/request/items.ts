import { wordSet } from "../../../lib/words.ts";
import { wordsOf } from "./exact.ts";

/** Signs that part things for certain, and those that may be words of one name: "salt, pepper", "bread and butter". */
const STRONG = /(?<!\s)\s*;\s*|(?<!\S)(?:\d{1,2}[.)]|[-*•–])\s+/;
const WEAK = /(?<!\s)\s*,\s*(?:(?:and|und|et|y|e)\s+)?|(?<!\s)\s+(?:and|und|et|y)\s+/i;
const LONGEST_ITEM = 4;

const trimmed = (parts: readonly string[]) => parts.map((part) => part.trim()).filter((part) => part !== "");

/** "milk, eggs and bread" are three things; a longer phrase is one. */
export function shortItems(text: string): string[] {
  const items = trimmed(text.split(WEAK));
  return items.every((item) => wordsOf(item).length <= LONGEST_ITEM) ? items : [text];
}

interface Enumeration {
  /** What is said before the colon, about all of them. */
  head: string;
  items: string[];
}

/** Words of a heading that announce more than one thing: "three tasks:", "I need to:", "the following:". */
const ANNOUNCES = wordSet(
  "tasks things todos to-dos reminders items following these list to two three four five six aufgaben dinge folgendes liste tâches choses liste tareas cosas lista",
);

/** Several things that a message lists: after a colon, numbered, by semicolons or lines. Null if it lists none. */
export function enumerationIn(text: string): Enumeration | null {
  const colon = /(?<!\d):(?=\s|$)/.exec(text)?.index ?? -1;
  const at = colon + 1;
  const head = text.slice(0, at).replace(/:$/, "").trim();
  const body = text.slice(at).trim();
  const strong = trimmed(body.split(STRONG));
  if (strong.length > 1) return { head, items: strong };
  const weak = colon >= 0 && wordsOf(head).some((word) => ANNOUNCES.has(word)) ? trimmed(body.split(WEAK)) : [];
  return weak.length > 1 ? { head, items: weak } : null;
}
