import { signal } from "@preact/signals";
import { whenSignedOut } from "../../client/session.ts";

/** The emails that are ticked in the list. */
export const selected = signal<ReadonlySet<number>>(new Set());
let last: number | null = null;

whenSignedOut(clearSelection);

export function clearSelection(): void {
  if (selected.value.size > 0) selected.value = new Set();
  last = null;
}

/** With `through`, everything from the last one to this one. */
export function toggleSelected(id: number, { through = false, ids = [] as readonly number[] } = {}): void {
  const next = new Set(selected.value);
  const [from, to] = [last === null ? -1 : ids.indexOf(last), ids.indexOf(id)];
  if (through && from >= 0 && to >= 0) {
    for (const each of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each);
  } else if (!next.delete(id)) next.add(id);
  last = id;
  selected.value = next;
}

export function selectAll(ids: readonly number[]): void {
  selected.value = new Set(ids);
}
