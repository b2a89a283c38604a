/** Words of requests that are recognized although two letters are swapped or one is missing. */
const KNOWN =
  "schedule reschedule meeting appointment calendar tomorrow reminder cancel delete remind change archive message unsubscribe wednesday thursday saturday tuesday monday friday sunday invite postpone forward complete priority".split(
    " ",
  );
/** One letter is missing only in long words: "mail" is not a slip of "email". */
const LONG = 7;

function knownWord(written: string): string | undefined {
  const word = written.toLowerCase();
  if (word.length < 5) return undefined;
  return KNOWN.find((known) => {
    if (known === word || known[0] !== word[0]) return false;
    let at = 0;
    while (at < word.length && word[at] === known[at]) at += 1;
    const isSwapped =
      word.length === known.length &&
      word[at] === known[at + 1] &&
      word[at + 1] === known[at] &&
      word.slice(at + 2) === known.slice(at + 2);
    // "archie" and "complet" end where a letter could be missing: they are words of their own.
    return isSwapped || (known.length >= LONG && at < word.length && word.slice(at) === known.slice(at + 1));
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
  ["tomorrow", "tommorr?ow|tmrr?w|tmr|2moro"],
  ["today's", "todays"],
  ["wednesday", "wensday|wendsday"],
  ["monday", "(?<=\\b(?:due|on|by|for|until|till|next|this|to|is) )mon"],
  ["don't", "dont"],
  ["please", "plz|pls"],
  ["the", "teh"],
  ["thanks", "thx"],
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
