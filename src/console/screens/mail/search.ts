import { keep, kept } from "../../client/kept.ts";
import { find, OPERATORS, VALUES } from "../../messages/find.ts";
import type { Hint } from "../../ui/completion.tsx";

const RECENT = "searches";
const MOST = 8;
const SHOWN = 5;

/** On this device, the last one first. */
export function remember(q: string): void {
  const text = q.trim();
  if (text.length < 2) return;
  const before = kept<string[]>(RECENT) ?? [];
  // What was typed on the way to it is no search of its own.
  const others = before.filter((each) => !text.startsWith(each));
  keep(RECENT, [text, ...others].slice(0, MOST));
}

/** What the field offers at the caret: an operator that begins so, its values, or, in an empty field, recent searches. */
export function hintsAt(text: string, caret: number): { start: number; end: number; options: Hint[] } | null {
  if (text === "") {
    const recent = (kept<string[]>(RECENT) ?? []).slice(0, SHOWN);
    return { start: 0, end: 0, options: recent.map((q) => ({ text: q, label: q, hint: find.recent, isOffer: true })) };
  }
  const [, name, words = ""] = /(?:^|[\s(])-?(?:([a-z]+):)?([^\s():]*)$/i.exec(text.slice(0, caret)) ?? [];
  const start = caret - words.length;
  const end = caret + (/^[^\s():]*\s?/.exec(text.slice(caret))?.[0].length ?? 0);
  const typed = words.toLowerCase();
  if (name !== undefined) {
    const values = VALUES[name.toLowerCase()] ?? [];
    const fitting = values.filter((each) => each.replace('"', "").startsWith(typed.replace('"', "")) && each !== typed);
    const options = fitting.map((each) => ({ text: `${each} `, label: `${name}:${each}`, hint: "" }));
    return { start, end, options };
  }
  if (typed.length < 2) return null;
  const fitting = OPERATORS.filter(([operator]) => operator.startsWith(typed));
  return {
    start,
    end,
    options: fitting.map(([operator, hint, example]) => ({ text: operator, label: example, hint })),
  };
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
