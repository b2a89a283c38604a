/*
 * Texts that are inserted while an email is written, by `;` and their name. Nothing here knows the field: it is asked
 * with the text before the caret, and says how many characters to replace by what.
 */

import { parted } from "./people.ts";

export interface Snippet {
  id: number;
  name: string;
  text: string;
}

/** What is being typed at the caret: so many characters, with these letters behind the semicolon. */
interface Typed {
  count: number;
  word: string;
}

/** Null if no snippet is being named: a semicolon behind a word ends it. */
export function snippetAt(before: string): Typed | null {
  const [, word] = /(?:^|[\s(>])(;[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]{0,39})$/u.exec(before) ?? [];
  return word === undefined ? null : { count: word.length, word: word.slice(1).normalize("NFC").toLowerCase() };
}

const SHOWN = 8;

/** Those whose names begin so, and then those that have it elsewhere in the name. */
export function snippetsFor<Each extends Snippet>(all: readonly Each[], { word }: Typed): Each[] {
  const first = all.filter(({ name }) => name.startsWith(word));
  return [...first, ...all.filter((each) => each.name.includes(word) && !first.includes(each))].slice(0, SHOWN);
}

/** What the placeholders stand for; what is not known is null. */
export interface Known {
  firstName: string | null;
  myName: string | null;
  date: string;
}

interface Insertion {
  /** Characters before the caret that it replaces. */
  count: number;
  text: string;
  /** Where the caret is then, from the start of the text. */
  caret: number;
}

/** The text of a snippet. A placeholder that is not known stays as it is, so that it is seen before the email is sent. */
export function insertionOf({ text }: Pick<Snippet, "text">, { count }: Typed, known: Known): Insertion {
  const values: Record<string, string | null> = {
    "first name": known.firstName,
    "my name": known.myName,
    date: known.date,
  };
  const filled = text.replace(/\{([a-z ]+)\}/gi, (whole, name: string) => values[name.toLowerCase()] ?? whole);
  const [start = "", ...rest] = filled.split(/\{cursor\}/i);
  return { count, text: start + rest.join(""), caret: rest.length > 0 ? start.length : filled.length };
}

/** The text of a field after the insertion at the caret. */
export function inserted(
  value: string,
  at: number,
  { count, text, caret }: Insertion,
): { value: string; caret: number } {
  const start = Math.max(0, at - count);
  return { value: `${value.slice(0, start)}${text}${value.slice(at)}`, caret: start + caret };
}

/** "Dana" of `Dana Weiss <…>` and of `"Weiss, Dana" <…>`; null without a name. */
export function firstNameOf(person: string): string | null {
  const name =
    parted(person.trim())
      ?.name.replace(/^"(.*)"$/s, "$1")
      .trim() ?? "";
  const given = name.includes(",") ? name.slice(name.indexOf(",") + 1) : name;
  return given.trim().split(/\s+/)[0] || null;
}
