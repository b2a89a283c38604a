import { isKnownWord } from "../reader/read.ts";

/** Words of requests that are recognized although two letters are swapped or one is missing. */
const KNOWN =
  "perfect confirm answer before schedule reschedule meeting appointment calendar tomorrow reminder cancel delete remind change archive message unsubscribe wednesday thursday saturday tuesday monday friday sunday invite postpone forward complete priority".split(
    " ",
  );
/** Short words of any message, of which two letters are swapped or one of two is missing: "adn", "sned", "tel". */
const SHORT =
  "and the that then this them they tell send move with what when from write again still will well been were have does done shift work week time make take put add free next also just please thanks".split(
    " ",
  );
/** One letter is missing only in long words: "mail" is not a slip of "email". */
const LONG = 7;
const LEAST_SHORT = 3;

const isSwap = (word: string, known: string, at: number) =>
  word.length === known.length &&
  word[at] === known[at + 1] &&
  word[at + 1] === known[at] &&
  word.slice(at + 2) === known.slice(at + 2);

/** What nobody would write otherwise: the reader has never seen it, and it is no name. */
function shortWord(word: string): string | undefined {
  if (word.length < LEAST_SHORT || isKnownWord(word)) return undefined;
  return SHORT.find((known) => {
    const at = [...known].findIndex((letter, place) => letter !== word[place]);
    const isHalved = known[at] === known[at - 1] && word === known.slice(0, at) + known.slice(at + 1);
    return isSwap(word, known, at) || isHalved;
  });
}

function knownWord(written: string): string | undefined {
  const word = written.toLowerCase();
  // A name is written with a capital letter, or by somebody who never writes one.
  const short = written === word ? shortWord(word) : undefined;
  if (short || word.length < 5) return short;
  return KNOWN.find((known) => {
    if (known === word || known[0] !== word[0]) return false;
    let at = 0;
    while (at < word.length && word[at] === known[at]) at += 1;
    // "perfekt" is the same word in another language.
    const isForeign = word.replaceAll("k", "c") === known;
    // "archie" and "complet" end where a letter could be missing: they are words of their own.
    return (
      isSwap(word, known, at) ||
      isForeign ||
      (known.length >= LONG && at < word.length && word.slice(at) === known.slice(at + 1))
    );
  });
}

/** Short forms and slips that words of requests and days are compared with. The reader knows others by itself. */
const SPELLINGS: readonly (readonly [meant: string, written: string])[] = [
  ["calendar", "calender"],
  ["meeting", "meating"],
  ["appointment", "appt"],
  ["remind", "remaind"],
  ["remind me to", "remind me 2(?= [a-z])"],
  // "remainder" is a word of its own, except in "set a remainder".
  ["reminder", "(?<=\\b(?:set|create|add|make|give)(?: me)?(?: up)? an? )remainder"],
  ["tomorrow", "tommorr?ow|tmrr?w|tmr|2moro|2morrow|tomoz"],
  ["today", "2day"],
  ["tonight", "2nite|tonite"],
  ["evening", "evenin"],
  ["morning", "mornin"],
  ["you", "(?<=\\b(?:can|could|would|will) )u"],
  // "the tool shop 1", but for what is numbered.
  [
    "one",
    "(?<=\\b(?:the|that) (?:\\p{L}+ ){1,3})(?<!\\b(?:room|step|gate|platform|part|chapter|page|level|phase|week|day|year|term|unit|lesson|number|version) )1(?=$|[,.!?]| (?:n|and)\\b)",
  ],
  ["and", "n(?= \\p{L})"],
  ["today's", "todays"],
  ["wednesday", "wensday|wendsday|wednsday|wensdey"],
  ["before", "befor|b4"],
  ["does", "(?<=\\b(?:what|when|where|how|why) )dose"],
  ["from", "form(?= (?:me|you|him|her|them|us)\\b)"],
  ["monday", "(?<=\\b(?:due|on|by|for|until|till|next|this|to|is) )mon"],
  ["don't", "dont"],
  ["please", "plz|pls"],
  ["thanks", "thx|thanx|tnx|tks|tysm|ty"],
  ["what", "wot"],
  ["what's", "wots"],
  ["which", "wich"],
  ["with", "(?<=\\b(?:meeting|call|lunch|dinner|coffee|sync) )w/?"],
];
const SPELLING = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${SPELLINGS.map(([, written]) => `(${written})`).join("|")})(?![\\p{L}\\p{N}])`,
  "giu",
);

/** "to 5.30" */
const DOTTED_HOUR =
  /(?<=\b(?:at|to|from|till|until|make it|make that|than|for) |\d ?(?:-|–) ?)((?:1\d|2[0-3]|\d))\.([0-5][05])(?![\d.%€$£]|\.\d| ?(?:k|kg|km|m|euros?|pounds?|dollars?|percent|hours?|hrs?|minutes?|mins?|million|per)\b)/gi;

/** The message with its misspellings corrected, except in quotation marks. */
export function fixSpelling(message: string): string {
  const text = message
    .replaceAll("’", "'")
    // "sunscreen and, uh, a book"
    .replace(/,? \b(?:u[hm]+|erm+|er)\b,?(?= )/gi, "")
    .replace(/\bw\/ ?(?=\p{L})/gu, "with ")
    // "mug i got.. boots by saturday"
    .replace(/(?<=\p{L})\.\.(?=\s\S)/gu, ".")
    .replace(DOTTED_HOUR, "$1:$2")
    .replace(/(?<!\s)\s*[:;]-?[()DPp/]\s*$/g, "");
  return text.replace(/["“][^"”]{0,200}["”]|[^"“]+/g, (piece) =>
    /^["“]/.test(piece)
      ? piece
      : piece
          .replace(/\p{L}+/gu, (written) => knownWord(written) ?? written)
          .replace(
            SPELLING,
            (written, ...groups) => SPELLINGS[groups.findIndex((group) => group !== undefined)]?.[0] ?? written,
          ),
  );
}
