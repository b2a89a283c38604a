/* The text of a letter, changed as its writer says: more of it, less of it, other words, another name under it. */

const IN_IT = `(?:(?: down)? (?:in|into|to|on)(?: there| it| that| this| the (?:e?mail|message|draft|letter|text|note|reply))?)?`;
const ADDS = new RegExp(
  String.raw`(?:^|[\s,.;])(?:(?:add|put|include|write|mention|note)${IN_IT}(?: also| too| as well)?,? (?:that|saying) |(?:mention|include)(?: also| too)? |(?:also|and) (?:say|write|mention|tell (?:her|him|them)|let (?:her|him|them) know)(?: also| too)? (?:that |(?!(?:it|this|that|them)\b)))(?<text>\S.{0,500})$`,
  "iu",
);
const ADDS_TO_IT =
  /(?:^|[\s,.;])(?:add|put|write) (?<text>\S.{0,300}) (?:to|in|into) (?:it|there|the (?:e?mail|message|draft|letter|text|note|reply))[.!]?$/iu;
const LEAVES_OUT =
  /(?:^|[\s,.;])(?:(?:leave|take|cut|keep)(?: out)?|drop|remove|skip|omit|delete|strike|lose|without|(?:don't|do not|no need to) mention) (?<text>\S[^,.;!]{0,80}?)(?: out)?(?=[,.;!]|$| (?:and|but|then|please)\b)/iu;
const SIGNS =
  /(?:^|[\s,.;])sign (?:(?:it|this|that|off) ){0,2}(?:(?:as|with) )?["'“]?(?<text>[^"'”.,;]{2,60}?)["'”]?(?=[,.;!]|$| (?:and|then|please)\b)/iu;
const SWAPS = [
  /(?:^|[\s,.;])(?:(?:say|write|put|make it|make that) )?(?<to>[^,.;]{1,60}) instead of (?<from>[^,.;!]{1,60}?)(?=[,.;!]|$)/iu,
  /(?:^|[\s,.;])(?:change|replace|swap) (?<from>[^,.;]{1,60}?) (?:to|with|by|into|for) (?<to>[^,.;!]{1,60}?)(?=[,.;!]|$| and\b)/iu,
  /(?:^|[\s,.;])not (?<from>[^,.;]{1,40}?),? (?:but )?(?<to>[^,.;!]{1,40})[.!]?$/iu,
];

/** "Make it eleven": the only number of the text. */
const COUNTS =
  /\b(?:\d{1,4}(?:[:.,]\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)\b/gi;
const MAKES = new RegExp(String.raw`\b(?:make|say) (?:it|that )?\s?(?<to>${COUNTS.source})[.!]?$`, "i");

/** The text with what the words ask for; null if they ask for nothing of the kind. */
export function changedLetter(body: string, words: string): string | null {
  const parts = body.split("\n\n");
  const at = parts.length > 2 ? parts.length - 2 : parts.length - 1;
  const put = (index: number, text: string) =>
    parts
      .with(index, text)
      .filter((part) => part !== "")
      .join("\n\n");
  const sign = SIGNS.exec(words)?.groups?.text;
  if (sign) return put(parts.length - 1, signed(parts.at(-1) ?? "", sign, at < parts.length - 1));
  for (const form of SWAPS) {
    const { from = "", to = "" } = form.exec(words)?.groups ?? {};
    const place = from === "" ? -1 : placeOf(body, from);
    if (place >= 0) return `${body.slice(0, place)}${to}${body.slice(place + from.length)}`;
  }
  const number = MAKES.exec(words)?.groups?.to;
  const known = number ? [...(parts[at] ?? "").matchAll(COUNTS)] : [];
  if (number && known.length === 1) return put(at, (parts[at] ?? "").replace(COUNTS, number));
  const out = LEAVES_OUT.exec(words)?.groups?.text ?? "";
  const rest = out.length > 2 ? withoutPart(parts[at] ?? "", out) : null;
  if (rest !== null) return put(at, rest);
  const more = (ADDS_TO_IT.exec(words) ?? ADDS.exec(words))?.groups?.text?.replace(/(?:,? please)?[.!]?$/i, "") ?? "";
  return more === "" ? null : put(at, `${ended(parts[at] ?? "")} ${ended(capital(more))}`);
}

/** Where whole words stand in a text, in upper or lower case; -1 if nowhere. */
function placeOf(text: string, words: string): number {
  const [all, some] = [text.toLowerCase(), words.toLowerCase()];
  let at = all.indexOf(some);
  while (at >= 0 && /^\p{L}{2}|\p{L}{2}$/u.test(`${edge(all, at - 1)}|${edge(all, at + some.length - 1)}`)) {
    at = all.indexOf(some, at + 1);
  }
  return at;
}

const edge = (text: string, at: number) => text.slice(Math.max(0, at), at + 2);

const capital = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
const ended = (text: string) => (/[.!?]["”“»]?$/.test(text) ? text : `${text}.`);

/** "Best wishes,\nAnn" ends with another name. */
const signed = (closing: string, name: string, isClosing: boolean) =>
  isClosing && closing.includes("\n") ? closing.replace(/\n[^\n]*$/, `\n${name}`) : `${closing}\n\n${name}`;

const SMALL = new Set(["the", "that", "and", "for", "her", "his", "you", "part", "bit", "about", "with"]);
const longWords = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !SMALL.has(word));

function hasAll(clause: string, words: string): boolean {
  const wanted = longWords(words);
  const there = new Set(longWords(clause));
  return wanted.length > 0 && wanted.every((word) => there.has(word));
}

/** A text without the clause that has these words; null if none has, or all of it would be gone. */
function withoutPart(text: string, words: string): string | null {
  const clauses = text.split(/(?<=[.!?])\s|(?=,\s)|(?=\sand\s)/);
  const kept = clauses.filter((clause) => !hasAll(clause, words));
  if (kept.length === clauses.length || kept.length === 0) return null;
  return ended(
    capital(
      kept
        .join("")
        .replace(/^(?:,|\sand)\s/, "")
        .replace(/(?<=[.!?])(?=\p{L})/gu, " "),
    ),
  );
}
