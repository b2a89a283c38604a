import { wordSet } from "../../lib/words.ts";

/** Frequent words of languages, and of English. Words that several share are left out. */
const LANGUAGES: readonly (readonly [name: string, words: ReadonlySet<string>])[] = [
  [
    "German",
    wordSet(
      "und nicht ist sind wir ich ihr ihnen uns mit für auf auch noch bitte danke können könnten haben habe hast wird werden wurde eine einen einem einer der das dem den des bei zum zur über uhr sehr geehrte geehrter grüße grüßen hallo liebe lieber wenn dass bis sie",
    ),
  ],
  [
    "French",
    wordSet(
      "nous vous est sont avec pour dans sur merci bonjour cordialement votre vos une des les je que qui pouvez pourriez cette être avez suis pas aux du au salut",
    ),
  ],
  [
    "Spanish",
    wordSet(
      "el los las una por para con gracias hola saludos está están puede puedes podemos usted nuestro nuestra que este esta mañana reunión favor su estimado estimada pero también muy le",
    ),
  ],
  [
    "Italian",
    wordSet(
      "il gli sono grazie ciao buongiorno cordiali saluti per che con della delle questo questa può puoi vorrei anche nostro domani non di è",
    ),
  ],
  [
    "Portuguese",
    wordSet(
      "obrigado obrigada olá você não uma para com por favor está amanhã reunião pode nosso nossa isso os dos das em do da que",
    ),
  ],
  [
    "Dutch",
    wordSet(
      "het een van niet voor met zijn wij je jij kunnen kunt graag bedankt groeten hallo beste dat maar ook naar wordt morgen aan deze",
    ),
  ],
  ["Polish", wordSet("się nie jest dziękuję proszę dzień dobry pozdrawiam czy jutro spotkanie na do że dla jak może")],
  [
    "Swedish",
    wordSet("och att är det inte för med på som vi du jag hej tack kan vill hälsningar imorgon mötet en ett av"),
  ],
  [
    "Danish or Norwegian",
    wordSet("og at er det ikke for med på som vi jeg hej hei tak takk kan vil hilsen møde møte til af av"),
  ],
];
const ENGLISH = wordSet(
  "the and is are was were have has will would can could you your we our they this that with from for not but please thanks thank let me know to of it be on at in if when what i'm i'll hi hello",
);
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
const READ_CHARACTERS = 3000;
const LEAST_WORDS = 3;

/** The language a text seems to be in; null for English, and where too little speaks for another. */
export function otherLanguage(text: string): string | null {
  const read = text.slice(0, READ_CHARACTERS);
  const words = read.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const latin = read.match(/\p{Script=Latin}/gu)?.length ?? 0;
  for (const [name, letters] of SCRIPTS) {
    const count = read.match(letters)?.length ?? 0;
    if (count > 5 && count > latin / 4) return name;
  }
  const english = words.filter((word) => ENGLISH.has(word)).length;
  const scored = LANGUAGES.map(([name, frequent]) => ({
    name,
    count: words.filter((word) => frequent.has(word)).length,
  }));
  const [best] = scored.sort((a, b) => b.count - a.count);
  return best && best.count >= LEAST_WORDS && best.count > english * 2 ? best.name : null;
}

/** What an analysis says about an email that the engine does not understand. */
export function languageNote(language: string): string {
  return `This email seems to be in ${language}. The built-in engine did not understand its text: it looked only for dates and meetings, and urgency, category and summary may be wrong.`;
}
