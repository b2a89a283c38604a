import { CLOCK } from "./calendar-paraphrase.ts";

/** What is told with a time of day is to be noted; what is asked is not. */
export const TOLD_REWORDINGS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:it |that |this )?(?:starts|begins) at ([\d:.]{1,5}(?: ?[ap]m)?)(?: now)?,? (?:and |but )?(?:still |it |goes on |lasts |ends |finishes )*(?:until|till|at) ([\d:.]{1,5}(?: ?[ap]m)?)$/i,
    "make it from $1 to $2",
  ],
  [
    /^(?:oh )?(?:they're|they are|he's|he is|she's|she is) (?:coming|arriving) (?=on (?:the \d|\p{L}+day)|at \d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|tomorrow\b)(?=[^,]{1,30}(?:, (?:not|sorry|instead|actually)\b|$))/iu,
    "it is ",
  ],
  [
    /^(it'?s (?:at|in|on) .{2,40}?),? (?:can you |could you |please |so )*(?:note|add|put|write) (?:that|it)(?: (?:on it|down|in|there|to it|for me))*$/i,
    "$1",
  ],
  // "starts at 10 now, same length"
  [/^(?:now )?(?=(?:starts|begins|kicks off|finishes|ends|runs|goes on) (?:at|from|until|till|on) )/i, "it "],
  [
    /^(?:and )?(?:it )?(?:goes on|lasts|takes|runs|will last|will take) (?:for )?(?:about |around |roughly |some )?(?=(?:an?|half|one|two|three|\d+) ?(?:an? )?(?:hours?|minutes?|mins?|h\b))/i,
    "it lasts ",
  ],
  [
    /^(?:and |so |ok |actually |then )*give (?:us|me|it|that|them) ((?:(?:an?|one|two|three|half an?|\d+|\d+\.5) )+(?:hours?|minutes?|mins?))(?: (?:for it|for that|instead))*$/i,
    "make it $1",
  ],
  [
    /^(?:and |so |oh )*(?:we|they|she|he|i)(?:'ve)? (?:said|agreed on|picked|chose|decided on|booked) (.{2,50}?)[,;.]+ (?:so |please |can you )*(?:add|put|use|set|note|make) (?:that|it)(?: down| in)? (?:as )?(?:the |its )?(?:place|location|venue)$/i,
    "add $1 as the place",
  ],
  [
    new RegExp(
      `^(?:i'm|i am|we're|we are) meeting (?:up )?(?:with )?(?!at\\b|in\\b|on\\b|up\\b|next\\b|today\\b|tomorrow\\b|instead\\b|there\\b)(?=\\p{L}.*${CLOCK})`,
      "iu",
    ),
    "schedule a meeting with ",
  ],
  [
    new RegExp(
      `^(?:i'm|i am|we're|we are) (?:seeing|having|going to(?: see)?|booked in for|down for) (?:the |an? )?(?!trouble|problem|issue|doubt|second|hard|bad|be\\b|do\\b|have\\b|call\\b|need\\b|make\\b|send\\b|buy\\b)(?=\\p{L}.*${CLOCK})`,
      "iu",
    ),
    "schedule ",
  ],
];
