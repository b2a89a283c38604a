import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";

const api = service();
const quick = (text: string, fields = {}) =>
  api.post("/api/tasks/quick", { text, timeZone: "Europe/Berlin", ...fields });

describe("quick add", () => {
  it("shows what it understands, and creates nothing for a preview", async () => {
    const text = "Quickly call Ann on 2031-05-06 at 5pm #home p1 for 20 minutes";
    const { status, body } = await quick(text, { preview: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      understood: {
        title: "Quickly call Ann",
        dueAt: "2031-05-06T15:00:00.000Z",
        dueDate: null,
        tags: ["home"],
        priority: "urgent",
        estimateMinutes: 20,
      },
      note: null,
    });
    for (const span of body.spans) expect(text.slice(span.start, span.end)).toBe(span.text);
    expect((await api.get("/api/tasks?q=quickly&status=all")).body.data).toEqual([]);
  });

  it("leaves reminders to each person's defaults unless the text names one", async () => {
    expect((await quick("Pay the rent 2031-05-06 at 9")).body.task.reminders).toBeNull();
    const { body } = await quick("Pay the gas 2031-05-06 at 9 remind me an hour before");
    expect(body.task).toMatchObject({ title: "Pay the gas", reminders: [{ minutesBefore: 60 }] });
  });

  it("creates the task with all its parts, and the list if there is none", async () => {
    const { status, body } = await quick("Buy oat milk 2031-05-06 +Groceries every week p3 15m #food");
    expect(status).toBe(201);
    const { task, understood } = body;
    expect(task).toMatchObject({
      title: "Buy oat milk",
      dueDate: "2031-05-06",
      dueAt: null,
      rrule: "FREQ=WEEKLY",
      priority: "medium",
      tags: ["food"],
      estimateMinutes: 15,
    });
    expect(understood.list).toEqual({ id: null, name: "Groceries" });
    const list = (await api.get(`/api/tasks/lists/${task.listId}`)).body;
    expect(list).toMatchObject({ name: "Groceries", openTasks: 1 });
    const again = (await quick("Buy bread to the groceries list")).body;
    expect(again.task).toMatchObject({ title: "Buy bread", listId: list.id });
    expect(again.understood.list).toEqual({ id: list.id, name: "Groceries" });
  });

  it("makes one list, however many lines name it at once", async () => {
    const answers = await Promise.all(["one", "two", "three"].map((word) => quick(`${word} +Contested`)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.task.listId)).size).toBe(1);
  });

  it("needs something to do, and keeps what it cannot read in the title", async () => {
    expectProblem(await quick("tomorrow 5pm #home"), 422, "validation_failed");
    expectProblem(await quick(" "), 422, "validation_failed");
    const { body } = await quick("Pay on Feb 30");
    expect(body.task).toMatchObject({ title: "Pay on Feb 30", dueAt: null, dueDate: null });
    expect(body.note).toMatch(/30 February/);
    expectProblem(
      await quick(`x ${Array.from({ length: 25 }, (_, n) => `#t${n}`).join(" ")}`),
      422,
      "validation_failed",
    );
  });

  it("is repeated once for the same key", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const body = { text: "Once only +Keyed" };
    const first = await api.post("/api/tasks/quick", body, { headers });
    const second = await api.post("/api/tasks/quick", body, { headers });
    expect(second.body.task.id).toBe(first.body.task.id);
    expect((await api.get("/api/tasks?q=once+only")).body.data).toHaveLength(1);
  });
});
