import { signal } from "@preact/signals";
import { createSelection } from "../../client/selection.ts";

/** The tasks that are ticked for a bulk change. */
export const { selected, clearSelection, toggleSelected } = createSelection();

/** Whether every row has a box to tick it with: for people without a keyboard. */
export const isSelecting = signal(false);

export function endSelection(): void {
  isSelecting.value = false;
  clearSelection();
}
