import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The data folder: the first argument, or `../shared/data` beside the repository. */
export function dataFolder(): string {
  return resolve(process.argv[2] ?? join(import.meta.dirname, "../../shared/data"));
}

/** Reads one file of the data folder, or says plainly what is missing and stops. */
export function readData<T>(name: string): T {
  const path = join(dataFolder(), name);
  if (!existsSync(path)) {
    console.error(`There is no ${name} in ${dataFolder()}. Give the folder with the labelled data as an argument.`);
    process.exit(2);
  }
  const parsed: T = JSON.parse(readFileSync(path, "utf8"));
  return parsed;
}
