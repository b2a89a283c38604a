import { type TimeHabits, timeText } from "./time.ts";

/** `17:30` as the person's clock shows it: "5:30 PM". */
export function clockText(habits: TimeHabits, clock: string): string {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return timeText({ ...habits, timeZone: "UTC" }, new Date(Date.UTC(2026, 0, 1, hours, minutes)));
}

/** What a person types as a time, as `17:30`; null if it is none. "9", "9.30", "5 pm", "1730", "9h30", "9 Uhr". */
export function clockOf(text: string): string | null {
  const found = /^(\d{1,2})(?: ?[:.h]? ?(\d{2}))? ?(?:uhr|h)? ?([ap])?\.? ?m?\.?$/i.exec(
    text.trim().replace(/\s+/g, " "),
  );
  if (!found) return null;
  const [, digits = "", rest = "0", half] = found;
  const [given, minutes] = [Number(digits), Number(rest)];
  if (half && (given < 1 || given > 12)) return null;
  const hours = half ? (given % 12) + (half.toLowerCase() === "p" ? 12 : 0) : given;
  if (hours > 24 || minutes > 59 || (hours === 24 && minutes > 0)) return null;
  return `${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
}
