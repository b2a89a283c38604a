import { remembered } from "../lib/remembered.ts";
import { HeldStatement } from "./held-statement.ts";

/** A condition on which a write depends, in SQL with the values of its `?`. The name is letters and underscores. */
export interface Assertion {
  name: string;
  sql: string;
  values: readonly unknown[];
}

/**
 * Stands in the text of a write directly before the number of its row: the id that an INSERT gives it, or the one that
 * the WHERE of an UPDATE or a DELETE asks for. SQLite always computes that first, even if there is no such row. So an
 * assertion put there is always checked, and before anything is written. To SQLite the mark is a comment.
 */
export const GUARD = "/*guard*/";

/**
 * The assertion as a number to add, 0. Functions cannot raise an error with a text of our own outside of a trigger, but
 * the error about a JSON path shows the path. `failedAssertion` reads the name from it.
 */
const asNumber = ({ name, sql }: Assertion) => `iif(${sql}, 0, json_extract('{}', 'assertion failed: ${name}')) + `;

/** How many values the text before the mark has; -1 without a mark. */
const valuesBefore = remembered((query) => {
  const at = query.indexOf(GUARD);
  return at < 0 ? -1 : query.slice(0, at).split("?").length - 1;
});

const texts = remembered(() => new Map<string, string>());

/** The write with the assertions in it; null if its text has no place for them. */
export function inserted(write: HeldStatement, assertions: readonly Assertion[]): HeldStatement | null {
  const before = valuesBefore(write.query);
  if (before < 0) return null;
  const known = texts(write.query);
  const added = assertions.map(asNumber).join("");
  let text = known.get(added);
  if (text === undefined) {
    text = write.query.replace(GUARD, () => added);
    if (known.size > 20) known.clear();
    known.set(added, text);
  }
  const values = [
    ...write.values.slice(0, before),
    ...assertions.flatMap((assertion) => assertion.values),
    ...write.values.slice(before),
  ];
  return new HeldStatement(write.sender, text, values);
}

/** Whether a statement is an assertion, of the request or of a rider: it writes nothing. */
export function isAssertion(statement: HeldStatement | null): boolean {
  return statement?.query.startsWith("INSERT INTO assertions ") === true;
}

/** The assertion as a statement of its own. */
export function asStatement(client: D1Database, { name, sql, values }: Assertion): D1PreparedStatement {
  return client.prepare(`INSERT INTO assertions (name) SELECT '${name}' WHERE NOT (${sql})`).bind(...values);
}
