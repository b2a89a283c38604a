import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { dailyBrief } from "../../src/features/brief/service.ts";
import { storeEvent, storeTask } from "../ai/chatting.ts";
import { apply, ics } from "../calendar/inviting.ts";
import { storeMail } from "../emails/new-mail.ts";
import { emptyService, service, systemCtx } from "../harness.ts";

const api = service();
/** A Wednesday, eleven in the morning in Berlin. */
const NOW = new Date("2026-11-18T10:00:00Z");

beforeEach(emptyService);

function brief(now = NOW, timeZone = "Europe/Berlin") {
  return dailyBrief({ ...systemCtx(), now }, { timeZone });
}

describe("the daily brief", () => {
  it("of an empty day says so", async () => {
    const { date, text, events, nextFreeSlot } = await brief();
    expect(date).toBe("2026-11-18");
    expect(events).toEqual([]);
    expect(text).toMatch(/Wednesday, 18 Nov 2026.*There is nothing in your calendar.*No task is due.*No urgent email/s);
    expect(nextFreeSlot?.start).toBe("2026-11-18T10:00:00.000Z");
  });

  it("has the day's events in order, series included, with what overlaps", async () => {
    await storeEvent(api, { title: "Yesterday", start: "2026-11-17T10:00:00Z" });
    await storeEvent(api, { title: "Review", start: "2026-11-18T13:30:00Z", durationMinutes: 60 });
    await storeEvent(api, {
      title: "Standup",
      start: "2026-11-16T08:00:00Z",
      rrule: "FREQ=DAILY",
      timeZone: "Europe/Berlin",
    });
    await storeEvent(api, { title: "Call", start: "2026-11-18T14:00:00Z", location: "Room 4" });
    await storeEvent(api, { title: "Off", start: "2026-11-18T15:00:00Z", status: "cancelled" });
    const { events, text } = await brief();
    expect(events.map(({ title, conflictsWith }) => [title, conflictsWith])).toEqual([
      ["Standup", []],
      ["Review", ["Call"]],
      ["Call", ["Review"]],
    ]);
    expect(text).toContain(
      "- 09:00–09:30 Standup\n- 14:30–15:30 Review (at the same time as Call)\n- 15:00–15:30 Call, Room 4",
    );
  });

  it("counts the invitations that wait for a response", async () => {
    expect((await brief()).text).not.toContain("invitation");
    const waiting = (uid: string, start: string) =>
      apply(ics("REQUEST", uid, 0, `DTSTART:${start}\nSUMMARY:Fair`), { from: "fair@example.org" });
    await waiting("brief-1", "20261201T100000Z");
    expect(await brief()).toMatchObject({
      invitationsWaiting: 1,
      text: expect.stringContaining("1 invitation waits for your response."),
    });
    await waiting("brief-2", "20261101T100000Z");
    await waiting("brief-3", "20261101T100000Z\nRRULE:FREQ=WEEKLY");
    expect((await brief()).text).toContain("2 invitations wait for your response.");
  });

  it("has today's and overdue tasks, and no others", async () => {
    await storeTask(api, "Late", { dueAt: "2026-11-16T10:00:00Z" });
    await storeTask(api, "Today", { dueAt: "2026-11-18T22:30:00Z", priority: "urgent" });
    await storeTask(api, "Tomorrow", { dueAt: "2026-11-18T23:30:00Z" });
    await storeTask(api, "Finished", { dueAt: "2026-11-18T12:00:00Z", status: "done" });
    const { overdueTasks, tasksDueToday, text } = await brief();
    expect(overdueTasks.first.map(({ title }) => title)).toEqual(["Late"]);
    expect(tasksDueToday.first.map(({ title }) => title)).toEqual(["Today"]);
    expect(text).toMatch(/1 task overdue:\n- Late.*1 task due today:\n- Today \(today 23:30\), urgent/s);
  });

  it("has today's tasks however many are overdue, and counts them all", async () => {
    await storeTask(api, "Today", { dueAt: "2026-11-18T22:30:00Z" });
    await env.DB.prepare(
      `INSERT INTO tasks (title, description, status, priority, due_at, tags, source, version, created_at, updated_at)
       SELECT 'Late ' || value, '', 'todo', 'medium', ?, '[]', 'manual', 1, 0, 0 FROM json_each(?)`,
    )
      .bind(Date.parse("2026-11-16T10:00:00Z"), JSON.stringify(Array.from({ length: 60 }, (_, n) => n)))
      .run();
    const { tasksDueToday, text } = await brief();
    expect(tasksDueToday).toMatchObject({ count: 1, first: [{ title: "Today" }] });
    expect(text).toMatch(/60 tasks overdue:.*- and 52 more.*1 task due today:\n- Today/s);
  });

  it("counts urgent mail that is unread, whether or not it was analysed", async () => {
    const urgent = { subject: "URGENT: server down", body: "Please act immediately, this is urgent." };
    const analysed = await storeMail(api, "a", { ...urgent, receivedAt: "2026-11-18T08:00:00Z" });
    await api.get(`/api/emails/${analysed.id}/ai-analysis`);
    await storeMail(api, "b", { ...urgent, subject: "URGENT: again", receivedAt: "2026-11-18T09:00:00Z" });
    await storeMail(api, "c", { ...urgent, isRead: true, receivedAt: "2026-11-18T09:00:00Z" });
    await storeMail(api, "d", { subject: "Lunch", receivedAt: "2026-11-18T09:00:00Z" });
    const { urgentEmails, text } = await brief();
    expect(urgentEmails.count).toBe(2);
    expect(urgentEmails.emails.map(({ subject }) => subject).sort()).toEqual(["URGENT: again", "URGENT: server down"]);
    expect(text).toMatch(/2 urgent emails are unread:/);
  });

  it("is there whatever times a mail names", async () => {
    await storeMail(api, "far", { body: "The deadline is in 99999 centuries.", receivedAt: "2026-11-18T08:00:00Z" });
    expect((await brief()).text).toContain("No urgent email");
  });

  it("leaves out mail that is put off until later", async () => {
    const mail = await storeMail(api, "later", { subject: "URGENT: server down", body: "Please act immediately." });
    const receivedAt = Date.parse(mail.receivedAt);
    const at = (ms: number) => brief(new Date(receivedAt + ms));
    await api.patch(`/api/emails/${mail.id}`, { snoozedUntil: new Date(receivedAt + 3_600_000).toISOString() });
    expect((await at(60_000)).urgentEmails.count).toBe(0);
    expect((await at(3_660_000)).urgentEmails.count).toBe(1);
  });

  it("is about the day of the person's zone", async () => {
    const evening = new Date("2026-11-18T20:00:00Z");
    expect((await brief(evening, "Asia/Tokyo")).date).toBe("2026-11-19");
    expect((await brief(evening, "America/New_York")).date).toBe("2026-11-18");
  });

  it("offers the next free half hour of working time", async () => {
    await storeEvent(api, { title: "Long", start: "2026-11-18T09:00:00Z", end: "2026-11-18T14:00:00Z" });
    expect((await brief()).nextFreeSlot?.start).toBe("2026-11-18T14:00:00.000Z");
  });
});
