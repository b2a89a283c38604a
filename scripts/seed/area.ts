import type { SecretName } from "../../src/config.ts";
import type { Context } from "../../src/context.ts";
import { assertType } from "../../src/lib/cast.ts";
import { type Secrets, secretOf } from "../../src/lib/secrets.ts";

export interface SeedContext {
  db: D1Database;
  kv: KVNamespace;
  files: R2Bucket;
  /** The variables of wrangler.toml and the secrets of .dev.vars. */
  vars: Readonly<Record<string, unknown>>;
  /** The same numbers on every run: 0 ≤ n < 1. */
  random: () => number;
  /** The start of today in UTC, so that a day's runs give the same times. */
  now: Date;
}

/**
 * Fills one area and says in a line what is there. Runs again and again over a database in which
 * people work: it may replace only rows it finds by a natural key of its own (an address, a message id),
 * never rows by number, which the database may by then have given to somebody's record.
 */
export type Area = (context: SeedContext) => Promise<string>;

/** A generator for each name, so that a new area leaves the data of the others as they are. */
export function randomOf(name: string): () => number {
  let state = 0;
  for (const char of name) state = (Math.imul(state, 31) + (char.codePointAt(0) ?? 0)) | 0;
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a verb that only reads secrets needs of the context, which cannot be made outside of a Worker. */
export function settingsOf(vars: SeedContext["vars"]): Context {
  const secrets = (name: SecretName): Secrets => {
    const value = vars[name];
    if (typeof value !== "string") throw new Error(`${name} is missing from .dev.vars.`);
    return [secretOf(name, value)];
  };
  return assertType<Context>({ config: { secrets } });
}
