import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { emptyService, expectProblem, service } from "../harness.ts";
import { countStatements } from "../measured.ts";

const api = service();
const DAY_MS = 86_400_000;
const read = async (zone = "UTC") => (await api.get(`/api/stats?timeZone=${encodeURIComponent(zone)}`)).body;
const mail = (fields: Record<string, unknown> = {}) =>
  api.post("/api/emails", { from: "a@example.com", to: "stats@example.com", ...fields });

describe("the statistics", () => {
  it("are all there and zero in an empty service", async () => {
    await emptyService();
    const body = await read();
    expect(body).toMatchObject({
      totalEmails: 0,
      unreadEmails: 0,
      emailsByTag: {},
      emailsByUrgency: { low: 0, normal: 0, high: 0, critical: 0 },
      tasksByStatus: { todo: 0, in_progress: 0, waiting: 0, done: 0, cancelled: 0 },
      overdueTasks: 0,
      tasksDueToday: 0,
      tasksDoneLast7Days: 0,
      eventsToday: 0,
      eventsNext7Days: 0,
      nextEvent: null,
      ai: { calls: 0, fallbacks: 0, byModel: {} },
      lastSync: null,
      stream: { state: "offline" },
    });
    expect(body.series).toHaveLength(14);
    expect(body.series[13].date).toBe(new Date().toISOString().slice(0, 10));
  });

  it("count the events of each day, and name the next to start", async () => {
    await emptyService();
    const event = (title: string, days: number, fields = {}) => {
      const start = new Date(Date.now() + days * DAY_MS + 3_600_000).toISOString();
      return api.post("/api/calendar/events", { title, start, ...fields });
    };
    await event("yesterday", -1);
    await event("cancelled", 1, { status: "cancelled" });
    await event("in three days", 3);
    await event("every second day", -4, { rrule: "FREQ=DAILY;INTERVAL=2" });
    await event("far away", 400);
    const { series, eventsNext7Days, nextEvent } = await read();
    expect(series.reduce((sum: number, day: { events: number }) => sum + day.events, 0)).toBeGreaterThanOrEqual(3);
    expect(eventsNext7Days).toBeGreaterThanOrEqual(4);
    expect(nextEvent.title).toBe("every second day");
    await emptyService();
    await event("far away", 400);
    expect((await read()).nextEvent.title).toBe("far away");
  });

  it("follow every change of mail", async () => {
    const before = await read();
    const one = (await mail({ tags: ["stats-a"] })).body;
    const two = (await mail({ tags: ["stats-a", "stats-b"], isRead: true })).body;
    let now = await read();
    expect(now.totalEmails - before.totalEmails).toBe(2);
    expect(now.unreadEmails - before.unreadEmails).toBe(1);
    expect(now.emailsByTag).toMatchObject({ "stats-a": 2, "stats-b": 1 });
    await api.patch("/api/emails", { ids: [one.id, two.id], isRead: true });
    await api.delete(`/api/emails/${two.id}`);
    now = await read();
    expect(now.totalEmails - before.totalEmails).toBe(1);
    expect(now.unreadEmails - before.unreadEmails).toBe(0);
    expect(now.emailsByTag["stats-b"]).toBeUndefined();
    expect(now.series[13].emails - before.series[13].emails).toBe(1);
  });

  it("count urgency once a mail is analysed", async () => {
    const { body } = await mail();
    const set = (urgency: string | null) =>
      env.DB.prepare("UPDATE emails SET urgency = ? WHERE id = ?").bind(urgency, body.id).run();
    await set("high");
    expect((await read()).emailsByUrgency).toMatchObject({ high: 1, critical: 0 });
    expect((await api.get("/api/emails?urgency=high")).body.data).toHaveLength(1);
    await set("critical");
    expect((await read()).emailsByUrgency).toMatchObject({ high: 0, critical: 1 });
    await api.delete(`/api/emails/${body.id}`);
    expect((await read()).emailsByUrgency).toMatchObject({ high: 0, critical: 0 });
  });

  it("follow every change of a task", async () => {
    const before = await read();
    const { body: task } = await api.post("/api/tasks", {
      title: "late",
      dueAt: new Date(Date.now() - 1000).toISOString(),
    });
    let now = await read();
    expect(now.tasksByStatus.todo - before.tasksByStatus.todo).toBe(1);
    expect(now.overdueTasks - before.overdueTasks).toBe(1);
    await api.patch(`/api/tasks/${task.id}`, { status: "done" });
    await api.patch(`/api/tasks/${task.id}`, { status: "done", title: "still done" });
    now = await read();
    expect(now.tasksByStatus.todo - before.tasksByStatus.todo).toBe(0);
    expect(now.tasksByStatus.done - before.tasksByStatus.done).toBe(1);
    expect(now.overdueTasks).toBe(before.overdueTasks);
    expect(now.tasksDoneLast7Days - before.tasksDoneLast7Days).toBe(1);
    expect(now.series[13].tasksDone - before.series[13].tasksDone).toBe(1);
    await api.patch(`/api/tasks/${task.id}`, { status: "todo" });
    expect((await read()).tasksDoneLast7Days).toBe(before.tasksDoneLast7Days);
    await api.patch(`/api/tasks/${task.id}`, { status: "cancelled" });
    now = await read();
    expect(now.tasksDoneLast7Days).toBe(before.tasksDoneLast7Days);
    await api.delete(`/api/tasks/${task.id}`);
    expect((await read()).tasksByStatus).toEqual(before.tasksByStatus);
  });

  it("put each moment on the day it is in the asked zone", async () => {
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - 5 * DAY_MS;
    // Half past eleven and half past midnight UTC, five days ago.
    for (const minutes of [-30, 30]) await mail({ receivedAt: new Date(midnight + minutes * 60_000).toISOString() });
    const days = async (zone: string) => {
      const { series } = await read(zone);
      return Object.fromEntries(
        series
          .filter((day: { emails: number }) => day.emails > 0)
          .map((day: { date: string; emails: number }) => [day.date, day.emails]),
      );
    };
    const date = (offset: number) => new Date(midnight + offset * DAY_MS).toISOString().slice(0, 10);
    expect(await days("UTC")).toMatchObject({ [date(-1)]: 1, [date(0)]: 1 });
    expect(await days("Asia/Kathmandu")).toMatchObject({ [date(0)]: 2 });
    expect(await days("America/New_York")).toMatchObject({ [date(-1)]: 2 });
  });

  it("come in one batch, and only for a zone that exists", async () => {
    const counted = countStatements(env.DB);
    await service({ DB: counted.db }).get("/api/stats");
    expect(counted.taken().roundTrips).toBe(1);
    for (const zone of ["Mars/Olympus", "+01:00", ""]) {
      expectProblem(await api.get(`/api/stats?timeZone=${encodeURIComponent(zone)}`), 422, "validation_failed");
    }
    expectProblem(await service({ ACCESS_MODE: "private" }).get("/api/stats"), 401, "unauthenticated");
  });
});
