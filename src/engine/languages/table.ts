/** The words of a language: what they are called in the English grammar of dates. */
export interface LanguageTable {
  /** "montag: monday, dienstag: tuesday" */
  weekdays: string;
  months: string;
  units: string;
  numbers: string;
  /** Other single words. */
  words: string;
  /** Parts of the day that can be joined to a weekday: "Freitagnachmittag". */
  compounds?: string;
  /**
   * Phrases, one per line, written "vor # {u} = $1 $2 ago". `#` is a number, `{u}` a unit, `{d}` a weekday, `{m}` a
   * month; each is `$1`, `$2` … on the right. "a|b" are alternatives, a word with "?" may be missing, one with "~" must
   * be joined to the word before it, and one with "!" must not follow. On the right, "~" joins: "$1~:~$2".
   */
  phrases: string;
}

/** The pairs of a line such as "montag: monday, samstag sonnabend: saturday". */
export const entries = (text: string) =>
  text.split(",").flatMap((pair) => {
    const [names = "", value = ""] = pair.split(":").map((part) => part.trim());
    return names.split(" ").map((name) => [name, value] as const);
  });

/** "Freitagnachmittag": every weekday with every part of the day. */
export const compoundsOf = ({ weekdays, compounds = "" }: LanguageTable) =>
  entries(compounds).flatMap(([end, part]) =>
    entries(weekdays).map(([day, name]) => [day + end, `${name} ${part}`] as const),
  );
