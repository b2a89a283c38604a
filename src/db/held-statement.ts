import { assertType } from "../lib/cast.ts";

type Statement = D1PreparedStatement;
export type Form = "run" | "all" | "raw" | "first";

/** Who sends the statements of a handle that stands before another one. */
export interface Sender {
  one(statement: HeldStatement, form: Form): Promise<unknown>;
  batch(statements: Statement[]): Promise<unknown>;
}

/**
 * A statement that is only kept until it is sent: a write passes through two such handles, and binding its values in
 * each of them would cost more than sending it.
 */
export class HeldStatement {
  readonly sender: Sender;
  readonly query: string;
  readonly values: readonly unknown[];

  constructor(sender: Sender, query: string, values: readonly unknown[] = []) {
    this.sender = sender;
    this.query = query;
    this.values = values;
  }

  bind(...values: unknown[]) {
    return new HeldStatement(this.sender, this.query, values);
  }

  run() {
    return this.sender.one(this, "run");
  }

  all() {
    return this.sender.one(this, "all");
  }

  raw() {
    return this.sender.one(this, "raw");
  }

  first() {
    return this.sender.one(this, "first");
  }

  /** Sends it through another client. */
  sendThrough(client: D1Database, form: Form): Promise<unknown> {
    return assertType<Record<Form, () => Promise<unknown>>>(this.through(client))[form]();
  }

  /** The same statement of another client. */
  through(client: D1Database): Statement {
    const statement = client.prepare(this.query);
    return this.values.length > 0 ? statement.bind(...this.values) : statement;
  }
}

/** What the query builder uses of a client. */
export function clientOf(sender: Sender): D1Database {
  return assertType<D1Database>({
    prepare: (query: string) => new HeldStatement(sender, query),
    batch: (statements: Statement[]) => sender.batch(statements),
  });
}

/** The statement as this sender holds it; null for one that was not prepared through its handle. */
export function heldBy(sender: Sender, statement: unknown): HeldStatement | null {
  return statement instanceof HeldStatement && statement.sender === sender ? statement : null;
}
