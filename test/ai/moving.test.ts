import { beforeEach, describe, expect, it } from "vitest";
import { setClock } from "../auth/people.ts";
import { storeMail } from "../emails/new-mail.ts";
import { service } from "../harness.ts";
import { emptyWednesday, storeEvent, storeTask, talkTo, toolsOf } from "./chatting.ts";
import { ownStore } from "./tenant.ts";

const api = service({ KV: ownStore() });
beforeEach(emptyWednesday);

const say = (message: string) => talkTo(api).say(message);
const events = async () => (await api.get("/api/calendar/events")).body.data;
const tasks = async () => (await api.get("/api/tasks?status=all")).body.data;

describe("an event that is moved by days", () => {
  it("stays an event of whole days", async () => {
    await storeEvent(api, {
      title: "Offsite",
      start: "2026-11-20",
      end: "2026-11-22",
      allDay: true,
      timeZone: "Europe/Berlin",
    });
    await say("push the offsite by one day");
    expect(await events()).toMatchObject([
      { allDay: true, start: "2026-11-20T23:00:00.000Z", end: "2026-11-22T23:00:00.000Z" },
    ]);
  });

  it.each(["push the review by one week", "move the review to next week"])(
    "keeps its time of day over a change of clocks after “%s”",
    async (message) => {
      setClock(new Date("2026-10-21T10:00:00Z"));
      await storeEvent(api, { title: "Review", start: "2026-10-22T13:00:00Z", timeZone: "Europe/Berlin" });
      await say(message);
      expect(await events()).toMatchObject([{ start: "2026-10-29T14:00:00.000Z", end: "2026-10-29T14:30:00.000Z" }]);
    },
  );
});

describe("an event that is moved by hours", () => {
  it("is that much earlier", async () => {
    await storeEvent(api, { title: "Dentist appointment", start: "2026-11-20T09:00:00Z" });
    await say("bring forward my dentist appointment by an hour");
    expect(await events()).toMatchObject([{ start: "2026-11-20T08:00:00.000Z" }]);
  });
});

describe("an event that comes again", () => {
  it.each([
    ["schedule a sync every 2 weeks on tuesday at 9am", "FREQ=WEEKLY;INTERVAL=2", "2026-11-24T08:00:00.000Z"],
    ["schedule a quarterly review tomorrow at 2pm", "FREQ=MONTHLY;INTERVAL=3", "2026-11-19T13:00:00.000Z"],
  ])("“%s” is %s", async (message, rrule, start) => {
    const answer = await say(message);
    expect(toolsOf(answer)).toEqual(["create_event"]);
    const { body } = await api.get(`/api/calendar/events/${answer.actions[0].result.id}`);
    expect(body).toMatchObject({ rrule, start });
  });
});

describe("several wishes in a message", () => {
  it("do not keep a task from being found that is named like an event", async () => {
    await storeTask(api, "Tax return");
    await say("Remind me to call Ann. Postpone the tax return to monday");
    expect(
      (await tasks()).map(({ title, dueDate }: { title: string; dueDate: string | null }) => [title, dueDate]),
    ).toEqual(
      expect.arrayContaining([
        ["Call Ann", null],
        ["Tax return", "2026-11-23"],
      ]),
    );
  });

  it("beyond ten are named as not done", async () => {
    const items = Array.from({ length: 12 }, (_, at) => `- Thing number ${at + 1}`);
    const { reply } = await say(["Add these tasks:", ...items].join("\n"));
    expect(await tasks()).toHaveLength(10);
    expect(reply).toContain("at most 10 things, so these are not done: “Thing number 11”, “Thing number 12”.");
  });
});

describe("mail that is looked for", () => {
  beforeEach(async () => {
    const bob = { from: "Bob Ray <bob@example.org>" };
    await storeMail(api, "one", { ...bob, subject: "Lunch", receivedAt: "2026-11-17T09:00:00Z" });
    await storeMail(api, "two", { ...bob, subject: "Friday report", receivedAt: "2026-11-12T09:00:00Z" });
  });

  it.each(["find emails from Bob yesterday", "find yesterday's emails from Bob", "find emails from Bob on tuesday"])(
    "is that of its sender and of its time after “%s”",
    async (message) => {
      if (message.includes("tuesday")) setClock(new Date("2026-11-17T15:00:00Z"));
      const { reply } = await say(message);
      expect(reply).toContain("Lunch");
      expect(reply).not.toContain("report");
    },
  );

  it("is found by a name that has a day in it", async () => {
    expect((await say("find the emails about the friday report")).reply).toContain("Bob Ray: Friday report");
  });
});
