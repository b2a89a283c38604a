import { describe, expect, it } from "vitest";
import { storeEvent, storeTask } from "../ai/chatting.ts";
import { apply, call, ics } from "../calendar/inviting.ts";
import { storeMail } from "../emails/new-mail.ts";
import { expectProblem, service } from "../harness.ts";

const api = service();
const read = async (id: number) => (await api.get(`/api/tasks/${id}`)).body;
const unknown = { path: "eventId", message: "must be the id of a stored event" };

describe("a task belongs to an event that exists", () => {
  it("when it is created and when it is changed", async () => {
    const [first, second] = [await storeEvent(api, { title: "Review" }), await storeEvent(api, { title: "Lunch" })];
    const { id, eventId } = await storeTask(api, "Prepare", { eventId: first.id });
    expect(eventId).toBe(first.id);
    expect((await api.patch(`/api/tasks/${id}`, { eventId: second.id })).body.eventId).toBe(second.id);
    expect((await api.patch(`/api/tasks/${id}`, { status: "done" })).body.eventId).toBe(second.id);
    expect((await api.patch(`/api/tasks/${id}`, { eventId: null })).body.eventId).toBeNull();
  });

  it("and an unknown one is 422 that names the field and writes nothing", async () => {
    const before = (await api.get("/api/tasks?sort=created&limit=1")).body.data[0]?.id;
    const refused = await api.post("/api/tasks", { title: "Lost", eventId: 999_999_999 });
    expectProblem(refused, 422, "validation_failed");
    expect(refused.body.errors).toEqual([unknown]);
    expect((await api.get("/api/tasks?sort=created&limit=1")).body.data[0]?.id).toBe(before);
    const task = await storeTask(api, "Prepare");
    const change = await api.patch(`/api/tasks/${task.id}`, { eventId: 999_999_999, title: "Lost" });
    expectProblem(change, 422, "validation_failed");
    expect(change.body.errors).toEqual([unknown]);
    expect(await read(task.id)).toEqual(task);
  });

  it("and an unknown email is still told as such", async () => {
    const event = await storeEvent(api, { title: "Review" });
    const refused = await api.post("/api/tasks", { title: "Lost", eventId: event.id, emailId: 999_999_999 });
    expect(refused.body.errors).toEqual([{ path: "emailId", message: "must be the id of a stored email" }]);
  });

  it.each([
    ["one made by hand", () => storeEvent(api, { title: "Review" })],
    ["a booking, which leaves a mark", () => storeEvent(api, { title: "Intro", bookingId: crypto.randomUUID() })],
    [
      "an invitation, which leaves a mark",
      async () => {
        const { results } = await apply(ics("REQUEST", crypto.randomUUID(), 0, call("20520108T090000")));
        return { id: results[0]?.eventId ?? 0 };
      },
    ],
  ])("and stays without it when the event is deleted: %s", async (_, store) => {
    const event = await store();
    const task = await storeTask(api, "Prepare", { eventId: event.id });
    expect((await api.delete(`/api/calendar/events/${event.id}`)).status).toBe(204);
    expect(await read(task.id)).toEqual({ ...task, eventId: null });
    expectProblem(await api.post("/api/tasks", { title: "Lost", eventId: event.id }), 422, "validation_failed");
    expectProblem(await api.patch(`/api/tasks/${task.id}`, { eventId: event.id }), 422, "validation_failed");
  });

  it("also when the event is deleted at the same time", async () => {
    const events = await Promise.all(Array.from({ length: 5 }, () => storeEvent(api, { title: "Review" })));
    for (const { id } of events) {
      const [made] = await Promise.all([
        api.post("/api/tasks", { title: "Prepare", eventId: id }),
        api.delete(`/api/calendar/events/${id}`),
      ]);
      if (made.status === 201) expect((await read(made.body.id)).eventId).toBeNull();
      else expectProblem(made, 422, "validation_failed");
    }
  });

  it("and to its email as before", async () => {
    const mail = await storeMail(api, "linked");
    const event = await storeEvent(api, { title: "Review" });
    const task = await storeTask(api, "Prepare", { emailId: mail.id, eventId: event.id });
    expect(task).toMatchObject({ emailId: mail.id, eventId: event.id });
  });
});
