/*
 * Reminders before something, in words: "remind me an hour before", "with a reminder 15 minutes earlier", "remind me a
 * day and an hour before". Used by quick add, due texts and the chat.
 */

interface ReminderPhrase {
  minutesBefore: number[];
  start: number;
  end: number;
}

const NUMBERS: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  "a couple of": 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  "twenty-five": 25,
  thirty: 30,
  forty: 40,
  "forty-five": 45,
  sixty: 60,
  ninety: 90,
};
const UNIT_NAMES = ["minute", "hour", "day", "week"] as const;
type Unit = (typeof UNIT_NAMES)[number];
const UNITS: Record<Unit, number> = { minute: 1, hour: 60, day: 1440, week: 10_080 };

/** The longest first, so that "a couple of" is not read as "a". */
const WORD = Object.keys(NUMBERS)
  .sort((one, other) => other.length - one.length)
  .join("|")
  .replaceAll("-", "[- ]");
const DIGITS = String.raw`\d{1,4}(?:[.,]\d{1,2})?`;
const UNIT = `(?:m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:(?:ee)?ks?)?)`;
/** "2 days", "an hour and a half", "two and a half hours", "1h30" */
const COUNTED = String.raw`(?:(?:${WORD})(?: and a half)? ${UNIT}\b|${DIGITS}(?: and a half)? ?${UNIT}(?:\b|(?=\d)))(?: and a half\b| ?\d{1,2}\b(?! ?${UNIT}\b))?`;
const AMOUNT = String.raw`\b(?:half an hour|(?:a )?quarter of an hour|${COUNTED})`;
const AMOUNTS = `${AMOUNT}(?:(?: and |, (?:and )?| & | )${AMOUNT}){0,5}`;
const BEFORE = String.raw`(?:before(?:hand)?|earlier|ahead(?: of time)?|in advance|prior)\b`;
const ON_TIME = String.raw`(?:when it(?:['\u2019]s| is) due|when it (?:starts|begins)|at (?:the|that) time|on time)\b`;
const ASKS = `(?:(?:remind|alert|notify|ping|nudge)(?: me)?(?: (?:about|of) (?:it|that|this))?|(?:with |set |add |give me ){0,6}(?:an? )?(?:reminder|alert|notification|alarm)s?(?: (?:me|for|at))?)`;
const LEAD = String.raw`(?<=^|[\s,.;])(?:and |then |also |please ){0,5}`;
/** Words after "before" that mean the record itself: "before it starts". */
const IT = String.raw`(?: (?:it|that|then)(?: (?:is due|starts|begins))?(?=$|[\s,.;!?])| the (?:due date|due time|deadline|start)\b| it['\u2019]s due\b)?`;
/** Not "before the meeting", which is something else than what the text is about. */
const ENDS = String.raw`(?=\s{0,9}(?:$|[,.;!?])|\s{1,9}(?:[#+!\d]|p[1-4]\b|(?:and|every|each|on|at|in|by|for|due|today|tonight|tomorrow|next|this|mon|tue|wed|thu|fri|sat|sun|daily|weekly|monthly)))`;

const PHRASE = new RegExp(`${LEAD}${ASKS} (?:(${AMOUNTS}) ${BEFORE}${IT}|${ON_TIME})${ENDS}`, "giu");
const EACH = new RegExp(AMOUNT, "giu");

/** "remind me an hour before the meeting with Kim", "remind me about the dentist 15 minutes before" */
const BEFORE_OTHER = [
  new RegExp(
    String.raw`^(?:please )?(?:${ASKS}) (?<amounts>${AMOUNTS}) (?:before|ahead of|in advance of|prior to) (?<other>.{1,200}?)(?: (?:starts|begins|is due))?[.!?\s]{0,9}$`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:please )?(?:remind|alert|notify|ping|nudge)(?: me)? (?:about|of) (?<other>.{1,200}?),? (?<amounts>${AMOUNTS}) ${BEFORE}${IT}[.!?\s]{0,9}$`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:please )?(?:set|add|create|make|give me)(?: me)? (?:an? )?(?:reminder|alert|notification|alarm) (?:for|about|of|to) (?<other>.{1,200}?),? (?<amounts>${AMOUNTS}) ${BEFORE}${IT}[.!?\s]{0,9}$`,
    "iu",
  ),
];

/** A reminder before something that exists: its words. Empty if it is only "it". */
export function reminderBeforeOther(text: string): { minutesBefore: number[]; other: string } | null {
  for (const form of BEFORE_OTHER) {
    const { amounts, other } = form.exec(text.trim())?.groups ?? {};
    if (amounts !== undefined && other !== undefined) {
      const isIt = /^(?:it|that|this|then)$/i.test(other);
      return { minutesBefore: amountsIn(amounts), other: isIt ? "" : other };
    }
  }
  const [only, ...others] = reminderPhrases(text);
  const isAll = only && others.length === 0 && withoutReminders(text, [only]).replace(/[.!?\s]/g, "") === "";
  return isAll ? { minutesBefore: only.minutesBefore, other: "" } : null;
}

/** The reminders that a text asks for, before the time of what it is about. */
export function reminderPhrases(text: string): ReminderPhrase[] {
  return [...text.matchAll(PHRASE)].map((match) => ({
    minutesBefore: match[1] === undefined ? [0] : amountsIn(match[1]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** "a day and an hour" are two reminders, "an hour and 15 minutes" is one. */
function amountsIn(text: string): number[] {
  const amounts: { minutes: number; unit: Unit }[] = [];
  for (const [words] of text.matchAll(EACH)) {
    const amount = amountOf(words.toLowerCase());
    const last = amounts.at(-1);
    if (last?.unit === "hour" && amount.unit === "minute" && amount.minutes < 60) last.minutes += amount.minutes;
    else amounts.push(amount);
  }
  return [...new Set(amounts.map(({ minutes }) => minutes))];
}

const PARTS = new RegExp(String.raw`^(${WORD}|${DIGITS})( and a half)? ?(${UNIT})( and a half)? ?(\d{1,2})?$`, "iu");

function amountOf(words: string): { minutes: number; unit: Unit } {
  if (words === "half an hour") return { minutes: 30, unit: "minute" };
  if (words.endsWith("quarter of an hour")) return { minutes: 15, unit: "minute" };
  const [, number = "", half, name = "", halfAfter, rest = "0"] = PARTS.exec(words) ?? [];
  const unit = UNIT_NAMES.find((each) => each[0] === name[0]) ?? "minute";
  const count = NUMBERS[number.replace(/^(twenty|forty) /, "$1-")] ?? Number(number.replace(",", "."));
  const minutes = (count + (half || halfAfter ? 0.5 : 0)) * UNITS[unit];
  return { minutes: Math.round(minutes) + Number(rest), unit };
}

/** The text without these phrases, and without what is left around them. */
export function withoutReminders(text: string, phrases: readonly ReminderPhrase[]): string {
  let rest = text;
  for (const { start, end } of phrases.toReversed()) rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  return rest
    .replace(/\s+/g, " ")
    .replace(/(?<!\s)\s+([,.;!?])/g, "$1")
    .replace(/[\s,;]{1,9}(?:and)?[\s,;]{0,9}$/i, "")
    .trim();
}
