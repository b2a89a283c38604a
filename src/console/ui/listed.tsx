import type { ComponentChildren } from "preact";
import type { ListResult } from "../client/queries.ts";
import { parts } from "../messages/parts.ts";
import { Button } from "./button.tsx";
import { Pending } from "./states.tsx";

export interface ListedProps {
  list: Omit<ListResult<unknown>, "isLoadingMore">;
  /** How many rows the shape of what comes has, and of which form. */
  rows?: number;
  form?: "rows" | "text" | "block";
  /** In place of the rows, if there are none: a text, or an `Empty`. */
  none?: ComponentChildren;
  children: ComponentChildren;
}

/** The rows of a list, or why there are none: not loaded yet, not readable, empty. A button loads the next page. */
export function Listed({ list, rows = 3, form = "rows", none, children }: ListedProps) {
  const { records } = list;
  return (
    <>
      {!records && <Pending of={list} rows={rows} form={form} />}
      {records?.length === 0 && (typeof none === "string" ? <p class="muted">{none}</p> : none)}
      {records && records.length > 0 && children}
      {list.hasMore && (
        <Button tone="quiet" onClick={list.loadMore}>
          {parts.more}
        </Button>
      )}
    </>
  );
}
