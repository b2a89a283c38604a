import { assertType } from "../lib/cast.ts";
import { remembered } from "../lib/remembered.ts";
import { type Database, handleFor } from "./client.ts";
import { clientOf, heldBy, type Sender } from "./held-statement.ts";

type Statement = D1PreparedStatement;

/** What is about to be sent to the database. */
export interface Call {
  statements: number;
  /** Their text, or "" where that is not known. */
  queries: readonly string[];
  isWrite: boolean;
}

/** Sends a call, or throws instead. */
export type Around = <Result>(call: Call, send: () => Promise<Result>) => Promise<Result>;

/** The same database, whose every call goes through `around`. */
export function intercept(base: Database, around: Around): Database {
  const client = base.$client;
  const sender: Sender = {
    one(held, form) {
      const call = { statements: 1, queries: [held.query], isWrite: !isRead(held.query) };
      return around<unknown>(call, () => held.sendThrough(client, form));
    },
    batch(statements) {
      const held = statements.map((statement) => heldBy(sender, statement));
      // What was not prepared through this handle may be anything.
      const queries = held.map((each) => each?.query ?? "");
      const call = { statements: queries.length, queries, isWrite: !queries.every(isRead) };
      const sent = () => statements.map((statement, index) => held[index]?.through(client) ?? statement);
      return around(call, () => client.batch(assertType<Statement[]>(sent())));
    },
  };
  return handleFor(clientOf(sender));
}

/** Values are bound, so a verb in the text is a verb, or at worst a name: then a read is taken for a write. */
export const isRead = remembered(
  (query) => /^\s*(?:select|with)\b/i.test(query) && !/\b(?:insert|update|delete|replace)\b/i.test(query),
);
