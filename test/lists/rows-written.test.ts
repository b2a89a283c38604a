import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { type Answer, emptyService, service } from "../harness.ts";
import { measurePrice } from "../measured.ts";

const measured = measurePrice(env.DB);
const api = service({ DB: measured.db, ACCESS_MODE: "private" });
let token = "";

const DUE = "2031-03-04T10:00:00Z";
const TASK = { title: "Send the signed contract", description: "The March version, with the annex." };
const newTask = async (fields = {}) => (await api.post("/api/tasks", { ...TASK, ...fields }, { token })).body.id;
const taskWith = (fields: object) => async () => api.post("/api/tasks", { ...TASK, ...fields }, { token });
const changed =
  (change: object, fields = {}) =>
  async () => {
    const id = await newTask(fields);
    measured.taken();
    return api.patch(`/api/tasks/${id}`, change, { token });
  };

/**
 * Rows written by a request, at most: of tables, indexes, search indexes, counts and the log of changes. D1 bills a row written like a
 * thousand rows read. Each request is sent to a service that is empty and to one that has such records.
 */
const MOST: [name: string, rows: number, request: () => Promise<Answer>][] = [
  ["POST /api/tasks", 7, taskWith({})],
  ["POST /api/tasks with a due date and a tag", 8, taskWith({ dueAt: DUE, tags: ["legal"] })],
  ["POST /api/tasks with ten tags", 8, taskWith({ dueAt: DUE, tags: [..."abcdefghij"] })],
  ["POST /api/tasks that is long overdue", 9, taskWith({ dueAt: "2020-03-04T10:00:00Z", tags: ["legal"] })],
  ["POST /api/tasks that is done", 8, taskWith({ dueAt: DUE, status: "done" })],
  [
    "POST /api/tasks of an email and an event",
    10,
    async () => {
      const email = { from: "ann@example.com", to: "me@example.com", subject: "Contract", body: "Please send it." };
      const { body: stored } = await api.post("/api/emails", email, { token });
      const { body: event } = await api.post("/api/calendar/events", { title: "Review", start: DUE }, { token });
      measured.taken();
      return taskWith({ dueAt: DUE, tags: ["legal"], emailId: stored.id, eventId: event.id })();
    },
  ],
  ["PATCH /api/tasks/{id}: title", 4, changed({ title: "Send it" }, { dueAt: DUE, tags: ["legal"] })],
  ["PATCH /api/tasks/{id}: priority", 4, changed({ priority: "high" }, { dueAt: DUE, tags: ["legal"] })],
  ["PATCH /api/tasks/{id}: tags", 4, changed({ tags: ["a", "b"] }, { dueAt: DUE, tags: ["legal"] })],
  ["PATCH /api/tasks/{id}: due date", 7, changed({ dueAt: "2032-01-01T00:00:00Z" }, { dueAt: DUE, tags: ["legal"] })],
  ["PATCH /api/tasks/{id}: done", 8, changed({ status: "done" }, { dueAt: DUE, tags: ["legal"] })],
  ["PATCH /api/tasks/{id}: nothing new", 2, changed({ title: TASK.title })],
  [
    "DELETE /api/tasks/{id}",
    6,
    async () => {
      const id = await newTask({ dueAt: DUE, tags: ["legal"] });
      measured.taken();
      return api.delete(`/api/tasks/${id}`, { token });
    },
  ],
];

describe("rows written", () => {
  beforeAll(async () => {
    await emptyService();
    ({ token } = await signedInPerson());
  });

  it.each(MOST)("%s: at most %d", async (_, most, request) => {
    for (let round = 0; round < 2; round++) {
      measured.taken();
      const { status } = await request();
      expect(status).toBeLessThan(300);
      expect(measured.taken().rowsWritten).toBeLessThanOrEqual(most);
    }
  });
});
