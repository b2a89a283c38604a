import { createSelection } from "../../client/selection.ts";
import type { Row } from "./boxes.ts";

/** The rows that are ticked in the list. */
export const { selected, clearSelection, toggleSelected } = createSelection();

/** A conversation stays ticked when a newer email comes. */
export const keyOf = ({ conversation, id, threadId }: Row) => (conversation ? threadId : id);
