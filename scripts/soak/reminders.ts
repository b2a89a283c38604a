import { setTimeout as sleep } from "node:timers/promises";
import { createFakePushService, type PushReceived } from "../../test/fakes/push/server.ts";
import { close, listen } from "../../test/fakes/server.ts";
import { MARK } from "./acts.ts";
import { Caller, type Tally } from "./caller.ts";
import { open } from "./database.ts";
import type { Row } from "./part.ts";
import { countSent } from "./sent-emails.ts";
import type { Service } from "./service.ts";

const MINUTE_MS = 60_000;
const EVERY_MINUTE = "* * * * *";
/** So many records are made at once, and then it is known how long the others will take. */
const AT_ONCE = 16;
const SAMPLE = 320;
/** All have to fire, and be sent, within this time. */
const ALLOWED_MS = 5 * MINUTE_MS;
const LOOK_MS = 200;

interface Storm {
  service: Service;
  tally: Tally;
  state: string;
  temporary: string;
  /** How many reminders are due in the same minute. */
  count: number;
}

/**
 * Many reminders that are due in the same minute. The server is killed while they fire and while they are sent, with all
 * messages in its queues; the cron runs with each minute, as on the platform. Each must fire once and reach its person,
 * by each channel once at most. Then one that is due while nothing runs. Returns the lines of the report.
 */
export async function soakReminders({ service, tally, state, temporary, count }: Storm): Promise<string[]> {
  const push = createFakePushService();
  const base = await listen(push);
  try {
    await service.start();
    const caller = new Caller(service, tally, () => 1);
    await subscribe(caller, base);
    const at = await makeRecords(caller, count);
    const times = await fire({ service, tally, state, at, count });
    await service.kill();
    const pushed = await received(base);
    const lines = compare(rowsOf(state), { pushed, emailed: countSent(temporary, textOf), tally, count, at, times });
    return [...lines, await fireLate({ service, tally, state, caller, base })];
  } finally {
    await service.kill();
    close(push);
  }
}

const DEVICE = "soak";
const textOf = new RegExp(`${MARK} reminder \\d+ `);
const titleOf = (number: number) => `${MARK} reminder ${number} `.padEnd(30, ".");

async function subscribe(caller: Caller, base: string): Promise<void> {
  const account = { email: "ada@example.com", password: "correct horse battery staple", name: "Ada" };
  const { body } = await caller.surely({ method: "POST", path: "/api/auth/register", body: account });
  const headers = { authorization: `Bearer ${body.token}` };
  const { keys } = await control<{ keys: object }>(base, "keys");
  const subscription = { endpoint: `${base}/device/${DEVICE}`, keys, currentPassword: account.password };
  const path = "/api/settings/notifications/push";
  caller.expect(await caller.surely({ method: "POST", path, headers, body: subscription }), [200], "subscribing");
}

async function control<T>(base: string, verb: string): Promise<T> {
  return (await fetch(`${base}/control/${DEVICE}/${verb}`, { method: "POST", body: "{}" })).json();
}

const received = (base: string) => control<PushReceived[]>(base, "received");

/** Returns the minute in which all of them are due: the first after they are made. */
async function makeRecords(caller: Caller, count: number): Promise<number> {
  const began = Date.now();
  // Until it is known how long it takes; these are moved then.
  let at = minuteAfter(began + 60 * MINUTE_MS);
  const ids: string[] = [];
  const make = async (numbers: readonly number[]) => {
    const queue = numbers.values();
    const worker = async () => {
      for (const number of queue) {
        const { path, body } = recordOf(number, at);
        const reply = await caller.surely({ method: "POST", path, body });
        caller.expect(reply, [201], `creating ${body.title}`);
        ids[number] = `${path}/${reply.body.id}`;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };
  const numbers = Array.from({ length: count }, (_, number) => number);
  await make(numbers.slice(0, SAMPLE));
  const each = (Date.now() - began) / Math.min(count, SAMPLE);
  at = minuteAfter(Date.now() + each * (count + SAMPLE) * 1.5 + 10_000);
  for (const number of numbers.slice(0, SAMPLE)) {
    const { title: _title, ...changes } = recordOf(number, at).body;
    const path = ids[number] ?? "";
    caller.expect(await caller.surely({ method: "PATCH", path, body: changes }), [200], "moving");
  }
  await make(numbers.slice(SAMPLE));
  console.log(`made ${count} records in ${seconds(Date.now() - began)}, due in ${seconds(at - Date.now())}`);
  if (Date.now() > at) caller.find("the records were not made in time: they were due before the last was there");
  return at;
}

const minuteAfter = (time: number) => Math.ceil(time / MINUTE_MS) * MINUTE_MS;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Half of them at the same moment, the others within a minute, by every way in which a reminder can be due. */
function recordOf(number: number, minute: number): { path: string; body: { title: string } & Record<string, unknown> } {
  const at = number % 2 === 0 ? minute : minute + (number % 60) * 1000;
  const title = titleOf(number);
  const time = (ms: number) => new Date(at + ms).toISOString();
  if (number % 10 === 9) return { path: "/api/calendar/events", body: { title, start: time(10 * MINUTE_MS) } };
  const ways = [
    { dueAt: time(0) },
    { dueAt: time(60 * MINUTE_MS), reminders: [{ minutesBefore: 60 }] },
    { dueAt: time(0) },
    { reminders: [{ at: time(0), channel: "push" }] },
  ];
  return { path: "/api/tasks", body: { title, ...ways[number % ways.length] } };
}

interface Firing {
  service: Service;
  tally: Tally;
  state: string;
  at: number;
  count: number;
}

/** Runs the cron with every minute until everything is sent. Returns when all had fired, and when all were sent. */
async function fire({ service, tally, state, at, count }: Firing) {
  const kills: { isReached(progress: Progress): boolean; name: string }[] = [
    { name: "firing", isReached: ({ fired }) => fired > 0 },
    { name: "sending", isReached: ({ sent }) => sent > count * 0.4 },
  ];
  let fired = 0;
  let sent = 0;
  let nextCron = at;
  while (Date.now() < at + 2 * ALLOWED_MS && sent === 0) {
    await sleep(LOOK_MS);
    if (Date.now() >= nextCron) {
      void service.cron(EVERY_MINUTE);
      nextCron += MINUTE_MS;
    }
    const progress = progressOf(state);
    const [kill] = kills;
    if (kill?.isReached(progress)) {
      kills.shift();
      await service.kill();
      console.log(`killed while ${kill.name}: ${progress.fired} had fired, ${progress.sent} were sent`);
      await service.start();
      continue;
    }
    if (fired === 0 && progress.fired >= count) fired = Date.now() - at;
    if (progress.sent >= count && kills.length === 0) sent = Date.now() - at;
  }
  for (const { name } of kills) tally.find(`the server was never killed while ${name}`);
  const { fired: total, sent: done } = progressOf(state);
  if (total !== count) tally.find(`${total} of ${count} reminders fired`);
  if (done !== count) tally.find(`${done} of ${count} reminders have a result`);
  for (const [what, ms] of [
    ["fired", fired],
    ["were sent", sent],
  ] as const) {
    if (ms === 0 || ms > ALLOWED_MS)
      tally.find(`not all reminders ${what} within ${seconds(ALLOWED_MS)}: ${seconds(ms)}`);
  }
  return { fired, sent };
}

interface Progress {
  fired: number;
  /** With a result. */
  sent: number;
}

function progressOf(state: string): Progress {
  const db = open(state, true);
  try {
    const row = db.prepare(
      "SELECT count(*) AS fired, count(*) FILTER (WHERE deliver_at IS NULL) AS sent FROM reminders",
    );
    const { fired, sent } = row.get() as Row;
    return { fired: Number(fired), sent: Number(sent) };
  } finally {
    db.close();
  }
}

function rowsOf(state: string): Row[] {
  const db = open(state, true);
  try {
    const sql = `SELECT reminders.id, kind, record_id, at, fired_at, late, deliveries, coalesce(tasks.title, events.title) AS title
      FROM reminders LEFT JOIN tasks ON kind = 'task' AND tasks.id = record_id
        LEFT JOIN events ON kind = 'event' AND events.id = record_id`;
    return db.prepare(sql).all() as Row[];
  } finally {
    db.close();
  }
}

interface Seen {
  pushed: readonly PushReceived[];
  emailed: ReadonlyMap<string, number>;
  tally: Tally;
  count: number;
  at: number;
  times: { fired: number; sent: number };
}

/** What each reminder says of itself, against what the push service and the mailbox got. */
function compare(rows: readonly Row[], { pushed, emailed, tally, count, times }: Seen): string[] {
  const pushes = new Map<string, number>();
  for (const { topic = "", text, vapid } of pushed) {
    pushes.set(topic, (pushes.get(topic) ?? 0) + 1);
    if (text === null || !vapid.isValid) tally.find(`a push of ${topic} cannot be read or is not signed`);
  }
  const records = new Set(rows.map(({ kind, record_id: id }) => `${kind} ${id}`));
  if (records.size !== count) tally.find(`${rows.length} reminders are about ${records.size} records, not ${count}`);
  let both = 0;
  for (const { id, title, deliveries } of rows) {
    const log: { channel: string; outcome: string }[] = JSON.parse(String(deliveries));
    const [text = ""] = textOf.exec(String(title)) ?? [];
    const [byPush, byEmail] = [pushes.get(`reminder-${id}`) ?? 0, emailed.get(text) ?? 0];
    if (byPush > 1 || byEmail > 1) tally.find(`${title} was sent ${byPush} times by push, ${byEmail} by email`);
    if (byPush + byEmail === 0) tally.find(`${title} has reached nobody: ${deliveries}`);
    for (const [channel, times] of [
      ["push", byPush],
      ["email", byEmail],
    ] as const) {
      const said = log.filter((each) => each.channel === channel).map(({ outcome }) => outcome);
      if (said.includes("sent") && times === 0) tally.find(`${title} says that it was sent by ${channel}, and was not`);
      if (times > 0 && !said.some((outcome) => outcome === "sent" || outcome === "unknown"))
        tally.find(`${title} was sent by ${channel} and does not say so: ${deliveries}`);
    }
    if (byPush > 0 && byEmail > 0) both += 1;
  }
  const waits = rows.map(({ at, fired_at: fired }) => Number(fired) - Number(at)).sort((one, other) => one - other);
  const late = rows.filter((row) => row.late === 1).length;
  return [
    `${rows.length} reminders in one minute, two kills: the last fired ${seconds(times.fired)} and was sent ${seconds(times.sent)} after the minute began`,
    `from its time to firing: median ${seconds(waits[waits.length >> 1] ?? 0)}, longest ${seconds(waits.at(-1) ?? 0)}; ${late} said that they were late`,
    `${pushed.length} pushes, ${[...emailed.values()].reduce((sum, each) => sum + each, 0)} emails; ${both} reminders whose push was cut off by a kill came by both`,
  ];
}

interface Late {
  service: Service;
  tally: Tally;
  state: string;
  caller: Caller;
  base: string;
}

const DOWN_MS = 10 * MINUTE_MS;

/** One that is due while the server is down, ten minutes before it starts again. */
async function fireLate({ service, tally, state, caller, base }: Late): Promise<string> {
  await service.start();
  const title = `${MARK} late`;
  const dueAt = new Date(Date.now() + MINUTE_MS).toISOString();
  caller.expect(
    await caller.surely({ method: "POST", path: "/api/tasks", body: { title, dueAt } }),
    [201],
    "the late one",
  );
  await service.kill();
  // As if that long had passed.
  const db = open(state, false);
  db.exec(`UPDATE tasks SET due_at = due_at - ${DOWN_MS} WHERE title = '${title}'`);
  db.exec(`UPDATE reminder_state SET checked_until = checked_until - ${DOWN_MS}`);
  db.close();
  const before = (await received(base)).length;
  await service.start();
  await service.cron(EVERY_MINUTE);
  const until = Date.now() + MINUTE_MS;
  while ((await received(base)).length === before && Date.now() < until) await sleep(LOOK_MS);
  const texts = (await received(base)).slice(before).map(({ text }) => String(text));
  const [row, ...others] = rowsOf(state).filter((each) => each.title === title);
  if (row?.late !== 1 || others.length > 0)
    tally.find(`the reminder that was due while nothing ran: ${JSON.stringify(row)}`);
  if (texts.length !== 1 || !/This reminder is late/.test(texts[0] ?? ""))
    tally.find(`it did not say that it is late: ${texts}`);
  return `one that was due while nothing ran: fired at the next start, ${texts.length} push, late: ${row?.late === 1}`;
}
