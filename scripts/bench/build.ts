import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build as bundle, type Metafile } from "esbuild";
import { buildWorker, bundling } from "../build.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The modules of a Worker, the entry first. */
export type Modules = readonly { name: string; text: string }[];

export interface Bundles {
  ours: Modules;
  bare: Modules;
  /** With their databases watched. */
  measured: Modules;
  measuredBare: Modules;
  /** Hono and nothing else. */
  empty: Modules;
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

/** Ours as wrangler uploads it; the others by the same bundler, minified alike. */
export async function buildBundles(folder: string): Promise<Bundles> {
  const [{ modules: ours, metafile }, bare, empty] = await Promise.all([
    buildOurs(folder),
    bundleWorker("bare.ts"),
    bundleWorker("empty.ts"),
  ]);
  const [measured, measuredBare] = await Promise.all([
    bundleWorker("measured.ts", { "worker-under-test": join(folder, "index.js") }),
    bundleWorker("measured.ts", { "worker-under-test": fileURLToPath(new URL("bare.ts", import.meta.url)) }),
  ]);
  const size = { ours: sizeOf(ours), empty: sizeOf(empty), parts: partsOf(metafile) };
  return { ours, bare, measured, measuredBare, empty, size };
}

/** Writes the Worker into the folder, too. */
export async function buildOurs(folder: string): Promise<{ modules: Modules; metafile: Metafile }> {
  const { files, metafile } = await buildWorker();
  const scripts = files.filter(({ name }) => name.endsWith(".js"));
  const modules = scripts.sort((a, b) => Number(b.name === "index.js") - Number(a.name === "index.js"));
  await Promise.all(modules.map(({ name, text }) => writeFile(join(folder, name), text)));
  return { modules, metafile };
}

/** As Miniflare takes them. */
export function runnable(modules: Modules) {
  return modules.map(({ name, text }) => ({ type: "ESModule" as const, path: name, contents: text }));
}

/** `packages`: where else to look for what it imports. */
export async function bundleWorker(
  file: string,
  alias: Record<string, string> = {},
  packages: string[] = [],
): Promise<Modules> {
  const { outputFiles } = await bundle({
    ...bundling,
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    alias,
    nodePaths: packages,
    write: false,
  });
  return outputFiles.map(({ text }) => ({ name: "index.js", text }));
}

function sizeOf(modules: Modules): Size {
  const text = modules.map((module) => module.text).join("");
  return { bytes: Buffer.byteLength(text), gzipBytes: gzipSync(text).byteLength };
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
