const NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const HOUR = `\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]m)?|${NUMBERS.join("|")}|noon|midday|lunch(?:time)?|work|school|breakfast`;
const OPEN = new RegExp(
  `\\b(?<side>after|before)(?: about| around)? (?<hour>${HOUR})(?: ?o'clock)?(?: onwards| on)?(?![:.\\d]|(?: ?(?:to|till|until|and|-|–|minutes|mins|hours|days|weeks|people|am|pm)\\b))(?=$|[\\s?,.!])`,
  "i",
);
const ASKS =
  /^(?:(?:and|so|ok|okay|or|but)[\s,]+)*(?:what|what's|which|who|when|am|are|is|do|does|have|any|anything|anytime|how|show|list|find|got|will)\b/i;
const PARTS: Record<string, string> = {
  noon: "12:00",
  midday: "12:00",
  lunch: "13:00",
  lunchtime: "13:00",
  work: "17:00",
  school: "15:00",
  breakfast: "09:00",
};

/** "after 5" and "before lunch" of a question as a range that the reader of dates knows. */
export function withOpenRange(message: string): string {
  const found = ASKS.test(message) ? OPEN.exec(message)?.groups : undefined;
  if (!found?.side || !found.hour) return message;
  const at = clockOf(found.hour.toLowerCase());
  const isBefore = /^before$/i.test(found.side);
  if (isBefore && at === "13:00") return message.replace(OPEN, "between 00:00 and 12:00");
  return message.replace(OPEN, isBefore ? `between 00:00 and ${at}` : `between ${at} and 23:59`);
}

function clockOf(said: string): string {
  const known = PARTS[said];
  if (known) return known;
  const [, digits = "", minutes = "00", half = ""] = /^(\d{1,2})(?:[:.](\d\d))?(?: ?([ap]m))?$/.exec(said) ?? [];
  const hour = digits ? Number(digits) : NUMBERS.indexOf(said) + 1;
  // "After 5" without more is in the afternoon.
  const isAfternoon = half === "pm" ? hour < 12 : half === "" && hour < 8;
  return `${String((isAfternoon ? hour + 12 : hour) % 24).padStart(2, "0")}:${minutes}`;
}
