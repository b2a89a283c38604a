import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { type Answer, emptyService, service } from "../harness.ts";
import { measurePrice, type Price } from "../measured.ts";

/*
 * What requests cost that have more, or less, in them than those of calls.ts, whose prices are in prices.ts: rows of
 * tables, indexes, search indexes, counts and the log of changes. D1 bills a row written like a thousand rows read.
 */

const measured = measurePrice(env.DB);
const api = service({ DB: measured.db, ACCESS_MODE: "private" });
const HOUR = 3_600_000;
const DUE = "2031-03-04T10:00:00Z";
let token = "";

async function costOf(send: () => Promise<Answer>): Promise<Price & { body: Answer["body"] }> {
  measured.taken();
  const { status, body } = await send();
  expect(status).toBeLessThan(300);
  return { ...measured.taken(), body };
}

const post = (path: string, body: object) => costOf(() => api.post(path, body, { token }));
const patch = (path: string, body: object) => costOf(() => api.patch(path, body, { token }));
const remove = (path: string) => costOf(() => api.delete(path, { token }));

const TASK = { title: "Send the signed contract", description: "The March version, with the annex." };
const newTask = (fields = {}) => post("/api/tasks", { ...TASK, ...fields });
const changedTask = async (change: object, fields = { dueAt: DUE, tags: ["legal"] } as object) =>
  patch(`/api/tasks/${(await newTask(fields)).body.id}`, change);

const newEmail = (more: object = {}) =>
  post("/api/emails", {
    from: "Ann <ann@example.com>",
    to: "me@example.com",
    subject: "Lunch",
    body: "Could we meet tomorrow at noon?",
    tags: ["work"],
    ...more,
  });

let hour = 0;
const newEvent = (more: object = {}) => {
  hour += 2;
  return post("/api/calendar/events", {
    title: "Lunch",
    start: new Date(Date.UTC(2041, 0, 1) + hour * HOUR).toISOString(),
    ...more,
  });
};

/** Each is sent to a service that is nearly empty and to one that has such records. */
const MOST: [name: string, rows: number, request: () => Promise<Price>][] = [
  ["a task is created", 7, () => newTask()],
  ["a task with a due date and a tag is created", 8, () => newTask({ dueAt: DUE, tags: ["legal"] })],
  ["a task with ten tags is created", 8, () => newTask({ dueAt: DUE, tags: [..."abcdefghij"] })],
  ["a task that is long overdue is created", 9, () => newTask({ dueAt: "2020-03-04T10:00:00Z", tags: ["legal"] })],
  ["a task that is done is created", 8, () => newTask({ dueAt: DUE, status: "done" })],
  [
    "a task of an email and an event is created",
    10,
    async () => {
      const [email, event] = [await newEmail(), await newEvent({ start: DUE })];
      return newTask({ dueAt: DUE, tags: ["legal"], emailId: email.body.id, eventId: event.body.id });
    },
  ],
  ["a task is renamed", 4, () => changedTask({ title: "Send it" })],
  ["a task gets a priority", 4, () => changedTask({ priority: "high" })],
  ["a task gets tags", 4, () => changedTask({ tags: ["a", "b"] })],
  ["a task is postponed", 7, () => changedTask({ dueAt: "2032-01-01T00:00:00Z" })],
  ["a task is done", 8, () => changedTask({ status: "done" })],
  ["nothing of a task changes", 2, () => changedTask({ title: TASK.title }, {})],
  [
    "a task is deleted",
    6,
    async () => remove(`/api/tasks/${(await newTask({ dueAt: DUE, tags: ["legal"] })).body.id}`),
  ],
  ["a short email arrives", 16, () => newEmail()],
  ["an email without tags arrives", 13, () => newEmail({ to: [], tags: [] })],
  ["an email of a newly named tag arrives", 16, () => newEmail({ tags: [crypto.randomUUID()] })],
  ["an email is read", 7, async () => patch(`/api/emails/${(await newEmail()).body.id}`, { isRead: true })],
  ["an email is archived", 8, async () => patch(`/api/emails/${(await newEmail()).body.id}`, { status: "archived" })],
  [
    "an email is read and archived",
    10,
    async () => patch(`/api/emails/${(await newEmail()).body.id}`, { isRead: true, status: "archived" }),
  ],
  ["an email is starred", 5, async () => patch(`/api/emails/${(await newEmail()).body.id}`, { isStarred: true })],
  ["an email is deleted", 9, async () => remove(`/api/emails/${(await newEmail()).body.id}`)],
  ["an event is created", 9, () => newEvent()],
  ["an event is renamed", 3, async () => patch(`/api/calendar/events/${(await newEvent()).body.id}`, { title: "Tea" })],
  [
    "an event moves to another day",
    10,
    async () => patch(`/api/calendar/events/${(await newEvent()).body.id}`, { start: "2041-06-01T10:00:00+02:00" }),
  ],
  [
    "an event is cancelled",
    7,
    async () => patch(`/api/calendar/events/${(await newEvent()).body.id}`, { status: "cancelled" }),
  ],
  ["an event is deleted", 6, async () => remove(`/api/calendar/events/${(await newEvent()).body.id}`)],
];

describe("so many rows at most are written, for emails and events in one round trip, when", () => {
  beforeAll(async () => {
    await emptyService();
    ({ token } = await signedInPerson());
    // The first of a kind also begins its counters.
    await newEmail();
    await newEvent();
  });

  it.each(MOST)("%s: %i", async (name, most, request) => {
    for (const _round of [1, 2]) {
      const { roundTrips, rowsWritten } = await request();
      // What a task belongs to may have to be looked up.
      if (!name.includes("task")) expect(roundTrips).toBe(1);
      expect(rowsWritten).toBeLessThanOrEqual(most);
    }
  });

  it("a reply joins a thread: two more than an email of its own, and four with the second email", async () => {
    const { rowsWritten: alone, body } = await newEmail();
    const second = await newEmail({ inReplyTo: body.messageId });
    expect(second.body.threadCount).toBe(2);
    expect(second.rowsWritten).toBeLessThanOrEqual(alone + 4);
    for (let count = 3; count < 6; count++) {
      const next = await newEmail({ inReplyTo: body.messageId });
      expect(next.body.threadCount).toBe(count);
      expect(next.rowsWritten).toBeLessThanOrEqual(alone + 2);
    }
  });

  it("many emails are archived at once: as many for each as one by one", async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await newEmail()).body.id));
    measured.taken();
    const { roundTrips, rowsWritten } = await patch("/api/emails", { ids, status: "archived" });
    expect(roundTrips).toBe(1);
    expect(rowsWritten).toBeLessThanOrEqual(8 * ids.length);
  });
});
