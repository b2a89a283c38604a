import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";

const api = service();
const create = async (fields: Record<string, unknown> = {}) =>
  (await api.post("/api/tasks", { title: "Water the plants", ...fields })).body;

describe("a task", () => {
  it("is created with its defaults and read again", async () => {
    const { status, body, headers } = await api.post("/api/tasks", { title: "  Water the plants " });
    expect(status).toBe(201);
    expect(headers.get("etag")).toBe('"1"');
    expect(body).toMatchObject({
      title: "Water the plants",
      description: "",
      status: "todo",
      priority: "medium",
      dueAt: null,
      tags: [],
      source: "manual",
      emailId: null,
      eventId: null,
      quote: null,
      completedAt: null,
      version: 1,
    });
    expect((await api.get(`/api/tasks/${body.id}`)).body).toEqual(body);
  });

  it("is refused when it breaks a rule", async () => {
    for (const fields of [
      {},
      { title: "  " },
      { title: "x".repeat(501) },
      { title: "x", status: "started" },
      { title: "x", priority: 1 },
      { title: "x", dueAt: "tomorrow" },
      { title: "x", dueAt: "2026-11-16T10:00:00Z", dueText: "tomorrow" },
      { title: "x", dueText: "when pigs fly" },
      { title: "x", dueText: "tomorrow", timeZone: "Mars/Olympus" },
      { title: "x", dueText: "tomorrow", timeZone: "+01:00" },
      { title: "x", emailId: 999_999 },
      { title: "x", tags: ["a".repeat(51)] },
    ]) {
      expectProblem(await api.post("/api/tasks", fields), 422, "validation_failed");
    }
  });

  it("with an Idempotency-Key is created once, also at the same time", async () => {
    const options = { headers: { "idempotency-key": "task-once" } };
    const task = { title: "Once only", tags: ["idempotent"] };
    await Promise.all(Array.from({ length: 5 }, () => api.post("/api/tasks", task, options)));
    const again = await api.post("/api/tasks", task, options);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await api.get("/api/tasks?tag=idempotent")).body.data).toHaveLength(1);
  });

  it("keeps completedAt by itself: set when finished, cleared when opened again", async () => {
    const { id } = await create();
    const change = async (fields: Record<string, unknown>) => (await api.patch(`/api/tasks/${id}`, fields)).body;
    const done = await change({ status: "done", completedAt: "2000-01-01T00:00:00Z" });
    expect(Date.parse(done.completedAt)).toBeGreaterThan(Date.now() - 60_000);
    expect((await change({ status: "done" })).completedAt).toBe(done.completedAt);
    expect((await change({ title: "Renamed" })).completedAt).toBe(done.completedAt);
    expect((await change({ status: "todo" })).completedAt).toBeNull();
    expect((await change({ status: "cancelled" })).completedAt).not.toBeNull();
    expect((await change({ status: "waiting" })).completedAt).toBeNull();
    expect((await change({ status: "in_progress" })).completedAt).toBeNull();
    expect((await create({ status: "done" })).completedAt).not.toBeNull();
  });

  it("changes what is named and nothing else", async () => {
    const { id } = await create({ dueAt: "2026-11-16T10:30:00+01:00", tags: ["a"], description: "Both pots" });
    const { body } = await api.patch(`/api/tasks/${id}`, { priority: "urgent", tags: [" B "] });
    expect(body).toMatchObject({
      title: "Water the plants",
      description: "Both pots",
      dueAt: "2026-11-16T09:30:00.000Z",
      priority: "urgent",
      tags: ["b"],
      version: 2,
    });
    expect((await api.patch(`/api/tasks/${id}`, { dueAt: null })).body.dueAt).toBeNull();
    const due = await api.patch(`/api/tasks/${id}`, { dueText: "2026-12-24 18:30", timeZone: "Europe/Berlin" });
    expect(due.body.dueAt).toBe("2026-12-24T17:30:00.000Z");
  });

  it("refuses a change of nothing", async () => {
    const { id } = await create();
    for (const fields of [{}, { completedAt: null }, { timeZone: "UTC" }, { id: 5 }]) {
      expectProblem(await api.patch(`/api/tasks/${id}`, fields), 422, "nothing_to_update");
    }
  });

  it("with If-Match is changed by one of many at once", async () => {
    const { id } = await create();
    const headers = { "if-match": '"1"' };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => api.patch(`/api/tasks/${id}`, { title: `Version ${n}` }, { headers })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectProblem(answer, 412, "version_conflict");
    expectProblem(await api.delete(`/api/tasks/${id}`, { headers }), 412, "version_conflict");
    expect((await api.delete(`/api/tasks/${id}`)).status).toBe(204);
    expectProblem(await api.delete(`/api/tasks/${id}`), 404, "not_found");
  });

  it("is 404 when there is none", async () => {
    expectProblem(await api.get("/api/tasks/999999"), 404, "not_found");
    expectProblem(await api.patch("/api/tasks/999999", { title: "x" }), 404, "not_found");
  });

  it("is closed to strangers behind a private service", async () => {
    expectProblem(await service({ ACCESS_MODE: "private" }).get("/api/tasks"), 401, "unauthenticated");
  });
});
