import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { expectProblem, service } from "../harness.ts";

const api = service();

type Fields = Record<string, unknown>;
const create = async (fields: Fields) => (await api.post("/api/tasks", { title: "Repeated", ...fields })).body;
const change = async (id: number, fields: Fields, query = "") =>
  (await api.patch(`/api/tasks/${id}${query}`, fields)).body;
const complete = (id: number) => change(id, { status: "done" });
const read = async (id: number) => (await api.get(`/api/tasks/${id}`)).body;
const open = async (tag: string) => (await api.get(`/api/tasks?tag=${tag}`)).body.data;

/** Monday. */
const setNow = (time: string) => vi.setSystemTime(new Date(time));
afterEach(() => vi.useRealTimers());

describe("completing a task that repeats", () => {
  it("creates the next one, and only that is open", async () => {
    setNow("2026-11-16T09:00:00Z");
    const task = await create({
      tags: ["weekly"],
      dueDate: "2026-11-20",
      rrule: "RRULE:freq=weekly;byday=fr",
      priority: "high",
    });
    expect(task).toMatchObject({ rrule: "FREQ=WEEKLY;BYDAY=FR", repeatFrom: "due", dueDate: "2026-11-20" });
    const done = await complete(task.id);
    expect(done).toMatchObject({ id: task.id, status: "done", dueDate: "2026-11-20", version: 2 });
    const [next, ...others] = await open("weekly");
    expect(others).toEqual([]);
    expect(next).toMatchObject({
      dueDate: "2026-11-27",
      rrule: task.rrule,
      priority: "high",
      version: 1,
      status: "todo",
    });
    // Completing the completed one again creates nothing.
    await complete(task.id);
    expect(await open("weekly")).toHaveLength(1);
    await complete(next.id);
    expect(await open("weekly")).toMatchObject([{ dueDate: "2026-12-04" }]);
  });

  it("creates one next, however many complete it at once", async () => {
    const task = await create({ tags: ["race"], dueDate: "2031-01-01", rrule: "FREQ=DAILY" });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.patch(`/api/tasks/${task.id}`, { status: "done" })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await open("race")).toMatchObject([{ dueDate: "2031-01-02" }]);
    const { results } = await env.DB.prepare("SELECT id FROM tasks WHERE tags = '[\"race\"]'").all();
    expect(results).toHaveLength(2);
  });

  it("passes over what was missed: the next is ahead", async () => {
    setNow("2026-11-16T09:00:00Z");
    const friday = await create({ tags: ["missed"], dueDate: "2026-10-02", rrule: "FREQ=WEEKLY;BYDAY=FR" });
    await complete(friday.id);
    expect(await open("missed")).toMatchObject([{ dueDate: "2026-11-20" }]);
    const timed = await create({ tags: ["timed"], dueAt: "2026-11-10T10:00:00Z", rrule: "FREQ=DAILY" });
    await complete(timed.id);
    expect(await open("timed")).toMatchObject([{ dueAt: "2026-11-16T10:00:00.000Z" }]);
  });

  it("counts from the completion if it says so", async () => {
    setNow("2026-11-16T22:30:00Z");
    const fields = { tags: ["from-done"], dueText: "3 days after it is done", timeZone: "Europe/Berlin" };
    const task = await create(fields);
    expect(task).toMatchObject({ dueDate: "2026-11-16", rrule: "FREQ=DAILY;INTERVAL=3", repeatFrom: "done" });
    setNow("2026-11-18T23:30:00Z");
    await complete(task.id);
    // In Berlin it was the 19th already.
    expect(await open("from-done")).toMatchObject([{ dueDate: "2026-11-22", repeatFrom: "done" }]);
    const timed = await create({
      tags: ["done-timed"],
      dueAt: "2026-11-17T08:00:00Z",
      rrule: "FREQ=WEEKLY",
      repeatFrom: "done",
    });
    await complete(timed.id);
    expect(await open("done-timed")).toMatchObject([{ dueAt: "2026-11-25T08:00:00.000Z" }]);
  });

  it.each([
    [
      "Europe/Berlin",
      "2026-03-27T08:00:00.000Z",
      ["2026-03-28T08:00:00.000Z", "2026-03-29T07:00:00.000Z", "2026-03-30T07:00:00.000Z"],
    ],
    ["America/New_York", "2026-10-31T13:00:00.000Z", ["2026-11-01T14:00:00.000Z", "2026-11-02T14:00:00.000Z"]],
  ])("at nine every day stays at nine in %s across the change of clocks", async (timeZone, first, expected) => {
    setNow(new Date(Date.parse(first) - 3_600_000).toISOString());
    const tag = timeZone.toLowerCase();
    let { id, dueAt } = await create({ tags: [tag], dueText: "every day at 9am", timeZone });
    expect(dueAt).toBe(first);
    for (const time of expected) {
      await complete(id);
      [{ id, dueAt }] = await open(tag);
      expect(dueAt).toBe(time);
    }
  });

  it("ends with its rule", async () => {
    const task = await create({ tags: ["count"], dueDate: "2031-01-01", rrule: "FREQ=DAILY;COUNT=2" });
    await complete(task.id);
    const [last] = await open("count");
    expect(last).toMatchObject({ dueDate: "2031-01-02" });
    await complete(last.id);
    expect(await open("count")).toEqual([]);
    const until = await create({ tags: ["until"], dueDate: "2031-01-01", rrule: "FREQ=WEEKLY;UNTIL=20310105" });
    await complete(until.id);
    expect(await open("until")).toEqual([]);
  });

  it("brings the subtasks along, to be done again", async () => {
    const task = await create({ tags: ["routine"], dueDate: "2031-01-01", rrule: "FREQ=WEEKLY" });
    await api.post("/api/tasks", { title: "First", parentId: task.id });
    const second = (await api.post("/api/tasks", { title: "Second", parentId: task.id })).body;
    await api.post("/api/tasks", { title: "Dropped", parentId: task.id, status: "cancelled" });
    await complete(second.id);
    await complete(task.id);
    const [next] = await open("routine");
    expect(next.subtasks).toEqual({ done: 0, total: 2 });
    const { data } = (await api.get(`/api/tasks?parentId=${next.id}&sort=position`)).body;
    expect(data).toMatchObject([
      { title: "First", status: "todo" },
      { title: "Second", status: "todo" },
    ]);
    expect((await read(task.id)).subtasks).toEqual({ done: 2, total: 2 });
  });

  it("is taken back by opening it again, unless the next one was changed", async () => {
    const task = await create({ tags: ["reopened"], dueDate: "2031-01-01", rrule: "FREQ=DAILY" });
    await complete(task.id);
    expect(await change(task.id, { status: "todo" })).toMatchObject({ rrule: "FREQ=DAILY", completedAt: null });
    expect(await open("reopened")).toMatchObject([{ id: task.id }]);
    await complete(task.id);
    const [next] = await open("reopened");
    expect(next.dueDate).toBe("2031-01-02");
    await change(next.id, { title: "Changed" });
    await change(task.id, { status: "todo" });
    expect(await open("reopened")).toHaveLength(2);
    await complete(task.id);
    expect(await open("reopened")).toMatchObject([{ id: next.id }]);
  });
});

describe("a task that repeats", () => {
  it("is changed for this time, or for all", async () => {
    const task = await create({ tags: ["edited"], dueDate: "2031-01-01", rrule: "FREQ=DAILY", estimateMinutes: 10 });
    await change(task.id, { title: "Only today", priority: "urgent", dueDate: "2031-01-02" }, "?scope=this");
    await change(task.id, { estimateMinutes: 20 });
    await complete(task.id);
    const [next] = await open("edited");
    expect(next).toMatchObject({ title: "Repeated", priority: "medium", estimateMinutes: 20, dueDate: "2031-01-02" });
    await change(next.id, { title: "From now on", dueAt: "2031-01-02T15:00:00Z" });
    await complete(next.id);
    expect(await open("edited")).toMatchObject([{ title: "From now on", dueAt: "2031-01-03T15:00:00.000Z" }]);
  });

  it("can be skipped, and stopped", async () => {
    const task = await create({ tags: ["skipped"], dueDate: "2031-01-01", rrule: "FREQ=DAILY;COUNT=3" });
    const { body: skipped, headers } = await api.post(`/api/tasks/${task.id}/skip`, undefined);
    expect(skipped).toMatchObject({ id: task.id, dueDate: "2031-01-02", version: 2 });
    expect(headers.get("etag")).toBe('"2"');
    const stale = await api.post(`/api/tasks/${task.id}/skip`, undefined, { headers: { "if-match": '"1"' } });
    expectProblem(stale, 412, "version_conflict");
    expect(await change(task.id, { rrule: null })).toMatchObject({ rrule: null, repeatFrom: null });
    expectProblem(await api.post(`/api/tasks/${task.id}/skip`, undefined), 409, "not_repeating");
    await complete(task.id);
    expect(await open("skipped")).toEqual([]);
    const last = await create({ dueDate: "2031-01-01", rrule: "FREQ=DAILY;COUNT=2" });
    await api.post(`/api/tasks/${last.id}/skip`, undefined);
    expect((await api.post(`/api/tasks/${last.id}/skip`, undefined)).body).toMatchObject({ status: "cancelled" });
    expectProblem(await api.post("/api/tasks/999999/skip", undefined), 404, "not_found");
  });

  it("is due on the first day that matches, if nothing else is said", async () => {
    setNow("2026-11-16T09:00:00Z");
    for (const [rrule, dueDate] of [
      ["FREQ=WEEKLY;BYDAY=FR", "2026-11-20"],
      ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "2026-11-16"],
      ["FREQ=MONTHLY;BYMONTHDAY=1", "2026-12-01"],
      ["FREQ=DAILY;INTERVAL=2", "2026-11-16"],
    ]) {
      expect(await create({ rrule })).toMatchObject({ dueDate, dueAt: null });
    }
    const late = await create({ title: "given a rule later" });
    expect(await change(late.id, { rrule: "FREQ=WEEKLY;BYDAY=WE" })).toMatchObject({ dueDate: "2026-11-18" });
    const { rrule, repeatFrom, ...sentBack } = await read(late.id);
    expect(await change(late.id, { ...sentBack, rrule, repeatFrom })).toMatchObject({ rrule, repeatFrom, version: 3 });
    expect(await change(late.id, { repeatFrom: "done" })).toMatchObject({ rrule, repeatFrom: "done" });
  });

  it.each([
    ["every friday", "FREQ=WEEKLY;BYDAY=FR", { dueDate: "2026-11-20" }],
    ["every 2 weeks", "FREQ=WEEKLY;INTERVAL=2", { dueDate: "2026-11-16" }],
    ["on the 1st of every month", "FREQ=MONTHLY;BYMONTHDAY=1", { dueDate: "2026-12-01" }],
    ["on the last day of every month", "FREQ=MONTHLY;BYMONTHDAY=-1", { dueDate: "2026-11-30" }],
    ["every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", { dueDate: "2026-11-16" }],
    ["every day at 9", "FREQ=DAILY", { dueAt: "2026-11-17T09:00:00.000Z" }],
    ["every tuesday and thursday at 5pm", "FREQ=WEEKLY;BYDAY=TU,TH", { dueAt: "2026-11-17T17:00:00.000Z" }],
    ["tomorrow 5pm every week", "FREQ=WEEKLY", { dueAt: "2026-11-17T17:00:00.000Z" }],
    ["the first monday of every month", "FREQ=MONTHLY;BYDAY=1MO", { dueDate: "2026-12-07" }],
    ["every year on 4 July", "FREQ=YEARLY", { dueDate: "2027-07-04" }],
  ])("takes %j", async (dueText, rrule, due) => {
    setNow("2026-11-16T10:00:00Z");
    expect(await create({ dueText, timeZone: "UTC" })).toMatchObject({ rrule, repeatFrom: "due", ...due });
  });

  it("has a rule that can be read, and is no subtask", async () => {
    for (const fields of [
      { rrule: "FREQ=SOMETIMES" },
      { rrule: "FREQ=MINUTELY" },
      { rrule: "INTERVAL=2" },
      { rrule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30" },
      { rrule: "FREQ=DAILY;COUNT=3", repeatFrom: "done" },
      { rrule: "FREQ=DAILY;UNTIL=20200101", dueDate: "2031-01-01" },
    ]) {
      expectProblem(await api.post("/api/tasks", { title: "x", ...fields }), 422, "validation_failed");
    }
    const parent = await create({ title: "parent" });
    const asChild = { title: "x", parentId: parent.id, rrule: "FREQ=DAILY" };
    expectProblem(await api.post("/api/tasks", asChild), 422, "validation_failed");
    const child = await create({ parentId: parent.id });
    expectProblem(await api.patch(`/api/tasks/${child.id}`, { rrule: "FREQ=DAILY" }), 422, "validation_failed");
    const repeating = await create({ rrule: "FREQ=DAILY" });
    expectProblem(await api.patch(`/api/tasks/${repeating.id}`, { parentId: parent.id }), 422, "validation_failed");
    expectProblem(await api.patch(`/api/tasks/${parent.id}`, { repeatFrom: "done" }), 422, "validation_failed");
  });
});
