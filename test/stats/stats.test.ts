import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { countStatements, expectProblem, service } from "../harness.ts";

const api = service();
const DAY_MS = 86_400_000;
const read = async (zone = "UTC") => (await api.get(`/api/stats?timeZone=${encodeURIComponent(zone)}`)).body;
const mail = (fields: Record<string, unknown> = {}) =>
  api.post("/api/emails", { from: "a@example.com", to: "stats@example.com", ...fields });

describe("the statistics", () => {
  it("are all there, also those of areas in which nothing has happened", async () => {
    const body = await read();
    expect(Object.keys(body.emailsByUrgency)).toEqual(["low", "normal", "high", "critical"]);
    expect(Object.keys(body.tasksByStatus)).toEqual(["todo", "in_progress", "waiting", "done", "cancelled"]);
    expect(body.series).toHaveLength(14);
    expect(body.series[13].date).toBe(new Date().toISOString().slice(0, 10));
    const dates = body.series.map((day: { date: string }) => day.date);
    expect(dates).toEqual([...dates].sort());
  });

  it("follow every change of mail", async () => {
    const before = await read();
    const one = (await mail({ tags: ["stats-a"] })).body;
    const two = (await mail({ tags: ["stats-a", "stats-b"], isRead: true })).body;
    let now = await read();
    expect(now.totalEmails - before.totalEmails).toBe(2);
    expect(now.unreadEmails - before.unreadEmails).toBe(1);
    expect(now.emailsByTag).toMatchObject({ "stats-a": 2 });
    await api.patch("/api/emails", { ids: [one.id, two.id], isRead: true });
    await api.delete(`/api/emails/${two.id}`);
    now = await read();
    expect(now.totalEmails - before.totalEmails).toBe(1);
    expect(now.unreadEmails - before.unreadEmails).toBe(0);
    expect(now.series[13].emails - before.series[13].emails).toBe(1);
  });

  it("count urgency once a mail is analysed", async () => {
    const before = (await read()).emailsByUrgency;
    const { body } = await mail({ tags: ["urgency"] });
    const change = async () => {
      const now = (await read()).emailsByUrgency;
      return { high: now.high - before.high, critical: now.critical - before.critical };
    };
    const set = (urgency: string | null) =>
      env.DB.prepare("UPDATE emails SET urgency = ? WHERE id = ?").bind(urgency, body.id).run();
    await set("high");
    expect(await change()).toEqual({ high: 1, critical: 0 });
    expect((await api.get("/api/emails?urgency=high&tag=urgency")).body.data).toHaveLength(1);
    await set("critical");
    expect(await change()).toEqual({ high: 0, critical: 1 });
    await api.delete(`/api/emails/${body.id}`);
    expect(await change()).toEqual({ high: 0, critical: 0 });
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
    const date = (offset: number) => new Date(midnight + offset * DAY_MS).toISOString().slice(0, 10);
    const zones = ["UTC", "Asia/Kathmandu", "America/New_York"];
    const mails = () =>
      Promise.all(
        zones.map(async (zone) => {
          const { series } = await read(zone);
          const on = (day: string) => series.find((each: { date: string }) => each.date === day).emails;
          return [on(date(-1)), on(date(0))];
        }),
      );
    const before = await mails();
    // Half past eleven and half past midnight UTC, five days ago.
    for (const minutes of [-30, 30]) await mail({ receivedAt: new Date(midnight + minutes * 60_000).toISOString() });
    const after = await mails();
    const change = after.map((days, zone) => days.map((count, day) => count - before[zone]?.[day]));
    expect(change).toEqual([
      [1, 1],
      [0, 2],
      [2, 0],
    ]);
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
