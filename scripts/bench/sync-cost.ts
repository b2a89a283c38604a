import { createFakeProvider } from "../../test/fakes/bookingsvc/server.ts";
import { close, listen } from "../../test/fakes/server.ts";
import type { Bundles } from "./build.ts";
import type { Plan } from "./plan.ts";
import { type Stage, withStage } from "./stage.ts";

export interface SyncCost {
  bookings: number;
  syncMs: number;
  downloadMs: number;
  ratio: number;
  pages: number;
  roundTripsAPage: number;
  /** Of a sync that finds nothing new. */
  rowsWrittenAgain: number;
}

const KEY = "cal_bench";
const PAGE = 250;
/** What a provider across the internet takes at best. On loopback alone, downloading costs nothing. */
const LATENCY_MS = 100;

/** A first sync of many bookings, beside a loop that only downloads the same pages. */
export async function measureSync(bundles: Bundles, { bookings }: Plan): Promise<SyncCost> {
  const provider = createFakeProvider({ latencyMs: LATENCY_MS });
  const { world } = provider.tenant(KEY);
  const start = Date.now() + 86_400_000;
  for (let n = 0; n < bookings; n++) world.book({ start: new Date(start + n * 3_600_000) });
  const baseUrl = `${await listen(provider)}/v2`;
  try {
    const vars = { BOOKINGSVC_BASE_URL: baseUrl };
    const speed = await withStage(bundles, (stage) => compareSpeed(stage, baseUrl), vars);
    const cost = await withStage(bundles, countWork, vars);
    return { bookings, pages: Math.ceil(bookings / PAGE), ...speed, ...cost };
  } finally {
    close(provider);
  }
}

async function connect({ ours }: Stage): Promise<void> {
  const account = { email: "ada@example.com", password: "correct horse battery staple", name: "Ada" };
  const { token } = await ours.json<{ token: string }>(
    { method: "POST", path: "/api/auth/register", body: account },
    201,
  );
  const headers = { authorization: `Bearer ${token}` };
  const body = { apiKey: KEY, currentPassword: account.password };
  await ours.expect({ method: "POST", path: "/api/bookingsvc/settings", headers, body }, 200);
}

async function compareSpeed(stage: Stage, baseUrl: string) {
  await connect(stage);
  const download = () => timed(() => stage.bare.expect({ path: `/download?base=${baseUrl}&key=${KEY}` }, 200));
  // The first one warms the provider up for both.
  await download();
  const before = await download();
  const syncMs = await timed(() => stage.ours.expect({ method: "POST", path: "/api/bookingsvc/sync" }, 200));
  const downloadMs = (before + (await download())) / 2;
  return { syncMs, downloadMs, ratio: syncMs / downloadMs };
}

async function countWork(stage: Stage) {
  await connect(stage);
  const sync = async () => {
    const { headers } = await stage.measured.expect({ method: "POST", path: "/api/bookingsvc/sync" }, 200);
    return JSON.parse(String(headers["x-bench-cost"])) as { roundTrips: number; rowsWritten: number };
  };
  const first = await sync();
  const events = (await stage.db.prepare("SELECT count(*) AS n FROM events").first<number>("n")) ?? 0;
  const again = await sync();
  return {
    roundTripsAPage: first.roundTrips / Math.max(1, Math.ceil(events / PAGE)),
    rowsWrittenAgain: again.rowsWritten,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
