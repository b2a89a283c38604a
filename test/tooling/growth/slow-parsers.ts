import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** What grows faster than its text, by the name of the parser; nothing for those that do not. */
export function slowParsers(share: number): Record<string, string[]> {
  const run = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "run.ts"), String(share)],
    { encoding: "utf8" },
  );
  if (run.status !== 0) throw new Error(run.stderr);
  const slow: Record<string, string[]> = JSON.parse(run.stdout);
  // As many as there are: it would be no proof if they were not asked.
  if (Object.keys(slow).length < 45) throw new Error(`${Object.keys(slow).length} parsers were asked.`);
  return Object.fromEntries(Object.entries(slow).filter(([, pieces]) => pieces.length > 0));
}
