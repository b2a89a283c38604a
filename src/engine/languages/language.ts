import type { Language } from "../../lib/languages.ts";
import { wordSet } from "../../lib/words.ts";
import { type Token, tokenize } from "../dates/tokens.ts";
import { DE } from "./de.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import { compoundsOf, entries, type LanguageTable } from "./table.ts";

/** Frequent words of a language. Its words for days, months and times are in its table of dates. */
const FREQUENT: readonly (readonly [name: string, words: string, table?: LanguageTable])[] = [
  [
    "English",
    "the and of to is are was were be been have has had will would can could should you your we our they he she it this that these those with from for on at by not but or if when what which who how please thanks thank let let's meet meeting call today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march may june july october december next last week month year day days hours i i'm i'll my me us there here about after before just any all some know in hi hello",
  ],
  [
    "German",
    "des aber nicht ist sind war wird werden wurde wir ich du sie ihr ihnen uns euch mein dein ein eine einen einem einer eines kein keine mit auf aus bei zu zum zur über uhr ins wenn dass daß auch noch schon nur sehr ende anfang mitte vormittag nachmittag abend früh morgens abends nachmittags termin treffen besprechung können könnten hast haben habe bitte danke hallo liebe lieber grüße grüßen freundlichen zeit passt wäre gern gerne alle spätestens bzw herr frau geehrte geehrter montags dienstags mittwochs donnerstags freitags vierzehn drei zwei",
    DE,
  ],
  [
    "French",
    "un une des est sont était être avoir avez suis nous vous je tu il elle ils elles ne pas plus pour avec sur sous par qui que quoi dont où ces mon ma notre premier deuxième votre vos nos leur aux chez mais donc très aussi bonjour merci salut cordialement prochain prochaine dernier dernière fin début mi tous toutes réunion rendez-vous rendez rdv pouvons pouvez pourriez peut pourrions disponible déjeuner dîner appel demi demie quart après-midi quinze deux trois",
    FR,
  ],
  [
    "Spanish",
    "y una unos unas del es son era está están estar ser tener nosotros yo tú él ella ellos no por para con sin que qué quien donde cuando estos estas mi tu su nuestro nuestra usted puede muy también pero favor estimado estimada hola gracias saludos pasado primer viene último última fin finales principios mediados todos reunión reunion cita podemos puedes disponible comida almuerzo cena llamada media cuarto dentro hace quince dos tres",
    ES,
  ],
  [
    "Italian",
    "il gli sono grazie ciao buongiorno cordiali saluti per che con della delle del dei nel alle questo questa può puoi vorrei anche nostro domani non di è una si",
  ],
  [
    "Portuguese",
    "obrigado obrigada olá você vocês não uma para com por favor está amanhã reunião pode podemos nosso nossa isso os dos das em do da que às seu sua",
  ],
  [
    "Dutch",
    "het een van niet voor met zijn wij we je jij kunnen kunt graag bedankt groeten hallo beste dat maar ook naar wordt morgen aan deze om uur op de en",
  ],
  ["Polish", "się nie jest dziękuję proszę dzień dobry pozdrawiam czy jutro spotkanie na do że dla jak może"],
  ["Swedish", "och att är det inte för med på som vi du jag hej tack kan vill hälsningar imorgon mötet en ett av"],
  [
    "Danish or Norwegian",
    "og at er det ikke for med på som vi jeg hej hei tak takk kan vil hilsen møde møte til af av",
  ],
];
/** Those of the languages that the engine reads, without accents. */
export const FREQUENT_WORDS = FREQUENT.slice(0, 4)
  .map(([, words]) => words.normalize("NFKD").replace(/\p{M}/gu, ""))
  .join(" ");
const ENGLISH = 0;
/** The languages at the head of the list that the engine reads dates in. */
const READ: readonly Language[] = ["en", "de", "fr", "es"];

const SCRIPTS: readonly (readonly [name: string, letters: RegExp])[] = [
  ["Japanese", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["Chinese", /\p{Script=Han}/gu],
  ["Korean", /\p{Script=Hangul}/gu],
  ["Russian or another Slavic language", /\p{Script=Cyrillic}/gu],
  ["Greek", /\p{Script=Greek}/gu],
  ["Arabic or Persian", /\p{Script=Arabic}/gu],
  ["Hebrew", /\p{Script=Hebrew}/gu],
  ["Hindi", /\p{Script=Devanagari}/gu],
  ["Thai", /\p{Script=Thai}/gu],
];

/** Words that two languages share, or that are names: they decide little. */
const SHARED = wordSet(
  "de la un me no a in an so was die am tu es on or mi vous week trimestre cet media war we do at en for om op",
);
const SHARED_WEIGHT = 0.4;

/** Only the beginning is looked at: it shows the language as well as the rest. */
const LOOKED_AT = 600;
/** How much more of its words another language needs than English. */
const MARGIN = 1.3;
const UNKNOWN_FROM = 20;
const UNKNOWN_SHARE = 0.05;
/** The language of a whole email needs more evidence than the reading of its dates. */
const EMAIL_MARGIN = 2;
const LEAST_WORDS = 3;

let known: ReadonlyMap<string, readonly number[]> | null = null;

/** Each frequent word with the places of its languages in the list. */
function knownWords(): ReadonlyMap<string, readonly number[]> {
  const result = new Map<string, number[]>();
  for (const [index, [, list, table]] of FREQUENT.entries()) {
    const dated = table
      ? [...[table.weekdays, table.months, table.units, table.words].flatMap(entries), ...compoundsOf(table)]
      : [];
    const own = dated.filter(([name, value]) => !isEnglishToo(name, value)).map(([name]) => name);
    for (const word of new Set([...list.split(" "), ...own])) result.set(word, [...(result.get(word) ?? []), index]);
  }
  return result;
}

/** "August", "Minute", "Nov" and "in" are English as well, and single letters are everywhere. */
const isEnglishToo = (name: string, value: string) =>
  name === value || /^[a-z]$/.test(name) || (name.length < 5 && value.startsWith(name));

/** How many words of each language there are, in the order of the list. */
function scoresOf(words: readonly string[]): number[] {
  known ??= knownWords();
  const scores = FREQUENT.map(() => 0);
  for (const word of words.slice(0, LOOKED_AT)) {
    const weight = SHARED.has(word) ? SHARED_WEIGHT : 1;
    for (const index of known.get(word) ?? []) scores[index] = (scores[index] ?? 0) + weight;
  }
  return scores;
}

/** The language of a text; English if nothing else is evident, null if it is a language the engine does not read. */
export function languageOf(tokens: readonly Token[]): Language | null {
  const words: string[] = [];
  for (const { kind, lower } of tokens) {
    if (words.length >= LOOKED_AT) break;
    if (kind === "word") words.push(lower);
  }
  const scores = scoresOf(words);
  const english = scores[ENGLISH] ?? 0;
  const others = scores.slice(1, READ.length);
  const read = Math.max(...others);
  const unread = Math.max(...scores.slice(READ.length));
  if (unread >= LEAST_WORDS && unread > Math.max(read, english) * MARGIN) return null;
  if (read >= 1 && read > english * MARGIN) return READ[others.indexOf(read) + 1] ?? "en";
  return words.length >= UNKNOWN_FROM && Math.max(english, read) < words.length * UNKNOWN_SHARE ? null : "en";
}

/** The language of a message. */
export const languageIn = (text: string): Language | null => languageOf(tokenize(text.slice(0, 4000)));

/** The language whose frequent words a short text has; null if it has none, or as many of another. */
export function evidentLanguage(text: string): Language | null {
  const scores = scoresOf(text.toLowerCase().match(/[\p{L}']+/gu) ?? []).slice(0, READ.length);
  const best = Math.max(...scores);
  return best > 0 && scores.filter((score) => score === best).length === 1
    ? (READ[scores.indexOf(best)] ?? null)
    : null;
}

/** Whether any word of a message is a frequent one of English. */
export const hasEnglish = (text: string): boolean =>
  (scoresOf(
    text
      .slice(0, 4000)
      .toLowerCase()
      .match(/[\p{L}']+/gu) ?? [],
  )[ENGLISH] ?? 0) > 0;

const READ_CHARACTERS = 3000;

/** The name of the language a text seems to be in; null for English, and where too little speaks for another. */
export function otherLanguage(text: string): string | null {
  const read = text.slice(0, READ_CHARACTERS);
  const latin = read.match(/\p{Script=Latin}/gu)?.length ?? 0;
  for (const [name, letters] of SCRIPTS) {
    const count = read.match(letters)?.length ?? 0;
    if (count > 5 && count > latin / 4) return name;
  }
  const scores = scoresOf(read.toLowerCase().match(/[\p{L}']+/gu) ?? []);
  const best = Math.max(...scores.slice(1));
  const isOther = best >= LEAST_WORDS && best > (scores[ENGLISH] ?? 0) * EMAIL_MARGIN;
  return isOther ? (FREQUENT[scores.indexOf(best, 1)]?.[0] ?? null) : null;
}

/** The note in the analysis of an email in a language that the engine does not read. */
export function languageNote(language: string): string {
  return `This email seems to be in ${language}. The built-in engine did not understand its text: it looked only for dates and meetings, and urgency, category and summary may be wrong.`;
}
