import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { rarely } from "../sampled.ts";

const api = service();

type Fields = Record<string, unknown>;
const create = async (title: string, fields: Fields = {}) => (await api.post("/api/tasks", { title, ...fields })).body;
const read = async (id: number) => (await api.get(`/api/tasks/${id}`)).body;
const unversioned = ({ version, updatedAt, ...task }: Fields) => task;

describe("a change of several tasks", () => {
  it("changes all of them, names the missing, and can be undone", async () => {
    const list = (await api.post("/api/tasks/lists", { name: "bulk" })).body;
    const [a, b] = [await create("a", { tags: ["x", "y"], dueAt: "2031-01-01T10:00:00Z" }), await create("b")];
    const fields = {
      priority: "urgent",
      status: "waiting",
      listId: list.id,
      dueDate: "2031-02-02",
      addTags: ["z"],
      removeTags: ["x"],
    };
    const { body } = await api.patch("/api/tasks", { ids: [a.id, b.id, 999_999, a.id], ...fields });
    expect(body).toMatchObject({ updated: 2, missing: [999_999], undo: { id: expect.any(String) } });
    const common = {
      priority: "urgent",
      status: "waiting",
      listId: list.id,
      dueDate: "2031-02-02",
      dueAt: null,
      version: 2,
    };
    expect(await read(a.id)).toMatchObject({ ...common, tags: ["y", "z"] });
    expect(await read(b.id)).toMatchObject({ ...common, tags: ["z"] });
    expect((await api.get(`/api/tasks?listId=${list.id}`)).body.data).toHaveLength(2);
    const undone = await api.post("/api/tasks/undo", { id: body.undo.id });
    expect(undone.body).toEqual({ restored: 2, changed: [] });
    expect(unversioned(await read(a.id))).toEqual(unversioned(a));
    expect(unversioned(await read(b.id))).toEqual(unversioned(b));
    expect((await api.get(`/api/tasks/lists/${list.id}`)).body).toMatchObject({ openTasks: 0, totalTasks: 0 });
    expectProblem(await api.post("/api/tasks/undo", { id: body.undo.id }), 409, "undo_expired");
  });

  it("finds its tasks by a filter, and refuses one that matches too many", async () => {
    for (const title of ["one", "two"]) await create(title, { tags: ["filtered"] });
    const done = await create("done", { tags: ["filtered"], status: "done" });
    const { body } = await api.patch("/api/tasks", { filter: { tag: "filtered" }, priority: "low" });
    expect(body.updated).toBe(2);
    expect((await read(done.id)).priority).toBe("medium");
    const none = (await api.patch("/api/tasks", { filter: { tag: "nobody-has-it" }, priority: "low" })).body;
    expect(none).toEqual({ updated: 0, missing: [], undo: null });
  });

  it("leaves alone at the undo what was changed since", async () => {
    const [a, b] = [await create("a"), await create("b")];
    const { body } = await api.patch("/api/tasks", { ids: [a.id, b.id], status: "done" });
    await api.patch(`/api/tasks/${b.id}`, { title: "b, changed" });
    expect((await api.post("/api/tasks/undo", { id: body.undo.id })).body).toEqual({ restored: 1, changed: [b.id] });
    expect(await read(a.id)).toMatchObject({ status: "todo", completedAt: null });
    expect(await read(b.id)).toMatchObject({ status: "done" });
  });

  it("completes tasks that repeat and tasks with subtasks, and takes all of it back", async () => {
    const parent = await create("parent", { tags: ["all-done"] });
    const child = await create("child", { parentId: parent.id });
    const repeating = await create("repeating", { tags: ["all-done"], dueDate: "2031-01-01", rrule: "FREQ=DAILY" });
    const open = async () =>
      (await api.get("/api/tasks?tag=all-done")).body.data.map((task: Fields) => [task.id, task.dueDate]);
    const before = await open();
    const { body } = await api.patch("/api/tasks", { filter: { tag: "all-done" }, status: "done" });
    expect(body).toMatchObject({ updated: 2, missing: [] });
    expect(await open()).toEqual([[expect.any(Number), "2031-01-02"]]);
    expect((await read(child.id)).status).toBe("done");
    expect((await read(repeating.id)).status).toBe("done");
    expect((await api.post("/api/tasks/undo", { id: body.undo.id })).body).toEqual({ restored: 3, changed: [] });
    expect(await open()).toEqual(before);
    expect(await read(child.id)).toMatchObject({ status: "todo" });
    expect(await read(parent.id)).toMatchObject({ subtasks: { done: 0, total: 1 } });
    // The rule is back, too.
    await api.patch(`/api/tasks/${repeating.id}`, { status: "done" });
    expect(await open()).toContainEqual([expect.any(Number), "2031-01-02"]);
  });

  it("makes one next of a task that repeats, beside others that complete it", async () => {
    const task = await create("contested", { tags: ["contested"], dueDate: "2031-01-01", rrule: "FREQ=DAILY" });
    const other = await create("other", { tags: ["contested"] });
    const ids = [task.id, other.id];
    const answers = await Promise.all([
      api.patch("/api/tasks", { ids, status: "done" }),
      api.patch(`/api/tasks/${task.id}`, { status: "done" }),
      api.patch("/api/tasks", { ids, status: "done" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await api.get("/api/tasks?tag=contested")).body.data).toMatchObject([{ dueDate: "2031-01-02" }]);
  });

  it("changes nothing if one of them cannot be changed", async () => {
    const tags = Array.from({ length: 20 }, (_, n) => `t${n}`);
    const [full, free] = [await create("full", { tags }), await create("free")];
    const ids = [full.id, free.id];
    expectProblem(await api.patch("/api/tasks", { ids, addTags: ["more"] }), 422, "validation_failed");
    expectProblem(await api.patch("/api/tasks", { ids, listId: 999_999, priority: "low" }), 422, "validation_failed");
    expect(await read(free.id)).toMatchObject({ tags: [], version: 1, priority: "medium" });
    const list = (await api.post("/api/tasks/lists", { name: "not for subtasks" })).body;
    const child = await create("child", { parentId: full.id });
    expectProblem(await api.patch("/api/tasks", { ids: [child.id], listId: list.id }), 422, "validation_failed");
    const both = await api.patch("/api/tasks", { ids: [full.id, child.id], listId: list.id });
    expect(both.body.updated).toBe(2);
  });

  it("needs ids or a filter, and a change", async () => {
    for (const body of [
      { priority: "low" },
      { ids: [1], filter: {}, priority: "low" },
      { ids: [], priority: "low" },
      { ids: [1], addTags: ["a"], removeTags: ["a"] },
      { ids: [1], title: "x" },
    ]) {
      expectProblem(await api.patch("/api/tasks", body), 422, "validation_failed");
    }
    expectProblem(await api.patch("/api/tasks", { ids: [1] }), 422, "nothing_to_update");
    expectProblem(await api.post("/api/tasks/undo", { id: "unknown" }), 409, "undo_expired");
  });
});

describe("deleting several tasks", () => {
  const remove = async (...ids: number[]) => (await api.post("/api/tasks/delete", { ids })).body;
  const undo = async ({ undo }: { undo: { id: string } }) => (await api.post("/api/tasks/undo", { id: undo.id })).body;
  const searched = async (q: string) =>
    (await api.get(`/api/tasks?status=all&q=${q}`)).body.data.map(({ id }: Fields) => id);

  it("deletes all of them with their subtasks, and brings them back as they were", async () => {
    const list = (await api.post("/api/tasks/lists", { name: "short-lived" })).body;
    const fields = { tags: ["x"], description: "words", listId: list.id, priority: "high", estimateMinutes: 15 };
    const reminders = [{ minutesBefore: 30 }];
    const parent = await create("heliotrope", { ...fields, dueAt: "2031-01-01T10:00:00Z", reminders });
    const child = await create("its child", { parentId: parent.id });
    const done = await create("its done child", { parentId: parent.id, status: "done" });
    const repeating = await create("each day", { dueDate: "2031-01-01", rrule: "FREQ=DAILY" });
    const before = [parent, child, done, repeating].map(({ id }) => id);
    const records = await Promise.all(before.map(read));
    const stats = (await api.get("/api/tasks/lists")).body;

    const deleted = await remove(parent.id, child.id, repeating.id, 999_999);
    expect(deleted).toMatchObject({ deleted: 3, missing: [999_999], undo: { id: expect.any(String) } });
    for (const id of before) expectProblem(await api.get(`/api/tasks/${id}`), 404, "not_found");
    expect(await searched("heliotrope")).toEqual([]);
    expect((await api.get(`/api/tasks/lists/${list.id}`)).body).toMatchObject({ openTasks: 0, totalTasks: 0 });

    expect(await undo(deleted)).toEqual({ restored: 4, changed: [] });
    expect((await Promise.all(before.map(read))).map(unversioned)).toEqual(records.map(unversioned));
    expect((await read(parent.id)).version).toBeGreaterThan(parent.version);
    expect(await searched("heliotrope")).toEqual([parent.id]);
    expect((await api.get("/api/tasks/lists")).body).toEqual(stats);
    // It still repeats.
    await api.patch(`/api/tasks/${repeating.id}`, { status: "done" });
    expect(await searched("each")).toHaveLength(2);
    expectProblem(await api.post("/api/tasks/undo", { id: deleted.undo.id }), 409, "undo_expired");
  });

  it("by several at once deletes and restores each task once", async () => {
    const ids = [(await create("raced one")).id, (await create("raced two")).id];
    const deletions = await Promise.all(Array.from({ length: 5 }, () => remove(...ids)));
    expect(deletions.map(({ deleted }) => deleted).sort()).toEqual([0, 0, 0, 0, 2]);
    const { undo: kept } = deletions.find(({ deleted }) => deleted === 2);
    const undos = await Promise.all(Array.from({ length: 5 }, () => api.post("/api/tasks/undo", { id: kept.id })));
    expect(undos.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    for (const id of ids) expect(await read(id)).toMatchObject({ id, status: "todo" });
  });

  it("brings a task back without what is gone by then, and no subtask without its parent", async () => {
    const list = (await api.post("/api/tasks/lists", { name: "gone by then" })).body;
    const event = (
      await api.post("/api/calendar/events", {
        title: "gone",
        startAt: "2031-03-03T10:00:00Z",
        endAt: "2031-03-03T11:00:00Z",
      })
    ).body;
    const task = await create("survives", { listId: list.id, eventId: event.id });
    const parent = await create("parent");
    const child = await create("child", { parentId: parent.id });
    const deleted = await remove(task.id, child.id);
    await api.delete(`/api/tasks/lists/${list.id}`);
    await api.delete(`/api/calendar/events/${event.id}`);
    await api.delete(`/api/tasks/${parent.id}`);
    expect(await undo(deleted)).toEqual({ restored: 1, changed: [child.id] });
    expect(await read(task.id)).toMatchObject({ title: "survives", listId: null, eventId: null });
  });

  rarely("keeps more than fits into one row, and answers a repeated request with the same undo", async () => {
    const description = "é".repeat(50_000);
    const ids: number[] = [];
    for (let i = 0; i < 24; i += 1) ids.push((await create(`large ${i}`, { description })).id);
    const key = { headers: { "Idempotency-Key": crypto.randomUUID() } };
    const first = await api.post("/api/tasks/delete", { ids }, key);
    const again = await api.post("/api/tasks/delete", { ids }, key);
    expect(again.body).toEqual(first.body);
    expect(await undo(first.body)).toEqual({ restored: 24, changed: [] });
    for (const id of ids) expect((await read(id)).description).toBe(description);
    expect(await remove(999_998)).toEqual({ deleted: 0, missing: [999_998], undo: null });
  });
});
