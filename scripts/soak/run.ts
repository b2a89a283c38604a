// npm run soak [-- --minutes 5]: mixed load with faults, then an audit of the database. Exits with 1 on any finding.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildOurs } from "../bench/build.ts";
import { randomOf } from "../seed/area.ts";
import { type Ledger, newLedger, nextAct } from "./acts.ts";
import { audit, type Known } from "./audit.ts";
import { KEY, keepSyncing, openProvider, type Provider } from "./bookings.ts";
import { Caller, Tally } from "./caller.ts";
import { Service } from "./service.ts";
import { staySignedIn } from "./sessions.ts";
import { keepPosting, keepStreaming, openPlatform } from "./streams.ts";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "5" } } });
const MINUTE_MS = 60_000;
const CALLERS = 6;
/** The server is killed this often, somewhere in the middle of its work. */
const KILLS = 3;

const folder = await mkdtemp(join(tmpdir(), "soak-"));
const tally = new Tally();
const provider = await openProvider();
const platform = await openPlatform();
const service = new Service({
  worker: folder,
  state: join(folder, "state"),
  port: await freePort(),
  vars: {
    JWT_SECRET: "soak-only-jwt-secret-0123456789-abcdef",
    PASSWORD_PEPPER: "soak-only-pepper-0123456789-abcdefghij",
    ENCRYPTION_KEY: "soak-only-encryption-key-0123456789-abc",
    ALLOW_PRIVATE_HOSTS: "true",
    BOOKINGSVC_BASE_URL: provider.url,
  },
});

try {
  await buildOurs(folder);
  await service.start();
  const ledgers = await load(Number(values.minutes) * MINUTE_MS);
  await service.kill();
  const known = { ledgers, provider, posts: await platform.posts() };
  report(await audit(join(folder, "state"), known), known);
} finally {
  await service.kill();
  provider.close();
  platform.close();
  await rm(folder, { recursive: true, force: true });
}

async function load(ms: number): Promise<Ledger[]> {
  const steady = new Caller(service, tally, () => 1);
  await connect(steady);
  const until = Date.now() + ms;
  const ledgers = Array.from({ length: CALLERS }, newLedger);
  await Promise.all([
    ...ledgers.map((ledger, index) => work(index, ledger, until)),
    keepSyncing(newCaller("bookings"), provider, until),
    keepStreaming(newCaller("encoder"), until),
    keepPosting(newCaller("poster"), platform, until),
    keepPosting(newCaller("another poster"), platform, until),
    staySignedIn(newCaller("guest"), until),
    restartNowAndThen(ms),
  ]);
  await settle(steady, provider);
  return ledgers;
}

function newCaller(name: string): Caller {
  return new Caller(service, tally, randomOf(name));
}

async function work(index: number, ledger: Ledger, until: number): Promise<void> {
  const caller = newCaller(`caller ${index}`);
  for (let turn = 0; Date.now() < until; turn++) {
    await nextAct(caller).run(caller, ledger, `${index}-${turn}`);
  }
}

async function connect(caller: Caller): Promise<void> {
  const account = { email: "ada@example.com", password: "correct horse battery staple", name: "Ada" };
  const { body } = await caller.surely({ method: "POST", path: "/api/auth/register", body: account });
  const reply = await caller.surely({
    method: "POST",
    path: "/api/bookingsvc/settings",
    headers: { authorization: `Bearer ${body.token}` },
    body: { apiKey: KEY },
  });
  caller.expect(reply, [200], "connecting the provider");
  const credential = { platform: "discord", webhookUrl: platform.webhookUrl };
  const saved = await caller.surely({ method: "POST", path: "/api/stream/credentials", body: credential });
  caller.expect(saved, [200, 201], "connecting the platform");
}

async function restartNowAndThen(ms: number): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(ms / (KILLS + 1));
    await service.kill();
    await service.start();
  }
}

/** The provider is well again: the next sync must bring the calendar fully in step. */
async function settle(caller: Caller, { heal }: Provider): Promise<void> {
  heal();
  for (let attempt = 0; attempt < 60; attempt++) {
    const reply = await caller.surely({ method: "POST", path: "/api/bookingsvc/sync?full=true" });
    if (reply.status === 200 && reply.body.status === "succeeded") return;
    await sleep(2000);
  }
  tally.find("no sync succeeded after the provider was well again");
}

function report(findings: readonly string[], { ledgers, posts }: Known): void {
  // No fault that is played here is one of ours, so nothing has a place in the error log.
  const logged = service.errors.map((line) => `in the error log: ${line.slice(0, 300)}`);
  const all = [...tally.findings, ...logged, ...findings];
  const sum = (count: (ledger: Ledger) => number) => ledgers.reduce((total, ledger) => total + count(ledger), 0);
  const statuses = [...tally.statuses].sort().map(([status, count]) => `${status}: ${count}`);
  console.log(`${tally.requests} answers (${statuses.join(", ")})
${tally.aborts} requests left by the caller, ${tally.lost} cut off by ${KILLS} kills of the server
${sum(({ tasks }) => tasks.size)} tasks, ${sum(({ mails }) => mails.size)} mails and ${sum(({ events }) => events.size)} events acknowledged, ${provider.bookings.size} bookings synced, ${posts.length} captions posted
${all.length} findings${all
    .slice(0, 40)
    .map((finding) => `\n  ${finding}`)
    .join("")}`);
  process.exitCode = all.length > 0 ? 1 : 0;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
