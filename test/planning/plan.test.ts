import { beforeEach, describe, expect, it } from "vitest";
import { emptyService, expectProblem, service } from "../harness.ts";

const api = service();
beforeEach(emptyService);

/** A working day far enough ahead. */
const DATE = "2031-05-06";
const at = (time: string) => `${DATE}T${time}:00.000Z`;
const create = async (title: string, fields = {}) => (await api.post("/api/tasks", { title, ...fields })).body;
const plan = async (fields = {}) =>
  (await api.post("/api/tasks/plan", { date: DATE, timeZone: "UTC", ...fields })).body;
const say = async (message: string) => (await api.post("/api/ai/chat", { message, timeZone: "UTC" })).body;

describe("the plan of a day", () => {
  it("fills the free parts of working hours: what is due first, then what is important", async () => {
    await api.post("/api/calendar/events", { title: "Busy", start: at("09:30"), end: at("12:00"), timeZone: "UTC" });
    await api.post("/api/calendar/events", { title: "Free", start: DATE, allDay: true, timeZone: "UTC" });
    await create("someday", { priority: "low" });
    await create("important", { priority: "urgent", estimateMinutes: 45 });
    await create("due that day", { dueDate: DATE, estimateMinutes: 60 });
    await create("waits", { status: "waiting" });
    const { planned, unplanned } = await plan();
    expect(planned.map(({ title, start, end }: Record<string, string>) => [title, start, end])).toEqual([
      ["someday", at("09:00"), at("09:30")],
      ["due that day", at("12:00"), at("13:00")],
      ["important", at("13:00"), at("13:45")],
    ]);
    expect(unplanned).toEqual([]);
    expect(planned[1].summary).toContain("“due that day”");
    // Nothing is in the calendar yet.
    expect((await api.get(`/api/calendar/events?start=${DATE}&end=${DATE}`)).body.data).toHaveLength(2);
  });

  it("is carried out by the proposals that are applied, each once, and never over another event", async () => {
    const task = await create("Write", { estimateMinutes: 30 });
    await create("Read", { estimateMinutes: 30 });
    const { planned } = await plan();
    const apply = (id: string) => api.post(`/api/ai/chat/proposals/${id}`, undefined);
    const first = planned.find(({ title }: { title: string }) => title === "Write");
    const second = planned.find(({ title }: { title: string }) => title === "Read");
    expect((await apply(first.proposalId)).status).toBe(200);
    expectProblem(await apply(first.proposalId), 409, "proposal_settled");
    const { body } = await api.get(`/api/tasks/${task.id}`);
    const { body: event } = await api.get(`/api/calendar/events/${body.eventId}`);
    expect(event).toMatchObject({ title: "Write", start: first.start, end: first.end, busy: true });
    await api.post("/api/calendar/events", { title: "Taken", start: second.start, end: second.end, timeZone: "UTC" });
    expectProblem(await apply(second.proposalId), 409, "time_conflict");
    // What has a time is not planned again.
    expect((await plan()).planned.map(({ title }: { title: string }) => title)).toEqual(["Read"]);
  });

  it("is outdated by a change of the task, and then changes nothing", async () => {
    const task = await create("Changes");
    const { planned } = await plan();
    await api.patch(`/api/tasks/${task.id}`, { title: "Changed" });
    expectProblem(
      await api.post(`/api/ai/chat/proposals/${planned[0].proposalId}`, undefined),
      409,
      "proposal_outdated",
    );
    expect((await api.get(`/api/calendar/events?start=${DATE}&end=${DATE}`)).body.data).toEqual([]);
  });

  it("says what found no time, and refuses a time that is over", async () => {
    await create("long", { estimateMinutes: 900 });
    await create("short");
    const { planned, unplanned } = await plan({ from: at("09:00"), to: at("10:00"), date: undefined });
    expect(planned).toMatchObject([{ title: "short", start: at("09:00") }]);
    expect(unplanned).toMatchObject([{ title: "long", reason: "no_free_time" }]);
    expectProblem(await api.post("/api/tasks/plan", { date: "2020-01-01" }), 422, "validation_failed");
    expectProblem(await api.post("/api/tasks/plan", { from: at("10:00"), to: at("09:00") }), 422, "validation_failed");
  });

  it("comes from chat, too", async () => {
    await create("Write the report");
    const { reply, proposals } = await say(`plan tuesday 6 May 2031`);
    expect(reply).toBeDefined();
    const today = await say("plan my day");
    expect([...proposals, ...today.proposals].every(({ tool }: { tool: string }) => tool === "schedule_task")).toBe(
      true,
    );
    expect(today.reply).toMatch(/plan for today|no free time/);
  });
});

describe("time that a person blocks", () => {
  it("is a busy event", async () => {
    const { actions } = await say("block Thursday afternoon for writing");
    expect(actions).toMatchObject([{ tool: "create_event", result: { title: "Writing", busy: true, allDay: false } }]);
  });

  it("is whole days for a vacation, which are busy although other whole days are free", async () => {
    const { actions } = await say("I am on vacation from Dec 21 2031 to Jan 2 2032");
    expect(actions).toMatchObject([{ tool: "create_event", result: { title: "Vacation", busy: true, allDay: true } }]);
    const [{ result }] = actions;
    expect([result.start, result.end]).toEqual(["2031-12-21T00:00:00.000Z", "2032-01-03T00:00:00.000Z"]);
  });
});
