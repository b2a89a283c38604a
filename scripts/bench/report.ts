import type { BetterAuth } from "./better-auth.ts";
import type { BootTime } from "./boot.ts";
import type { Bundles } from "./build.ts";
import type { Speed } from "./compare.ts";
import type { Cost, CostAtSize } from "./cost.ts";
import type { CredentialKind, DataResult, DataResults } from "./data-speed.ts";
import type { EngineSpeed } from "./engine-speed.ts";
import type { LoginTime } from "./login-pairs.ts";
import type { SignInTiming } from "./sign-in-timing.ts";
import type { SyncCost } from "./sync-cost.ts";

export interface CaseResult {
  name: string;
  /** Null where there is no bare counterpart. */
  speed: Speed | null;
  cost: Cost;
  growth: CostAtSize[];
}

export interface GrowthResult {
  name: string;
  growth: CostAtSize[];
}

export interface Results {
  machine: Machine;
  /** Null in a run without data endpoints. */
  data: DataResults | null;
  cases: CaseResult[];
  lists: GrowthResult[];
  size: Bundles["size"];
  /** Null in a run of a few cases. */
  whole: WholeResults | null;
}

/** What the machine did besides: the processes that wanted to run, in the minute before, at the start and at the end. */
export interface Machine {
  cores: number;
  loadAtStart: number;
  loadAtEnd: number;
  /** Of both Workers by turns, for each ratio. */
  rounds: number;
}

/** What is measured beside the cases. */
export interface WholeResults {
  boot: BootTime;
  login: LoginTime;
  signIn: SignInTiming;
  /** Null when it could not be installed. */
  betterAuth: BetterAuth | null;
  sync: SyncCost;
  engine: EngineSpeed[];
}

export function report({ machine, data, cases, lists, size, whole }: Results): string {
  const sections = [
    ["The machine", machineText(machine)],
    ...(data ? [dataSection(data)] : []),
    [
      "What is not data, against a bare Hono + D1 Worker, and D1 work per request",
      cases.length > 0 ? table(SPEED_HEAD, cases.map(speedRow)) : "",
    ],
    ["Rows read per request as the tables fill", growthTable([...cases, ...lists])],
    ["Bundle, minified", table(["part", "KiB", "share"], sizeRows(size))],
    ...(whole ? wholeSections(whole, size) : []),
  ];
  return sections
    .filter(([, body]) => body !== "")
    .map(([title, body]) => `${title}\n\n${body}\n`)
    .join("\n");
}

function wholeSections(
  { boot, login, signIn, betterAuth, sync, engine }: WholeResults,
  size: Bundles["size"],
): string[][] {
  return [
    ["Start of the runtime to the first response", table(BOOT_HEAD, bootRows(boot, size))],
    ["A login beside one bcryptjs comparison, in interleaved pairs (target: at most 1.1)", loginTable(login)],
    ["A failed login, as a stranger times it", table(SIGN_IN_HEAD, [signInRow(signIn)])],
    [`Beside better-auth ${betterAuth?.version ?? ""} on the same runtime`, betterAuthTable(betterAuth)],
    [
      "A first sync of bookings, beside only downloading their pages, from a provider that takes 100 ms a page",
      table(SYNC_HEAD, [syncRow(sync)]),
    ],
    ["CPU of the built-in engine over one text, once warm", table(["text", "ms"], engine.map(engineRow))],
  ];
}

const SPEED_HEAD = [
  "endpoint",
  "ours req/s",
  "bare req/s",
  "ratio",
  "range",
  "round trips",
  "statements",
  "rows read",
  "rows written",
];

function speedRow({ name, speed, cost }: CaseResult): string[] {
  return [
    name,
    ...(speed
      ? [
          speed.ours.toFixed(0),
          speed.bare.toFixed(0),
          speed.ratio.toFixed(2),
          speed.spread.map((ratio) => ratio.toFixed(2)).join("–"),
        ]
      : ["", "", "", ""]),
    ...[cost.roundTrips, cost.statements, cost.rowsRead, cost.rowsWritten].map(count),
  ];
}

function machineText({ cores, loadAtStart, loadAtEnd, rounds }: Machine): string {
  const load = `load ${loadAtStart.toFixed(1)} at the start and ${loadAtEnd.toFixed(1)} at the end of the run`;
  const basis = `Each ratio is the median of ${rounds} pairs of rounds, by the CPU time of the runtime`;
  return `  ${cores} cores; ${load}. ${basis}.`;
}

const DATA_HEAD = [
  "endpoint",
  "open",
  "session",
  "range",
  "API key",
  "target",
  "",
  "round trips",
  "rows read",
  "bare",
  "rows written",
  "bare",
];

function dataSection({ records, cases }: DataResults): [string, string] {
  const count = records.toLocaleString("en");
  const title = `Data endpoints: requests for each ms of CPU, as a multiple of a bare Worker that checks the credential in the same batch; ${count} records of each kind; D1 work with a session`;
  return [title, table(DATA_HEAD, cases.map(dataRow))];
}

function dataRow({ name, target, speed, cost, bareCost }: DataResult): string[] {
  const ratio = (kind: CredentialKind) => speed[kind].ratio.toFixed(2);
  return [
    name,
    ratio("open"),
    ratio("session"),
    speed.session.spread.map((value) => value.toFixed(2)).join("–"),
    ratio("apiKey"),
    target.toFixed(2),
    speed.session.ratio < target ? "below" : "met",
    ...[cost.roundTrips, cost.rowsRead, bareCost.rowsRead, cost.rowsWritten, bareCost.rowsWritten].map(count),
  ];
}

function growthTable(cases: readonly GrowthResult[]): string {
  const growing = cases.filter(({ growth }) => growth.length > 0);
  const sizes = [...new Set(growing.flatMap(({ growth }) => growth.map(({ size }) => size)))].sort((a, b) => a - b);
  if (sizes.length === 0) return "";
  const rows = growing.map(({ name, growth }) => [
    name,
    ...sizes.map((size) => {
      const cost = growth.find((at) => at.size === size);
      return cost ? count(cost.rowsRead) : "";
    }),
  ]);
  return table(["endpoint", ...sizes.map((size) => `at ${size.toLocaleString("en")}`)], rows);
}

function sizeRows({ ours, empty, parts }: Bundles["size"]): string[][] {
  const kib = (bytes: number) => (bytes / 1024).toFixed(1);
  const share = (bytes: number) => `${((100 * bytes) / ours.bytes).toFixed(1)}%`;
  const small = parts.filter(({ bytes }) => bytes < ours.bytes / 100);
  const rest = small.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    ...parts.filter((part) => !small.includes(part)).map(({ name, bytes }) => [name, kib(bytes), share(bytes)]),
    [`${small.length} smaller`, kib(rest), share(rest)],
    ["all", kib(ours.bytes), "100%"],
    ["all, gzip", kib(ours.gzipBytes), ""],
    ["Hono alone, gzip", kib(empty.gzipBytes), ""],
  ];
}

function loginTable({ loginMs, compareMs, ratio, spread, pairs }: LoginTime): string {
  return table(
    ["login", "comparison", "ratio", "range", "pairs"],
    [
      [
        `${loginMs.toFixed(1)} ms`,
        `${compareMs.toFixed(1)} ms`,
        ratio.toFixed(3),
        spread.map((value) => value.toFixed(3)).join("–"),
        String(pairs),
      ],
    ],
  );
}

const BOOT_HEAD = ["", "start", "times Hono alone", "CPU beyond Hono alone", "upload, gzip"];

function bootRows(boot: BootTime, { ours, empty }: Bundles["size"]): string[][] {
  const row = (name: string, ms: number, cpuMs: number | null, bytes: number) => [
    name,
    `${ms.toFixed(0)} ms`,
    (ms / boot.emptyMs).toFixed(2),
    cpuMs === null ? "" : `${cpuMs.toFixed(0)} ms`,
    `${(bytes / 1024).toFixed(0)} KiB`,
  ];
  return [
    row("ours, features loaded on demand (target: 260 ms of CPU)", boot.oursMs, boot.oursCpuMs, ours.gzipBytes),
    row("ours, every feature loaded", boot.allFeaturesMs, boot.allFeaturesCpuMs, ours.gzipBytes),
    row("Hono alone", boot.emptyMs, null, empty.gzipBytes),
  ];
}

const SIGN_IN_HEAD = ["wrong password", "unknown email", "ratio", "unknown takes longer in"];

function signInRow({ wrongPasswordMs, unknownEmailMs, distinguishable, samples }: SignInTiming): string[] {
  return [
    `${wrongPasswordMs.toFixed(1)} ms`,
    `${unknownEmailMs.toFixed(1)} ms`,
    (unknownEmailMs / wrongPasswordMs).toFixed(3),
    `${(100 * distinguishable).toFixed(0)}% of pairs (${samples} each; 50% tells nothing)`,
  ];
}

function betterAuthTable(measured: BetterAuth | null): string {
  if (!measured) return "  It could not be installed here.";
  const row = (name: string, { ours, bare, ratio, spread }: Speed) => [
    name,
    ours.toFixed(ours < 100 ? 1 : 0),
    bare.toFixed(bare < 100 ? 1 : 0),
    ratio.toFixed(2),
    spread.map((value) => value.toFixed(2)).join("–"),
  ];
  return table(
    ["", "ours req/s", "better-auth req/s", "ratio", "range"],
    [row("sign-in", measured.signIn), row("session check", measured.sessionCheck)],
  );
}

const SYNC_HEAD = ["bookings", "sync", "download", "ratio", "round trips a page", "rows written by the next sync"];

function syncRow({ bookings, syncMs, downloadMs, ratio, roundTripsAPage, rowsWrittenAgain }: SyncCost): string[] {
  return [
    bookings.toLocaleString("en"),
    `${syncMs.toFixed(0)} ms`,
    `${downloadMs.toFixed(0)} ms`,
    ratio.toFixed(2),
    roundTripsAPage.toFixed(1),
    String(rowsWrittenAgain),
  ];
}

function engineRow({ name, milliseconds }: EngineSpeed): string[] {
  return [name, milliseconds.toFixed(1)];
}

/** Averages are whole unless requests differ from one another. */
function count(average: number): string {
  return average.toFixed(Number.isInteger(average) ? 0 : 1);
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column > 0)).join("  "))
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
}

function pad(cell: string, width: number, right: boolean): string {
  return right ? cell.padStart(width) : cell.padEnd(width);
}
