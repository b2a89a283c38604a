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
