import type { ComponentChildren } from "preact";

interface TableProps {
  /** The names of the columns; that of a column of numbers as an object. */
  heads: readonly (string | { number: string })[];
  /** Its rows. */
  children: ComponentChildren;
}

/** A table that scrolls sideways where it is too wide. */
export function Table({ heads, children }: TableProps) {
  return (
    <div class="table-wrap">
      <table class="table">
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={index} scope="col" class={typeof head === "string" ? undefined : "number"}>
                {typeof head === "string" ? head : head.number}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
