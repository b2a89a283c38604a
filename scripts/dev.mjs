// Applies the migrations to the local database, then serves; arguments go to wrangler as they are.
import { spawn } from "node:child_process";
import { migrate, offline, persistToOf, root, wrangler } from "./migrate.mjs";

const flags = process.argv.slice(2);

migrate(persistToOf(flags));

const child = spawn(process.execPath, [wrangler, "dev", "--test-scheduled", ...flags], {
  cwd: root,
  env: { ...process.env, ...offline },
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 0));
