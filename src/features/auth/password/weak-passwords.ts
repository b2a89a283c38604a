import { AppError } from "../../../lib/errors.ts";
import { COMMON_WORDS } from "./common-words.ts";

/** Whose password it is. */
interface Person {
  email: string;
  name: string;
}

/** Refuses the passwords that are guessed first: common ones, and what everybody knows about the person. */
export function refuseWeakPassword(password: string, person: Person, path = "password"): void {
  if (!isWeakPassword(password, person)) return;
  const detail =
    "This password is too easy to guess: it is a common one, a simple pattern, or made of your name, your address or " +
    "the name of the service. Choose another one, for example a few words that do not belong together.";
  throw new AppError("weak_password", detail, { errors: [{ path, message: "is too easy to guess" }] });
}

/** Signs, digits and letters of other scripts that stand for a letter: "p@ssw0rd". */
const LOOKALIKES: Record<string, string> = {
  ...pairs("авекмнорстухіѕјԁһ", "abekmhopctyxisjdh"),
  ...pairs("αβεικνορτυχ", "abeiknoptux"),
  "0": "o",
  "1": "il",
  "2": "z",
  "3": "e",
  "4": "a",
  "5": "s",
  "6": "gb",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "!": "il",
  "|": "il",
  "+": "t",
  "€": "e",
  "(": "c",
};

function pairs(from: string, to: string): Record<string, string> {
  return Object.fromEntries([...from].map((character, index) => [character, to[index] ?? ""]));
}

/** Neighbours in the alphabet, among the digits and on keyboards; read in both directions. */
const RUNS = [
  "01234567890",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiop[]",
  "qwertzuiopü",
  "azertyuiop",
  "qsdfghjklm",
  "wxcvbn",
  "yxcvbnm",
  "pyfgcrl",
  "aoeuidhtns",
  "йцукенгшщзхъ",
  "фывапролджэ",
  "ячсмитьбю",
  "абвгдежзийклмнопрстуфхцчшщъыьэюя",
  "αβγδεζηθικλμνξοπρστυφχψω",
  "٠١٢٣٤٥٦٧٨٩",
  "۰۱۲۳۴۵۶۷۸۹",
  "1357913579",
  "0246802468",
  "asdfghjkl;'",
  "zxcvbnm,./",
  "!@#$%^&*()",
  '!"§$%&/()=',
  "qazwsxedcrfvtgbyhnujmikolp",
  "aqwzsxedcrfvtgbyhnujikolpm",
  "12qwaszx",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
  "q1w2e3r4t5y6u7i8o9p0",
  "a1b2c3d4e5f6g7h8i9j0",
  "1a2b3c4d5e6f7g8h9i0j",
]
  .map(foldCase)
  .flatMap((run) => [run, [...run].reverse().join("")]);

const FOLDED_WORDS = COMMON_WORDS.map(foldCase);
const SERVICE_WORDS = ["personal", "operations", "assistant", "service", "poa"];

/** A piece of a run or of a name that is shorter proves nothing. */
const MIN_PIECE = 3;
/** A number is not a word, although each of its digits looks like a letter. */
const MIN_LETTERS = 2;
/** What may be left over besides the known pieces: such as "x" and "99" in "xpassword99". A letter counts twice. */
const MAX_LEFT = 4;
/** Two common words are soon guessed; three or more may be a passphrase. */
const MAX_WORDS = 2;
/** Nothing longer can consist of two common words, a person's data and four more characters. */
const MAX_LENGTH = 256;

export function isWeakPassword(password: string, person: Person): boolean {
  const personal = personalWords(person);
  return readings(password).some((text) => isEasy([...text], personal));
}

/** Spaces, dots, dashes and underscores between pieces make nothing harder to guess, nor does one other sign. */
function readings(password: string): string[] {
  const text = withoutSeparators(foldCase(password));
  const signs = new Set(text.match(/[^\p{L}\p{N}]/gu));
  return signs.size === 1 ? [text, text.replaceAll(/[^\p{L}\p{N}]/gu, "")] : [text];
}

function isEasy(characters: readonly string[], personal: readonly string[]): boolean {
  if (characters.length === 0) return true;
  const unit = repeatedUnit(characters);
  // "abcabcabc", or "passwordpassword".
  if (unit.length < characters.length && unit.length <= 4) return true;
  // "11223344" is "1234" with every character twice.
  const single = unit.filter((character, index) => character !== unit[index - 1]);
  const forwards = [unit, single];
  return [...forwards, ...forwards.map((each) => [...each].reverse())].some((each) => isKnown(each, personal));
}

/** Without accents, and without characters that nobody sees. */
function foldCase(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Cc}\p{Cf}]/gu, "")
    .toLowerCase();
}

function withoutSeparators(text: string): string {
  return text.replaceAll(/[\s._-]/gu, "");
}

/** The shortest beginning that, repeated, gives the whole; a last repetition may be cut off. */
function repeatedUnit(characters: readonly string[]): readonly string[] {
  for (let length = 1; length * 2 <= characters.length; length++) {
    if (characters.every((character, index) => character === characters[index % length])) {
      return characters.slice(0, length);
    }
  }
  return characters;
}

/** Pieces of at least three characters; the whole address and name without signs come first. */
function personalWords({ email, name }: Person): string[] {
  const [local = "", domain = ""] = email.split("@");
  const labels = domain.split(".");
  const texts = [
    local,
    ...local.split(/[^\p{L}]+/u),
    domain,
    ...labels.slice(0, -1),
    name,
    ...name.split(/[^\p{L}]+/u),
  ];
  const folded = texts.map((text) => withoutSeparators(foldCase(text)));
  return [...new Set([...folded, ...SERVICE_WORDS])].filter((word) => word.length >= MIN_PIECE);
}

/**
 * Whether the text consists of known pieces, apart from a few characters: any number of runs, years and personal
 * words, and at most two common words. The least that is left over is found from the end to the start.
 */
function isKnown(characters: readonly string[], personal: readonly string[]): boolean {
  if (characters.length > MAX_LENGTH) return false;
  // At each place: what is left over of the rest of the text, with at most 0, 1 and 2 common words in it.
  const nothing: number[] = Array(MAX_WORDS + 1).fill(0);
  const left = Array.from({ length: characters.length + 1 }, () => nothing);
  for (let at = characters.length - 1; at >= 0; at--) {
    const cost = /\p{L}/u.test(characters[at] ?? "") ? 2 : 1;
    const least = (left[at + 1] ?? nothing).map((rest) => rest + cost);
    /** A piece that begins here, and counts as so many common words. */
    const take = (length: number, words: number) => {
      const rest = left[at + length] ?? nothing;
      for (let n = words; n <= MAX_WORDS; n++) least[n] = Math.min(least[n] ?? Infinity, rest[n - words] ?? Infinity);
    };
    for (const length of freePieces(characters, at, personal)) take(length, 0);
    for (const word of FOLDED_WORDS) if (looksLike(characters, at, word)) take(word.length, 1);
    left[at] = least;
  }
  return (left[0]?.[MAX_WORDS] ?? Infinity) <= MAX_LEFT;
}

/** The lengths of the runs, repetitions, years and personal words that begin here. */
function* freePieces(characters: readonly string[], at: number, personal: readonly string[]): Generator<number> {
  let repeated = 1;
  while (characters[at + repeated] === characters[at]) repeated++;
  for (let length = MIN_PIECE; length <= repeated; length++) yield length;
  for (let length = MIN_PIECE; at + length <= characters.length; length++) {
    const piece = characters.slice(at, at + length).join("");
    if (!RUNS.some((run) => run.includes(piece))) break;
    yield length;
  }
  if (/^(?:19|20)\d\d/.test(characters.slice(at, at + 4).join(""))) yield 4;
  for (const word of personal) if (looksLike(characters, at, word)) yield [...word].length;
}

function looksLike(characters: readonly string[], at: number, word: string): boolean {
  let index = at;
  let same = 0;
  for (const letter of word) {
    const given = characters[index++];
    if (given === letter) same++;
    else if (!(given && LOOKALIKES[given]?.includes(letter))) return false;
  }
  return same >= MIN_LETTERS;
}
