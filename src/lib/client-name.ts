/** The first one that matches counts: most browsers also call themselves Chrome and Safari. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .{0,200}Safari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** A browser or program as people know it: "Firefox on Windows". A program is named as it names itself: "curl/8.5". */
export function clientName(userAgent: string | null): string {
  if (!userAgent) return "Unknown";
  const nameIn = (names: typeof PROGRAMS) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const program = nameIn(PROGRAMS);
  const system = nameIn(SYSTEMS);
  if (program) return system ? `${program} on ${system}` : program;
  return userAgent.slice(0, 100);
}
