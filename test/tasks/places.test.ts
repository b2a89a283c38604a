import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { recount } from "../../src/db/recount.ts";
import { emptyService, expectProblem, service } from "../harness.ts";

const api = service();
const DUE = Date.UTC(2035, 4, 6, 7, 8, 9, 10);
/** Ids so far apart have the same place in a millisecond. */
const APART = 2 ** 18;
const FIRST = 7_000_000;

const insert = (id: number, due: number | null, title = `task ${id}`) =>
  env.DB.prepare(
    `INSERT INTO tasks (id, title, description, status, priority, due_at, tags, source, version, created_at, updated_at)
     VALUES (?, ?, '', 'todo', 'low', ?, '["placed"]', 'manual', 1, 0, 0)`,
  )
    .bind(id, title, due)
    .run();

async function pages(query: string): Promise<number[]> {
  const ids: number[] = [];
  let cursor = "";
  do {
    const { body } = await api.get(`/api/tasks?${query}&limit=2${cursor}`);
    ids.push(...body.data.map(({ id }: { id: number }) => id));
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : "";
  } while (cursor);
  return ids;
}

const run = async (sql: string) => (await env.DB.prepare(sql).all<Record<string, string | number | null>>()).results;

async function expectSound() {
  const { differences } = await recount(run);
  expect(differences.filter(({ table }) => table.startsWith("tasks"))).toEqual([]);
  const places = await run("SELECT count(*) AS tasks, count(DISTINCT place) AS places FROM tasks");
  expect(places[0]?.places).toBe(places[0]?.tasks);
}

describe("tasks due in the same millisecond whose ids are a multiple of 262,144 apart", () => {
  beforeAll(async () => {
    await emptyService();
    for (let n = 0; n < 5; n++) await insert(FIRST + n * APART, DUE);
    await insert(FIRST + 1, DUE);
    await insert(FIRST + 9, DUE - 1);
    await insert(FIRST + 10, DUE + 1);
    await insert(FIRST + 11, null);
  });

  it("are all stored, and every list gives each once", async () => {
    const lists = [
      "",
      "tag=placed",
      "status=todo",
      "q=task",
      "sort=priority",
      "tag=placed&sort=priority",
      "overdue=false",
    ];
    const all = await pages("sort=created");
    expect(all).toHaveLength(9);
    for (const list of lists) {
      const ids = await pages(list);
      expect(
        [...ids].sort((a, b) => b - a),
        list,
      ).toEqual(all);
      expect([ids[0], ids.at(-2), ids.at(-1)], list).toEqual([FIRST + 9, FIRST + 10, FIRST + 11]);
    }
    const during = `dueAfter=${new Date(DUE).toISOString()}&dueBefore=${new Date(DUE + 1).toISOString()}`;
    for (const list of [during, `${during}&tag=placed`, `${during}&sort=created`]) {
      expect(await pages(list), list).toHaveLength(6);
    }
    await expectSound();
  });

  it("can be changed, moved away and back, and deleted", async () => {
    const [one, other] = [FIRST + APART, FIRST + 2 * APART];
    expect((await api.patch(`/api/tasks/${one}`, { title: "renamed", priority: "high" })).status).toBe(200);
    expect(await pages("q=renamed")).toEqual([one]);
    expect((await api.patch(`/api/tasks/${other}`, { dueAt: null })).status).toBe(200);
    await expectSound();
    const dueAt = new Date(DUE).toISOString();
    expect((await api.patch(`/api/tasks/${other}`, { dueAt })).body.dueAt).toBe(dueAt);
    await expectSound();
    expect((await api.delete(`/api/tasks/${FIRST}`)).status).toBe(204);
    expect((await api.post("/api/tasks", { title: "later", tags: ["placed"], dueAt })).status).toBe(201);
    await expectSound();
    expect(await pages("tag=placed")).toHaveLength(9);
  });
});

describe("the first and the last due time", () => {
  it.each(["1970-01-01T00:00:00.000Z", "2999-12-31T23:59:59.999Z"])("%s is stored and found", async (dueAt) => {
    const tag = `edge-${dueAt.slice(0, 4)}`;
    await api.post("/api/tasks", { title: "undated", tags: [tag] });
    for (const title of ["one", "two"]) await api.post("/api/tasks", { title, tags: [tag], dueAt });
    for (const sort of ["due", "priority"]) {
      const { body } = await api.get(`/api/tasks?tag=${tag}&sort=${sort}`);
      expect(body.data.map(({ title }: { title: string }) => title)).toEqual(["one", "two", "undated"]);
    }
    expect((await api.get(`/api/tasks?tag=${tag}&dueAfter=${dueAt}`)).body.data).toHaveLength(2);
    expect((await api.get(`/api/tasks?tag=${tag}&dueAfter=9999-12-31T00:00:00Z`)).body.data).toEqual([]);
    expect((await api.get(`/api/tasks?tag=${tag}&dueBefore=9999-12-31T00:00:00Z`)).body.data).toHaveLength(2);
    expect((await api.get(`/api/tasks?tag=${tag}&dueBefore=1960-01-01T00:00:00Z`)).body.data).toEqual([]);
    await expectSound();
  });

  it.each(["1969-12-31T23:59:59.999Z", "3000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])(
    "%s is refused",
    async (dueAt) => {
      expectProblem(await api.post("/api/tasks", { title: "one", dueAt }), 422, "validation_failed");
    },
  );
});
