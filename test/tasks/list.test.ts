import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { measureRows } from "../measured.ts";

const api = service();

async function create(tag: string, title: string, fields: Record<string, unknown> = {}): Promise<number> {
  return (await api.post("/api/tasks", { title, tags: [tag], ...fields })).body.id;
}

async function titles(query: string): Promise<string[]> {
  const { body } = await api.get(`/api/tasks?${query}`);
  return body.data.map((task: { title: string }) => task.title);
}

/** Every page of two, one after the other. */
async function pages(query: string): Promise<string[]> {
  const seen: string[] = [];
  let cursor = "";
  do {
    const { body } = await api.get(`/api/tasks?${query}&limit=2${cursor}`);
    seen.push(...body.data.map((task: { title: string }) => task.title));
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : "";
  } while (cursor);
  return seen;
}

describe("a list of tasks", () => {
  it("is in the asked order on every page, undated tasks last", async () => {
    const tag = "order";
    await create(tag, "undated low", { priority: "low" });
    await create(tag, "second", { dueAt: "2026-11-20T00:00:00Z" });
    await create(tag, "undated urgent", { priority: "urgent" });
    await create(tag, "first", { dueAt: "2026-11-18T00:00:00Z", priority: "high" });
    await create(tag, "same moment", { dueAt: "2026-11-20T00:00:00Z", priority: "urgent" });
    const due = ["first", "second", "same moment", "undated low", "undated urgent"];
    const priority = ["same moment", "undated urgent", "first", "second", "undated low"];
    expect(await pages(`tag=${tag}`)).toEqual(due);
    expect(await pages(`tag=${tag}&sort=due`)).toEqual(due);
    expect(await pages(`tag=${tag}&sort=priority`)).toEqual(priority);
    expect(await pages(`tag=${tag}&sort=created`)).toEqual([
      "same moment",
      "first",
      "undated urgent",
      "second",
      "undated low",
    ]);
  });

  it("filters by status, priority, source and due time, several at once", async () => {
    const tag = "filter";
    await create(tag, "a", { status: "waiting", priority: "high", dueAt: "2026-01-01T00:00:00Z" });
    await create(tag, "b", { status: "done", source: "workflow", dueAt: "2026-01-02T00:00:00Z" });
    await create(tag, "c", { priority: "urgent", dueAt: "2026-01-03T00:00:00Z" });
    await create(tag, "d", { priority: "high" });
    expect(await titles(`tag=${tag}&status=waiting`)).toEqual(["a"]);
    expect(await titles(`tag=${tag}&status=waiting,done`)).toEqual(["a", "b"]);
    expect(await titles(`tag=${tag}&priority=high,urgent&status=todo`)).toEqual(["c", "d"]);
    expect(await titles(`tag=${tag}&source=workflow&status=all`)).toEqual(["b"]);
    expect(await titles(`tag=${tag}&status=all&dueAfter=2026-01-02T00:00:00Z`)).toEqual(["b", "c"]);
    expect(await titles(`tag=${tag}&dueBefore=2026-01-02T00:00:00Z`)).toEqual(["a"]);
    expect(
      await titles(`tag=${tag.toUpperCase()}&dueAfter=2026-01-02T00:00:00Z&dueBefore=2026-01-03T00:00:00Z&status=all`),
    ).toEqual(["b"]);
  });

  it("takes a value that is named again and again as named once", async () => {
    await create("repeated", "one", { status: "waiting" });
    const status = Array.from({ length: 120 }, (_, n) => (n % 2 ? "todo" : "waiting")).join(",");
    expect(await titles(`tag=repeated&status=${status}`)).toEqual(["one"]);
  });

  it("by due time reads only the page, however many tasks are due earlier or never", async () => {
    const start = Date.UTC(2041, 0, 1);
    const rows = Array.from({ length: 300 }, (_, n) => (n < 200 ? start + n : null));
    await env.DB.prepare(
      `INSERT INTO tasks (title, description, status, priority, due_at, tags, source, version, created_at, updated_at)
      SELECT 'cost ' || key, '', 'todo', 'medium', value, '[]', 'manual', 1, 0, 0 FROM json_each(?)`,
    )
      .bind(JSON.stringify(rows))
      .run();
    const measured = measureRows(env.DB);
    const after = new Date(start + 195).toISOString();
    const { body } = await service({ DB: measured.db }).get(`/api/tasks?limit=20&dueAfter=${after}`);
    expect(body.data.map((task: { title: string }) => task.title)).toEqual(
      [195, 196, 197, 198, 199].map((n) => `cost ${n}`),
    );
    expect(Math.max(...measured.taken())).toBeLessThan(50);
    await env.DB.prepare("DELETE FROM tasks WHERE title LIKE 'cost %'").run();
  });

  it("knows what is overdue: open, and past its time", async () => {
    const tag = "late";
    const past = new Date(Date.now() - 60_000).toISOString();
    const future = new Date(Date.now() + 60_000).toISOString();
    await create(tag, "late", { dueAt: past });
    await create(tag, "late but done", { dueAt: past, status: "done" });
    await create(tag, "in time", { dueAt: future });
    await create(tag, "no hurry");
    expect(await titles(`tag=${tag}&overdue=true`)).toEqual(["late"]);
    expect(await titles(`tag=${tag}&overdue=false`)).toEqual(["in time", "no hurry"]);
    expect(await titles(`tag=${tag}&overdue=false&status=all`)).toEqual(["late but done", "in time", "no hurry"]);
  });

  it("is searched by the words of title and description, also after a change", async () => {
    const id = await create("words", "Buy marmalade", { description: "The bitter kind from Dundee" });
    expect(await titles("q=marmal")).toEqual(["Buy marmalade"]);
    expect(await titles("q=dundee+bitter")).toEqual(["Buy marmalade"]);
    await api.patch(`/api/tasks/${id}`, { title: "Buy honey" });
    expect(await titles("q=marmalade")).toEqual([]);
    expect(await titles("q=honey&sort=priority")).toEqual(["Buy honey"]);
    await api.delete(`/api/tasks/${id}`);
    expect(await titles("q=honey")).toEqual([]);
    for (const text of ['"', "NOT", "a*b(", "***"]) {
      expect((await api.get(`/api/tasks?q=${encodeURIComponent(text)}`)).status).toBe(200);
    }
  });

  it("follows a task's tags", async () => {
    const id = await create("before", "tagged");
    await api.patch(`/api/tasks/${id}`, { tags: ["after"] });
    expect(await titles("tag=before")).toEqual([]);
    expect(await titles("tag=AFTER")).toEqual(["tagged"]);
  });

  it("refuses what it does not know, and cursors of another order", async () => {
    for (const query of [
      "status=closed",
      "status=",
      "sort=title",
      "limit=0",
      "overdue=maybe",
      "emailId=x",
      "dueBefore=x",
    ]) {
      expectProblem(await api.get(`/api/tasks?${query}`), 422, "validation_failed");
    }
    await create("cursor", "one");
    await create("cursor", "two");
    const { body } = await api.get("/api/tasks?tag=cursor&limit=1");
    expectProblem(await api.get(`/api/tasks?sort=priority&cursor=${body.nextCursor}`), 422, "invalid_cursor");
  });
});
