// npm test: lints and checks types while the tests run. What follows `npm test --` goes to vitest. A problem that the
// checks find ends the tests, so that it is the last thing said.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./migrate.mjs";

const start = (/** @type {string[]} */ ...args) => spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
const flags = ["run", "--config", "test/vitest.config.ts", "--project", "worker", "--project", "tooling"];

const check = start(join(root, "scripts", "check.mjs"));
const tests = start(join(root, "node_modules", "vitest", "vitest.mjs"), ...flags, ...process.argv.slice(2));
/** @type {(child: import("node:child_process").ChildProcess) => Promise<number>} */
const ended = (child) => new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    for (const child of [check, tests]) child.kill(signal);
  });
}
const isChecked = ended(check).then((code) => {
  if (code !== 0) tests.kill("SIGTERM");
  return code === 0;
});
const code = await ended(tests);
process.exit((await isChecked) ? code : 1);
