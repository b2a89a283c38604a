// Runs a command while eight loops keep every core busy, and exits as the command does: `node scripts/busy.mjs npm test`.
// A test that fails here depends on how fast the machine is.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { Worker } from "node:worker_threads";

const LOOPS = 8;
const [command, ...given] = process.argv.slice(2);
if (!command) {
  console.error("Name a command: node scripts/busy.mjs npm test");
  process.exit(2);
}

for (let loop = 0; loop < LOOPS; loop++) new Worker("for (;;);", { eval: true });
const child = spawn(command, given, { stdio: "inherit" });
child.once("error", (error) => {
  console.error(error.message);
  process.exit(127);
});
child.once("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? "SIGTERM"]));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
