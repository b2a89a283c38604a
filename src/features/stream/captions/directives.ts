/** The custom instructions that the built-in writer understands. */
interface Directives {
  emoji: boolean;
  hashtags: boolean;
  short: boolean;
  lowerCase: boolean;
  /** Text that must appear literally. */
  mentions: string[];
  signature: string | null;
}

const WITHOUT = "(?:no|without|avoid|never use|don['’]?t use|do not use|skip)(?: any)?";
const NO_EMOJI = new RegExp(`\\b${WITHOUT} emojis?\\b`, "i");
const NO_HASHTAGS = new RegExp(`\\b${WITHOUT} (?:hash ?)?tags?\\b`, "i");
const SHORT = /\b(?:short|brief|concise|one line|one sentence)\b/i;
const LOWER_CASE = /\b(?:lower ?case|no capitals)\b/i;
const QUOTED = /["“]([^"”\n]{1,200})["”]/g;
const SIGNATURE = /\bsign(?:ed)?(?: off)? (?:as|with|by) ["“]?([^"”.\n]{1,60})["”]?/i;

export function readDirectives(prompt: string): Directives {
  const signature = SIGNATURE.exec(prompt);
  const rest = signature ? prompt.replace(signature[0], " ") : prompt;
  return {
    emoji: !NO_EMOJI.test(prompt),
    hashtags: !NO_HASHTAGS.test(prompt),
    short: SHORT.test(prompt),
    lowerCase: LOWER_CASE.test(prompt),
    mentions: [...rest.matchAll(QUOTED)].map(([, words = ""]) => words.trim()).filter(Boolean),
    signature: signature?.[1]?.trim() ?? null,
  };
}
