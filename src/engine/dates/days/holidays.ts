import { wordSet } from "../../../lib/words.ts";
import { DAY_MS, easter, midnight, nthWeekday, partsOf, type Wall } from "../calendar.ts";
import { year as yearAt } from "../numbers.ts";
import { type Input, phraseAt, skip, wordAt } from "../tokens.ts";
import { MODIFIERS } from "../vocabulary.ts";

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

/** "mother's day" is also written "mothers day" and "mothers' day", and "saint" is also "st" and "st.". */
const RULES: readonly (readonly [Rule, string])[] = [
  [on(12, 25), "christmas|christmas day|xmas|xmas day|x - mas"],
  [on(12, 24), "christmas eve|xmas eve"],
  [on(12, 26), "boxing day"],
  [on(12, 31), "new year's eve|nye"],
  [on(1, 1), "new year's day|new year's|new year day|new year"],
  [on(1, 6), "epiphany|three king's day"],
  [on(1, 26), "australia day"],
  [on(2, 2), "groundhog day"],
  [on(2, 14), "valentine's day|valentine day|valentine's"],
  [on(3, 8), "international women's day|women's day"],
  [on(3, 14), "pi day"],
  [on(3, 15), "ides of march"],
  [on(3, 17), "saint patrick|saint patrick's day|saint paddy's day|paddy's day"],
  [on(4, 1), "april fool's day|april fool's"],
  [on(4, 22), "earth day"],
  [on(4, 23), "saint george's day"],
  [on(4, 25), "anzac day"],
  [on(5, 1), "may day|international worker's day|worker's day"],
  [on(5, 4), "star wars day"],
  [on(5, 5), "cinco de mayo"],
  [on(6, 19), "juneteenth"],
  [on(7, 1), "canada day"],
  [on(7, 4), "independence day"],
  [on(7, 14), "bastille day"],
  [on(10, 3), "german unity day"],
  [on(10, 16), "boss's day|boss day|bosses day"],
  [on(10, 31), "halloween|hallowe'en|all hallows eve"],
  [on(11, 1), "all saint's day"],
  [on(11, 2), "all soul's day"],
  [on(11, 5), "guy fawkes night|guy fawkes day|bonfire night"],
  [on(11, 11), "veteran's day|armistice day|remembrance day|single's day"],
  [on(11, 30), "saint andrew's day"],
  [on(12, 6), "saint nicholas day"],
  [nth(1, 1, 3), "martin luther king day|martin luther king jr day|martin luther king jr . day|mlk day"],
  [nth(2, 1, 3), "president's day|washington's birthday"],
  [nth(4, 3, -1), "administrative professional's day"],
  [nth(5, 7, 2), "mother's day"],
  [nth(5, 1, -1), "memorial day"],
  [nth(6, 7, 3), "father's day"],
  [nth(9, 1, 1), "labor day|labour day"],
  [nth(10, 1, 2), "columbus day|indigenous people's day"],
  [thanksgiving, "thanksgiving|thanksgiving day"],
  [(year) => thanksgiving(year) + DAY_MS, "black friday"],
  [(year) => thanksgiving(year) + 4 * DAY_MS, "cyber monday"],
  [easterPlus(0), "easter|easter sunday|easter day"],
  [easterPlus(1), "easter monday|easter mon"],
  [easterPlus(-1), "holy saturday|easter saturday"],
  [easterPlus(-2), "good friday"],
  [easterPlus(-3), "maundy thursday"],
  [easterPlus(-7), "palm sunday"],
  [easterPlus(-46), "ash wednesday"],
  [easterPlus(-47), "mardi gras|shrove tuesday|pancake day|pancake tuesday"],
  [easterPlus(39), "ascension day"],
  [easterPlus(49), "pentecost|whit sunday"],
  [easterPlus(50), "whit monday|pentecost monday"],
  [easterPlus(56), "trinity sunday"],
  [easterPlus(60), "corpus christi"],
];

const spellingsOf = (name: string): string[] =>
  [name, name.replace("saint ", "st "), name.replace("saint ", "st . ")].flatMap((each) => [
    each,
    each.replace("'s", "s"),
    each.replace("'s", "s '"),
  ]);

/** First word → the names that begin with it, longest first. */
const NAMES = new Map<string, { words: string[]; rule: Rule }[]>();
for (const [rule, names] of RULES) {
  for (const name of new Set(names.split("|").flatMap(spellingsOf))) {
    const words = name.split(" ");
    const first = words[0] ?? "";
    const list = NAMES.get(first) ?? [];
    list.push({ words, rule });
    list.sort((a, b) => b.words.length - a.words.length);
    NAMES.set(first, list);
  }
}

export const HOLIDAY_STARTERS: readonly string[] = [...NAMES.keys()];

const NOUNS = wordSet(
  "party parties lunch dinner drinks brunch breakfast meal costume costumes card cards gift gifts present presents shopping tree play concert market markets bonus decorations quiz celebration celebrations show raffle jumper lights carols menu music songs cake cookies wishes greetings sale sales deal deals basket eggs",
);
const BEFORE_NEW_YEAR = wordSet("and to until till through before after by -");

interface Holiday {
  end: number;
  wall: Wall;
  ambiguous: boolean;
}

/** "Christmas Eve", "Thanksgiving 2027", "next Easter"; without a year the next one from today. */
export function holidayAt(input: Input, at: number, shift: number | null = null): Holiday | null {
  for (const { words, rule } of NAMES.get(wordAt(input, at)) ?? []) {
    const end = phraseAt(input, at, words);
    if (end < 0) continue;
    // "after New Year"; elsewhere it is a wish, or any year that is new.
    if (words.join(" ") === "new year" && !BEFORE_NEW_YEAR.has(wordAt(input, at - 1))) continue;
    // "the Christmas party" has a day of its own.
    if (NOUNS.has(wordAt(input, end))) return null;
    const named = yearAt(input, skip(input, end, "of", ",", "in"));
    if (named) return { end: named.end, wall: rule(named.value), ambiguous: false };
    const { year } = partsOf(input.today);
    const behind = skip(input, end, "of");
    const by = MODIFIERS.get(wordAt(input, behind));
    if (by !== undefined && wordAt(input, behind + 1) === "year")
      return { end: behind + 2, wall: rule(year + by), ambiguous: false };
    const wall = rule(year);
    if (shift !== null && shift < 0) return { end, wall: wall < input.today ? wall : rule(year - 1), ambiguous: false };
    return { end, wall: wall < input.today ? rule(year + 1) : wall, ambiguous: false };
  }
  return null;
}
