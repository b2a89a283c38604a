import { spawnSync } from "node:child_process";
import { join } from "node:path";

function run<Result>(what: string): Result {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "run.ts"), what],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** What grows faster than its text, by the name of the parser; nothing for those that do not. */
export function slowParsers(share: number): Record<string, string[]> {
  const slow = run<Record<string, string[]>>(`${share}`);
  // As many as there are: it would be no proof if they were not asked.
  if (Object.keys(slow).length < 40) throw new Error(`${Object.keys(slow).length} parsers were asked.`);
  return Object.fromEntries(Object.entries(slow).filter(([, pieces]) => pieces.length > 0));
}

/** The CPU of a message of twelve words and of one of 5,000 characters, in walks over 100,000 characters. */
export const messagePrices = () => run<{ words: number; long: number }>("messages");
