import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { measureRows } from "../measured.ts";

const api = service();

type Fields = Record<string, unknown>;
const create = async (title: string, fields: Fields = {}) => (await api.post("/api/tasks", { title, ...fields })).body;
const read = async (id: number) => (await api.get(`/api/tasks/${id}`)).body;
const newList = async (name: string) => (await api.post("/api/tasks/lists", { name })).body;
const titles = async (query: string): Promise<string[]> =>
  (await api.get(`/api/tasks?${query}`)).body.data.map((task: { title: string }) => task.title);

describe("a due date without a time", () => {
  it("is shown as a day, and no due time is", async () => {
    expect(await create("a day", { dueDate: "2031-05-06" })).toMatchObject({ dueDate: "2031-05-06", dueAt: null });
    expect(await create("a date in dueAt", { dueAt: "2031-05-06" })).toMatchObject({
      dueDate: "2031-05-06",
      dueAt: null,
    });
    const timed = await create("a time", { dueAt: "2031-05-06T10:00:00Z" });
    expect(timed).toMatchObject({ dueDate: null, dueAt: "2031-05-06T10:00:00.000Z" });
    const { body: changed } = await api.patch(`/api/tasks/${timed.id}`, { dueDate: "2031-05-07" });
    expect(changed).toMatchObject({ dueDate: "2031-05-07", dueAt: null });
    const { body: back } = await api.patch(`/api/tasks/${timed.id}`, { dueAt: "2031-05-06T10:00:00Z" });
    expect(back).toMatchObject({ dueDate: null, dueAt: "2031-05-06T10:00:00.000Z" });
    expect((await api.patch(`/api/tasks/${timed.id}`, { dueDate: null })).body).toMatchObject({
      dueDate: null,
      dueAt: null,
    });
  });

  it("comes from plain words that name only a day", async () => {
    const day = await create("words", { dueText: "2031-05-06", timeZone: "America/New_York" });
    expect(day).toMatchObject({ dueDate: "2031-05-06", dueAt: null });
    const timed = await create("words", { dueText: "2031-05-06 at 5pm", timeZone: "America/New_York" });
    expect(timed).toMatchObject({ dueDate: null, dueAt: "2031-05-06T21:00:00.000Z" });
  });

  it("is overdue when the day is over in the person's time zone, not before", async () => {
    const tag = "by-zone";
    const at = new Date();
    const dayIn = (timeZone: string) => new Intl.DateTimeFormat("en-CA", { timeZone }).format(at);
    // At any moment it is a later day in Kiritimati than in Niue.
    await create("still today", { dueDate: dayIn("Pacific/Kiritimati"), timeZone: "Pacific/Kiritimati", tags: [tag] });
    await create("today in Niue", { dueDate: dayIn("Pacific/Niue"), timeZone: "Pacific/Niue", tags: [tag] });
    await create("over in Kiritimati", { dueDate: dayIn("Pacific/Niue"), timeZone: "Pacific/Kiritimati", tags: [tag] });
    expect(await titles(`tag=${tag}&overdue=true`)).toEqual(["over in Kiritimati"]);
  });

  it("is sent back with the record, and refused beside another", async () => {
    const task = await create("sent back", { dueDate: "2031-05-06" });
    const { status, body } = await api.patch(`/api/tasks/${task.id}`, { ...task, title: "renamed" });
    expect([status, body.title, body.dueDate]).toEqual([200, "renamed", "2031-05-06"]);
    for (const fields of [
      { dueDate: "2031-05-06", dueAt: "2031-05-06T10:00:00Z" },
      { dueDate: "2031-05-06", dueText: "friday" },
      { dueDate: "2031-02-30" },
      { dueDate: "3031-01-01" },
    ]) {
      expectProblem(await api.post("/api/tasks", { title: "x", ...fields }), 422, "validation_failed");
    }
  });
});

describe("the list of tasks", () => {
  it("has open tasks unless status says otherwise", async () => {
    const tag = "open-only";
    for (const status of ["todo", "in_progress", "waiting", "done", "cancelled"]) {
      await create(status, { status, tags: [tag], dueAt: "2031-01-01T00:00:00Z" });
    }
    const open = ["todo", "in_progress", "waiting"];
    expect(await titles(`tag=${tag}`)).toEqual(open);
    expect(await titles(`tag=${tag}&status=open`)).toEqual(open);
    expect(await titles(`tag=${tag}&status=open,done`)).toEqual([...open, "done"]);
    expect(await titles(`tag=${tag}&status=all`)).toHaveLength(5);
    const listed = await titles("limit=100&dueAfter=2031-01-01T00:00:00Z&dueBefore=2031-01-01T00:00:01Z");
    expect(listed).toEqual(open);
  });
});

describe("lists of tasks", () => {
  it("can be created, renamed, archived and found by their tasks", async () => {
    const garden = await newList("Garden");
    expect(garden).toMatchObject({ name: "Garden", color: "gray", openTasks: 0, totalTasks: 0, version: 1 });
    expectProblem(await api.post("/api/tasks/lists", { name: " GARDEN " }), 409, "list_exists");
    await create("Rake", { listId: garden.id });
    await create("Mow", { listId: garden.id, status: "done" });
    await create("Elsewhere", { tags: ["elsewhere"] });
    expect(await titles(`listId=${garden.id}`)).toEqual(["Rake"]);
    expect(await titles(`listId=${garden.id}&status=all&sort=created`)).toEqual(["Mow", "Rake"]);
    expect(await titles("listId=none&tag=elsewhere")).toEqual(["Elsewhere"]);
    const { body } = await api.get(`/api/tasks/lists/${garden.id}`);
    expect(body).toMatchObject({ openTasks: 1, totalTasks: 2 });
    const headers = { "if-match": '"7"' };
    expectProblem(
      await api.patch(`/api/tasks/lists/${garden.id}`, { name: "Yard" }, { headers }),
      412,
      "version_conflict",
    );
    const archived = (await api.patch(`/api/tasks/lists/${garden.id}`, { name: "Yard", archived: true })).body;
    expect(archived).toMatchObject({ name: "Yard", archivedAt: expect.any(String), version: 2 });
    const names = async (query: string) =>
      (await api.get(`/api/tasks/lists?${query}`)).body.data.map((list: { name: string }) => list.name);
    expect(await names("")).not.toContain("Yard");
    expect(await names("archived=true")).toContain("Yard");
    expect(await names("archived=all")).toContain("Yard");
  });

  it("are refused where they do not exist, and nothing is written", async () => {
    expectProblem(await api.post("/api/tasks", { title: "lost", listId: 999_999 }), 422, "validation_failed");
    expect(await titles("q=lost")).toEqual([]);
    const task = await create("stays");
    expectProblem(await api.patch(`/api/tasks/${task.id}`, { listId: 999_999 }), 422, "validation_failed");
    expect(await read(task.id)).toMatchObject({ listId: null, version: 1 });
  });

  it("keep, move or delete their tasks when they are deleted, as the request says", async () => {
    const [kept, moved, deleted, target] = await Promise.all(
      ["K", "M", "D", "T"].map((name) => newList(`deletion ${name}`)),
    );
    const keptTask = await create("kept", { listId: kept.id });
    const child = await create("kept child", { parentId: keptTask.id });
    const movedTask = await create("moved", { listId: moved.id, status: "done" });
    const deletedTask = await create("deleted", { listId: deleted.id });
    expectProblem(await api.delete(`/api/tasks/lists/${moved.id}?tasks=move`), 422, "validation_failed");
    expectProblem(await api.delete(`/api/tasks/lists/${moved.id}?tasks=move&moveTo=999999`), 422, "validation_failed");
    expect((await api.delete(`/api/tasks/lists/${kept.id}`)).status).toBe(204);
    expect((await api.delete(`/api/tasks/lists/${moved.id}?tasks=move&moveTo=${target.id}`)).status).toBe(204);
    expect((await api.delete(`/api/tasks/lists/${deleted.id}?tasks=delete`)).status).toBe(204);
    expectProblem(await api.delete(`/api/tasks/lists/${deleted.id}`), 404, "not_found");
    expect(await read(keptTask.id)).toMatchObject({ listId: null, title: "kept" });
    expect(await read(child.id)).toMatchObject({ listId: null, parentId: keptTask.id });
    expect(await read(movedTask.id)).toMatchObject({ listId: target.id });
    expectProblem(await api.get(`/api/tasks/${deletedTask.id}`), 404, "not_found");
    expect((await api.get(`/api/tasks/lists/${target.id}`)).body).toMatchObject({ openTasks: 0, totalTasks: 1 });
  });

  it("are put in an order by one write", async () => {
    const [a, b, c] = await Promise.all(["order a", "order b", "order c"].map(newList));
    const order = async () => {
      const { data } = (await api.get("/api/tasks/lists?limit=100")).body;
      return data.map((list: { name: string }) => list.name).filter((name: string) => name.startsWith("order "));
    };
    for (let round = 0; round < 60; round += 1) {
      // Between the same two, until their numbers have no room left.
      const [low, mid] = round % 2 === 0 ? [b, c] : [c, b];
      await api.patch(`/api/tasks/lists/${mid.id}`, { position: { after: a.id } });
      expect((await order()).slice(-3)).toEqual(["order a", mid.name, low.name]);
    }
    await api.patch(`/api/tasks/lists/${a.id}`, { position: "last" });
    expect((await order()).at(-1)).toBe("order a");
    await api.patch(`/api/tasks/lists/${a.id}`, { position: { before: b.id } });
    expect((await order()).indexOf("order a")).toBe((await order()).indexOf("order b") - 1);
  });
});

describe("the order of tasks by hand", () => {
  const order = (listId: number) => titles(`listId=${listId}&sort=position`);

  it("is that of creation, until one is moved, and a move changes one row", async () => {
    const { id: listId } = await newList("by hand");
    const [a, b, c] = [await create("a", { listId }), await create("b", { listId }), await create("c", { listId })];
    expect(await order(listId)).toEqual(["a", "b", "c"]);
    const versions = async () => Promise.all([a, b].map(async ({ id }) => (await read(id)).version));
    await api.patch(`/api/tasks/${c.id}`, { position: "first" });
    expect(await order(listId)).toEqual(["c", "a", "b"]);
    await api.patch(`/api/tasks/${c.id}`, { position: { after: a.id } });
    expect(await order(listId)).toEqual(["a", "c", "b"]);
    expect(await versions()).toEqual([1, 1]);
    await create("d", { listId });
    await api.patch(`/api/tasks/${a.id}`, { position: "last" });
    await create("e", { listId });
    expect(await order(listId)).toEqual(["c", "b", "d", "a", "e"]);
    await create("f", { listId, position: { before: b.id } });
    expect(await order(listId)).toEqual(["c", "f", "b", "d", "a", "e"]);
    const first = (await api.get(`/api/tasks?listId=${listId}&sort=position&limit=4`)).body;
    const rest = (await api.get(`/api/tasks?listId=${listId}&sort=position&limit=4&cursor=${first.nextCursor}`)).body;
    expect([...first.data, ...rest.data].map(({ title }) => title)).toEqual(["c", "f", "b", "d", "a", "e"]);
  });

  it("has room for any number of moves to the same place", async () => {
    const { id: listId } = await newList("crowded");
    const [top, x, y] = [await create("top", { listId }), await create("x", { listId }), await create("y", { listId })];
    for (let round = 0; round < 60; round += 1) {
      const [moved, other] = round % 2 === 0 ? [y, x] : [x, y];
      const { status } = await api.patch(`/api/tasks/${moved.id}`, { position: { after: top.id } });
      expect(status).toBe(200);
      if (round % 10 === 9) expect(await order(listId)).toEqual(["top", moved.title, other.title]);
    }
    for (let round = 0; round < 60; round += 1) {
      const { status } = await api.patch(`/api/tasks/${round % 2 === 0 ? x.id : y.id}`, { position: "last" });
      expect(status).toBe(200);
    }
    expect(await order(listId)).toEqual(["top", "x", "y"]);
    await create("newest", { listId });
    expect(await order(listId)).toEqual(["top", "x", "y", "newest"]);
  });

  it("refuses a neighbour of another list, and filters that no index has", async () => {
    const { id: listId } = await newList("neighbours");
    const here = await create("here", { listId });
    const there = await create("there");
    expectProblem(
      await api.patch(`/api/tasks/${here.id}`, { position: { after: there.id } }),
      422,
      "validation_failed",
    );
    expectProblem(await api.patch(`/api/tasks/${here.id}`, { position: { after: here.id } }), 422, "validation_failed");
    expectProblem(await api.patch("/api/tasks/999999", { position: { after: here.id } }), 404, "not_found");
    for (const query of ["tag=x", "q=x", "status=all", "status=todo", "overdue=true"]) {
      expectProblem(await api.get(`/api/tasks?sort=position&${query}`), 422, "validation_failed");
    }
    // To another list and to a place in it, at once.
    const { body } = await api.patch(`/api/tasks/${there.id}`, { listId, position: { before: here.id } });
    expect(body).toMatchObject({ listId });
    expect(await order(listId)).toEqual(["there", "here"]);
  });

  it("reads a page of the list, however many tasks are done or in other lists", async () => {
    const { id: listId } = await newList("flat");
    await env.DB.prepare(
      `INSERT INTO tasks (title, description, status, priority, tags, source, list_id, version, created_at, updated_at)
      SELECT 'bulk', '', iif(value % 3 = 0, 'todo', 'done'), 'medium', '[]', 'manual', ${listId}, 1, 0, 0
      FROM json_each(?)`,
    )
      .bind(JSON.stringify(Array.from({ length: 900 }, (_, n) => n)))
      .run();
    const measured = measureRows(env.DB);
    const flat = service({ DB: measured.db });
    for (const query of [`listId=${listId}&sort=position`, `listId=${listId}`, `listId=${listId}&sort=priority`]) {
      measured.taken();
      expect((await flat.get(`/api/tasks?${query}&limit=20`)).body.data).toHaveLength(20);
      expect(Math.max(...measured.taken()), query).toBeLessThan(70);
    }
    await env.DB.prepare("DELETE FROM tasks WHERE title = 'bulk'").run();
  });
});

describe("subtasks", () => {
  it("count towards the progress of their parent and are in its list", async () => {
    const { id: listId } = await newList("with subtasks");
    const parent = await create("Move house", { listId });
    const [one, two, three] = [
      await create("Pack", { parentId: parent.id, listId: null }),
      await create("Carry", { parentId: parent.id }),
      await create("Unpack", { parentId: parent.id, status: "cancelled" }),
    ];
    expect(two).toMatchObject({ parentId: parent.id, listId });
    expect((await read(parent.id)).subtasks).toEqual({ done: 0, total: 2 });
    await api.patch(`/api/tasks/${one.id}`, { status: "done" });
    await api.patch(`/api/tasks/${three.id}`, { status: "todo" });
    expect((await read(parent.id)).subtasks).toEqual({ done: 1, total: 3 });
    expect(await titles(`parentId=${parent.id}&sort=position`)).toEqual(["Carry", "Unpack"]);
    expect(await titles(`listId=${listId}&parentId=none`)).toEqual(["Move house"]);
    await api.patch(`/api/tasks/${two.id}`, { parentId: null });
    expect((await read(parent.id)).subtasks).toEqual({ done: 1, total: 2 });
    await api.patch(`/api/tasks/${parent.id}`, { listId: null });
    expect((await read(one.id)).listId).toBeNull();
    expect((await api.get(`/api/tasks/lists/${listId}`)).body).toMatchObject({ openTasks: 1, totalTasks: 1 });
  });

  it("are closed with their parent, and deleted with it", async () => {
    const parent = await create("Party");
    const done = await create("Invite", { parentId: parent.id, status: "done" });
    const open = await create("Bake", { parentId: parent.id });
    const { body } = await api.patch(`/api/tasks/${parent.id}`, { status: "done" });
    expect(await read(open.id)).toMatchObject({ status: "done", completedAt: body.completedAt, version: 2 });
    expect(await read(done.id)).toMatchObject({ version: 1 });
    expect(await read(parent.id)).toMatchObject({ subtasks: { done: 2, total: 2 }, version: 2 });
    await api.delete(`/api/tasks/${parent.id}`);
    for (const { id } of [done, open]) expectProblem(await api.get(`/api/tasks/${id}`), 404, "not_found");
    expect(await titles("q=bake&status=all")).toEqual([]);
  });

  it("are told apart by a cached copy of their parent, which stays writable", async () => {
    const parent = await create("Cached");
    const child = await create("Part", { parentId: parent.id });
    const first = await api.get(`/api/tasks/${parent.id}`);
    const tag = first.headers.get("etag") ?? "";
    const again = () => api.get(`/api/tasks/${parent.id}`, { headers: { "if-none-match": tag } });
    expect((await again()).status).toBe(304);
    await api.patch(`/api/tasks/${child.id}`, { status: "done" });
    expect((await again()).body.subtasks).toEqual({ done: 1, total: 1 });
    const { status } = await api.patch(`/api/tasks/${parent.id}`, { title: "Kept" }, { headers: { "if-match": tag } });
    expect(status).toBe(200);
    const late = await api.patch(`/api/tasks/${parent.id}`, { title: "Lost" }, { headers: { "if-match": tag } });
    expectProblem(late, 412, "version_conflict");
  });

  it("have one level, and a parent that exists", async () => {
    const parent = await create("Top");
    const child = await create("Child", { parentId: parent.id });
    const other = await create("Other");
    expectProblem(await api.post("/api/tasks", { title: "x", parentId: child.id }), 422, "validation_failed");
    expectProblem(await api.post("/api/tasks", { title: "x", parentId: 999_999 }), 422, "validation_failed");
    expectProblem(await api.patch(`/api/tasks/${parent.id}`, { parentId: other.id }), 422, "validation_failed");
    expectProblem(await api.patch(`/api/tasks/${parent.id}`, { parentId: parent.id }), 422, "validation_failed");
    const list = await newList("another list");
    expectProblem(await api.patch(`/api/tasks/${child.id}`, { listId: list.id }), 422, "validation_failed");
    expect((await api.patch(`/api/tasks/${child.id}`, { listId: list.id, parentId: null })).body.listId).toBe(list.id);
  });

  it("never get two levels by requests at the same time", async () => {
    const [a, b] = [await create("A"), await create("B")];
    await Promise.all([
      api.patch(`/api/tasks/${a.id}`, { parentId: b.id }),
      api.patch(`/api/tasks/${b.id}`, { parentId: a.id }),
    ]);
    const parents = [(await read(a.id)).parentId, (await read(b.id)).parentId];
    expect(parents.filter((parent) => parent !== null)).toHaveLength(1);
  });
});
