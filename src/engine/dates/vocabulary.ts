const table = <T>(rows: readonly (readonly [T, string])[]): ReadonlyMap<string, T> =>
  new Map(rows.flatMap(([value, words]) => words.split(" ").map((word) => [word, value] as const)));

const MONTH_ROWS: readonly (readonly [number, string])[] = [
  [1, "january jan"],
  [2, "february feb"],
  [3, "march mar"],
  [4, "april apr"],
  [5, "may"],
  [6, "june jun"],
  [7, "july jul"],
  [8, "august aug"],
  [9, "september sept sep"],
  [10, "october oct"],
  [11, "november nov"],
  [12, "december dec"],
];
export const MONTHS = table(MONTH_ROWS);

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
export const DOUBTFUL_WEEKDAYS: ReadonlySet<string> = new Set(["sat", "sun", "wed", "mon"]);

export type Unit =
  | "second"
  | "minute"
  | "hour"
  | "day"
  | "businessday"
  | "week"
  | "fortnight"
  | "month"
  | "quarter"
  | "year"
  | "decade"
  | "century"
  | "weekend";

export const UNITS: ReadonlyMap<string, Unit> = table<Unit>([
  ["second", "second seconds sec secs"],
  ["minute", "minute minutes min mins"],
  ["hour", "hour hours hr hrs hour's hours'"],
  ["day", "day days day's days'"],
  ["week", "week weeks wk wks week's weeks'"],
  ["fortnight", "fortnight fortnights"],
  ["month", "month months mo mos month's months'"],
  ["quarter", "quarter quarters"],
  ["year", "year years yr yrs year's years'"],
  ["decade", "decade decades"],
  ["century", "century centuries"],
  ["weekend", "weekend weekends"],
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

export const SMALL_NUMBERS = table([
  [1, "one"],
  [2, "two"],
  [3, "three"],
  [4, "four"],
  [5, "five"],
  [6, "six"],
  [7, "seven"],
  [8, "eight"],
  [9, "nine"],
  [10, "ten"],
  [11, "eleven"],
  [12, "twelve"],
  [13, "thirteen"],
  [14, "fourteen"],
  [15, "fifteen"],
  [16, "sixteen"],
  [17, "seventeen"],
  [18, "eighteen"],
  [19, "nineteen"],
]);
export const TENS = table([
  [20, "twenty"],
  [30, "thirty"],
  [40, "forty fourty"],
  [50, "fifty"],
  [60, "sixty"],
  [70, "seventy"],
  [80, "eighty"],
  [90, "ninety"],
]);
export const ORDINALS = table([
  [1, "first"],
  [2, "second"],
  [3, "third"],
  [4, "fourth"],
  [5, "fifth"],
  [6, "sixth"],
  [7, "seventh"],
  [8, "eighth"],
  [9, "ninth"],
  [10, "tenth"],
  [11, "eleventh"],
  [12, "twelfth"],
  [13, "thirteenth"],
  [14, "fourteenth"],
  [15, "fifteenth"],
  [16, "sixteenth"],
  [17, "seventeenth"],
  [18, "eighteenth"],
  [19, "nineteenth"],
  [20, "twentieth"],
  [30, "thirtieth"],
]);

/** How many units a modifier moves: "next" week is this one and one more. */
export const MODIFIERS = table([
  [1, "next following"],
  [0, "this current"],
  [-1, "last previous prior"],
]);
/** Modifiers that mean the nearest one, not the one of the neighbouring week. */
export const NEAREST = table([
  [1, "coming upcoming"],
  [-1, "past"],
]);

/** Hours of the day that a part of it stands for. */
export const DAY_PARTS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["morning", [8, 12]],
  ["mornings", [8, 12]],
  ["am", [8, 12]],
  ["afternoon", [12, 16]],
  ["afternoons", [12, 16]],
  ["arvo", [12, 16]],
  ["pm", [12, 16]],
  ["evening", [16, 20]],
  ["evenings", [16, 20]],
  ["night", [20, 24]],
  ["nights", [20, 24]],
  ["tonight", [20, 24]],
  ["lunchtime", [11, 13]],
  ["daytime", [8, 18]],
]);

/** Spring, summer, autumn, winter: the months they begin in, in the north. */
export const SEASONS = table([
  [3, "spring"],
  [6, "summer"],
  [9, "autumn fall"],
  [12, "winter"],
]);

/** Words behind a number that make it a count of things, not a day or an hour. */
export const COUNTED: ReadonlySet<string> = new Set(
  "people persons guests attendees items points percent percents dollars euros pounds miles km kilometers meters kg feet inches pages stars times copies units seats tickets options users employees million billion thousand hundred k cups slides questions issues votes games of".split(
    " ",
  ),
);
/** Words in front of a number that make it a reference, not a day or an hour. */
export const NUMBERING: ReadonlySet<string> = new Set(
  "page pages step steps part parts version v ver ratio score scored rated rating chapter section item no number room suite apartment apt floor line lines gate flight route highway unit level grade phase ticket invoice order article clause paragraph exhibit figure fig table appendix ext extension build release".split(
    " ",
  ),
);
