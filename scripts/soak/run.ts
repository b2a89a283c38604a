// npm run soak [-- --seconds 300]: mixed load with faults and killed servers, then an audit that nothing is owed, lost or
// made twice. Exits with 1 on any finding.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildOurs } from "../bench/build.ts";
import { compatibility } from "../bench/stage.ts";
import { randomOf } from "../seed/area.ts";
import { type Ledger, newLedger, nextAct } from "./acts.ts";
import { audit, type Known } from "./audit.ts";
import { KEY, keepSyncing, openProvider, type Provider } from "./bookings.ts";
import { Caller, Tally } from "./caller.ts";
import { type Correspondence, keepDelivering, keepReplying } from "./emails.ts";
import { LiveClient } from "./live.ts";
import { openModel } from "./model.ts";
import { Moments, PHASES } from "./moments.ts";
import { letAnHourPass, owed, told } from "./owed.ts";
import { openReceivers } from "./receivers.ts";
import { Service } from "./service.ts";
import { staySignedIn } from "./sessions.ts";
import { keepPosting, keepStreaming, openPlatform } from "./streams.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "300" } } });
const CALLERS = 6;
const CRON = "*/15 * * * *";
const CRON_PAUSE_MS = 10_000;
/** The queue may take this long for one more piece of work. */
const STUCK_MS = 45_000;
/** How long a phase is waited for. */
const PHASE_MS = 20_000;

const folder = await mkdtemp(join(tmpdir(), "soak-"));
const state = join(folder, "state");
const tally = new Tally();
const moments = new Moments();
const provider = await openProvider(moments);
const platform = await openPlatform(moments);
const receivers = await openReceivers(randomOf("receivers"), moments);
const model = await openModel(randomOf("model"), moments);
const service = new Service({
  worker: folder,
  state,
  compatibility,
  port: await freePort(),
  vars: {
    JWT_SECRET: "soak-only-jwt-secret-0123456789-abcdef",
    PASSWORD_PEPPER: "soak-only-pepper-0123456789-abcdefghij",
    ENCRYPTION_KEY: "soak-only-encryption-key-0123456789-abc",
    ALLOW_PRIVATE_HOSTS: "true",
    BOOKINGSVC_BASE_URL: provider.url,
    MODEL_A: "custom/soak",
  },
});
/** Kills of the server, by what it was doing. */
const kills: string[] = [];
let crons = 0;

// The server has a process group of its own, which a signal to ours does not reach.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => service.kill().finally(() => process.exit(1)));

try {
  await buildOurs(folder);
  await service.start();
  const known = await load(Number(values.seconds) * 1000);
  report(await audit(state, known), known);
} finally {
  await service.kill();
  for (const side of [provider, platform, receivers, model]) side.close();
  await rm(folder, { recursive: true, force: true });
}

async function load(ms: number): Promise<Known> {
  const steady = new Caller(service, tally, () => 1);
  const { token, userId, webhooks } = await connect(steady);
  const clients = [
    { client: new LiveClient("anonymous client", service), audience: "anonymous" },
    {
      client: new LiveClient("the owner's client", service, { authorization: `Bearer ${token}` }),
      audience: `user:${userId}`,
    },
  ];
  const following = clients.map(({ client }) => client.follow());
  const correspondence: Correspondence = { accepted: [], replied: [] };
  let hasEnded = false;
  const isOver = () => hasEnded;
  const ledgers = Array.from({ length: CALLERS }, newLedger);
  await Promise.all([
    ...ledgers.map((ledger, index) => work(index, ledger, isOver)),
    keepSyncing(newCaller("bookings"), provider, isOver),
    keepStreaming(newCaller("encoder"), isOver),
    keepPosting(newCaller("poster"), platform, isOver),
    keepPosting(newCaller("another poster"), platform, isOver),
    staySignedIn(newCaller("guest"), isOver),
    keepDelivering(service, moments, correspondence, isOver),
    keepReplying(newCaller("correspondent"), moments, correspondence, isOver),
    keepTime(isOver),
    restartNowAndThen(ms).finally(() => {
      hasEnded = true;
    }),
  ]);
  await settle(steady);
  await catchUp(
    steady,
    clients.map(({ client }) => client),
  );
  for (const { client } of clients) client.end();
  await Promise.all(following);
  await service.kill();
  const boxes = new Map([...webhooks].map(([id, name]) => [id, receivers.boxes[name] ?? []]));
  return { ledgers, provider, posts: await platform.posts(), correspondence, boxes, clients };
}

function newCaller(name: string): Caller {
  return new Caller(service, tally, randomOf(name));
}

async function work(index: number, ledger: Ledger, isOver: () => boolean): Promise<void> {
  const caller = newCaller(`caller ${index}`);
  for (let turn = 0; !isOver(); turn++) {
    await nextAct(caller).run(caller, ledger, `${index}-${turn}`);
  }
}

async function connect(caller: Caller) {
  const account = { email: "ada@example.com", password: "correct horse battery staple", name: "Ada" };
  const { body } = await caller.surely({ method: "POST", path: "/api/auth/register", body: account });
  const headers = { authorization: `Bearer ${body.token}` };
  const save = async (path: string, settings: object) => {
    const reply = await caller.surely({ method: "POST", path, headers, body: settings });
    caller.expect(reply, [200, 201], `POST ${path}`);
  };
  await save("/api/bookingsvc/settings", { apiKey: KEY });
  await save("/api/stream/credentials", { platform: "discord", webhookUrl: platform.webhookUrl });
  await save("/api/api-keys", { provider: "custom", baseUrl: model.baseUrl });
  for (const threshold of [100, 200, 400]) await save("/api/stream/milestones", { metric: "subscribers", threshold });
  const webhooks = await receivers.connect(caller, body.token);
  return { token: body.token, userId: body.user.id, webhooks };
}

/** Kills the server once in every phase, with load for `ms` in all. */
async function restartNowAndThen(ms: number): Promise<void> {
  const slot = ms / (PHASES.length + 1);
  for (const phase of PHASES) {
    await sleep(slot);
    const isReached = phase === "a request" || (await moments.next(phase, PHASE_MS));
    await service.kill();
    kills.push(phase);
    if (!isReached) tally.find(`the server was never seen to be in ${phase}`);
    await service.start();
    console.log(`killed in ${phase} and started again, ${tally.requests} answers so far`);
  }
  await sleep(slot);
}

async function keepTime(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const running = service.cron(CRON);
    // Its first jobs are under way by then.
    await sleep(30);
    moments.reach("a cron");
    if (await running) crons += 1;
    await sleep(CRON_PAUSE_MS);
  }
}

/**
 * Everyone is well again, but the server dies once more, with all messages in its queues. An hour later, two crons must
 * find all that is owed, and the next sync must bring the calendar fully in step.
 */
async function settle(caller: Caller): Promise<void> {
  for (const side of [provider, receivers, model]) side.heal();
  await service.kill();
  kills.push("the end of the load");
  console.log(`owed at the end of the load: ${told(owed(state))}`);
  letAnHourPass(state);
  await service.start();
  for (const name of ["first", "second"]) {
    if (!(await service.cron(CRON))) tally.find(`the ${name} cron failed`);
    console.log(`owed after the ${name} cron: ${told(await untilIdle())}`);
  }
  const left = owed(state);
  if (Object.keys(left).length > 0) tally.find(`still owed after two crons: ${told(left)}`);
  await syncFully(caller, provider);
}

/** Waits for the queue as long as it makes progress, and returns what is still owed. */
async function untilIdle(): Promise<Record<string, number>> {
  let [left, since] = [owed(state), Date.now()];
  while (Object.keys(left).length > 0 && Date.now() - since < STUCK_MS) {
    await sleep(500);
    const now = owed(state);
    if (told(now) !== told(left)) [left, since] = [now, Date.now()];
  }
  return left;
}

async function syncFully(caller: Caller, { heal }: Provider): Promise<void> {
  heal();
  for (let attempt = 0; attempt < 60; attempt++) {
    const reply = await caller.surely({ method: "POST", path: "/api/bookingsvc/sync?full=true" });
    if (reply.status === 200 && reply.body.status === "succeeded") return;
    await sleep(2000);
  }
  tally.find("no sync succeeded after the provider was well again");
}

/** A last change must reach everyone, and with it all before it. */
async function catchUp(caller: Caller, clients: readonly LiveClient[]): Promise<void> {
  const reply = await caller.surely({ method: "POST", path: "/api/tasks", body: { title: "The last task" } });
  const until = Date.now() + STUCK_MS;
  for (const client of clients) {
    const hasCome = () =>
      client.seen.some(({ type, recordId }) => type === "task.created" && recordId === reply.body.id);
    while (!hasCome() && Date.now() < until) await sleep(100);
    if (!hasCome()) tally.find(`${client.name} never got the last change`);
  }
  const left = await untilIdle();
  if (Object.keys(left).length > 0) tally.find(`still owed at the end: ${told(left)}`);
}

function report(findings: readonly string[], known: Known): void {
  const { ledgers, posts, correspondence, boxes, clients } = known;
  // No fault that is played here is one of ours, so nothing has a place in the error log.
  const logged = service.errors.map((line) => `in the error log: ${line.slice(0, 300)}`);
  const all = [...tally.findings, ...logged, ...findings];
  const sum = (count: (ledger: Ledger) => number) => ledgers.reduce((total, ledger) => total + count(ledger), 0);
  const statuses = [...tally.statuses].sort().map(([status, count]) => `${status}: ${count}`);
  const webhooks = [...boxes].map(([id, box]) => {
    const events = new Set(box.map((received) => received.id)).size;
    return `webhook ${id}: ${events} events, ${box.length - events} of them again`;
  });
  const feeds = clients.map(
    ({ client }) => `${client.name}: ${client.seen.length} changes, ${client.connections} connections`,
  );
  console.log(`${tally.requests} answers (${statuses.join(", ")})
${tally.aborts} requests left by the caller, ${tally.lost} cut off
${kills.length} kills of the server, in: ${kills.join(", ")}; ${crons} crons during the load
${sum(({ tasks }) => tasks.size)} tasks, ${sum(({ mails }) => mails.size)} mails and ${sum(({ events }) => events.size)} events acknowledged, ${provider.bookings.size} bookings synced, ${posts.length} captions posted
${correspondence.accepted.length} inbound emails, ${correspondence.replied.length} replies; the model was asked for ${model.calls.analyses} analyses and ${model.calls.captions} times for captions
${webhooks.join("; ")}
${feeds.join("; ")}
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
