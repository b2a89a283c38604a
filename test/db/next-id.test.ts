import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newAccount, slot } from "../bookings/account.ts";
import { storeMail } from "../emails/new-mail.ts";
import { emptyService, service } from "../harness.ts";

const api = service();
beforeEach(emptyService);

const newTask = async () => (await api.post("/api/tasks", { title: "Call the bank" })).body.id;
const newEvent = async () =>
  (await api.post("/api/calendar/events", { title: "Review", start: "2041-01-01T10:00:00Z" })).body.id;

describe("no id is used twice, also after the newest was deleted,", () => {
  it.each([
    ["of tasks", newTask, "/api/tasks"],
    ["of events", newEvent, "/api/calendar/events"],
  ] as const)("%s", async (_, create, path) => {
    const first = await create();
    expect((await api.delete(`${path}/${first}`)).status).toBe(204);
    const second = await create();
    expect(second).toBe(first + 1);
    const many = await Promise.all(Array.from({ length: 10 }, create));
    expect([...many].sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, n) => second + n + 1));
  });

  it("of the tasks of an email", async () => {
    const last = await newTask();
    await api.delete(`/api/tasks/${last}`);
    const body = "Could you send the figures by Friday? Please call Bob on Monday.";
    const { id } = await storeMail(api, "next-ids", { body });
    const { tasks } = (await api.post(`/api/emails/${id}/tasks`)).body;
    expect(tasks.map((task: { id: number }) => task.id)).toEqual([last + 1, last + 2]);
    await api.delete(`/api/tasks/${last + 2}`);
    // Only the deleted one is made again.
    await api.post(`/api/emails/${id}/tasks`);
    expect(await newTask()).toBeGreaterThan(last + 3);
  });

  it("of bookings, many at once", async () => {
    const last = await newEvent();
    const account = await newAccount();
    await account.book({ start: slot(0) }, { start: slot(2) }, { start: slot(4) });
    await account.sync();
    const ids = (await account.events()).map((event: { id: number }) => event.id).sort();
    expect(ids).toEqual([last + 1, last + 2, last + 3]);
    await account.sync({ full: true });
    expect((await account.events()).map((event: { id: number }) => event.id).sort()).toEqual(ids);
  });

  it("of records that were stored around the service", async () => {
    const last = await newTask();
    await env.DB.prepare("UPDATE task_totals SET last_id = 0").run();
    expect(await newTask()).toBe(last + 1);
  });
});
