// npm test: lints and checks types while the tests run. What follows `npm test --` goes to vitest. A problem that the
// checks find ends the tests, and is the last thing printed.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./migrate.mjs";

const flags = ["run", "--config", "test/vitest.config.ts", "--project", "worker", "--project", "tooling"];
const check = spawn(process.execPath, [join(root, "scripts", "check.mjs")], { cwd: root, stdio: "pipe" });
const vitest = [join(root, "node_modules", "vitest", "vitest.mjs"), ...flags, ...process.argv.slice(2)];
const tests = spawn(process.execPath, vitest, { cwd: root, stdio: "inherit" });
/** @type {Buffer[]} */
const said = [];
for (const stream of [check.stdout, check.stderr]) stream.on("data", (data) => said.push(data));
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    for (const child of [check, tests]) child.kill(signal);
  });
}
/** @type {(child: import("node:child_process").ChildProcess) => Promise<number>} */
const ended = (child) => new Promise((resolve) => child.on("close", (code) => resolve(code ?? 1)));

const isChecked = ended(check).then((code) => {
  if (code !== 0) tests.kill("SIGTERM");
  return code === 0;
});
const code = await ended(tests);
const isClean = await isChecked;
process.stderr.write(Buffer.concat(said));
process.exit(isClean ? code : 1);
