const ordinal = (value: number) => {
  if (value < 0) return "last";
  const end = new Map([
    ["one", "st"],
    ["two", "nd"],
    ["few", "rd"],
  ]).get(new Intl.PluralRules("en", { type: "ordinal" }).select(value));
  return `${value}${end ?? "th"}`;
};

export const repeat = {
  day: "day",
  week: "week",
  month: "month",
  year: "year",
  every: (interval: number, unit: string) => (interval === 1 ? `Every ${unit}` : `Every ${interval} ${unit}s`),
  on: (days: string) => `on ${days}`,
  onDay: (day: number) => (day === -1 ? "on the last day" : `on the ${ordinal(day)}`),
  nth: (which: number, day: string) => `the ${ordinal(which)} ${day}`,
  afterDone: "after it is done",
  repeats: "Repeats",
};
