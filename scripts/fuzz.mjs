// npm run fuzz [-- --runs 200] [-- --seed 7]: random calls of every endpoint, held to the OpenAPI document, and every
// other property test with another seed.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { runs: { type: "string" }, seed: { type: "string" } } });
const seed = values.seed ?? String(randomInt(2 ** 31));
console.log(`Seed ${seed}. The same run again: npm run fuzz -- --seed ${seed}`);
const propertyTests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => file.startsWith("fuzz/") || readFileSync(join("test", file), "utf8").includes('from "fast-check"'));
const options = ["--config", "test/vitest.config.ts", "--project", "worker", "--project", "worker-rare"];
const { status, error } = spawnSync("vitest", ["run", ...options, ...propertyTests], {
  stdio: "inherit",
  env: { ...process.env, FUZZ_SEED: seed, FUZZ_RUNS: values.runs ?? "200" },
  // On Windows vitest is a script of the shell.
  shell: process.platform === "win32",
});
if (error) console.error(`vitest did not start: ${error.message}`);
process.exitCode = status ?? 1;
