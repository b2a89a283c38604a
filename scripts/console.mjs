// Builds the console (src/console) into .assets/app, which the Worker serves at /app. Does nothing when neither the
// sources nor the installed packages have changed.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { stateOf } from "./state-of.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, ".assets", "app");
const stamp = join(root, ".console", "built-from");
/** What Vite writes for the tests, not for browsers. */
const MANIFEST = ".vite/manifest.json";

/**
 * The files of the console, as Vite builds them, and its list of what loads what.
 * @returns {Promise<{ files: Map<string, Buffer>, manifest: import("vite").Manifest }>}
 */
export async function buildConsole() {
  const built = join(root, ".console", `build-${process.pid}`);
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const config = join(root, "scripts", "vite.config.mjs");
  const args = ["build", "--config", config, "--outDir", built, "--emptyOutDir", "--logLevel", "warn"];
  try {
    // A process of its own: Vite decides by NODE_ENV, which tests set to something else.
    const env = { ...process.env, NODE_ENV: "production" };
    const { stderr } = await promisify(execFile)(process.execPath, [vite, ...args], { env });
    if (stderr) console.error(stderr);
    /** @type {Map<string, Buffer>} */
    const files = new Map();
    for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      if (entry.isFile()) files.set(relative(built, path).replaceAll("\\", "/"), readFileSync(path));
    }
    const manifest = JSON.parse(String(files.get(MANIFEST)));
    files.delete(MANIFEST);
    return { files, manifest };
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

/** Builds and writes if anything has changed since the last time. */
export async function writeConsole() {
  const state = stateOf(root, "src/console", "package-lock.json", "scripts/console.mjs", "scripts/vite.config.mjs");
  if (existsSync(join(folder, "index.html")) && existsSync(stamp) && readFileSync(stamp, "utf8") === state) return;
  const { files } = await buildConsole();
  // The document last: whoever reads it finds all that it names.
  const last = ([name]) => Number(name === "index.html");
  for (const [name, content] of [...files].sort((a, b) => last(a) - last(b))) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    if (existsSync(file) && readFileSync(file).equals(content)) continue;
    // Whole or not at all: two commands may build at the same time.
    const half = join(root, ".console", `${process.pid}-${basename(name)}`);
    mkdirSync(dirname(half), { recursive: true });
    writeFileSync(half, content);
    renameSync(half, file);
  }
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = String(name).replaceAll("\\", "/");
    const isFolder = [...files.keys()].some((file) => file.startsWith(`${path}/`));
    if (!isFolder && !files.has(path)) rmSync(join(folder, path), { recursive: true, force: true });
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeConsole();
