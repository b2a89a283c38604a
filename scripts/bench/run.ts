// npm run bench [-- --short | --quick] [-- --only <text in the name>] [-- --json <file>]: a full or short run is kept in bench/results.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureBetterAuth } from "./better-auth.ts";
import { measureBoot } from "./boot.ts";
import { type Bundles, buildBundles, root } from "./build.ts";
import { type Case, supplyOf } from "./case.ts";
import { CASES } from "./cases.ts";
import { chart } from "./chart.ts";
import { compare } from "./compare.ts";
import { measureCost, measureGrowth } from "./cost.ts";
import { DATA_CASES } from "./data-cases.ts";
import { measureData } from "./data-speed.ts";
import { measureEngine } from "./engine-speed.ts";
import { LIST_GROUPS, measureLists } from "./list-growth.ts";
import { measureLogin } from "./login-pairs.ts";
import { FULL, type Plan, QUICK, SHORT } from "./plan.ts";
import { type CaseResult, type Results, report, type WholeResults } from "./report.ts";
import { measureSignInTiming } from "./sign-in-timing.ts";
import { withStage } from "./stage.ts";
import { measureSync } from "./sync-cost.ts";

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean" },
    short: { type: "boolean" },
    only: { type: "string" },
    json: { type: "string" },
  },
});
const plan = flags.quick ? QUICK : flags.short ? SHORT : FULL;
const isWanted = (name: string) => name.includes(flags.only ?? "");
const cases = CASES.filter(({ name }) => isWanted(name));
const groups = LIST_GROUPS.map((group) => ({ ...group, paths: group.paths.filter(isWanted) })).filter(
  ({ paths }) => paths.length > 0,
);
if (cases.length + groups.length + DATA_CASES.filter(({ name }) => isWanted(name)).length === 0) {
  throw new Error(`No case has "${flags.only}" in its name. There are:\n${names([...DATA_CASES, ...CASES])}`);
}
const folder = await mkdtemp(join(tmpdir(), "bench-"));
try {
  const results = await run(cases, plan, folder);
  const text = report(results);
  console.log(text);
  // A quick run, or one of a few cases, is no record.
  if (!flags.quick && flags.only === undefined) await save(results, text);
  if (flags.json) await writeFile(flags.json, `${JSON.stringify(results, null, 2)}\n`);
} finally {
  await rm(folder, { recursive: true });
}

async function run(list: readonly Case[], pace: Plan, workFolder: string): Promise<Results> {
  const loadAtStart = load();
  progress("Building…");
  const bundles = await buildBundles(workFolder);
  const isInData = DATA_CASES.some(({ name }) => isWanted(name));
  const ofData = groups.filter(({ isData }) => isInData && isData);
  const data = await measureData(bundles, pace, { isWanted, groups: ofData, progress });
  const measured: CaseResult[] = [];
  for (const one of list) {
    progress(`${one.name}…`);
    measured.push(await runCase(bundles, one, pace));
  }
  progress("Other lists as they fill…");
  const others = groups.filter((group) => !ofData.includes(group));
  const lists = [...(data?.lists ?? []), ...(await measureLists(bundles, others, pace))];
  const whole = flags.only === undefined ? await measureWhole(bundles, pace, workFolder) : null;
  progress("");
  const machine = { cores: availableParallelism(), loadAtStart, loadAtEnd: load(), rounds: pace.rounds };
  return { machine, data, cases: measured, lists, size: bundles.size, whole };
}

async function measureWhole(bundles: Bundles, pace: Plan, workFolder: string): Promise<WholeResults> {
  progress("Starting…");
  const boot = await measureBoot(bundles, workFolder, pace.boots);
  progress("Logins…");
  const login = await measureLogin(bundles, pace);
  progress("Timing of failed logins…");
  const signIn = await measureSignInTiming(bundles, pace);
  progress("Beside better-auth…");
  const betterAuth = await measureBetterAuth(bundles, workFolder, pace);
  progress("A first sync of bookings…");
  const sync = await measureSync(bundles, pace);
  progress("The built-in engine…");
  return { boot, login, signIn, betterAuth, sync, engine: measureEngine() };
}

async function save(results: Results, text: string): Promise<void> {
  const place = join(root, "bench", "results");
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "report.txt"), `${text.trimEnd()}\n`);
  await writeFile(join(place, "speed.svg"), chart(results.data?.cases ?? []));
  const report = /(<!-- report: .*-->\n```text\n)[\s\S]*?(```\n<!-- \/report -->)/;
  await replaceBlock(join(root, "docs", "performance.md"), report, text);
}

async function replaceBlock(page: string, block: RegExp, text: string): Promise<void> {
  const written = (await readFile(page, "utf8")).replace(block, (_, start, end) => `${start}${text.trimEnd()}\n${end}`);
  await writeFile(page, written);
}

function runCase(bundles: Bundles, one: Case, pace: Plan): Promise<CaseResult> {
  return withStage(bundles, async (stage) => {
    const supply = await supplyOf(one, stage);
    const { bare } = supply;
    const speed = bare ? await compare(stage, { ...supply, bare }, pace) : null;
    const cost = await measureCost(stage.measured, supply.ours, supply.status);
    const [growth = []] = one.growth ? await measureGrowth(stage, [supply], one.growth, pace) : [];
    return { name: one.name, speed, cost, growth };
  });
}

function names(list: readonly { name: string }[]): string {
  return list.map(({ name }) => `  ${name}`).join("\n");
}

function load(): number {
  return loadavg()[0] ?? 0;
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text) console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}
