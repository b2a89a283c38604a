import { DAY_MS, easter, midnight, nthWeekday, partsOf, type Wall } from "../calendar.ts";
import { year as yearAt } from "../numbers.ts";
import { type Input, phraseAt, skip, wordAt } from "../tokens.ts";

type Rule = (year: number) => Wall;

const on =
  (month: number, day: number): Rule =>
  (year) =>
    midnight(year, month, day);
const nth =
  (month: number, weekday: number, count: number): Rule =>
  (year) =>
    nthWeekday(year, month, weekday, count);
const easterPlus =
  (days: number): Rule =>
  (year) =>
    easter(year) + days * DAY_MS;
const thanksgiving = nth(11, 4, 4);

/** Names without "day" and apostrophes; each may be written with them. */
const RULES: readonly (readonly [Rule, string])[] = [
  [on(12, 25), "christmas|christmas day|xmas|xmas day|x-mas"],
  [on(12, 24), "christmas eve|xmas eve"],
  [on(12, 26), "boxing day"],
  [on(12, 31), "new year's eve|new years eve|nye"],
  [on(1, 1), "new year's day|new years day|new year's|new year day"],
  [on(2, 14), "valentine's day|valentines day|valentine day|valentine's"],
  [on(2, 2), "groundhog day"],
  [on(3, 15), "ides of march"],
  [
    on(3, 17),
    "saint patrick|st patrick|st . patrick|st patrick's day|st . patrick's day|saint patrick's day|st patricks day",
  ],
  [on(3, 8), "international women's day|women's day"],
  [on(4, 1), "april fools' day|april fools day|april fool's day|april fool's|april fools"],
  [on(4, 22), "earth day"],
  [
    on(5, 1),
    "may day|international workers' day|international workers day|international worker's day|workers' day|workers day",
  ],
  [on(5, 4), "star wars day"],
  [on(5, 5), "cinco de mayo"],
  [on(6, 19), "juneteenth"],
  [on(7, 1), "canada day"],
  [on(7, 4), "independence day"],
  [on(7, 14), "bastille day"],
  [on(10, 31), "halloween|hallowe'en|all hallows eve"],
  [on(11, 1), "all saints' day|all saints day|all saint's day"],
  [on(11, 5), "guy fawkes night|guy fawkes day|bonfire night"],
  [on(11, 11), "veterans day|veterans' day|veteran's day|armistice day|remembrance day|singles day|singles' day"],
  [nth(1, 1, 3), "martin luther king day|martin luther king jr day|martin luther king jr . day|mlk day"],
  [nth(2, 1, 3), "presidents day|presidents' day|president's day|washington's birthday"],
  [nth(5, 7, 2), "mother's day|mothers day|mothers' day"],
  [nth(5, 1, -1), "memorial day"],
  [nth(6, 7, 3), "father's day|fathers day|fathers' day"],
  [nth(9, 1, 1), "labor day|labour day"],
  [nth(10, 1, 2), "columbus day|indigenous peoples' day"],
  [thanksgiving, "thanksgiving|thanksgiving day"],
  [(year) => thanksgiving(year) + DAY_MS, "black friday"],
  [(year) => thanksgiving(year) + 4 * DAY_MS, "cyber monday"],
  [easterPlus(0), "easter|easter sunday|easter day"],
  [easterPlus(1), "easter monday"],
  [easterPlus(-2), "good friday"],
  [easterPlus(-3), "maundy thursday"],
  [easterPlus(-7), "palm sunday"],
  [easterPlus(-46), "ash wednesday"],
  [easterPlus(-47), "mardi gras|shrove tuesday"],
  [easterPlus(39), "ascension day"],
  [easterPlus(49), "pentecost|whit sunday"],
];

/** First word → the names that begin with it, longest first. */
const NAMES = new Map<string, { words: string[]; rule: Rule }[]>();
for (const [rule, names] of RULES) {
  for (const name of names.split("|")) {
    const words = name.replaceAll("x-mas", "x - mas").replaceAll("s'", "s '").split(" ");
    const first = words[0] ?? "";
    const list = NAMES.get(first) ?? [];
    list.push({ words, rule });
    list.sort((a, b) => b.words.length - a.words.length);
    NAMES.set(first, list);
  }
}

export const HOLIDAY_STARTERS: readonly string[] = [...NAMES.keys()];

export interface Holiday {
  end: number;
  wall: Wall;
  ambiguous: boolean;
}

/** "Christmas Eve", "Thanksgiving 2027", "next Easter"; without a year the next one from today. */
export function holidayAt(input: Input, at: number, shift: number | null = null): Holiday | null {
  for (const { words, rule } of NAMES.get(wordAt(input, at)) ?? []) {
    const end = phraseAt(input, at, words);
    if (end < 0) continue;
    const named = yearAt(input, skip(input, end, "of", ",", "in"));
    if (named) return { end: named.end, wall: rule(named.value), ambiguous: false };
    const { year } = partsOf(input.today);
    const by = { this: 0, next: 1, last: -1 }[wordAt(input, end)];
    if (by !== undefined && wordAt(input, end + 1) === "year")
      return { end: end + 2, wall: rule(year + by), ambiguous: false };
    const wall = rule(year);
    if (shift !== null && shift < 0) return { end, wall: wall < input.today ? wall : rule(year - 1), ambiguous: false };
    return { end, wall: wall < input.today ? rule(year + 1) : wall, ambiguous: false };
  }
  return null;
}
