// npm run recount [-- --repair] [--persist-to <folder> | --remote]: compares all counters, sums, tag lists and search
// indexes with their records, as POST /api/service/recount does. --remote is production, through wrangler.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { getPlatformProxy } from "wrangler";
import { type Recount, type Run, recount } from "../src/db/recount.ts";
import { migrate, offline, persistToOf, root, stateFolder, wrangler } from "./migrate.mjs";

const flags = process.argv.slice(2);
const repair = flags.includes("--repair");

const { tables, differences } = flags.includes("--remote") ? await recountAll(remote) : await recountLocal();
for (const { table, problem, key, stored, expected } of differences) {
  const values = stored || expected ? `: ${JSON.stringify(stored)} should be ${JSON.stringify(expected)}` : "";
  console.log(`${table} ${JSON.stringify(key)} is ${problem}${values}`);
}
const total = Object.values(tables).reduce((sum, count) => sum + count, 0);
console.log(
  total === 0
    ? `Compared ${Object.keys(tables).length} tables: everything is correct.`
    : `${total} rows ${repair ? "were wrong and have been corrected" : "are wrong: run again with --repair"}.`,
);
if (total > 0 && !repair) process.exitCode = 1;

async function recountAll(run: Run): Promise<Recount> {
  return recount(run, { repair, pageSize: 20_000, maxPages: Number.POSITIVE_INFINITY });
}

async function recountLocal(): Promise<Recount> {
  const persistTo = persistToOf(flags);
  migrate(persistTo);
  Object.assign(process.env, offline, { WRANGLER_LOG: "error" });
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({
    configPath: join(root, "wrangler.toml"),
    environment: "stores",
    persist: { path: join(stateFolder(persistTo), "v3") },
    remoteBindings: false,
  });
  try {
    return await recountAll(async (statement) => (await env.DB.prepare(statement).all<Row>()).results);
  } finally {
    await dispose();
  }
}

type Row = Awaited<ReturnType<Run>>[number];

async function remote(statement: string): Promise<Row[]> {
  const args = ["d1", "execute", "DB", "--remote", "--env", "production", "--yes", "--json", "--command", statement];
  const { status, stdout, stderr } = spawnSync(process.execPath, [wrangler, ...args], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`wrangler d1 execute failed:\n${stdout}${stderr}`);
  const [{ results }]: [{ results: Row[] }] = JSON.parse(stdout);
  return results;
}
