import { signal } from "@preact/signals";
import { createSelection } from "../../client/selection.ts";
import { whenSignedOut } from "../../client/session.ts";
import type { Row } from "./boxes.ts";
import type { Matching } from "./matching.ts";

const selection = createSelection();

/** The rows that are ticked in the list. */
export const { selected } = selection;

/** All that the list has, also beyond what is loaded; null while only ticked rows are meant. */
export const allMatching = signal<Matching | null>(null);
/** It is being counted: nobody can know yet what an action would be for. */
export const isCounting = signal(false);
whenSignedOut(clearSelection);

export function clearSelection(): void {
  allMatching.value = null;
  isCounting.value = false;
  selection.clearSelection();
}

export const toggleSelected: typeof selection.toggleSelected = (...given) => {
  allMatching.value = null;
  selection.toggleSelected(...given);
};

export function selectAll(rows: readonly Row[]): void {
  allMatching.value = null;
  selected.value = new Set(rows.map(keyOf));
}

/** A conversation stays ticked when a newer email comes. */
export function keyOf({ conversation, id, threadId }: Row): number {
  return conversation ? threadId : id;
}
