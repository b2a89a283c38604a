import { keep, kept } from "../../client/kept.ts";

const RECENT = "searches";
const MOST = 8;

/** On this device, the last one first. */
export const recent = () => kept<string[]>(RECENT) ?? [];

export function remember(q: string): void {
  const text = q.trim();
  if (text.length < 2) return;
  const before = recent();
  // What was typed on the way to it is no search of its own.
  const others = before.filter((each) => !text.startsWith(each));
  keep(RECENT, [text, ...others].slice(0, MOST));
}

const PLACE = /(^|[\s(])in:("?)(\w+)\2(?=[\s)]|$)/i;
const BOXES: Record<string, string> = { archived: "archive", bin: "trash", junk: "spam" };

/** The box that a search names; `anywhere` for all of them, null for none. */
export function placeIn(q: string): string | null {
  const name = PLACE.exec(q)?.[3]?.toLowerCase() ?? (/(?:^|\s)is:starred(?:\s|$)/i.test(q) ? "starred" : null);
  return name && (BOXES[name] ?? name);
}

/** The search without the place that it names, and in another one. */
export function searchIn(q: string, place: string | null): string {
  const words = q
    .replace(PLACE, "$1")
    .replace(/(^|\s)is:starred(?=\s|$)/i, "$1")
    .replace(/\s+/g, " ")
    .trim();
  return place === null ? words : `${words} ${place === "starred" ? "is" : "in"}:${place}`.trim();
}
