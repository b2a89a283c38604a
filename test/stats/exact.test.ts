import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStats, sumPastQuarters } from "../../src/features/stats/service.ts";
import { dateOf, startOfDate, toWall, wallDay } from "../../src/lib/time-zone.ts";
import { emptyService, service, systemCtx } from "../harness.ts";

const api = service();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.now();
const ZONES = ["UTC", "Asia/Kathmandu", "America/New_York", "Pacific/Kiritimati", "Australia/Lord_Howe", "Etc/GMT+12"];

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
const random = numbers(7);

/** Often exactly at the start or end of a quarter or of a day somewhere. */
function momentAround(days: number): number {
  const time = NOW + (random(2 * days * 24 * 60) - days * 24 * 60) * MINUTE;
  const rounded = [time, time - (time % (15 * MINUTE)), time - (time % HOUR), time - (time % DAY) - 1];
  return rounded[random(rounded.length)] ?? time;
}

const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
const STATUSES = ["todo", "in_progress", "waiting", "done", "cancelled"];

interface TaskRow {
  id: number;
  status: string;
  due_at: number | null;
  completed_at: number | null;
}

interface EventRow {
  start_at: number;
  end_at: number;
  status: string;
  span: number | null;
}

/** What a plain count of all rows gives. */
async function counted(now: number, zone: string) {
  const { results: tasks } = await env.DB.prepare("SELECT id, status, due_at, completed_at FROM tasks").all<TaskRow>();
  const { results: events } = await env.DB.prepare("SELECT start_at, end_at, status, span FROM events").all<EventRow>();
  const { results: emails } = await env.DB.prepare("SELECT received_at FROM emails").all<{ received_at: number }>();
  const startOf = (days: number) => startOfDate(zone, dateOf(wallDay(toWall(zone, now)) + days * DAY));
  const open = tasks.filter(({ status }) => !["done", "cancelled"].includes(status));
  const dueIn = (from: number, until: number) =>
    open.filter(({ due_at: due }) => due !== null && due >= from && due < until).length;
  const doneIn = (from: number, until: number) =>
    tasks.filter(({ status, completed_at: at }) => status === "done" && at !== null && at >= from && at < until).length;
  const eventsIn = (from: number, until: number) =>
    events.filter(
      (event) => event.span !== null && event.status !== "cancelled" && event.start_at < until && event.end_at > from,
    ).length;
  return {
    overdueTasks: dueIn(0, now),
    tasksDueToday: dueIn(startOf(0), startOf(1)),
    tasksDoneLast7Days: doneIn(startOf(-6), startOf(1)),
    eventsToday: eventsIn(startOf(0), startOf(1)),
    eventsNext7Days: eventsIn(startOf(0), startOf(7)),
    series: Array.from({ length: 14 }, (_, index) => index - 13).map((day) => ({
      date: dateOf(wallDay(toWall(zone, now)) + day * DAY),
      emails: emails.filter(({ received_at: at }) => at >= startOf(day) && at < startOf(day + 1)).length,
      tasksDone: doneIn(startOf(day), startOf(day + 1)),
      events: eventsIn(startOf(day), startOf(day + 1)),
    })),
  };
}

async function expectExact(now: number, zones = ZONES): Promise<void> {
  for (const zone of zones) {
    const stats = await readStats({ ...systemCtx(), now: new Date(now) }, zone);
    expect(stats, `${new Date(now).toISOString()} ${zone}`).toMatchObject(await counted(now, zone));
  }
}

beforeAll(async () => {
  await emptyService();
  const tasks = Array.from({ length: 400 }, () => {
    const status = pick(STATUSES);
    return {
      status,
      due: random(6) === 0 ? null : momentAround(pick([2, 20, 400])),
      completed: status === "done" || status === "cancelled" ? momentAround(20) : null,
    };
  });
  const events = Array.from({ length: 300 }, (_, index) => {
    const start = momentAround(pick([2, 12, 60]));
    return {
      uid: `exact-${index}`,
      start,
      end: start + pick([15 * MINUTE, HOUR, 5 * HOUR, DAY, 40 * DAY]) - pick([0, 1, 7 * MINUTE]),
      status: pick(["confirmed", "tentative", "cancelled"]),
      span: random(20) === 0 ? null : 4,
    };
  });
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO tasks (title, description, status, priority, due_at, tags, source, completed_at, version, created_at,
         updated_at)
       SELECT 'exact', '', value ->> 'status', 'low', value ->> 'due', '[]', 'manual', value ->> 'completed', 1, 0, 0
       FROM json_each(?)`,
    ).bind(JSON.stringify(tasks)),
    env.DB.prepare(
      `INSERT INTO events (title, start_at, end_at, time_zone, span, status, source, ical_uid, created_at, updated_at)
       SELECT 'exact', value ->> 'start', value ->> 'end', 'UTC', value ->> 'span', value ->> 'status', 'manual',
         value ->> 'uid', 0, 0 FROM json_each(?)`,
    ).bind(JSON.stringify(events)),
  ]);
});
afterAll(async () => {
  await emptyService();
  await sumPastQuarters(systemCtx());
});

describe("the statistics equal a plain count", () => {
  it("in every time zone", () => expectExact(NOW));

  it("while the clock passes, and after the nightly job of any night", async () => {
    for (const days of [0, 1, 3, 40, 2, -30]) {
      const at = NOW + days * DAY + random(96) * 15 * MINUTE + random(15 * MINUTE);
      await expectExact(at, ["UTC", "Asia/Kathmandu"]);
      await sumPastQuarters({ ...systemCtx(), now: new Date(at) });
      await expectExact(at, ["UTC", "America/New_York"]);
      await expectExact(NOW, ["Asia/Kathmandu"]);
    }
  });

  it("after changes and deletions, also of what the nightly job has summed up", async () => {
    const { results: tasks } = await env.DB.prepare("SELECT id FROM tasks").all<{ id: number }>();
    for (const { id } of tasks.filter((_, index) => index % 8 === 0)) {
      const change = pick([
        { status: pick(STATUSES) },
        { dueAt: new Date(Math.max(0, momentAround(pick([2, 100])))).toISOString() },
        { dueAt: null },
        { title: "changed", priority: "high" },
        null,
      ]);
      const { status } = change ? await api.patch(`/api/tasks/${id}`, change) : await api.delete(`/api/tasks/${id}`);
      expect(status).toBeLessThan(300);
    }
    await env.DB.batch([
      env.DB.prepare("UPDATE events SET start_at = start_at + 86400000, end_at = end_at + 90000000 WHERE id % 5 = 0"),
      env.DB.prepare("UPDATE events SET status = iif(status = 'cancelled', 'confirmed', 'cancelled') WHERE id % 5 = 1"),
      env.DB.prepare("UPDATE events SET span = iif(span IS NULL, 4, NULL) WHERE id % 5 = 2"),
      env.DB.prepare("DELETE FROM events WHERE id % 5 = 3"),
    ]);
    await expectExact(NOW);
    const recount = await env.DB.prepare("SELECT tasks_due FROM quarters_before").first<{ tasks_due: number }>();
    expect(recount?.tasks_due).toBeGreaterThan(0);
  });
});
