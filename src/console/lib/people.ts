/* People as they are typed into one field: `Ann Lee <ann@example.com>, bob@example.com`. */

interface Piece {
  start: number;
  end: number;
}

/** Where each of them stands: between commas and semicolons, but not those within quotes. */
function piecesOf(text: string): Piece[] {
  const separators = [...text.matchAll(/"[^"]*"|[,;]/g)].flatMap(({ 0: found, index: at }) =>
    found.length === 1 ? [at] : [],
  );
  return [...separators, text.length].map((end, index) => ({ start: (separators[index - 1] ?? -1) + 1, end }));
}

export function addressesOf(text: string): string[] {
  return piecesOf(text)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter(Boolean);
}

/** Those that a separator ends become people; the rest is still being typed. A quote that is open hides its commas. */
export function piecesTyped(text: string): { done: string[]; rest: string } {
  const ends = [...text.matchAll(/"[^"]*(?:"|$)|[,;]/g)].flatMap(({ 0: found, index }) =>
    found.length === 1 && found !== '"' ? [index] : [],
  );
  const last = ends.at(-1);
  if (last === undefined) return { done: [], rest: text };
  return { done: addressesOf(text.slice(0, last)), rest: text.slice(last + 1).trimStart() };
}

/** Whether a text that is pasted holds more than one person, or one that has to be written in another way. */
export function separatesPeople(text: string): boolean {
  return /[,;\n\t"]/.test(text.trim());
}

/**
 * People as other programs copy them: `Weiss, Dana <dana@example.com>; "O'Hara \\"Bo\\"" <bo@example.com>`, a column or a
 * row of a table, with or without quotes.
 */
export function pastedPeople(text: string): string[] {
  const parts = splitOutside(text, /[;\n\r\t]/).flatMap((part) => joinNames(splitOutside(part, /,/)));
  return parts.map(normalized).filter(Boolean);
}

/** Between separators, but not those within quotes or angle brackets. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts = [""];
  let [isQuoted, isBracketed] = [false, false];
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    const isEscaped = isQuoted && char === "\\" && at + 1 < text.length;
    if (!isEscaped && char === '"') isQuoted = !isQuoted;
    if (!isQuoted && char === "<") isBracketed = text.includes(">", at);
    if (char === ">") isBracketed = false;
    if (!isQuoted && !isBracketed && separator.test(char)) parts.push("");
    else parts.push(`${parts.pop()}${char}${isEscaped ? text[++at] : ""}`);
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** `Weiss`, `Dana <dana@example.com>`: a name without an address belongs to the person behind it. */
function joinNames(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const isName = before !== undefined && !before.includes("@") && parted(part)?.address.includes("@");
    if (isName) joined.splice(-1, 1, `${before}, ${part}`);
    else joined.push(part);
  }
  return joined;
}

/** The two parts of `Dana Weiss <dana@example.com>`; null without an address in angle brackets. */
export function parted(person: string): { name: string; address: string } | null {
  const at = person.lastIndexOf("<");
  const address = person.slice(at + 1, -1);
  if (at < 0 || !person.endsWith(">") || address.includes(">")) return null;
  return { name: person.slice(0, at).trim(), address: address.trim().replace(/^mailto:/i, "") };
}

function normalized(part: string): string {
  const { name, address } = parted(part) ?? { name: "", address: "" };
  if (!isAddress(address)) return part.replace(/^mailto:/i, "");
  const bare = /^"(.*)"$/s.test(name) ? name.slice(1, -1).replace(/\\(.)/g, "$1") : name.replace(/^'(.*)'$/s, "$1");
  return personText({ name: bare.trim().replaceAll('"', "'"), email: address });
}

const ADDRESS = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/;

/** Whether the service could send to it. It reads an address in the same way. */
export function isAddress(person: string): boolean {
  return ADDRESS.test(addressIn(person));
}

/** How a person is shown in short. */
export function nameIn(person: string): string {
  const name = parted(person)
    ?.name.replace(/^"(.*)"$/s, "$1")
    .trim();
  return name || addressIn(person);
}

/** The one that is being typed. */
export function pieceAt(text: string, caret: number): Piece {
  return piecesOf(text).find(({ end }) => caret <= end) ?? { start: 0, end: text.length };
}

/** The address of `Ann Lee <ann@example.com>`, or of what is one already. */
export function addressIn(person: string): string {
  return /<([^<>]*)>$/.exec(person)?.[1] ?? person;
}

export function personText({ name, email }: { name?: string | null; email: string }): string {
  return name ? `${quoted(name)} <${email}>` : email;
}

/** A name with a comma would be two addresses. */
const quoted = (name: string) => (/[,;<>@"]/.test(name) ? `"${name.replaceAll('"', "'")}"` : name);

/** Who is being typed behind an operator of a search: `from:da`, `-to:"dana we`. */
export function searchedPersonAt(text: string, caret: number) {
  return typedAt(text, caret, /(?:^|[\s(])-?(?:from|to|cc):("[^"]*|[^\s"()]*)$/i, /^[^\s"()]*["\s]?/);
}

/** Who is being mentioned in a message: `ask @dana we`. Not the domain of an address. */
export function mentionAt(text: string, caret: number) {
  return typedAt(text, caret, /(?:^|[\s(])(@[\p{L}\p{N}][^\s@]{0,40}(?: [^\s@]{1,40}){0,2} ?)$/u, /^\S*[^\S\n]?/);
}

/** What the first pattern has before the caret, with the rest of the word behind it. */
function typedAt(text: string, caret: number, before: RegExp, behind: RegExp) {
  const found = before.exec(text.slice(0, caret))?.[1];
  if (found === undefined) return null;
  const end = caret + (behind.exec(text.slice(caret))?.[0].length ?? 0);
  return { start: caret - found.length, end, words: found.replace(/^["@]/, "").trim() };
}
