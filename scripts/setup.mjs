// Brings a fresh clone to a state in which everything else runs. Plain JavaScript for Node 20,
// since nothing is installed yet when it starts; does nothing when nothing has changed.
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { installedNode, isNewEnough, nodeFolder, nodePath } from "./node-path.mjs";

const script = fileURLToPath(import.meta.url);
const root = join(dirname(script), "..");
const at = (...parts) => join(root, ...parts);

/** Installs what the lock file names and makes the files that the Worker serves; with `secrets`, those of this machine. */
export async function setUp({ secrets = false } = {}) {
  install(root);
  provideNode();
  if (!isNewEnough) {
    const { status } = spawnSync(nodePath(), [script, ...(secrets ? ["--secrets"] : [])], { stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
    return;
  }
  copyAssets();
  // Imported now: it needs what was just installed.
  const { writeConsole } = await import("./console.mjs");
  await writeConsole();
  if (secrets) makeSecrets();
}

/** Installs what the lock file of a folder names, unless it is there. Returns whether it had to. */
export function install(/** @type {string} */ folder) {
  const stamp = join(folder, "node_modules", ".installed-lock");
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return false;

  const name = folder === root ? "dependencies" : relative(root, folder);
  console.log(`Installing ${name} (once for each version of the lock file)…`);
  // npm replaces node_modules, and with it the Node it may be running from: use the machine's own.
  const path = process.env.PATH.split(delimiter).filter((part) => !part.includes("node_modules"));
  // No package needs its install script: what they would fetch is in the packages for each platform.
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, error } = spawnSync("npm", ["ci", ...flags], {
    cwd: folder,
    stdio: "inherit",
    env: { ...process.env, PATH: path.join(delimiter) },
    // On Windows npm is a script of the shell.
    shell: process.platform === "win32",
  });
  if (error) console.error(`npm did not start: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, lock);
  return true;
}

/**
 * On a machine whose Node is too old, the installed one stands where npm and npx look first, so that `npx wrangler`
 * and `npx vitest` find it, too.
 */
function provideNode() {
  if (isNewEnough && !existsSync(join(nodeFolder, "node_modules"))) return;
  const isNew = install(nodeFolder);
  const node = installedNode();
  if (!node) return;
  const link = at("node_modules", ".bin", basename(node));
  if (existsSync(link) && !isNew) return;
  rmSync(link, { force: true });
  // Windows allows few people to make symbolic links.
  if (process.platform === "win32") linkSync(node, link);
  else symlinkSync(relative(dirname(link), node), link);
}

function copyAssets() {
  const names = ["swagger-ui-bundle.js", "swagger-ui.css", "favicon-32x32.png"];
  mkdirSync(at(".assets", "docs"), { recursive: true });
  for (const name of names) {
    const from = at("node_modules", "swagger-ui-dist", name);
    const to = at(".assets", "docs", name);
    // A file written anew makes a running `npm run dev` start again.
    if (!existsSync(to) || !readFileSync(from).equals(readFileSync(to))) copyFileSync(from, to);
  }
  const licenses = at(".assets", "docs", "licenses.txt");
  const text = swaggerLicenses();
  if (!existsSync(licenses) || readFileSync(licenses, "utf8") !== text) writeFileSync(licenses, text);
}

/** What the licenses of Swagger UI, and of the packages in it, ask to be handed on. */
function swaggerLicenses() {
  const names = ["NOTICE", "LICENSE", "swagger-ui-bundle.js.LICENSE.txt"];
  return names.map((name) => readFileSync(at("node_modules", "swagger-ui-dist", name), "utf8")).join("\n\n");
}

function makeSecrets() {
  const secret = () => randomBytes(32).toString("base64url");
  if (existsSync(at(".dev.vars"))) {
    // Made by an earlier version, which had no Web Push.
    const existing = readFileSync(at(".dev.vars"), "utf8");
    if (/^VAPID_PRIVATE_KEY\s*=/m.test(existing)) return;
    const end = existing === "" || existing.endsWith("\n") ? "" : "\n";
    writeFileSync(at(".dev.vars"), `${existing}${end}VAPID_PRIVATE_KEY="${secret()}"\n`, { mode: 0o600 });
    return;
  }
  const lines = [
    "# Made at random by the first local start. For this machine only; never committed.",
    `JWT_SECRET="${secret()}"`,
    `PASSWORD_PEPPER="${secret()}"`,
    `ENCRYPTION_KEY="${secret()}"`,
    `VAPID_PRIVATE_KEY="${secret()}"`,
    'ALLOW_PRIVATE_HOSTS="true"',
  ];
  writeFileSync(at(".dev.vars"), `${lines.join("\n")}\n`, { mode: 0o600 });
  console.log("Made .dev.vars with random local secrets.");
}

if (process.argv[1] === script) await setUp({ secrets: process.argv.includes("--secrets") });
