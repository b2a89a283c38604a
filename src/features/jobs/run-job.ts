import type { Context } from "../../context.ts";
import { intercept } from "../../db/client.ts";

/** What one run of a job may use. */
export interface Budget {
  seconds: number;
  /** Of the thousand that D1 allows an invocation. */
  statements: number;
}

export interface Job extends Budget {
  /** What it returns is logged, if it is an object of numbers such as `{ deleted: 12 }`. */
  run(ctx: Context): Promise<unknown>;
}

/** What a run has used so far, for its log line. */
interface Usage {
  statements: number;
}

/** A job was cut off. The message is shown to the owner. */
class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

/** When this share of a budget is used, `ctx.signal` asks the job to stop in good order. */
const ASK_AT = 0.8;

/**
 * Runs a job within its budgets. A job that stops when `ctx.signal` asks has succeeded. One that goes on is cut off: its
 * run fails, and its database handle refuses every further statement, so that it takes nothing from the other jobs.
 * Returns what the job returns.
 */
export async function runWithin(
  ctx: Context,
  { run, seconds, statements }: Job,
  usage: Usage = { statements: 0 },
): Promise<unknown> {
  const stop = new AbortController();
  let isCutOff = false;
  let refused: BudgetSpent | null = null;
  const outOfTime = () => new BudgetSpent(`It was cut off after ${seconds} seconds, its time budget.`);
  const db = intercept(ctx.db, async (sent, send) => {
    if (isCutOff) throw outOfTime();
    usage.statements += sent.length;
    if (usage.statements >= statements * ASK_AT) stop.abort();
    if (usage.statements <= statements) return send();
    refused = new BudgetSpent(`It was cut off after ${statements} statements, its budget.`);
    throw refused;
  });
  const asking = setTimeout(() => stop.abort(), seconds * ASK_AT * 1000);
  let cutting: ReturnType<typeof setTimeout> | undefined;
  const cutOff = new Promise<never>((_, reject) => {
    cutting = setTimeout(() => {
      isCutOff = true;
      stop.abort();
      reject(outOfTime());
    }, seconds * 1000);
  });
  let result: unknown;
  try {
    result = await Promise.race([run({ ...ctx, db, bookkeeping: db, signal: stop.signal }), cutOff]);
  } catch (error) {
    // The query builder wraps what the database handle throws.
    throw refused ?? error;
  } finally {
    clearTimeout(asking);
    clearTimeout(cutting);
  }
  // A job may have taken the refusal for trouble with one of its records, and gone on.
  if (refused) throw refused;
  return result;
}

/** The numbers of what a job returned. Nothing else of it is logged: texts may be about people. */
export function figuresOf(result: unknown): Record<string, number> {
  if (typeof result !== "object" || result === null) return {};
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : [])),
  );
}
