import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every TypeScript file under a folder of the repository, as paths relative to its root with `/`. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .sort();
}

/** What the upload has in place of what libraries import, as wrangler.toml says. */
const leftOut: Plugin = {
  name: "left out of the upload",
  setup({ onResolve }) {
    const [, table = ""] = /^\[alias\]\n((?:".+\n)+)/m.exec(readFileSync(join(root, "wrangler.toml"), "utf8")) ?? [];
    for (const [, name = "", path = ""] of table.matchAll(/^"(.+)" = "(.+)"$/gm)) {
      onResolve({ filter: new RegExp(`^${name.replaceAll(".", "\\.")}$`) }, () => ({ path: join(root, path) }));
    }
  },
};

/** The whole service, as wrangler bundles it. */
export async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, "src/index.ts")],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", ...builtinModules.flatMap((name) => [name, `node:${name}`])],
    logLevel: "error",
    plugins: [leftOut],
  });
  return outputFiles.map(({ text }) => text).join("");
}
