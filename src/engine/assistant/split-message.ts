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
  ["schedule", "schdule|scheduel|schedle"],
  ["with", "(?<=\\b(?:meeting|call|lunch|dinner|coffee|sync) )w/?"],
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
/** "and a meeting with Ben on Friday", after a request for a meeting. */
const EVENT_START = "(?:an? |another )(?:meeting|call|lunch|dinner|coffee|appointment|sync|review|interview)\\b";
const REQUEST_OR_TASK_START = `${POLITE}(?:schedule|set up|create|accept|decline|tentatively accept|cancel|delete|remove|move|reschedule|postpone|summari[sz]e|block|give me|list my)\\b`;
const AND = "(?:,? (?:and|plus)(?: then| also)?|, then|,? also|,) ";
const SENTENCE = new RegExp(
  `(?:[.!?;]+ +|\\n+)(?=${REQUEST_START}|${REQUEST_OR_TASK_START}|${POLITE}(?:book|find|put|note)\\b)`,
  "gi",
);
const SCHEDULES = new RegExp(`^${POLITE}(?:schedule|book|set up|arrange|plan|add|create|put)\\b`, "i");
const AND_EVENT = new RegExp(`,? and (?=${EVENT_START}.*\\b(?:at|on|tomorrow|today|next|\\d))`, "gi");
/** A second request after a reminder needs a time or a person, or it may be a task: "and cancel the gym". */
const AND_SCHEDULE = new RegExp(
  `${AND}(?=${POLITE}(?:schedule|book|set up) (?:an? |the |my |another |lunch|dinner|coffee))`,
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
  const several = severalTasks(text);
  if (several) return several;
  const parts = text
    .split(SENTENCE)
    .flatMap((sentence) => sentence.split(IS_TASK.test(sentence) ? AFTER_TASK : AFTER_ANY))
    .flatMap((part) => (IS_TASK.test(part) ? part.split(AND_SCHEDULE) : part))
    .flatMap(events)
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

/** "schedule a call with Ana at 10 and a meeting with Ben on Friday at 2" are two. */
function events(part: string): string[] {
  if (!SCHEDULES.test(part)) return [part];
  const [first = part, ...more] = part.split(AND_EVENT);
  return [first, ...more.map((rest) => `schedule ${rest}`)];
}

const MAX_LISTED = 10;
const LONGEST_LIST = 1000;
const NUMBERS =
  "(?:two|three|four|five|six|seven|eight|nine|ten|\\d{1,2}|some|a few|these|the following|my|new|several)";
/** "add tasks: a, b and c", "three tasks: a; b; c" */
const TASK_LIST = new RegExp(
  `^${POLITE}(?:(?:add|create|make|new|note|set up|i have|i need|here are)(?: me)? )?(?:${NUMBERS} )*(?:new )?(?:tasks|to-?dos|to dos|reminders|things to do|things)(?: (?:to|on) (?:my|the) (?:to-?do )?list)?(?: for (?<when>today|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next week))?\\s*[:–-]\\s*(?<items>.+)$`,
  "is",
);
/** "add a task buy bread and a task buy butter" */
const EACH_TASK =
  /^(?:please |also )*(?:add|create|make|new) (?:an? |another )?(?:new )?(?:task|to-?do|reminder)s?\b.+?(?:,|;)? and (?:also )?(?:an?|another|one) (?:new )?(?:task|to-?do|reminder)\b/i;
/** "milk, bread and butter to the shopping list" */
const BARE_LIST =
  /^(?!(?:add|put|move|remove|take|delete|what|show|is|are)\b)((?:[\p{L}\p{N}' -]{1,30},\s*)*[\p{L}\p{N}' -]{1,30})\s+(?:to|on|onto) (?:my|the|our) [\p{L} -]{2,30}\blist\b/iu;

function severalTasks(text: string): string[] | null {
  if (text.length > LONGEST_LIST) return null;
  const listed = TASK_LIST.exec(text)?.groups;
  if (listed?.items) {
    const items = itemsOf(listed.items);
    const when = listed.when ? ` ${listed.when}` : "";
    if (items.length > 1 && items.length <= MAX_LISTED) return items.map((item) => `add a task: ${item}${when}`);
  }
  if (EACH_TASK.test(text)) {
    const parts = text.split(
      /(?:,|;)? and (?:also )?(?:an?|another|one) (?:new )?(?:task|to-?do|reminder)(?: to)?:? /i,
    );
    const [first = "", ...more] = parts;
    return [first, ...more.map((part) => `add a task: ${part}`)];
  }
  return BARE_LIST.test(text) &&
    !/\b(?:add|put|please|can|could|you|i|i'd|would|stick|write|note|include|throw|need)\b/i.test(text)
    ? [`add ${text}`]
    : null;
}

/** Semicolons and lines separate first; otherwise commas, and the last "and". */
function itemsOf(text: string): string[] {
  const clean = (items: string[]) =>
    items
      .map((item) => item.replace(/^(?:and|also|then)\s+|^[-*•\d.)\s]+(?=\p{L})|[\s.,;]+$/giu, "").trim())
      .filter((item) => /[\p{L}\p{N}]/u.test(item));
  if (/[;\n]/.test(text)) return clean(text.split(/[;\n]/));
  const byComma = text.split(/\s*,\s*/);
  const last = byComma.pop() ?? "";
  const ends = last.split(/\s+and\s+/i);
  return clean([...byComma, ...(ends.length > 2 ? [last] : ends)]);
}
