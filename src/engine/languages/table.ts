/** The words of a language: what they are called in the English grammar of dates. */
export interface LanguageTable {
  /** "montag: monday, dienstag: tuesday" */
  weekdays: string;
  months: string;
  units: string;
  numbers: string;
  /** Other single words. */
  words: string;
  /** What can be joined to a weekday: "Freitagnachmittag". */
  compounds?: string;
  /**
   * Phrases, one per line, written "vor # {u} = $1 $2 ago". `#` is a number, `{u}` a unit, `{d}` a weekday, `{m}` a
   * month; each is `$1`, `$2` … on the right. "a|b" are alternatives, a word with "?" may be missing, one with "~" must
   * be joined to the word before it, and one with "!" must not follow. On the right, "~" joins: "$1~:~$2".
   */
  phrases: string;
}
