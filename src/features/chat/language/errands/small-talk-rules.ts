export const isShort = (text: string, words: number) => text.split(" ").length <= words;
const GREETING =
  /^(?:hi|hello|hey|hiya|howdy|yo|greetings|aloha|hola|bonjour|good (?:morning|afternoon|evening|day))\b/;
const HOW_ARE_YOU = /\bhow (?:are|have) (?:you|things)\b|\bhow(?:'s| is) (?:it going|life|everything)\b|^what's up\b/;
const GOODBYE =
  /\b(?:good ?bye|bye|farewell|adios|ciao|see (?:you|ya)|so long|good ?night|talk (?:to you )?(?:later|soon)|signing off|sayonara|take care|have a (?:good|nice|great) (?:day|one|night|evening|weekend))\b/;
const YES = /^(?:yes|yep|yeah|yup|sure|ok|okay|correct|right|absolutely|definitely|of course|do it|go ahead|confirm)\b/;
const NO =
  /^(?:sorry|oops|my bad|my mistake|no|nope|nah|naw|nay|negative|never|not (?:really|at all|true|now)|don't|do not)\b/;
const WRONG =
  /\b(?:isn't|is not|not|can't be|cannot be) (?:correct|true|right|accurate|the right)\b|\b(?:incorrect|inaccurate|false|untrue|wrong)\b/;

/** Courtesies, and questions about the assistant. They are tried last: small talk never swallows a command. */
export const SMALL_TALK_RULES: readonly [
  "help" | "goodbye" | "thanks" | "greeting" | "no" | "yes",
  (text: string) => boolean,
][] = [
  [
    "help",
    (text) =>
      isShort(text, 7) &&
      /^(?:who|what) are you(?: exactly)?\??$|^are you (?:an? )?(?:human|bot|robot|ai|person|machine|real)\b/.test(
        text,
      ),
  ],
  ["help", (text) => /^(?:help|help me|commands|options)$/.test(text)],
  ["goodbye", (text) => isShort(text, 9) && GOODBYE.test(text)],
  [
    "thanks",
    (text) =>
      isShort(text, 6) && /\b(?:thanks|thank you|thx|cheers|much appreciated)\b/.test(text) && !/^no\b/.test(text),
  ],
  ["greeting", (text) => (isShort(text, 3) && GREETING.test(text)) || (isShort(text, 8) && HOW_ARE_YOU.test(text))],
  ["no", (text) => (isShort(text, 5) && NO.test(text)) || (isShort(text, 8) && WRONG.test(text))],
  ["yes", (text) => isShort(text, 3) && YES.test(text)],
];
