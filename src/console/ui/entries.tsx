import type { ComponentChildren } from "preact";
import type { ListResult } from "../client/queries.ts";
import { known } from "../lib/cast.ts";
import { Icon } from "./icon.tsx";
import { Listed, type ListedProps } from "./listed.tsx";

interface EntryProps {
  name: ComponentChildren;
  /** Beside the name. */
  badge?: ComponentChildren;
  /** What is known of it, on the line below. */
  hint?: ComponentChildren;
  problem?: string | null;
  /** Below both. */
  more?: ComponentChildren;
  /** In front of the name. */
  icon?: string;
  before?: ComponentChildren;
  /** What can be done with it. */
  children?: ComponentChildren;
}

/** One of several things on a line: what it is called, what is known of it, and what can be done with it. */
export function Entry({ name, badge, hint, problem, more, icon, before, children }: EntryProps) {
  return (
    <div class="setting-line">
      {icon && (
        <span class="line-icon center">
          <Icon name={icon} />
        </span>
      )}
      {before}
      <div class="grow">
        <p class="setting-name">
          {name} {badge}
        </p>
        {hint && <p class="hint">{hint}</p>}
        {problem && <p class="field-problem">{problem}</p>}
        {more}
      </div>
      {children}
    </div>
  );
}

interface RowsProps<T> {
  of: readonly T[];
  /** Whether their order means something. */
  isOrdered?: boolean;
  children(record: T, index: number): ComponentChildren;
}

/** A list of entries. */
export function Rows<T>({ of: records, isOrdered = false, children }: RowsProps<T>) {
  if (records.length === 0) return null;
  const List = isOrdered ? "ol" : "ul";
  return (
    <List class="setting-list">
      {records.map((each, index) => (
        <li key={known<{ id?: string | number }>(each).id ?? index}>{children(each, index)}</li>
      ))}
    </List>
  );
}

interface EntriesProps<T> extends Omit<ListedProps, "list" | "children">, Omit<RowsProps<T>, "of"> {
  of: Omit<ListResult<T>, "isLoadingMore">;
}

/** The entries of a list that is read, or why there are none. */
export function Entries<T>({ of: list, isOrdered = false, children, ...rest }: EntriesProps<T>) {
  return (
    <Listed list={list} {...rest}>
      <Rows of={list.records ?? []} isOrdered={isOrdered}>
        {children}
      </Rows>
    </Listed>
  );
}

/** Short names, such as scopes. */
export function Badges({ of: names }: { of: readonly string[] }) {
  return (
    <p class="badges wrap gap-4">
      {names.map((name) => (
        <span key={name} class={name === "admin" ? "badge warn" : "badge"}>
          {name}
        </span>
      ))}
    </p>
  );
}
