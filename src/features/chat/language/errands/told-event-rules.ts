export const SAYS_WHEN =
  /\b(?:today|tonight|tomorrow|noon|(?:mon|tues|wednes|thurs|fri|satur|sun)day|at \d|\d{1,2} ?(?:am|pm)|\d:\d\d)/;
/** "I've got physio tomorrow at quarter to nine": whatever has a time of day is an event. */
const HAS_AT =
  /^(?:i've got|i have(?: got)?|we've got|we have(?: got)?|there's|there is) (?!to\b|a (?:question|problem|feeling|headache|cold)|an idea|no\b|nothing|never|been|had|not\b|any|done|finished|sent|already|just)(?=\S)(?!.*\b(?:e-?mails?|tasks?|reminders?|free|time)\b).{2,60}\b(?:at (?:\d|noon|half|a? ?quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|half (?:past )?\w+|quarter (?:to|past)|\d{1,2}(?::\d\d)? ?(?:am|pm)|\d:\d\d)\b[^?]*$/;
/** "see the vet on Friday" */
const SEES =
  /^(?:see|visit|go (?:and )?see|pop in to see) (?:the |my |an? )?(?!you\b|ya\b|if\b|what|how|who|when|it\b|that\b|them\b|him\b|her\b|calendar|schedule|tasks?|e-?mails?|mails?|list|agenda|free|busy|all\b|any)\p{L}{2,}/u;

/** Events that are told rather than asked for. */
export const TOLD_EVENT_RULES: readonly ["add_event", (text: string) => boolean][] = [
  [
    "add_event",
    (text) =>
      /^(?:i|we)(?:'ve| have)?(?: got)? (?:an? |another )?(?:\w+ )?(?:appointment|meeting|interview|call|lunch|dinner|breakfast|reservation|flight|party|concert|haircut|dentist|doctor|vet|lesson|class|game|match|exam|wedding|rehearsal|training|service|date|check-?up|session|visit|trip|viewing|show)\b/.test(
        text,
      ) &&
      SAYS_WHEN.test(text) &&
      !/\?$/.test(text),
  ],
  ["add_event", (text) => HAS_AT.test(text)],
  ["add_event", (text) => SEES.test(text) && SAYS_WHEN.test(text) && !/\?$/.test(text)],
];
