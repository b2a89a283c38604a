// Runs a script for npm: sets up what is missing, then starts it with a Node that can run it. Plain JavaScript for Node 20.
//   node scripts/run.mjs [--secrets] <script> [arguments for the script]
import { spawn } from "node:child_process";
import { nodePath } from "./node-path.mjs";
import { setUp } from "./setup.mjs";

const flags = process.argv.slice(2);
const secrets = flags[0] === "--secrets";
const [script, ...rest] = secrets ? flags.slice(1) : flags;

await setUp({ secrets });
// Node calls its SQLite experimental, and some versions also TypeScript.
const child = spawn(nodePath(), ["--disable-warning=ExperimentalWarning", script, ...rest], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
