// Applies the migrations to the local database. Plain JavaScript, as everything `npm run dev` needs.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
export const wrangler = join(root, "node_modules", "wrangler", "bin", "wrangler.js");

/** The Node that wrangler needs, which is not always the one that was there to install it. */
export function nodePath() {
  const installed = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  return existsSync(installed) ? installed : process.execPath;
}

// Nothing here needs the network: no metrics, no look-up of a sample `request.cf`. Local tracing stays off: with it
// `wrangler dev` takes about twice as long for a response.
export const offline = {
  X_LOCAL_OBSERVABILITY: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/** Where wrangler keeps the local data: the folder of its `--persist-to`, or its default. */
export function stateFolder(/** @type {string | undefined} */ persistTo) {
  return resolve(root, persistTo ?? join(".wrangler", "state"));
}

/** wrangler takes seconds to find that there is nothing to do, so the answer is kept beside the data. */
export function migrate(/** @type {string | undefined} */ persistTo) {
  const data = join(stateFolder(persistTo), "v3", "d1");
  const stamp = join(data, "migrations-applied");
  const hash = createHash("sha256");
  const files = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"));
  for (const name of files.sort()) hash.update(readFileSync(join(root, "migrations", name)));
  const now = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === now) return;

  const args = [wrangler, "d1", "migrations", "apply", "DB", "--local", "--persist-to", stateFolder(persistTo)];
  const env = { ...process.env, ...offline, CI: "true" };
  const run = spawnSync(nodePath(), args, { cwd: root, env, encoding: "utf8" });
  if (run.status !== 0) {
    process.stderr.write(run.error ? `wrangler did not start: ${run.error.message}\n` : run.stdout + run.stderr);
    process.exit(run.status ?? 1);
  }
  console.log(`Applied ${files.length} database migration${files.length === 1 ? "" : "s"}.`);
  mkdirSync(data, { recursive: true });
  writeFileSync(stamp, now);
}

/** The folder that the flags ask for, in either way of writing them. */
export function persistToOf(/** @type {string[]} */ flags) {
  const index = flags.indexOf("--persist-to");
  if (index >= 0) return flags[index + 1];
  return flags.find((flag) => flag.startsWith("--persist-to="))?.slice("--persist-to=".length);
}
