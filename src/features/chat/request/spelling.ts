/** Words of requests that are recognized although two letters are swapped or one is missing. */
const KNOWN =
  "schedule reschedule meeting appointment calendar tomorrow reminder cancel delete remind change archive message unsubscribe wednesday thursday saturday tuesday monday friday sunday invite postpone forward complete priority".split(
    " ",
  );
/** One letter is missing only in long words: "mail" is not a slip of "email". */
const LONG = 7;
const WORDS_LIKE_IT: ReadonlySet<string> = new Set(["meting", "archie", "forwad", "complet"]);

function knownWord(written: string): string | undefined {
  const word = written.toLowerCase();
  if (word.length < 5 || WORDS_LIKE_IT.has(word)) return undefined;
  return KNOWN.find((known) => {
    if (known === word || known[0] !== word[0]) return false;
    let at = 0;
    while (at < word.length && word[at] === known[at]) at += 1;
    const isSwapped =
      word.length === known.length &&
      word[at] === known[at + 1] &&
      word[at + 1] === known[at] &&
      word.slice(at + 2) === known.slice(at + 2);
    return isSwapped || (known.length >= LONG && word.slice(at) === known.slice(at + 1));
  });
}

const asWritten = (written: string, meant: string) =>
  /^\p{Lu}/u.test(written) ? `${meant[0]?.toUpperCase()}${meant.slice(1)}` : meant;

/** Frequent misspellings and short forms in messages to an assistant. */
const SPELLINGS: readonly (readonly [meant: string, written: string])[] = [
  ["calendar", "calender|calandar|calander|calendr"],
  ["schedule", "shedule|scedule|schedual|schedul|shcedule"],
  ["reschedule", "reshedule|rescedule|reschedual"],
  ["meeting", "meating|meetting|meetign|metting"],
  ["appointment", "appt|apointment|appointement|appointmnet|appoinment"],
  ["remind", "remaind|remimd|remnd|rimind"],
  // "remainder" is a word of its own, except in "set a remainder".
  ["reminder", "remider|remindr|(?<=\\b(?:set|create|add|make|give)(?: me)?(?: up)? an? )remainder"],
  ["email", "emial|emal|eamil|e mail"],
  ["emails", "emials|emals|eamils"],
  ["cancel", "cancle|cancell|cansel|canel"],
  ["delete", "delet|dlete"],
  ["tomorrow", "tommorow|tomorow|tommorrow|tomorrrow|tmrw|tmrrw|tmr|2moro"],
  ["today's", "todays"],
  ["tonight", "tonite"],
  ["monday", "mondy|moday"],
  ["tuesday", "tuseday|tuesady|teusday"],
  ["wednesday", "wensday|wednsday|wendsday|wedensday|wednesay"],
  ["thursday", "thrusday|thurday|thursady|thurdsay"],
  ["friday", "firday|frday|fridya|freeday|fryday"],
  ["saturday", "saterday|satuday|saturdy"],
  ["sunday", "sundy|sudnay"],
  ["what's", "whats|wats|wat's"],
  ["when's", "whens"],
  ["how's", "hows"],
  ["where's", "wheres"],
  ["who's", "whos"],
  ["it's", "its(?= (?:in|at|on|now|not|gonna|going|called|been|only|just|the same|a|an|from|until|till)\\b)"],
  ["you", "u(?= )|(?<=(?:can|could|would|will|did|do|are|have) )u"],
  ["can't", "cant(?= (?:do|make|come|get|go|be|attend|find|see)\\b)"],
  ["never mind", "nvm|nevermind"],
  ["until", "til(?= )|'til(?= )|untill"],
  ["i've", "ive"],
  ["she's", "shes"],
  ["he's", "hes"],
  ["that's", "thats"],
  ["isn't", "isnt"],
  ["remind me to", "remind me 2(?= [a-z])"],
  ["them", "'?em(?=$|[ ,.!])"],
  ["i'm", "im"],
  ["don't", "dont"],
  ["can't", "cant"],
  ["please", "plz|pls|plese|pleas"],
  ["give me", "gimme"],
  ["let me", "lemme"],
  ["want to", "wanna"],
  ["have to", "gotta"],
  ["schedule", "schdule|scheduel|schedle"],
  ["that", "tht|taht"],
  ["the", "teh|hte"],
  ["task", "tsk|taks|tast"],
  ["tasks", "tsks|taks's|takss"],
  ["actually", "acutally|actualy|acctually|actaully"],
  ["move", "mvoe|moev"],
  ["make", "amke|mkae"],
  ["before", "b4"],
  ["till", "til"],
  ["monday", "(?<=\\b(?:due|on|by|for|until|till|next|this|to|is) )mon"],
  ["tuesday", "(?<=\\b(?:due|on|by|for|until|till|next|this|to|is) )tues?"],
  ["wednesday", "(?<=\\b(?:due|on|by|for|until|till|next|this|to|is) )weds?"],
  ["thursday", "(?<=\\b(?:due|on|by|for|until|till|next|this|to|is) )thu(?:r|rs)?"],
  ["friday", "(?<=\\b(?:due|on|by|for|until|till|next|this|to|is) )fri"],
  ["saturday", "(?<=\\b(?:due|on|by|for|until|till|next|this|to|is|me) )sat(?= at|$|[,.!?])"],
  ["sunday", "(?<=\\b(?:due|on|by|for|until|till|next|this|to|is|me) )sun(?= at|$|[,.!?])"],
  ["that's", "thats"],
  ["he's", "hes"],
  ["she's", "shes"],
  ["they're", "theyre"],
  [
    "it's",
    "its(?= (?:not|done|finished|too|so|really|actually|urgent|due|at|on|for|now|still|all|been|fine|ok|off|a|the|been|only|just|like)\\b)",
  ],
  ["isn't", "isnt"],
  ["haven't", "havent"],
  ["didn't", "didnt"],
  ["doesn't", "doesnt"],
  ["won't", "wont(?= \\p{L})"],
  ["i'll", "ill(?= (?:be|do|have|get|send|bring|come|call|take|make|see|write|go|pay|try)\\b)"],
  ["though", "tho"],
  ["them", "em"],
  ["and", "n"],
  ["are", "r(?= \\p{L})"],
  ["ok", "k(?=[\\s,.!]|$)"],
  ["kind of", "kinda"],
  ["sort of", "sorta"],
  ["going to", "gonna"],
  ["priority", "(?<=\\b(?:low|high|top|medium) )prio"],
  ["because", "cuz|bc"],
  ["you", "u"],
  ["okay", "kk|okey|okie"],
  ["thanks", "thx"],
  ["with", "(?<=\\b(?:meeting|call|lunch|dinner|coffee|sync) )w/?"],
];
/** "at 8 in the morning" */
const withPartOfDay = (text: string) =>
  text
    .replace(/\b(\d{1,2}(?::\d\d)?) (?:o'clock )?in the morning\b/gi, "$1am")
    .replace(/\b((?:[1-9]|1[0-2])(?::\d\d)?) (?:o'clock )?(?:in the (?:afternoon|evening)|at night)\b/gi, "$1pm");
const SPELLING = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${SPELLINGS.map(([, written]) => `(${written})`).join("|")})(?![\\p{L}\\p{N}])`,
  "giu",
);

/** The message with its misspellings corrected, except in quotation marks. */
/** "to 5.30" */
const DOTTED_HOUR =
  /(?<=\b(?:at|to|from|till|until|make it|make that|than|for) |\d ?(?:-|–) ?)((?:1\d|2[0-3]|\d))\.([0-5][05])(?![\d.%€$£]|\.\d| ?(?:k|kg|km|m|euros?|pounds?|dollars?|percent|hours?|hrs?|minutes?|mins?|million|per)\b)/gi;

export function fixSpelling(message: string): string {
  const text = message
    .replaceAll("’", "'")
    .replace(/\b(can|could|will|would|do) u\b/gi, "$1 you")
    // "sunscreen and, uh, a book"
    .replace(/,? \b(?:u[hm]+|erm+|er)\b,?(?= )/gi, "")
    .replace(/\bw\/ ?(?=\p{L})/gu, "with ")
    .replace(DOTTED_HOUR, "$1:$2")
    .replace(/(?<!\s)\s*[:;]-?[()DPp/](?=\s+\S)/g, ".")
    .replace(/(?<!\s)\s*[:;]-?[()DPp/]\s*$/g, "");
  return text.replace(/["“][^"”]{0,200}["”]|[^"“]+/g, (piece) =>
    /^["“]/.test(piece)
      ? piece
      : withPartOfDay(piece)
          .replace(/\p{L}+/gu, (written) => asWritten(written, knownWord(written) ?? written))
          .replace(SPELLING, (written, ...groups) =>
            asWritten(written, SPELLINGS[groups.findIndex((group) => group !== undefined)]?.[0] ?? written),
          ),
  );
}
