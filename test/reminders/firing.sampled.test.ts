import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { setClock, signedInPerson } from "../auth/people.ts";
import { deliverQueue, queued } from "../queued.ts";
import { rarely } from "../sampled.ts";
import {
  api,
  at,
  leaveStage,
  newEvent,
  newTask,
  prefer,
  remindersOf,
  setProfile,
  stage,
  tick,
  tokenOf,
} from "./stage.ts";

afterEach(leaveStage);

const NOON = "2026-11-18T12:00:00Z";
const MINUTE = 60_000;

describe("a reminder", () => {
  it("of a task fires when the task is due, once, and is sent by email", async () => {
    const { owner, mail } = await stage(NOON);
    const task = await newTask({ title: "Take the pizza out", dueAt: "2026-11-18T12:20:00Z" });
    await tick("2026-11-18T12:19:30Z", mail.vars);
    expect(mail.sent).toHaveLength(0);
    await tick("2026-11-18T12:20:00Z", mail.vars);
    await tick("2026-11-18T12:21:00Z", mail.vars);
    await tick("2026-11-18T12:22:00Z", mail.vars);
    expect(mail.subjectsTo(owner.email)).toEqual(["Reminder: Take the pizza out"]);
    expect(mail.sent[0]?.text).toMatch(/Take the pizza out. Due today at 12:20./);
    expect(mail.sent[0]?.text).toContain(`/app/tasks/${task.id}`);
    expect(await remindersOf(owner)).toMatchObject([
      {
        recordType: "task",
        recordId: task.id,
        title: "Take the pizza out",
        at: "2026-11-18T12:20:00.000Z",
        state: "fired",
        late: false,
        deliverAt: null,
        deliveries: [
          { channel: "push", outcome: "skipped" },
          { channel: "email", outcome: "sent" },
        ],
      },
    ]);
  });

  it("of an event fires ten minutes before it, by default", async () => {
    const { owner, mail } = await stage(NOON);
    await newEvent({ title: "Review", start: "2026-11-18T12:30:00Z", location: "Room 4" });
    await tick("2026-11-18T12:19:59Z", mail.vars);
    expect(await remindersOf(owner)).toEqual([]);
    await tick("2026-11-18T12:20:00Z", mail.vars);
    expect(mail.subjectsTo(owner.email)).toEqual(["Reminder: Review"]);
    expect(mail.sent[0]?.text).toMatch(/Starts in 10 minutes, at 12:30.*Place: Room 4/s);
  });

  it("fires at its second: the queue comes back for it between two runs of the cron", async () => {
    const { owner, mail } = await stage(NOON);
    await newTask({ title: "Call", dueAt: "2026-11-18T12:00:42Z" });
    await tick(NOON, mail.vars);
    expect(await remindersOf(owner)).toEqual([]);
    const [message] = queued();
    expect(message?.body).toMatchObject({ kind: "reminder.fire" });
    expect(Math.abs((message?.dueAt ?? 0) - at("2026-11-18T12:00:42Z"))).toBeLessThanOrEqual(1000);
    setClock(at("2026-11-18T12:00:43Z"));
    await deliverQueue({ vars: mail.vars });
    expect(await remindersOf(owner)).toMatchObject([{ title: "Call", firedAt: "2026-11-18T12:00:43.000Z" }]);
    // One chain for each run of the cron: it ends with the minute.
    expect(queued()).toEqual([]);
  });

  it("of its own has its times and channels, with those of the record moved along", async () => {
    const { owner, mail } = await stage(NOON);
    const task = await newTask({
      title: "Contract",
      dueAt: "2026-11-18T15:00:00Z",
      reminders: [{ at: "2026-11-18T12:10:00Z" }, { minutesBefore: 60, channel: "email" }],
    });
    await tick("2026-11-18T12:10:00Z", mail.vars);
    await api.patch(`/api/tasks/${task.id}`, { dueAt: "2026-11-18T16:00:00Z" });
    await tick("2026-11-18T14:00:00Z", mail.vars);
    expect(await remindersOf(owner)).toHaveLength(1);
    await tick("2026-11-18T15:00:00Z", mail.vars);
    expect(await remindersOf(owner)).toMatchObject([
      { at: "2026-11-18T15:00:00.000Z", channel: "email", deliveries: [{ channel: "email", outcome: "sent" }] },
      { at: "2026-11-18T12:10:00.000Z", channel: "default" },
    ]);
    // The due time itself has none: the task has its own.
    await tick("2026-11-18T16:00:00Z", mail.vars);
    expect(await remindersOf(owner)).toHaveLength(2);
  });

  it("of an event of its own follows the event", async () => {
    const { owner } = await stage(NOON);
    const event = await newEvent({
      title: "Flight",
      start: "2026-11-19T12:00:00Z",
      reminders: [{ minutesBefore: 24 * 60 }, { minutesBefore: 30 }],
    });
    await tick(NOON);
    expect(await remindersOf(owner)).toMatchObject([{ at: "2026-11-18T12:00:00.000Z" }]);
    const moved = await api.patch(`/api/calendar/events/${event.id}`, { start: "2026-11-19T13:00:00Z" });
    expect(moved.body.reminders).toEqual([
      { at: null, minutesBefore: 1440, channel: "default" },
      { at: null, minutesBefore: 30, channel: "default" },
    ]);
    await tick("2026-11-18T13:00:00Z");
    await tick("2026-11-19T11:30:00Z");
    await tick("2026-11-19T12:30:00Z");
    expect((await remindersOf(owner)).map((each) => each.at)).toEqual([
      "2026-11-19T12:30:00.000Z",
      "2026-11-18T13:00:00.000Z",
      "2026-11-18T12:00:00.000Z",
    ]);
  });

  it.each([
    ["done", (id: number) => api.patch(`/api/tasks/${id}`, { status: "done" })],
    ["cancelled", (id: number) => api.patch(`/api/tasks/${id}`, { status: "cancelled" })],
    ["deleted", (id: number) => api.delete(`/api/tasks/${id}`)],
    ["without reminders", (id: number) => api.patch(`/api/tasks/${id}`, { reminders: [] })],
    ["without a due time", (id: number) => api.patch(`/api/tasks/${id}`, { dueAt: null })],
  ])("does not fire for a task that is %s", async (_, change) => {
    const { owner } = await stage(NOON);
    const plain = await newTask({ title: "Plain", dueAt: "2026-11-18T12:05:00Z" });
    const own = await newTask({ title: "Own", dueAt: "2026-11-18T12:10:00Z", reminders: [{ minutesBefore: 5 }] });
    for (const { id } of [plain, own]) expect((await change(id)).status).toBeLessThan(300);
    await tick("2026-11-18T12:05:00Z");
    expect(await remindersOf(owner)).toEqual([]);
  });

  it.each([
    ["cancelled", (id: number) => api.patch(`/api/calendar/events/${id}`, { status: "cancelled" })],
    ["deleted", (id: number) => api.delete(`/api/calendar/events/${id}`)],
  ])("does not fire for an event that is %s", async (_, change) => {
    const { owner } = await stage(NOON);
    const plain = await newEvent({ title: "Plain", start: "2026-11-18T12:15:00Z" });
    const own = await newEvent({ title: "Own", start: "2026-11-18T12:30:00Z", reminders: [{ minutesBefore: 25 }] });
    const series = await newEvent({ title: "Series", start: "2026-11-18T12:15:00Z", rrule: "FREQ=DAILY" });
    for (const { id } of [plain, own, series]) expect((await change(id)).status).toBeLessThan(300);
    await tick("2026-11-18T12:05:00Z");
    expect(await remindersOf(owner)).toEqual([]);
  });

  it("that was due while nothing ran fires at the next start, and says that it is late", async () => {
    const { owner, mail } = await stage(NOON);
    await newTask({ title: "Medicine", dueAt: "2026-11-18T12:30:00Z" });
    await newEvent({ title: "Standup", start: "2026-11-18T12:50:00Z", rrule: "FREQ=DAILY" });
    await tick("2026-11-18T12:10:00Z", mail.vars);
    await tick("2026-11-18T15:00:00Z", mail.vars);
    const fired = await remindersOf(owner);
    expect(fired.map(({ title, late }) => [title, late]).sort()).toEqual([
      ["Medicine", true],
      ["Standup", true],
    ]);
    expect(mail.sent.map(({ text }) => text).join()).toContain("This reminder is late. It was set for today at 12:30.");
    await tick("2026-11-18T15:01:00Z", mail.vars);
    expect(mail.sent).toHaveLength(2);
  });

  it("fires once if two runs find it at the same time, and its message comes twice", async () => {
    const { owner, mail } = await stage(NOON);
    await newTask({ title: "Once", dueAt: NOON });
    await Promise.all([tick(NOON, mail.vars), tick(NOON, mail.vars), tick(NOON, mail.vars)]);
    expect(await remindersOf(owner)).toHaveLength(1);
    expect(mail.sent).toHaveLength(1);
  });

  it("of a task that is due on a day comes when the person's working hours begin", async () => {
    const { owner, mail } = await stage("2026-11-17T20:00:00Z");
    await setProfile(owner, { timeZone: "America/New_York" });
    const days = Object.fromEntries(
      ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((day) => [
        day,
        day === "wednesday" ? [{ start: "08:30", end: "17:00" }] : [],
      ]),
    );
    const hours = await api.put("/api/settings/profile/working-hours", { days }, await tokenOf(owner));
    expect(hours.status).toBe(200);
    await newTask({ title: "Taxes", dueAt: "2026-11-18", timeZone: "America/New_York" });
    await newTask({ title: "Thursday", dueAt: "2026-11-19", timeZone: "America/New_York" });
    await newEvent({ title: "Birthday", start: "2026-11-18", allDay: true, timeZone: "America/New_York" });
    await tick("2026-11-18T13:29:00Z", mail.vars);
    expect(await remindersOf(owner)).toEqual([]);
    await tick("2026-11-18T13:30:00Z", mail.vars);
    expect((await remindersOf(owner)).map(({ title }) => title).sort()).toEqual(["Birthday", "Taxes"]);
    expect(mail.sent.find(({ subject }) => subject === "Reminder: Taxes")?.text).toContain("Due today.");
    // A day without working hours.
    await tick("2026-11-19T14:00:00Z", mail.vars);
    expect((await remindersOf(owner))[0]).toMatchObject({ title: "Thursday", at: "2026-11-19T14:00:00.000Z" });
  });

  it("of a day follows the day when the owner moves to another time zone", async () => {
    const { owner, mail } = await stage("2026-11-17T20:00:00Z");
    await setProfile(owner, { timeZone: "Europe/Berlin" });
    const rule = { rrule: "FREQ=DAILY", timeZone: "Europe/Berlin" };
    const day = await newTask({ title: "Day", dueDate: "2026-11-20", reminders: [{ minutesBefore: 60 }], ...rule });
    const time = await newTask({ title: "Time", dueAt: "2026-11-20T12:00:00Z" });
    // By its milliseconds this could be a day.
    const last = await newTask({ title: "Last moment", dueAt: "2026-11-20T22:59:59.999Z" });
    const other = await newTask({ title: "Elsewhere", dueDate: "2026-11-20", timeZone: "Asia/Tokyo" });
    const held = await newTask({ title: "Held", dueDate: "2026-11-18", timeZone: "Europe/Berlin" });
    await tick("2026-11-18T08:00:00Z", mail.vars);
    const [fired] = await remindersOf(owner);
    expect(fired).toMatchObject({ recordId: held.id, recordAt: "2026-11-18T22:59:59.999Z" });
    await api.post(`/api/reminders/${fired?.id}/snooze`, { minutes: 60 }, await tokenOf(owner));
    await setProfile(owner, { timeZone: "America/New_York" });
    const { results } = await env.DB.prepare("SELECT title, due_at, repetition ->> 'zone' AS zone FROM tasks").all();
    const dueOf = Object.fromEntries(
      results.map(({ title, due_at: due }) => [title, new Date(Number(due)).toISOString()]),
    );
    expect(dueOf).toEqual({
      Day: "2026-11-21T04:59:59.999Z",
      Time: "2026-11-20T12:00:00.000Z",
      "Last moment": "2026-11-20T22:59:59.999Z",
      Elsewhere: "2026-11-20T14:59:59.999Z",
      Held: "2026-11-19T04:59:59.999Z",
    });
    expect(results.find(({ title }) => title === "Day")?.zone).toBe("America/New_York");
    const upcoming = (await api.get("/api/reminders/upcoming", await tokenOf(owner))).body.data;
    const own = upcoming.find(({ recordId }: { recordId: number }) => recordId === day.id);
    // An hour before midnight there.
    expect(own).toMatchObject({ at: "2026-11-20T04:00:00.000Z" });
    expect((await api.get(`/api/tasks/${last.id}`)).body).toMatchObject({ dueDate: null });
    expect((await api.get(`/api/tasks/${day.id}`)).body).toMatchObject({ dueDate: "2026-11-20", version: 1 });
    // The snoozed one is still about the same day.
    await tick("2026-11-18T09:01:00Z", mail.vars);
    expect((await remindersOf(owner))[0]).toMatchObject({ state: "fired", recordAt: "2026-11-19T04:59:59.999Z" });
    expect([time.id, other.id]).toHaveLength(2);
    const done = await api.patch(`/api/tasks/${day.id}`, { status: "done" });
    expect(done.status).toBe(200);
    const next = (await api.get("/api/tasks?q=Day")).body.data[0];
    expect(next).toMatchObject({ title: "Day", dueDate: "2026-11-21" });
    const row = await env.DB.prepare("SELECT due_at FROM tasks WHERE id = ?").bind(next.id).first();
    expect(row).toEqual({ due_at: at("2026-11-22T05:00:00Z") - 1 });
  });

  it("of the tasks of another zone than the owner's is left alone when a member moves", async () => {
    const { owner } = await stage("2026-11-17T20:00:00Z");
    await setProfile(owner, { timeZone: "Europe/Berlin" });
    const member = await signedInPerson();
    await setProfile(member, { timeZone: "Europe/Berlin" });
    const task = await newTask({ title: "Day", dueDate: "2026-11-20", timeZone: "Europe/Berlin" });
    await setProfile(member, { timeZone: "Asia/Tokyo" });
    const row = await env.DB.prepare("SELECT due_at FROM tasks WHERE id = ?").bind(task.id).first();
    expect(row).toEqual({ due_at: at("2026-11-20T23:00:00Z") - 1 });
  });

  it("reminds everyone with an account, each by their own preferences", async () => {
    const { owner } = await stage(NOON);
    const member = await signedInPerson();
    const silent = await signedInPerson();
    await prefer(member, { taskReminderMinutes: 15, eventReminderMinutes: null });
    await prefer(silent, { reminders: false });
    await newTask({ title: "Shared", dueAt: "2026-11-18T12:20:00Z" });
    await newEvent({ title: "Meeting", start: "2026-11-18T12:15:00Z" });
    await tick("2026-11-18T12:05:00Z");
    expect((await remindersOf(owner)).map(({ title }) => title)).toEqual(["Meeting"]);
    expect((await remindersOf(member)).map(({ title }) => title)).toEqual(["Shared"]);
    await tick("2026-11-18T12:20:00Z");
    expect(await remindersOf(owner)).toHaveLength(2);
    expect(await remindersOf(member)).toHaveLength(1);
    expect(await remindersOf(silent)).toEqual([]);
    const [own] = await remindersOf(owner);
    expect((await api.get(`/api/reminders/${own?.id}`, await tokenOf(member))).status).toBe(404);
    expect((await api.post(`/api/reminders/${own?.id}/dismiss`, undefined, await tokenOf(member))).status).toBe(404);
  });

  it("of a task that is moved to another time fires at both times, but never twice for one", async () => {
    const { owner } = await stage(NOON);
    const task = await newTask({ title: "Moved", dueAt: "2026-11-18T12:01:00Z" });
    await tick("2026-11-18T12:01:00Z");
    await api.patch(`/api/tasks/${task.id}`, { dueAt: "2026-11-18T12:03:00Z" });
    await tick("2026-11-18T12:03:00Z");
    await api.patch(`/api/tasks/${task.id}`, { dueAt: "2026-11-18T12:01:00Z" });
    await tick("2026-11-18T12:04:00Z");
    expect((await remindersOf(owner)).map((each) => each.at)).toEqual([
      "2026-11-18T12:03:00.000Z",
      "2026-11-18T12:01:00.000Z",
    ]);
  });

  rarely("fires for a thousand tasks of the same millisecond, and more", async () => {
    const { owner, mail } = await stage(NOON);
    await env.DB.prepare(
      `INSERT INTO tasks (id, title, description, status, priority, due_at, tags, source, version, created_at, updated_at)
       SELECT 700000 + value, 'Task ' || value, '', 'todo', 'low', ?1, '[]', 'manual', 1, ?1, ?1
       FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 1500) SELECT value FROM n)`,
    )
      .bind(at(NOON) + MINUTE)
      .run();
    await tick(at(NOON) + MINUTE, mail.vars);
    const row = await env.DB.prepare(
      "SELECT count(*) AS n, count(DISTINCT record_id) AS records, sum(deliver_at IS NULL) AS told FROM reminders WHERE user_id = ?",
    )
      .bind(owner.id)
      .first();
    expect(row).toEqual({ n: 1500, records: 1500, told: 1500 });
    expect(new Set(mail.sent.map(({ subject }) => subject)).size).toBe(1500);
    expect(mail.sent).toHaveLength(1500);
  });
});
