// Sets up, applies the migrations to the local database, then serves; arguments go to wrangler as they are. One
// process from end to end, so that whoever stops it stops the server too.
import { spawn } from "node:child_process";
import { migrate, offline, persistToOf, root, wrangler } from "./migrate.mjs";
import { nodePath } from "./node-path.mjs";
import { setUp } from "./setup.mjs";

const flags = process.argv.slice(2);

await setUp({ secrets: true });
migrate(persistToOf(flags));

// wrangler passes no variables of the shell on to the Worker.
const logged = process.env.LOG_SQL ? ["--var", `LOG_SQL:${process.env.LOG_SQL}`] : [];
// With the flag, wrangler does not warn that nobody starts the cron jobs: `runMinuteCron` does.
const child = spawn(nodePath(), [wrangler, "dev", "--test-scheduled", ...logged, ...flags], {
  cwd: root,
  env: { ...process.env, ...offline },
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
// The shell that npm starts us through dies of a signal without passing it on; without it, nobody waits for us.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500).unref();
runMinuteCron();
child.on("exit", (code) => process.exit(code ?? 0));

/**
 * wrangler dev runs no Cron Triggers. The one of every minute, which fires reminders, is started from here, as soon as
 * the server answers and then with every minute; the others can be started by hand (docs/operations.md).
 */
function runMinuteCron() {
  const port = / --port[ =](\d+)/.exec(` ${flags.join(" ")}`)?.[1] ?? "8787";
  const path = `/cdn-cgi/handler/scheduled?cron=${encodeURIComponent("* * * * *")}`;
  const url = `http://127.0.0.1:${port}${path}`;
  const start = async () => {
    const isDone = await fetch(url, { signal: AbortSignal.timeout(50_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    // Until the first answer it is starting.
    setTimeout(start, isDone ? 60_000 - (Date.now() % 60_000) : 2000).unref();
  };
  setTimeout(start, 2000).unref();
}
