import { type Signal, signal } from "@preact/signals";
import { whenSignedOut } from "./session.ts";

interface Selection {
  selected: Signal<ReadonlySet<number>>;
  clearSelection(): void;
  toggleSelected(id: number, range?: { through?: boolean; ids?: readonly number[] }): void;
}

/** The rows that are ticked in one list. */
export function createSelection(): Selection {
  const selected = signal<ReadonlySet<number>>(new Set());
  let last: number | null = null;

  function clearSelection(): void {
    if (selected.value.size > 0) selected.value = new Set();
    last = null;
  }

  /** With `through`, everything from the last one to this one. */
  function toggleSelected(id: number, { through = false, ids = [] as readonly number[] } = {}): void {
    const next = new Set(selected.value);
    const [from, to] = [last === null ? -1 : ids.indexOf(last), ids.indexOf(id)];
    if (through && from >= 0 && to >= 0) {
      for (const each of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each);
    } else if (!next.delete(id)) next.add(id);
    last = id;
    selected.value = next;
  }

  whenSignedOut(clearSelection);
  return { selected, clearSelection, toggleSelected };
}
