// Builds the Worker into .worker, which `wrangler dev` and `wrangler deploy` start and upload as it is (wrangler.toml).
// Wrangler's own bundle is one file in which every module that `import()` can reach is a function. A new isolate then
// parses what it needs twice, and no part of a library is left out. Plain JavaScript, as everything `npm run dev` needs.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeConsole } from "./console.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, ".worker");

/**
 * What the bundler does to the source: also for the Workers that the benchmark compares with ours.
 * @satisfies {import("esbuild").BuildOptions}
 */
export const bundling = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2024",
  charset: "utf8",
  conditions: ["workerd", "worker", "browser"],
  // The runtime brings its own.
  external: ["cloudflare:*", ...builtinModules.flatMap((name) => [name, `node:${name}`])],
  logLevel: "error",
};

/**
 * Packages of which nothing here uses more than is put in their place: Vercel's gateway, the AI SDK's default provider;
 * zod 3, and a second copy of the SDK's own tools, which the OpenAI-compatible client was built with.
 */
const alias = {
  "@ai-sdk/gateway": "./src/providers/llm/left-out/gateway.ts",
  "zod/v3": "./src/providers/llm/left-out/zod-3.ts",
  "@ai-sdk/provider-utils": "./node_modules/@ai-sdk/provider-utils/dist/index.js",
  "@ai-sdk/provider": "./node_modules/@ai-sdk/provider/dist/index.js",
};

/** The resources of Stripe's API that are called. Of the others, only the names are kept. */
export const STRIPE_RESOURCES = [
  "BillingPortal/Sessions",
  "Charges",
  "Checkout/Sessions",
  "Customers",
  "Invoices",
  "Prices",
  "Subscriptions",
];

/**
 * Parts of libraries that nothing here uses and that the bundler cannot know to be unused. After an update that moves
 * them, the build fails.
 * @type {{ file: RegExp, shorten: (text: string, path: string) => string }[]}
 */
const SHORTENED = [
  {
    // `z` is used as a value, so all that it has would be kept: 60 languages, a compiler, JSON Schema to zod.
    file: /[\\/]zod[\\/]v4[\\/]classic[\\/]external\.js$/,
    shorten: (text) =>
      without(text, [
        'export * as core from "../core/index.js";',
        'export * as locales from "../locales/index.js";',
        'export { fromJSONSchema } from "./from-json-schema.js";',
        'export { deepPartial } from "./deep-partial.js";',
        'export { input, output } from "./in-out.js";',
        "compile, withParser, ZodCompileAsyncError, ZodCompileUnsupportedError, ",
      ]),
  },
  { file: /[\\/]stripe[\\/]esm[\\/]StripeEventNotificationHandler\.js$/, shorten: onlyNames },
  {
    file: /[\\/]stripe[\\/]esm[\\/]resources[\\/].+\.js$/,
    shorten: (text, path) => {
      const [, name = ""] = path.replaceAll("\\", "/").split("/resources/");
      const isUsed = STRIPE_RESOURCES.some((used) => name === `${used}.js` || name === `${dirname(used)}/index.js`);
      return isUsed ? text : onlyNames(text);
    },
  },
];

function without(/** @type {string} */ text, /** @type {string[]} */ parts) {
  return parts.reduce((rest, part) => {
    if (!rest.includes(part)) throw new Error(`The library no longer has: ${part}`);
    return rest.replace(part, "");
  }, text);
}

function onlyNames(/** @type {string} */ text) {
  const names = [...text.matchAll(/^export class (\w+)/gm)].map(([, name]) => name);
  if (names.length === 0) throw new Error("The library no longer has a class here.");
  return names.map((name) => `export class ${name} {}`).join("\n");
}

/** @type {import("esbuild").Plugin} */
const shortenLibraries = {
  name: "shorten-libraries",
  setup(builder) {
    const used = new Set();
    for (const { file, shorten } of SHORTENED) {
      builder.onLoad({ filter: file }, ({ path }) => {
        used.add(file);
        return { contents: shorten(readFileSync(path, "utf8"), path), resolveDir: dirname(path) };
      });
    }
    builder.onEnd(() => {
      const unused = SHORTENED.filter(({ file }) => !used.has(file));
      return { errors: unused.map(({ file }) => ({ text: `No file of a library is like ${file}.` })) };
    });
  },
};

/**
 * The modules of the Worker, in memory: `index.js`, and what it loads at once or on demand. In one file they take some
 * 18 ms more to start; `wrangler dev` gets it so, because it prints a table of all modules after each change.
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
    plugins: [shortenLibraries],
  });
  return { files: outputFiles.map(({ path, text }) => ({ name: basename(path), text })), metafile };
}

/** Writes what changed. The entry comes last, so that whoever reads meanwhile finds all that it imports. */
async function write() {
  const { files } = await buildWorker({ inOneFile: process.env.WRANGLER_COMMAND === "dev" });
  mkdirSync(folder, { recursive: true });
  const entryLast = files.sort((a, b) => Number(a.name === "index.js") - Number(b.name === "index.js"));
  for (const { name, text } of entryLast) {
    const file = join(folder, name);
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  }
  const current = new Set(files.map(({ name }) => name));
  for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(join(folder, name), { force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await Promise.all([write(), writeConsole()]);
