import { type Clock, datesIn } from "../../../../engine/notes/message-time.ts";
import { REF } from "./reference.ts";

/** How long the last thing is to be: a length, more or less than before, or a multiple of it. */
export type LengthChange =
  | { kind: "length"; minutes: number }
  | { kind: "longer"; minutes: number }
  | { kind: "times"; factor: number };

const NUMBER =
  "(?:\\d{1,5}(?:[.,]\\d{1,3})?|an? (?:full|whole|good|solid)|an?|one|two|three|four|five|six|ten|half an?|a quarter of an|three quarters of an|a couple of|fifteen|twenty|thirty|forty-?five|ninety|an? (?=hour and a half))";
/** "an hour and a half", "45 mins", "half an hour"; one group. */
export const LENGTH = `(${NUMBER} ?(?:minutes?|mins?|min|m|hours?|hrs?|h|days?|weeks?)(?: and (?:a half|\\d{1,4} ?(?:minutes?|mins?)|a quarter))?)`;
export const IT = `(?: ${REF.replace("(?<ref>", "(?:")})?`;
const ABOUT = "(?:(?:about|around|roughly|just|only|at least) )?";

const re = (source: string) => new RegExp(source, "i");
const LONGER = re(
  `^(?:make${IT} |add |give${IT} |let's have )?(?:a bit )?(?:by )?(?:another )?${LENGTH} (longer|more|shorter|less)(?: for it)?$`,
);
const ADDED = re(
  `^(?:add|tack on|give${IT}) (?:on )?(?:another|an extra|a further) ${LENGTH}(?: (?:to|onto|on) it)?$|^(?:add|tack) ${LENGTH} (?:to|onto|on to) it$`,
);
const EXTEND = re(`^(extend|lengthen|prolong|shorten|cut|trim|stretch)${IT}(?: by| for)? (?:another )?${LENGTH}$`);
const TO_LENGTH = re(
  `^(?:extend|lengthen|prolong|shorten|cut|trim|stretch|reduce|shrink)${IT}(?: down| out)? to ${ABOUT}${LENGTH}$`,
);
const LASTS = re(
  `^(?:(?:make|set|change|have|keep|book|give)(?: us| me)?${IT} )?(?:(?:it|that|this)(?:'ll| will| should| needs to| is going to|'s going to|'s gonna)? (?:only |just |probably |really ){0,6}(?:takes?|lasts?|be|needs?|runs?|is) |(?:it|that)'s (?:only|just) |(?:the )?(?:duration|length) (?:to|is) |(?:to|for|last|take|only) ){0,6}${ABOUT}${LENGTH}(?: long| (?:is|will be|should be) (?:enough|plenty|fine|ok(?:ay)?)| will do| should do| there)?$`,
);
const TIMES: readonly (readonly [RegExp, number])[] = [
  [
    re(
      `^(?:make${IT} )?(?:twice|double|two times|2x) (?:as long|the (?:length|time|duration))$|^double${IT}(?: the (?:length|time|duration))?$`,
    ),
    2,
  ],
  [re(`^(?:make${IT} )?(?:three times|triple|3x) (?:as long|the (?:length|time))$|^triple${IT}$`), 3],
  [re(`^(?:make${IT} )?half (?:as long|the (?:length|time|duration))$|^halve${IT}$|^cut${IT} in half$`), 0.5],
];

export function minutesOf(words: string, clock: Clock): number | null {
  const text = words
    .replace(/^an? (?:full|whole|good|solid) /i, "one ")
    .replace(/^half an?\b/i, "30 minutes #")
    .replace(/^a quarter of an\b/i, "15 minutes #")
    .replace(/^three quarters of an\b/i, "45 minutes #")
    .replace(/#.*/, "")
    .replace(/^(\d+) ?h$/i, "$1 hours")
    .replace(/^(\d+) ?m$/i, "$1 minutes");
  const extra = /and a half/i.test(words) ? 30 : /and a quarter/i.test(words) ? 15 : 0;
  const found = datesIn(`for ${text.replace(/ and a (?:half|quarter)/i, "")}`, clock).find(
    ({ durationMinutes }) => durationMinutes,
  );
  return found?.durationMinutes ? found.durationMinutes + extra : null;
}

/** "an hour longer", "shorten it by 10 minutes", "twice as long"; these need no length of their own. */
export function readLonger(bare: string, clock: Clock): LengthChange | null {
  const factor = TIMES.find(([shape]) => shape.test(bare))?.[1];
  if (factor !== undefined) return { kind: "times", factor };
  const longer = LONGER.exec(bare);
  const extended = EXTEND.exec(bare);
  const added = ADDED.exec(bare);
  const minutes = minutesOf(longer?.[1] ?? extended?.[2] ?? added?.[1] ?? added?.[2] ?? "", clock);
  if (minutes === null) return null;
  const isLess = /shorter|less/i.test(longer?.[2] ?? "") || /shorten|cut|trim/i.test(extended?.[1] ?? "");
  return { kind: "longer", minutes: isLess ? -minutes : minutes };
}

/** "make it an hour", "shorten it to 20 minutes", "it'll take about an hour". */
export function readLength(bare: string, clock: Clock, isFresh: boolean): LengthChange | null {
  const to = TO_LENGTH.exec(bare)?.[1];
  const isAbout =
    isFresh ||
    /^(?:make|set|change|give) (?:it|that|this|both|them|all|the (?:first|second|third|last|other))\b|^it(?:'ll| will) (?:take|last)\b/i.test(
      bare,
    );
  const words = to ?? (isAbout ? LASTS.exec(bare)?.[1] : undefined);
  const minutes = words ? minutesOf(words, clock) : null;
  return minutes === null ? null : { kind: "length", minutes };
}
