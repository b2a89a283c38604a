import { TASK_FACETS } from "../../db/schema/tasks.ts";
import type { TaskQuery } from "./schemas.ts";

const { status, tags, ...SINGLE } = TASK_FACETS;

/** The filters other than the status, each as words of the index. */
export function filtersOf({ tag, ...query }: TaskQuery): string[] {
  const single = Object.entries(SINGLE).flatMap(([name, letter]) => {
    const wanted = query[name as keyof typeof SINGLE];
    return wanted === undefined ? [] : [anyOf(letter, [wanted].flat())];
  });
  return [...single, ...(tag === undefined ? [] : [`${tags}${hexOf(tag)}`])];
}

/** Any of these values of a column. */
export function anyOf(letter: string, values: readonly (string | number)[]): string {
  return `(${values.map((value) => letter + String(value).replaceAll("_", "")).join(" OR ")})`;
}

function hexOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
