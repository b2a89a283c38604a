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
  ["friday", "firday|frday|fridya"],
  ["saturday", "saterday|satuday|saturdy"],
  ["sunday", "sundy|sudnay"],
  ["what's", "whats|wats|wat's"],
  ["when's", "whens"],
  ["how's", "hows"],
  ["where's", "wheres"],
  ["who's", "whos"],
  ["i've", "ive"],
  ["i'm", "im"],
  ["don't", "dont"],
  ["can't", "cant"],
  ["please", "plz|pls|plese|pleas"],
  ["give me", "gimme"],
  ["let me", "lemme"],
  ["want to", "wanna"],
  ["have to", "gotta"],
];
const SPELLING = new RegExp(`\\b(?:${SPELLINGS.map(([, written]) => `(${written})`).join("|")})\\b`, "gi");

/** The message with its misspellings corrected, except in quotation marks. */
export function fixSpelling(message: string): string {
  const text = message.replaceAll("’", "'").replace(/\b(can|could|will|would|do) u\b/gi, "$1 you");
  return text.replace(/["“][^"”]*["”]|[^"“]+/g, (piece) =>
    /^["“]/.test(piece)
      ? piece
      : piece.replace(SPELLING, (written, ...groups) => {
          const meant = SPELLINGS[groups.findIndex((group) => group !== undefined)]?.[0] ?? written;
          return /^\p{Lu}/u.test(written) ? meant[0]?.toUpperCase() + meant.slice(1) : meant;
        }),
  );
}

const MAX_PARTS = 5;
const POLITE = "(?:(?:please|also|then|can you|could you|would you|will you) )*";
/** Words that begin a new request to the assistant and rarely a task of the person. */
const REQUEST_START = `${POLITE}(?:remind me|add(?! (?:that|it|this)\\b)|mark|show me|tell me|what's|what is|what are|what do i|how many|do i have|am i free|when is|when's|when am i)\\b`;
/** Words that begin a new request, but could also be a task: "remind me to call Ann and cancel the gym". */
const REQUEST_OR_TASK_START = `${POLITE}(?:schedule|set up|create|accept|decline|tentatively accept|cancel|delete|remove|move|reschedule|postpone|summari[sz]e|block|give me|list my)\\b`;
const AND = "(?:,? (?:and|plus)(?: then| also)?|, then|,? also|,) ";
const SENTENCE = new RegExp(
  `(?:[.!?;]+ +|\\n+)(?=${REQUEST_START}|${REQUEST_OR_TASK_START}|${POLITE}(?:book|find|put|note)\\b)`,
  "gi",
);
const AFTER_TASK = new RegExp(`${AND}(?=${REQUEST_START})`, "gi");
const AFTER_ANY = new RegExp(`${AND}(?=${REQUEST_START}|${REQUEST_OR_TASK_START})`, "gi");
const IS_TASK = new RegExp(
  `^${POLITE}(?:(?:hi|hey|hello)\\b[\\s,!]*)?${POLITE}(?:remind me|add (?:a |an )?(?:task|to-?do|reminder)|(?:i|we) (?:need|have|must|should)|don't let me forget|todo|note)\\b`,
  "i",
);
const REMINDED = /^(.*?\bremind me(?: [^.,;]{0,40}?)? to\b)/i;
const LIST = /^(?:.{0,80}\b(?:tasks|to-?dos|reminders|list)\b[^\n:]{0,40}):?\s*\n([\s\S]+)$/i;
const BULLET = /^\s*(?:[-*•]|\d{1,2}[.)])\s+/;

/** Splits a message that asks for several things. */
export function splitErrands(message: string): string[] {
  const text = message.trim();
  const listed =
    LIST.exec(text)?.[1]
      ?.split("\n")
      .filter((line) => BULLET.test(line)) ?? [];
  if (listed.length > 0) return listed.map((line) => `add a task: ${line.replace(BULLET, "")}`);
  if (/["“]/.test(text)) return [text];
  const parts = text
    .split(SENTENCE)
    .flatMap((sentence) => sentence.split(IS_TASK.test(sentence) ? AFTER_TASK : AFTER_ANY))
    .flatMap(reminders)
    .map((part) => part.replace(/^[\s,;]+|[\s,;]+$/g, ""))
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
  return parts.length > 0 && parts.length <= MAX_PARTS ? parts : [text];
}

/** "remind me to call Ann at 6 and to buy milk tomorrow" are two. */
function reminders(part: string): string[] {
  const lead = REMINDED.exec(part)?.[1];
  if (!lead) return [part];
  const [first = part, ...more] = part.split(/,? and (?:also )?to (?=[a-z])/i);
  return [first, ...more.map((rest) => `remind me to ${rest}`)];
}
