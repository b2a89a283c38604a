// Applies the migrations to the local database. Plain JavaScript, as everything `npm run dev` needs.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { nodePath } from "./node-path.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
export const wrangler = join(root, "node_modules", "wrangler", "bin", "wrangler.js");

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

/** wrangler takes seconds to find that there is nothing to do, so what was applied is kept beside the data. */
export function migrate(/** @type {string | undefined} */ persistTo) {
  const data = join(stateFolder(persistTo), "v3", "d1");
  const stamp = join(data, "migrations-applied");
  const files = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"));
  // wrangler.toml decides which file the database is.
  const hashes = ["wrangler.toml", ...files.sort().map((name) => `migrations/${name}`)].map((name) => [
    name,
    hashOf(name),
  ]);
  const now = JSON.stringify(Object.fromEntries(hashes), null, 2);
  const before = existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined;
  if (before === now) return;
  if (before !== undefined) refuseOtherSchema(before, stateFolder(persistTo));

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

function hashOf(/** @type {string} */ name) {
  return createHash("sha256")
    .update(readFileSync(join(root, name)))
    .digest("hex");
}

/** wrangler applies each migration once. If one has changed since, the database does not have the schema that the code expects. */
function refuseOtherSchema(/** @type {string} */ stamp, /** @type {string} */ folder) {
  const applied = stamp.startsWith("{") ? Object.entries(JSON.parse(stamp)) : [["migrations/0000_schema.sql", ""]];
  const isOther = applied.some(
    ([name, hash]) => name.startsWith("migrations/") && !(existsSync(join(root, name)) && hashOf(name) === hash),
  );
  if (!isOther) return;
  process.stderr.write(
    `The local database has the schema of another version of this code. Delete ${folder} and start again.\n`,
  );
  process.exit(1);
}

/** The folder that the flags ask for, in either way of writing them. */
export function persistToOf(/** @type {string[]} */ flags) {
  const index = flags.indexOf("--persist-to");
  if (index >= 0) return flags[index + 1];
  return flags.find((flag) => flag.startsWith("--persist-to="))?.slice("--persist-to=".length);
}
