// Builds the Worker into .worker, which `wrangler dev` and `wrangler deploy` start and upload as it is (wrangler.toml).
// Wrangler's own bundle is one file in which every module that `import()` can reach is a function. A new isolate then
// parses what it needs twice, and no part of a library is left out. Plain JavaScript, as everything `npm run dev` needs.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeConsole } from "./console.mjs";
import { startLate } from "./lazy-modules.mjs";
import { pruneLibraries, shortenLibraries } from "./libraries.mjs";
import { stateOf } from "./state-of.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, ".worker");
const stamp = join(folder, "built-from");

/**
 * What the bundler does to the source: also for the Workers that the benchmark compares with ours.
 * @satisfies {import("esbuild").BuildOptions}
 */
export const bundling = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2024",
  // One character outside of ASCII makes the runtime decode a whole file and keep it at two bytes a character.
  charset: "ascii",
  conditions: ["workerd", "worker", "browser"],
  // The runtime brings its own.
  external: ["cloudflare:*", ...builtinModules.flatMap((name) => [name, `node:${name}`])],
  logLevel: "error",
};

/**
 * Packages of which nothing here uses more than is put in their place: Vercel's gateway, the AI SDK's default provider,
 * and zod 3.
 */
const alias = {
  "@ai-sdk/gateway": "./src/providers/llm/left-out/gateway.ts",
  "zod/v3": "./src/providers/llm/left-out/zod-3.ts",
};

/**
 * The bundler escapes characters outside of ASCII in strings, but not in regular expressions: they are escaped in the
 * source, where it means the same.
 * @type {import("esbuild").Plugin}
 */
const escapeCharacters = {
  name: "escape-characters",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!/[\u0080-\uffff]/.test(text)) return null;
      const hidden = /\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.exec(text);
      if (hidden) return { errors: [{ text: `${path} needs an escape such as \\u2019 in: ${hidden[0]}` }] };
      const code = (/** @type {string} */ unit) => unit.charCodeAt(0).toString(16).padStart(4, "0");
      return { contents: text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${code(unit)}`), loader: "ts" };
    });
  },
};

/**
 * A regular expression in the text of a program is compiled when the program is, also in functions that never run, and
 * one with classes of Unicode takes as long as a hundred lines. The bundler writes these as `new RegExp` instead.
 */
const COMPILED_WHEN_USED = { "regexp-unicode-property-escapes": false, "regexp-sticky-and-unicode-flags": false };

/**
 * The modules of the Worker, in memory: `index.js`, what it starts at once, and `late.js` with all that is loaded on
 * demand. `wrangler dev` gets one file, because it prints a table of all modules after each change.
 */
export async function buildWorker({ inOneFile = false } = {}) {
  const { outputFiles, metafile } = await build({
    ...bundling,
    entryPoints: [join(root, "src", "index.ts")],
    outdir: folder,
    absWorkingDir: root,
    splitting: !inOneFile,
    chunkNames: "[name]-[hash]",
    sourcemap: "linked",
    sourcesContent: false,
    metafile: true,
    write: false,
    alias,
    supported: COMPILED_WHEN_USED,
    plugins: [shortenLibraries, pruneLibraries, escapeCharacters],
  });
  const files = outputFiles.map(({ path, text }) => ({ name: basename(path), text }));
  return { files: inOneFile ? files : await startLate(files, metafile.outputs, "index.js"), metafile };
}

/** Builds for `wrangler dev` if anything has changed since the last time. Nobody deploys what was built before. */
export async function writeForDevelopment() {
  const scripts = ["build.mjs", "libraries.mjs", "faster-bcrypt.mjs"].map((name) => `scripts/${name}`);
  const state = stateOf(root, "src", "package-lock.json", ...scripts);
  if (existsSync(join(folder, "index.js")) && existsSync(stamp) && readFileSync(stamp, "utf8") === state) return;
  await write({ inOneFile: true });
  writeFileSync(stamp, state);
}

/** Writes what changed. The entry comes last, so that whoever reads meanwhile finds all that it imports. */
async function write({ inOneFile = false } = {}) {
  const { files } = await buildWorker({ inOneFile });
  mkdirSync(folder, { recursive: true });
  const entryLast = files.sort((a, b) => Number(a.name === "index.js") - Number(b.name === "index.js"));
  for (const { name, text } of entryLast) {
    const file = join(folder, name);
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  }
  const current = new Set(files.map(({ name }) => name));
  for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(join(folder, name), { force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isDevelopment = process.env.WRANGLER_COMMAND === "dev";
  await Promise.all([isDevelopment ? writeForDevelopment() : write(), writeConsole()]);
}
