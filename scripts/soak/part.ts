import type { Caller, Tally } from "./caller.ts";
import type { Moments } from "./moments.ts";
import type { Service } from "./service.ts";

export type Row = Record<string, string | number | null>;
export type Select = (sql: string) => Row[];
export type IsOver = () => boolean;

/** What all parts share. */
export interface Stage {
  service: Service;
  tally: Tally;
  moments: Moments;
  /** The folder in which each start of the local runtime leaves its files, its store of sent emails too. */
  temporary: string;
  newCaller(name: string): Caller;
  /** Between two acts of whoever makes work for the queue. Longer when the queue is behind. */
  pause(ms: number): Promise<void>;
}

export interface Owner {
  id: number;
  headers: { authorization: string };
  /** What lets others in, or leads data away, asks for it. */
  password: string;
}

/**
 * One kind of work that is soaked: those who ask for it, the servers that the service calls for it, and what must be true
 * of it at the end. To soak another kind, write a module that makes one and add it to PARTS in `run.ts`.
 */
export interface Part {
  /** Before the load. Nobody leaves or fails yet. */
  connect?(steady: Caller, owner: Owner): Promise<unknown>;
  /** Goes on until it is over. */
  load(isOver: IsOver): Promise<unknown>;
  /** The server is killed once in each: work that has begun and has no result yet. The part tells `moments` of them. */
  phases?: readonly string[];
  /** The lines of the error log that its faults bring about until it is healed. */
  errors?: RegExp;
  /** The load is over, and nobody plays faults any more. */
  heal?(): void;
  /** Name → SELECT that counts as `n` the work without a result. Each must be 0 after two crons. */
  owed?: Record<string, string>;
  /** The times by which the service knows that work is overdue: table, column, condition. */
  dueTimes?: readonly (readonly [table: string, column: string, where: string])[];
  /** After the two crons, while the server runs. */
  finish?(steady: Caller): Promise<unknown>;
  /** Rule → SELECT of rows that break it. */
  rules?: Record<string, string>;
  /** Compares the database with what the part knows. Returns what is wrong. */
  audit?(rows: Select): string[] | Promise<string[]>;
  /** Lines of the report. */
  figures?(): string[];
  close?(): void;
}

export const told = (row: Row | undefined) => (row ? JSON.stringify(row) : "not there");
