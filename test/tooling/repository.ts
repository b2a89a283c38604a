import { readdirSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { unstable_readConfig as readConfig } from "wrangler";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every TypeScript file under a folder of the repository, as paths relative to its root with `/`. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .sort();
}

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
    absWorkingDir: root,
    alias: readConfig({ config: join(root, "wrangler.toml") }).alias ?? {},
  });
  return outputFiles.map(({ text }) => text).join("");
}
