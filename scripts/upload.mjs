// The Worker as `npm run deploy` uploads it: bundled by wrangler itself, with the settings of wrangler.toml. The tests of
// the build and the benchmark run this. Plain JavaScript, as everything around wrangler.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { offline, root, wrangler } from "./migrate.mjs";

/**
 * Writes the upload into a folder: `index.js` and its source map.
 * @param {string} folder
 * @returns {{ script: string, map: string, metafile: import("esbuild").Metafile, output: string }} `output` is what wrangler said
 */
export function writeUpload(folder, environment = "production") {
  const args = ["deploy", "--dry-run", "--env", environment, "--outdir", folder, "--metafile"];
  const env = { ...process.env, ...offline, NO_COLOR: "1", CI: "true", CLOUDFLARE_API_TOKEN: "" };
  const run = spawnSync(process.execPath, [wrangler, ...args], { cwd: root, env, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`wrangler could not bundle the Worker:\n${run.stdout}${run.stderr}`);
  const read = (/** @type {string} */ name) => readFileSync(join(folder, name), "utf8");
  return {
    script: read("index.js"),
    map: read("index.js.map"),
    metafile: JSON.parse(read("bundle-meta.json")),
    output: `${run.stdout}\n${run.stderr}`,
  };
}
