// Applies the migrations to the local database, then serves; arguments go to wrangler as they are.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const wrangler = join(root, "node_modules", "wrangler", "bin", "wrangler.js");
// Nothing here needs the network: no metrics, no look-up of a sample `request.cf`.
const env = {
  ...process.env,
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};
const flags = process.argv.slice(2);

migrate(flagValue("--persist-to"));
serve();

function flagValue(name) {
  const index = flags.indexOf(name);
  return index >= 0 ? flags[index + 1] : undefined;
}

// wrangler takes seconds to find that there is nothing to do, so the answer is kept beside the data.
function migrate(persistTo) {
  const state = join(root, persistTo ?? join(".wrangler", "state"));
  const stamp = join(state, "migrations-applied");
  const hash = createHash("sha256");
  const files = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"));
  for (const name of files.sort()) hash.update(readFileSync(join(root, "migrations", name)));
  const now = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === now) return;

  const args = [wrangler, "d1", "migrations", "apply", "DB", "--local"];
  if (persistTo) args.push("--persist-to", persistTo);
  const run = spawnSync(process.execPath, args, { cwd: root, env: { ...env, CI: "true" }, encoding: "utf8" });
  if (run.status !== 0) {
    process.stderr.write(run.stdout + run.stderr);
    process.exit(run.status ?? 1);
  }
  console.log(`Applied ${files.length} database migration${files.length === 1 ? "" : "s"}.`);
  mkdirSync(state, { recursive: true });
  writeFileSync(stamp, now);
}

function serve() {
  const child = spawn(process.execPath, [wrangler, "dev", "--test-scheduled", ...flags], {
    cwd: root,
    env,
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 0));
}
