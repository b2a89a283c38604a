// npm run soak [-- --seconds 300 --reminders 10000 --only load|reminders --log FILE]: mixed load with faults and killed
// servers, then an audit that nothing is owed, lost or made twice; then reminders that are all due in the same minute.
// Exits with 1 on any finding.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { compatibility } from "../bench/stage.ts";
import { randomOf } from "../seed/area.ts";
import { writeUpload } from "../upload.mjs";
import { openBookings } from "./bookings.ts";
import { Caller, Tally } from "./caller.ts";
import { audit, letAnHourPass, owed, toldOwed, waitingSince } from "./database.ts";
import { openEmails } from "./emails.ts";
import { openLive } from "./live.ts";
import { openModel } from "./model.ts";
import { Moments } from "./moments.ts";
import type { IsOver, Part, Stage } from "./part.ts";
import { openRecords } from "./records.ts";
import { soakReminders } from "./reminders.ts";
import { openSending } from "./sending.ts";
import { Service } from "./service.ts";
import { openSessions } from "./sessions.ts";
import { openStreams } from "./streams.ts";
import { openWebhooks } from "./webhooks.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "300" },
    reminders: { type: "string", default: "10000" },
    only: { type: "string" },
    log: { type: "string" },
  },
});
const CRON = "*/15 * * * *";
const CRON_PAUSE_MS = 10_000;
/** How long a phase is waited for: a sync whose server was killed holds its lease for two minutes. */
const PHASE_MS = 150_000;
/** The local queue hardly moves while requests keep its runtime busy. With more in it, the load waits, so that all phases are reached. */
const MOST_WAITING = 60;
/** No longer than this: kills are to happen under load. */
const LONGEST_PAUSE_MS = 10_000;
const LOOK_MS = 1000;
/** The queue may take this long for one more piece of work. */
const STUCK_MS = 60_000;

const folder = await mkdtemp(join(tmpdir(), "soak-"));
const state = join(folder, "state");
const temporary = join(folder, "temporary");
const tally = new Tally();
const moments = new Moments();
const service = await newService(state, temporary);
const newCaller = (name: string) => new Caller(service, tally, randomOf(name));
let waiting = 0;
let stormy: Service | undefined;
const stage: Stage = { service, tally, moments, temporary, newCaller, pause };
/** One that never leaves. */
const steady = new Caller(service, tally, () => 1);
const records = openRecords(stage);
const PARTS: readonly Part[] = [
  records,
  openEmails(stage),
  openSending(stage),
  openSessions(stage),
  openLive(stage),
  await openWebhooks(stage, records.ledgers),
  await openModel(stage),
  await openStreams(stage),
  await openBookings(stage),
];
/** Kills of the server, by what it was doing. */
const kills: string[] = [];
let crons = 0;
/** Lines of the error log during the load. */
let unexpected: string[] = [];
let expected = 0;

// The server has a process group of its own, which a signal to ours does not reach.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => cleanUp().finally(() => process.exit(1)));

try {
  await mkdir(temporary);
  writeUpload(folder);
  if (values.only !== "reminders") await soakLoad();
  if (values.only !== "load") await soakStorm();
} finally {
  await cleanUp();
}

async function soakLoad(): Promise<void> {
  await service.start();
  const started = Date.now();
  await connect();
  await load(Number(values.seconds) * 1000);
  await settle();
  await service.kill();
  report(await audit(state, PARTS), Date.now() - started);
}

/** With a database of its own: webhooks of ten thousand reminders would keep the local queue busy for an hour. */
async function soakStorm(): Promise<void> {
  const [own, files] = [join(folder, "reminders"), join(folder, "reminders-temporary")];
  await mkdir(files);
  stormy = await newService(own, files);
  const found = new Tally();
  const count = Number(values.reminders);
  const lines = await soakReminders({ service: stormy, tally: found, state: own, temporary: files, count });
  const logged = stormy.errors.map((line) => `in the error log: ${line.slice(0, 300)}`);
  const findings = [...found.findings, ...logged, ...(await audit(own, []))];
  conclude([...lines, ...told(findings)], findings.length);
}

async function newService(data: string, files: string): Promise<Service> {
  return new Service({
    worker: folder,
    state: data,
    temporary: files,
    log: values.log && resolve(values.log),
    compatibility,
    port: await freePort(),
    vars: {
      JWT_SECRET: "soak-only-jwt-secret-0123456789-abcdef",
      PASSWORD_PEPPER: "soak-only-pepper-0123456789-abcdefghij",
      ENCRYPTION_KEY: "soak-only-encryption-key-0123456789-abc",
      VAPID_PRIVATE_KEY: "c29hay1vbmx5LXZhcGlkLWtleS0wMTIzNDU2Nzg5LTA",
      ALLOW_PRIVATE_HOSTS: "true",
    },
  });
}

async function cleanUp(): Promise<void> {
  await stormy?.kill();
  await service.kill();
  for (const part of PARTS) part.close?.();
  await rm(folder, { recursive: true, force: true });
}

async function connect(): Promise<void> {
  const account = { email: "ada@example.com", password: "correct horse battery staple", name: "Ada" };
  const { body } = await steady.surely({ method: "POST", path: "/api/auth/register", body: account });
  const { password } = account;
  const owner = { id: body.user.id, headers: { authorization: `Bearer ${body.token}` }, password };
  for (const part of PARTS) await part.connect?.(steady, owner);
}

async function load(ms: number): Promise<void> {
  let hasEnded = false;
  const isOver = () => hasEnded;
  const killing = killInEveryPhase(ms).finally(() => {
    hasEnded = true;
  });
  await Promise.all([killing, keepTime(isOver), keepLooking(isOver), ...PARTS.map((part) => part.load(isOver))]);
}

async function killInEveryPhase(ms: number): Promise<void> {
  const phases = [...PARTS.flatMap((part) => part.phases ?? []), "a cron"];
  const slot = ms / (phases.length + 1);
  for (const phase of phases) {
    await sleep(slot);
    const isReached = phase === "a request" || (await moments.next(phase, PHASE_MS));
    await kill(phase);
    if (!isReached) tally.find(`the server was never seen to be in ${phase}`);
    await service.start();
    console.log(`killed in ${phase} and started again, ${tally.requests} answers so far`);
  }
  await sleep(slot);
}

async function kill(phase: string): Promise<void> {
  await service.kill();
  kills.push(phase);
}

async function keepTime(isOver: IsOver): Promise<void> {
  while (!isOver()) {
    const running = service.cron(CRON);
    // Its first jobs are under way by then.
    await sleep(30);
    moments.reach("a cron");
    if (await running) crons += 1;
    await sleep(CRON_PAUSE_MS);
  }
}

async function pause(ms: number): Promise<void> {
  await sleep(ms);
  const since = Date.now();
  while (waiting > MOST_WAITING && Date.now() - since < LONGEST_PAUSE_MS) await sleep(LOOK_MS / 4);
}

async function keepLooking(isOver: IsOver): Promise<void> {
  while (!isOver()) {
    waiting = waitingSince(state, service.startedAt);
    await sleep(LOOK_MS);
  }
}

/**
 * Everyone is well again, but the server dies once more, with all messages in its queues. An hour later, two crons must
 * find all that is owed.
 */
async function settle(): Promise<void> {
  for (const part of PARTS) part.heal?.();
  await kill("the end of the load");
  console.log(`owed at the end of the load: ${toldOwed(owed(state, PARTS))}`);
  letAnHourPass(state, PARTS);
  await service.start();
  expectErrors();
  for (const name of ["first", "second"]) {
    if (!(await service.cron(CRON))) tally.find(`the ${name} cron failed`);
    console.log(`owed after the ${name} cron: ${toldOwed(await untilIdle())}`);
  }
  const left = owed(state, PARTS);
  if (Object.keys(left).length > 0) tally.find(`still owed after two crons: ${toldOwed(left)}`);
  for (const part of PARTS) await part.finish?.(steady);
  const last = await untilIdle();
  if (Object.keys(last).length > 0) tally.find(`still owed at the end: ${toldOwed(last)}`);
}

/** Sets aside what the faults of the load brought about. From now on, the same line is a finding. */
function expectErrors(): void {
  const isExpected = (line: string) => PARTS.some(({ errors }) => errors?.test(line));
  unexpected = service.errors.filter((line) => !isExpected(line));
  expected = service.errors.length - unexpected.length;
  service.errors.length = 0;
}

/** Waits for the queue as long as it makes progress, and returns what is still owed. */
async function untilIdle(): Promise<Record<string, number>> {
  let [left, since] = [owed(state, PARTS), Date.now()];
  while (Object.keys(left).length > 0 && Date.now() - since < STUCK_MS) {
    await sleep(500);
    const now = owed(state, PARTS);
    if (toldOwed(now) !== toldOwed(left)) [left, since] = [now, Date.now()];
  }
  return left;
}

function report(findings: readonly string[], ms: number): void {
  const logged = [...unexpected, ...service.errors].map((line) => `in the error log: ${line.slice(0, 300)}`);
  const all = [...tally.findings, ...logged, ...findings];
  const statuses = [...tally.statuses].sort().map(([status, count]) => `${status}: ${count}`);
  const lines = [
    `${Math.round(ms / 1000)} seconds, ${tally.requests} answers (${statuses.join(", ")})`,
    `${tally.aborts} requests left by the caller, ${tally.lost} cut off`,
    `${kills.length} kills of the server, in: ${kills.join(", ")}; ${crons} crons during the load`,
    ...PARTS.flatMap((part) => part.figures?.() ?? []),
    `${expected} lines in the error log that the faults explain`,
    ...told(all),
  ];
  conclude(lines, all.length);
}

function told(findings: readonly string[]): string[] {
  return [`${findings.length} findings`, ...findings.slice(0, 40).map((finding) => `  ${finding}`)];
}

function conclude(lines: readonly string[], findings: number): void {
  console.log(lines.join("\n"));
  if (findings > 0) process.exitCode = 1;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === "object" && address ? address.port : 0;
}
