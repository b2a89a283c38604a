import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build as bundle } from "esbuild";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Bundles {
  ours: string;
  bare: string;
  /** With their databases watched. */
  measured: string;
  measuredBare: string;
  /** Hono and nothing else. */
  empty: string;
  size: { ours: Size; empty: Size; parts: Part[] };
}

export interface Size {
  bytes: number;
  gzipBytes: number;
}

/** A package, or our own code, and what it takes of the minified bundle. */
export interface Part {
  name: string;
  bytes: number;
}

/** Ours as wrangler would upload it; the others by the bundler that wrangler uses, minified alike. */
export async function buildBundles(folder: string): Promise<Bundles> {
  const oursFile = join(folder, "index.js");
  const metafile = join(folder, "meta.json");
  const [, bare, empty] = await Promise.all([
    buildOurs(folder, metafile),
    bundleWorker("bare.ts"),
    bundleWorker("empty.ts"),
  ]);
  const [ours, measured, measuredBare, parts] = await Promise.all([
    readFile(oursFile, "utf8"),
    bundleWorker("measured.ts", { "worker-under-test": oursFile }),
    bundleWorker("measured.ts", { "worker-under-test": fileURLToPath(new URL("bare.ts", import.meta.url)) }),
    readParts(metafile),
  ]);
  return { ours, bare, measured, measuredBare, empty, size: { ours: sizeOf(ours), empty: sizeOf(empty), parts } };
}

export async function buildOurs(folder: string, metafile: string): Promise<void> {
  const wrangler = join(root, "node_modules", "wrangler", "bin", "wrangler.js");
  const options = ["--dry-run", "--env=", "--outdir", folder, "--metafile", metafile];
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" };
  try {
    await promisify(execFile)(process.execPath, [wrangler, "deploy", ...options], { cwd: root, env });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`The build failed.\n${stdout}${stderr}`, { cause: error });
  }
}

/** `packages`: where else to look for what it imports. */
export async function bundleWorker(
  file: string,
  alias: Record<string, string> = {},
  packages: string[] = [],
): Promise<string> {
  const { outputFiles } = await bundle({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    alias,
    nodePaths: packages,
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    // The runtime brings its own.
    external: ["cloudflare:*", ...builtinModules.flatMap((name) => [name, `node:${name}`])],
    logLevel: "error",
  });
  return outputFiles.map((output) => output.text).join("");
}

function sizeOf(script: string): Size {
  return { bytes: Buffer.byteLength(script), gzipBytes: gzipSync(script).byteLength };
}

interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

async function readParts(metafile: string): Promise<Part[]> {
  const { outputs }: Metafile = JSON.parse(await readFile(metafile, "utf8"));
  const totals = new Map<string, number>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const name = partOf(path);
      totals.set(name, (totals.get(name) ?? 0) + bytesInOutput);
    }
  }
  const parts = [...totals].map(([name, bytes]) => ({ name, bytes }));
  return parts.filter((part) => part.bytes > 0).sort((a, b) => b.bytes - a.bytes);
}

function partOf(path: string): string {
  const inside = path.split("node_modules/").at(-1) ?? path;
  if (inside === path) return "our own code";
  const [scope = "", name] = inside.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}
