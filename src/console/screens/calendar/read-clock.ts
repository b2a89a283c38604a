import { clockText } from "../../lib/zone.ts";

/** A time as people write it: 9, 930, 9:30, 21.30, 9:30 pm, 9h30. Null if it is none. */
export function readClock(text: string): string | null {
  const [, hours = "", minutes = "0", half = ""] =
    /^(\d{1,2})(?: ?[:.h]? ?(\d{2}))? ?(?:uhr|h)? ?([ap])?\.? ?(?:m\.?)?$/i.exec(text.trim().replace(/\s+/g, " ")) ??
    [];
  if (hours === "") return null;
  const isLate = half.toLowerCase() === "p";
  let hour = Number(hours);
  if (half !== "") {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (isLate ? 12 : 0);
  }
  const minute = Number(minutes);
  return hour > 23 || minute > 59 ? null : clockText(hour * 60 + minute);
}
