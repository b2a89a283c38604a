// Sets up, applies the migrations to the local database, then serves; arguments go to wrangler as they are. One
// process from end to end, so that whoever stops it stops the server too.
import { spawn } from "node:child_process";
import { migrate, nodePath, offline, persistToOf, root, wrangler } from "./migrate.mjs";
import { setUp } from "./setup.mjs";

const flags = process.argv.slice(2);

await setUp({ secrets: true });
migrate(persistToOf(flags));

const child = spawn(nodePath(), [wrangler, "dev", ...flags], {
  cwd: root,
  env: { ...process.env, ...offline },
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
// The shell that npm starts us through dies of a signal without passing it on; without it, nobody waits for us.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500).unref();
child.on("exit", (code) => process.exit(code ?? 0));
