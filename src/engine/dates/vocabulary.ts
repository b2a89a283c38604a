import { type Word, wordSet } from "../../lib/words.ts";

/** Maps each word of a row to the value of the row. */
export const table = <T>(rows: readonly (readonly [T, string])[]): ReadonlyMap<string, T> =>
  new Map(rows.flatMap(([value, words]) => words.split(" ").map((word) => [word, value] as const)));

/** Words for consecutive numbers; "|" separates the spellings of one number. */
const counted = (text: string, first = 1, step = 1): ReadonlyMap<string, number> =>
  table(text.split(" ").map((spellings, at) => [first + at * step, spellings.replaceAll("|", " ")] as const));

export const MONTHS = counted(
  "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep october|oct november|nov december|dec",
);

/** 1 is Monday, 7 Sunday. */
export const WEEKDAYS = table([
  [1, "monday mondays monday's mon"],
  [2, "tuesday tuesdays tuesday's tues tue"],
  [3, "wednesday wednesdays wednesday's wednes weds wed"],
  [4, "thursday thursdays thursday's thurs thur thu"],
  [5, "friday fridays friday's fri"],
  [6, "saturday saturdays saturday's sat"],
  [7, "sunday sundays sunday's sun"],
]);
/** Abbreviations that are also words of the language or parts of names. */
export const DOUBTFUL_WEEKDAYS = wordSet("sat sun wed mon");

export type Unit = Word<"second minute hour day businessday week fortnight month quarter year decade century weekend">;

export const UNITS: ReadonlyMap<string, Unit> = table<Unit>([
  ["second", "second seconds sec secs"],
  ["minute", "minute minutes min mins"],
  ["hour", "hour hours hr hrs hour's hours'"],
  ["day", "day days day's days'"],
  ["week", "week weeks wk wks week's weeks'"],
  ["fortnight", "fortnight fortnights"],
  ["month", "month months mo mos month's months'"],
  ["quarter", "quarter quarters qtr qtrs"],
  ["year", "year years yr yrs year's years'"],
  ["decade", "decade decades"],
  ["century", "century centuries"],
  ["weekend", "weekend weekends wkend wkends"],
]);
/** Units short enough to be glued to a number ("2h", "45m", "3d"). */
export const GLUED_UNITS: ReadonlyMap<string, Unit> = table<Unit>([
  ["hour", "h hr hrs"],
  ["minute", "m min mins"],
  ["second", "s sec secs"],
  ["day", "d"],
  ["week", "w wk wks"],
  ["month", "mo mos"],
  ["year", "y yr yrs"],
]);

export const SMALL_NUMBERS = counted(
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
);
export const TENS = counted("twenty thirty forty|fourty fifty sixty seventy eighty ninety", 20, 10);
export const ORDINALS = new Map([
  ...counted(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
  ),
  ["thirtieth", 30],
]);

/** How many units a modifier moves: "next week" is one week on. */
export const MODIFIERS = table([
  [1, "next following"],
  [0, "this current"],
  [-1, "last previous prior"],
]);
/** Modifiers that mean the nearest one: on a Monday, "coming Friday" is this week's, "next Friday" is next week's. */
export const NEAREST = table([
  [1, "coming upcoming"],
  [-1, "past"],
]);

/** First and last hour of a part of the day. */
export const DAY_PARTS: ReadonlyMap<string, readonly [number, number]> = table<readonly [number, number]>([
  [[8, 12], "morning mornings morningish am"],
  [[12, 16], "afternoon afternoons afternoonish arvo pm"],
  [[16, 20], "evening evenings eveningish"],
  [[20, 24], "night nights tonight"],
  [[11, 13], "lunchtime"],
  [[8, 18], "daytime"],
]);

/** Spring, summer, autumn, winter: the months they begin in, in the north. */
export const SEASONS = table([
  [3, "spring"],
  [6, "summer"],
  [9, "autumn fall"],
  [12, "winter"],
]);

/** A number before one of these words counts things; it is not a day or an hour. */
export const COUNTED = wordSet(
  "people persons guests attendees items points percent percents dollars euros pounds miles km kilometers meters kg feet inches pages stars times copies units seats tickets options users employees million billion thousand hundred k cups slides questions issues votes games of",
);
/** A number after one of these words is a reference ("page 3"); it is not a day or an hour. */
export const NUMBERING = wordSet(
  "page pages step steps part parts version v ver ratio score scored rated rating chapter section item no number room building suite apartment apt floor line lines gate flight route highway unit level grade phase ticket invoice order article clause paragraph exhibit figure fig table appendix ext extension build release",
);
