import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build as bundle, type Metafile } from "esbuild";
import { writeUpload } from "../upload.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Bundles {
  /** The scripts of the Workers, each of one module. */
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

/** Ours as wrangler uploads it, into the folder; the others by the same bundler, minified alike. */
export async function buildBundles(folder: string): Promise<Bundles> {
  const { script: ours, metafile } = writeUpload(folder);
  const [bare, empty, measured, measuredBare] = await Promise.all([
    bundleWorker("bare.ts"),
    bundleWorker("empty.ts"),
    bundleWorker("measured.ts", { "worker-under-test": join(folder, "index.js") }),
    bundleWorker("measured.ts", { "worker-under-test": fileURLToPath(new URL("bare.ts", import.meta.url)) }),
  ]);
  const size = { ours: sizeOf(ours), empty: sizeOf(empty), parts: partsOf(metafile) };
  return { ours, bare, measured, measuredBare, empty, size };
}

/** As Miniflare takes it. */
export function runnable(script: string) {
  return [{ type: "ESModule" as const, path: "index.js", contents: script }];
}

/** `packages`: where else to look for what it imports. */
export async function bundleWorker(
  file: string,
  alias: Record<string, string> = {},
  packages: string[] = [],
): Promise<string> {
  const { outputFiles } = await bundle({
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    // The runtime brings its own.
    external: ["cloudflare:*", ...builtinModules.flatMap((name) => [name, `node:${name}`])],
    logLevel: "error",
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    alias,
    nodePaths: packages,
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

function sizeOf(script: string): Size {
  return { bytes: Buffer.byteLength(script), gzipBytes: gzipSync(script).byteLength };
}

function partsOf({ outputs }: Metafile): Part[] {
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
