import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toInstant, toWall } from "../../src/lib/time-zone.ts";

/** One figure: a share of right answers, or F1 where `precision` and `recall` are given. */
export interface Measure {
  name: string;
  label: string;
  cases: number;
  score: number;
  precision?: number;
  recall?: number;
  /** What was expected and what the engine returned, for each error. */
  misses: string[];
}

export interface CaseSet<Case> {
  /** Local time in `zone` that relative dates are counted from. */
  at: string;
  zone: string;
  cases: Case[];
}

export const FOLDER = join(import.meta.dirname, "../../test/data");

export function readSet<Case>(name: string): CaseSet<Case> {
  const set: CaseSet<Case> = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
  return set;
}

export const instantOf = (at: string, zone: string) => new Date(toInstant(zone, Date.parse(`${at}:00Z`)));
export const localTime = (date: Date | null, zone: string) =>
  date ? new Date(toWall(zone, date.getTime())).toISOString().replace("T", " ").slice(0, 16) : "none";

/** The share of cases without an error; `check` returns what went wrong, or null. */
export function accuracy<Case>(
  name: string,
  label: string,
  cases: readonly Case[],
  check: (item: Case) => string | null,
) {
  const misses = cases.flatMap((item) => check(item) ?? []);
  return { name, label, cases: cases.length, score: 1 - misses.length / cases.length, misses };
}
