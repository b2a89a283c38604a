import { env } from "cloudflare:workers";
import { isRead } from "../src/db/client.ts";

/*
 * What D1 does and the local database does not tell is checked for every statement that a test sends, once for each text:
 * D1 returns the rows of a batch as objects, so of two columns with the same name one would be lost, and one named by a
 * number would come before the others; and its documented limits allow a function 32 arguments.
 */

interface Sent {
  statement: string;
}

const problems = new Map<string, string | null>();

/** Why rows of these columns cannot be objects; null if they can. */
export function columnProblem(names: readonly string[]): string | null {
  const twin = names.find((name, at) => names.indexOf(name) < at);
  if (twin !== undefined) return `two columns are named ${twin}`;
  const number = names.length > 1 ? names.find((name) => /^\d+$/.test(name)) : undefined;
  return number === undefined ? null : `a column is named ${number}`;
}

const MAX_ARGUMENTS = 32;
/** A text in quotation marks, the beginning of a call, a bracket or a comma. */
const MARKS = /'(?:[^']|'')*'|"[^"]*"|\b(?!in\(|values\(|over\()\w+\(|[(),]/gi;

/** The function with more arguments than D1 documents; null if there is none. */
export function argumentProblem(query: string): string | null {
  const calls: { name: string; commas: number }[] = [];
  for (const [mark] of query.matchAll(MARKS)) {
    if (mark.endsWith("(")) calls.push({ name: mark.slice(0, -1), commas: 0 });
    else if (mark === ",") (calls.at(-1) ?? { commas: 0 }).commas += 1;
    else if (mark === ")") {
      const { name, commas } = calls.pop() ?? { name: "", commas: 0 };
      if (name !== "" && commas >= MAX_ARGUMENTS) return `${name} has ${commas + 1} arguments`;
    }
  }
  return null;
}

async function check(statement: D1PreparedStatement): Promise<void> {
  const { statement: query } = statement as unknown as Sent;
  let problem = problems.get(query);
  if (problem === undefined) {
    // What fails does so again where it is sent.
    const [names] = isRead(query)
      ? await readColumns.call(statement, { columnNames: true }).catch(() => [[]] as [string[]])
      : [[]];
    problem = columnProblem(names) ?? argumentProblem(query);
    problems.set(query, problem);
  }
  if (problem) throw new Error(`${problem} in: ${query}`);
}

const statements = Object.getPrototypeOf(env.DB.prepare("SELECT 1")) as D1PreparedStatement;
const { raw, all } = statements;
const readColumns = raw as (options: { columnNames: true }) => Promise<[string[], ...unknown[]]>;
const sessions = Object.getPrototypeOf(env.DB.withSession()) as D1DatabaseSession;

/** Checks what the service sends: single statements with `all`, and batches. */
export function checkStatements(): void {
  if (statements.all !== all) return;
  statements.all = async function checkedAll<Row>(this: D1PreparedStatement) {
    await check(this);
    return all.call(this) as Promise<D1Result<Row>>;
  };
  for (const client of [Object.getPrototypeOf(env.DB) as D1Database, sessions]) {
    const { batch } = client;
    client.batch = async function checkedBatch<Row>(this: D1Database, list: D1PreparedStatement[]) {
      for (const each of list) await check(each);
      return batch.call(this, list) as Promise<D1Result<Row>[]>;
    };
  }
}
