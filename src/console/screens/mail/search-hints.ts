import { OPERATORS, RECENT_SEARCH, VALUES } from "../../messages/operators.ts";
import type { Hint } from "../../ui/completion.tsx";
import { recent } from "./search.ts";

const SHOWN = 5;

/** What the field offers at the caret: an operator that begins so, its values, or, in an empty field, recent searches. */
export function hintsAt(text: string, caret: number): { start: number; end: number; options: Hint[] } | null {
  if (text === "") {
    const searches = recent().slice(0, SHOWN);
    return {
      start: 0,
      end: 0,
      options: searches.map((q) => ({ text: q, label: q, hint: RECENT_SEARCH, isOffer: true })),
    };
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
