// npm run check: lints and checks types, all at the same time, and says only what is wrong.
import { spawn } from "node:child_process";
import { root } from "./migrate.mjs";

/** With one thread: each of several would work out most of the types again, and the other cores have other checks to do. */
const types = (/** @type {string} */ project) => [
  "node_modules/typescript-native/bin/tsc",
  "--checkers",
  "1",
  "-p",
  project,
];

const CHECKS = [
  [["node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings"]],
  [types(".")],
  [types("scripts")],
  // The console is checked against the API as it is.
  [["--disable-warning=ExperimentalWarning", "scripts/api-types.ts"], types("src/console"), types("src/console/sw")],
];

/**
 * @param {string[]} args
 * @returns {Promise<boolean>}
 */
function run(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
    child.on("close", (code) => {
      if (code !== 0) console.error(said);
      resolve(code === 0);
    });
  });
}

const results = await Promise.all(
  CHECKS.map(async (steps) => {
    for (const step of steps) if (!(await run(step))) return false;
    return true;
  }),
);
process.exit(results.every(Boolean) ? 0 : 1);
