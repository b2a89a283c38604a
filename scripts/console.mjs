// Builds the console (src/console) into .assets/app, which the Worker serves at /app. Plain JavaScript, as everything
// `npm run dev` needs. Does nothing when neither the sources nor the installed packages have changed.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stateOf } from "./state-of.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const source = join(root, "src", "console");
const folder = join(root, ".assets", "app");
const stamp = join(root, ".console", "built-from");

/** @returns {import("esbuild").BuildOptions} */
function options({ isDevelopment = false } = {}) {
  return {
    absWorkingDir: root,
    bundle: true,
    minify: !isDevelopment,
    format: "esm",
    splitting: true,
    target: ["chrome123", "firefox128", "safari17.5"],
    entryPoints: {
      app: join(source, "main.tsx"),
      style: join(source, "styles", "style.css"),
      later: join(source, "styles", "later.css"),
    },
    entryNames: "assets/[name]-[hash]",
    chunkNames: "assets/[name]-[hash]",
    assetNames: "assets/[name]-[hash]",
    outdir: folder,
    jsx: "automatic",
    jsxImportSource: "preact",
    // Sources are public, but nobody should have to load them.
    sourcemap: isDevelopment ? "inline" : false,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "error",
  };
}

/**
 * The files of the console, in memory: scripts and styles by hashed names, the document that names them, the service
 * worker that keeps them, and what is copied as it is.
 * @returns {Promise<{ files: Map<string, Uint8Array | string>, metafile: import("esbuild").Metafile }>}
 */
export async function buildConsole({ isDevelopment = false } = {}) {
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build(options({ isDevelopment }));
  /** @type {Map<string, Uint8Array | string>} */
  const files = new Map();
  for (const { path, contents } of outputFiles ?? []) files.set(named(path), contents);
  // In the head, before anything is drawn: the chosen theme must not flash up late.
  const theme = await small("theme.ts", isDevelopment);
  const themeFile = `assets/theme-${hashOf(theme)}.js`;
  files.set(themeFile, theme);
  for (const entry of readdirSync(join(source, "files"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    files.set(relative(join(source, "files"), path).replaceAll("\\", "/"), readFileSync(path));
  }
  const [script, style, later] = ["main.tsx", "styles/style.css", "styles/later.css"].map((entry) =>
    fileOf(metafile, entry),
  );
  const chunks = startsWith(metafile, script);
  const document = readFileSync(join(source, "index.html"), "utf8")
    .replace("<!-- icons -->", () => readFileSync(join(source, "ui", "icons.svg"), "utf8").trim())
    .replace("{{theme}}", `/app/${themeFile}`)
    .replace("{{style}}", `/app/${style}`)
    .replace("{{later}}", `/app/${later}`)
    .replace("{{script}}", `/app/${script}`)
    .replace("<!-- chunks -->", chunks.map((name) => `<link rel="modulepreload" href="/app/${name}">`).join("\n    "));
  const kept = ["/app", ...[...files.keys()].sort().map((name) => `/app/${name}`)];
  const worker = await small("sw/sw.ts", isDevelopment, {
    SHELL: JSON.stringify(kept),
    VERSION: JSON.stringify(hashOf(document + kept.join())),
  });
  files.set("sw.js", worker);
  // Last: whoever reads it finds all that it names.
  files.set("index.html", document);
  return { files, metafile };
}

/** A script of one file, without the modules of the application. */
async function small(/** @type {string} */ name, /** @type {boolean} */ isDevelopment, define = {}) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    ...options({ isDevelopment }),
    entryPoints: [join(source, name)],
    splitting: false,
    format: "iife",
    define,
    sourcemap: false,
  });
  return outputFiles?.[0]?.text ?? "";
}

function named(/** @type {string} */ path) {
  return relative(folder, path).replaceAll("\\", "/");
}

function fileOf(/** @type {import("esbuild").Metafile} */ metafile, /** @type {string} */ entry) {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(`console/${entry}`));
  if (!found) throw new Error(`The build has no ${entry}.`);
  return named(join(root, found[0]));
}

/** What the entry imports at once. */
function startsWith(/** @type {import("esbuild").Metafile} */ metafile, /** @type {string} */ entry) {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {string} */ name) => {
    const output = Object.entries(metafile.outputs).find(([path]) => named(join(root, path)) === name)?.[1];
    for (const { path, kind } of output?.imports ?? []) {
      const chunk = named(join(root, path));
      if (kind !== "import-statement" || found.includes(chunk)) continue;
      found.push(chunk);
      visit(chunk);
    }
  };
  visit(entry);
  return found;
}

/** Builds and writes if anything has changed since the last time. */
export async function writeConsole() {
  const state = stateOf(root, "src/console", "package-lock.json", "scripts/console.mjs");
  if (existsSync(join(folder, "index.html")) && existsSync(stamp) && readFileSync(stamp, "utf8") === state) return;
  const { files } = await buildConsole();
  for (const [name, content] of files) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) continue;
    // Whole or not at all: two commands may build at the same time.
    const half = join(root, ".console", `${process.pid}-${basename(name)}`);
    mkdirSync(dirname(half), { recursive: true });
    writeFileSync(half, content);
    renameSync(half, file);
  }
  const current = new Set(files.keys());
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = String(name).replaceAll("\\", "/");
    const isFolder = [...current].some((file) => file.startsWith(`${path}/`));
    if (!isFolder && !current.has(path)) rmSync(join(folder, path), { recursive: true, force: true });
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
}

function hashOf(/** @type {string} */ text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeConsole();
