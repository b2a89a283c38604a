import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder with the public data sets, given as an argument. docs/engine.md says where they come from. */
function dataFolder(): string {
  const folder = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
  if (folder !== undefined) return resolve(folder);
  console.error("Give the folder with the public data sets as an argument. docs/engine.md describes them.");
  process.exit(2);
}

/** Reads one file of the data folder; ends the process with a message if it is missing. */
export function readData<T>(name: string): T {
  const path = join(dataFolder(), name);
  if (!existsSync(path)) {
    console.error(`${dataFolder()} has no ${name}. docs/engine.md describes the files that are needed.`);
    process.exit(2);
  }
  const parsed: T = JSON.parse(readFileSync(path, "utf8"));
  return parsed;
}
