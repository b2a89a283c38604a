import { describe, expect, it } from "vitest";
import { storeEvent, storeTask, talkTo } from "../ai/chatting.ts";
import { call } from "../ai/obeying.ts";
import { newTenant } from "../ai/tenant.ts";
import { signedInPerson } from "../auth/people.ts";
import { type Client, service } from "../harness.ts";

/* A task is without its event while that is deleted, and linked to it again once it is back, in whatever order. */

const api = service();
const EVENTS = "/api/calendar/events";
const start = "2071-03-02T09:00:00Z";

const linkOf = async (id: number, client: Client = api) => (await client.get(`/api/tasks/${id}`)).body.eventId;
const link = async (id: number, eventId: number | null) =>
  expect((await api.patch(`/api/tasks/${id}`, { eventId })).status).toBe(200);
const remove = async (path: string | number) => expect((await api.delete(`${EVENTS}/${path}`)).status).toBe(204);
const restore = async (path: string | number) => {
  const [id, query] = String(path).split("?");
  expect((await api.post(`${EVENTS}/${id}/restore${query ? `?${query}` : ""}`)).status).toBe(200);
};
const deleteTask = async (id: number): Promise<string> => {
  const { body } = await api.post("/api/tasks/delete", { ids: [id] });
  expect(body.deleted).toBe(1);
  return body.undo.id;
};
const undoDeletion = async (undo: string) =>
  expect((await api.post("/api/tasks/undo", { id: undo })).body).toEqual({ restored: 1, changed: [] });

/** Each kind of event: its id, and what is deleted and restored with it. */
const KINDS: [kind: string, store: () => Promise<{ id: number; path: string | number }>][] = [
  [
    "an event",
    async () => {
      const { id } = await storeEvent(api, { title: "Review", start });
      return { id, path: id };
    },
  ],
  [
    "a booking, which leaves a mark",
    async () => {
      const { id } = await storeEvent(api, { title: "Intro", start, bookingId: crypto.randomUUID() });
      return { id, path: id };
    },
  ],
  [
    "an edited occurrence",
    async () => {
      const { series, edited } = await storeSeries();
      return { id: edited, path: `${series}?occurrence=${SECOND}` };
    },
  ],
  [
    "an edited occurrence, with its series",
    async () => {
      const { series, edited } = await storeSeries();
      return { id: edited, path: series };
    },
  ],
];
const SECOND = "2071-03-09T09:00:00Z";

async function storeSeries() {
  const { id: series } = await storeEvent(api, { title: "Choir", start, rrule: "FREQ=WEEKLY;COUNT=3" });
  const { body } = await api.patch(`${EVENTS}/${series}?occurrence=${SECOND}`, { title: "Concert" });
  return { series, edited: body.id };
}

describe.each(KINDS)("deleted and restored: %s", (_, store) => {
  it("gets its tasks back, but not one that was unlinked meanwhile, however often that happens", async () => {
    const { id, path } = await store();
    const kept = await storeTask(api, "Prepare", { eventId: id });
    const unlinked = await storeTask(api, "Decide", { eventId: id });
    await remove(path);
    await link(unlinked.id, null);
    for (const _round of [1, 2]) {
      await restore(path);
      expect([await linkOf(kept.id), await linkOf(unlinked.id)]).toEqual([id, null]);
      await remove(path);
      expect([await linkOf(kept.id), await linkOf(unlinked.id)]).toEqual([null, null]);
    }
    await link(kept.id, null);
    await restore(path);
    expect([await linkOf(kept.id), await linkOf(unlinked.id)]).toEqual([null, null]);
  });

  it("gets a task back that was deleted and came back around it, in every order", async () => {
    const orders = ["-e +e -t +t", "-t +t -e +e", "-e -t +e +t", "-e -t +t +e", "-t -e +e +t", "-t -e +t +e"];
    const twice = ["-t -e +e -e +t +e", "-e -t +t +e -t -e +t +e"];
    const { id, path } = await store();
    for (const order of [...orders, ...twice]) {
      const task = await storeTask(api, order, { eventId: id });
      const gone = new Set<string>();
      let undo = "";
      for (const step of order.split(" ")) {
        if (step === "-e") await remove(path);
        if (step === "+e") await restore(path);
        if (step === "-t") undo = await deleteTask(task.id);
        if (step === "+t") await undoDeletion(undo);
        gone[step.startsWith("-") ? "add" : "delete"](step.slice(1));
        const expected = gone.has("t") ? undefined : gone.has("e") ? null : id;
        expect(await linkOf(task.id), `${step} of ${order}`).toBe(expected);
      }
    }
  });

  it("does not get a deleted task back that was unlinked before its deletion or after its return", async () => {
    const { id, path } = await store();
    const [before, after] = [await storeTask(api, "a", { eventId: id }), await storeTask(api, "b", { eventId: id })];
    const later = await deleteTask(after.id);
    await remove(path);
    await link(before.id, null);
    const sooner = await deleteTask(before.id);
    await undoDeletion(later);
    await link(after.id, null);
    await undoDeletion(sooner);
    await restore(path);
    expect([await linkOf(before.id), await linkOf(after.id)]).toEqual([null, null]);
  });
});

describe("a task", () => {
  it("returns to the event that it was linked to last", async () => {
    const [first, second] = [await storeEvent(api, { start }), await storeEvent(api, { start })];
    const task = await storeTask(api, "Prepare", { eventId: first.id });
    await remove(first.id);
    await link(task.id, second.id);
    await remove(second.id);
    await restore(first.id);
    expect(await linkOf(task.id)).toBeNull();
    await restore(second.id);
    expect(await linkOf(task.id)).toBe(second.id);
  });

  it("that repeats keeps the lost link to itself: the next occurrence and its subtasks have none", async () => {
    const event = await storeEvent(api, { start });
    const other = await storeEvent(api, { start });
    const due = { dueAt: "2071-03-01T09:00:00Z", rrule: "FREQ=DAILY" };
    const task = await storeTask(api, "Water", { eventId: event.id, ...due });
    const child = await storeTask(api, "Fill the can", { parentId: task.id, eventId: event.id });
    const left = await storeTask(api, "Left", { eventId: event.id });
    await remove(event.id);
    await link(left.id, other.id);
    await link(left.id, null);
    await api.patch(`/api/tasks/${task.id}`, { status: "done" });
    await restore(event.id);
    const { body } = await api.get("/api/tasks?status=all&limit=100&sort=created");
    const linked = body.data.filter(({ eventId }: { eventId: number }) => eventId === event.id);
    expect(linked.map(({ id }: { id: number }) => id).sort()).toEqual([task.id, child.id].sort());
  });

  it("that one person unlinked stays so when another restores the event; other records stay as they are", async () => {
    const closed = service({ ACCESS_MODE: "private" });
    const [ann, bob] = [await signedInPerson(), await signedInPerson()];
    const event = await storeEvent(api, { start });
    const elsewhere = await storeEvent(api, { start });
    const [kept, unlinked] = [
      await storeTask(api, "Prepare", { eventId: event.id }),
      await storeTask(api, "Decide", { eventId: event.id }),
    ];
    const others = [await storeTask(api, "Other", { eventId: elsewhere.id }), await storeTask(api, "None")];
    const read = () => Promise.all(others.map(async ({ id }) => (await api.get(`/api/tasks/${id}`)).body));
    const before = await read();
    expect((await closed.delete(`${EVENTS}/${event.id}`, { token: bob.token })).status).toBe(204);
    const undo = await deleteTask(kept.id);
    await closed.patch(`/api/tasks/${unlinked.id}`, { eventId: null }, { token: ann.token });
    await undoDeletion(undo);
    const restored = await closed.post(`${EVENTS}/${event.id}/restore`, undefined, { token: bob.token });
    expect(restored.status).toBe(200);
    expect([await linkOf(kept.id), await linkOf(unlinked.id)]).toEqual([event.id, null]);
    expect(await read()).toEqual(before);
  });
});

describe("an undo through chat", () => {
  const linkedTask = async (eventId: number) => {
    const title = `Prepare ${crypto.randomUUID().slice(0, 8)}`;
    return { task: await storeTask(api, title, { eventId }), title };
  };

  it("of a change to a task does not link it to an event that is gone; the event's return does", async () => {
    for (const booking of [{}, { bookingId: crypto.randomUUID() }]) {
      const event = await storeEvent(api, { start, ...booking });
      const { task, title } = await linkedTask(event.id);
      const { say } = talkTo(api);
      expect((await say(`mark ${title} as done`)).actions).toMatchObject([{ tool: "complete_task" }]);
      await remove(event.id);
      await say("undo");
      expect((await api.get(`/api/tasks/${task.id}`)).body).toMatchObject({ status: "todo", eventId: null });
      await restore(event.id);
      expect(await linkOf(task.id)).toBe(event.id);
    }
  });

  it("of a change that was made while the event was gone leaves the link that came back", async () => {
    const event = await storeEvent(api, { start });
    const { task, title } = await linkedTask(event.id);
    const { say } = talkTo(api);
    await remove(event.id);
    expect((await say(`mark ${title} as done`)).actions).toMatchObject([{ tool: "complete_task" }]);
    await restore(event.id);
    await say("undo");
    expect((await api.get(`/api/tasks/${task.id}`)).body).toMatchObject({ status: "todo", eventId: event.id });
  });

  it("of a new event unlinks its tasks, and a redo links those again that nobody unlinked", async () => {
    const { say } = talkTo(api);
    const { actions } = await say("schedule a call with Bo on 3 March 2071 at 9");
    const { id } = actions[0].result;
    const [kept, unlinked] = [
      await storeTask(api, "Prepare", { eventId: id }),
      await storeTask(api, "Decide", { eventId: id }),
    ];
    await say("undo");
    expect([await linkOf(kept.id), await linkOf(unlinked.id)]).toEqual([null, null]);
    await link(unlinked.id, null);
    await say("redo");
    expect((await api.get(`${EVENTS}/${id}`)).status).toBe(200);
    expect([await linkOf(kept.id), await linkOf(unlinked.id)]).toEqual([id, null]);
  });

  it("of the time that was reserved for a task does not return it to an earlier event", async () => {
    const { client, says } = await newTenant();
    for (const [day, isUndoneFirst] of [
      [5, true],
      [6, false],
    ] as const) {
      const earlier = await storeEvent(client, { start });
      const task = await storeTask(client, "Report", { eventId: earlier.id });
      await client.delete(`${EVENTS}/${earlier.id}`);
      await says(call("schedule_task", { id: task.id, start: `2071-03-0${day}T09:00:00Z` }), { text: "Done." });
      const { say } = talkTo(client);
      const [{ result }] = (await say("put it on my calendar")).actions;
      expect(await linkOf(task.id, client)).toBe(result.id);
      const undo = async () => {
        await says(call("undo"), { text: "Undone." });
        await say("undo that");
      };
      if (isUndoneFirst) await undo();
      expect((await client.post(`${EVENTS}/${earlier.id}/restore`)).status).toBe(200);
      expect(await linkOf(task.id, client)).toBe(isUndoneFirst ? null : result.id);
      if (!isUndoneFirst) await undo();
      expect(await linkOf(task.id, client)).toBeNull();
    }
  });
});
