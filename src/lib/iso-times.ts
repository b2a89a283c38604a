import { assertType } from "./cast.ts";

type Iso<Value> = Value extends Date ? string : Value;

/** A stored record as the API returns it: every moment as text. */
export function withIsoTimes<Row extends object>(row: Row): { [Name in keyof Row]: Iso<Row[Name]> } {
  const members = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return assertType(Object.fromEntries(members));
}
