import { createSelection } from "../../client/selection.ts";

/** The emails that are ticked in the list. */
export const { selected, clearSelection, toggleSelected } = createSelection();
