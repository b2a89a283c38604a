import { describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";

/*
 * Dates, addresses and time zones have the same forms at every endpoint.
 */

const api = service();

/** The owner, who lives in New York: their day starts at 05:00 UTC in November. */
async function ownerInNewYork() {
  const { token } = await signedInPerson("owner");
  const { status } = await api.patch("/api/settings/profile", { timeZone: "America/New_York" }, { token });
  expect(status).toBe(200);
  return { token };
}

describe("a date in place of a time", () => {
  it("covers the whole day in the person's time zone when emails are filtered", async () => {
    const me = await ownerInNewYork();
    const at = { early: "2026-11-15T04:59:00Z", first: "2026-11-15T05:00:00Z", last: "2026-11-16T04:59:00Z" };
    for (const [subject, receivedAt] of [...Object.entries(at), ["late", "2026-11-16T05:00:00Z"]]) {
      await api.post("/api/emails", { from: "a@x.org", subject, receivedAt, tags: ["dated"] }, me);
    }
    const { body } = await api.get("/api/emails?tag=dated&since=2026-11-15&until=2026-11-15", me);
    expect(body.data.map(({ subject }: { subject: string }) => subject)).toEqual(["last", "first"]);
    const words = await api.get("/api/emails?q=first&since=2026-11-15&until=2026-11-15", me);
    expect(words.body.data).toHaveLength(1);
    const asUtc = await api.get("/api/emails?tag=dated&since=2026-11-16");
    expect(asUtc.body.data.map(({ subject }: { subject: string }) => subject)).toEqual(["late", "last"]);
  });

  it("covers the whole day when tasks are filtered, and is a due date without a time", async () => {
    const me = await ownerInNewYork();
    const { body: task } = await api.post("/api/tasks", { title: "Dated", dueAt: "2026-11-20", tags: ["dated"] }, me);
    expect(task).toMatchObject({ dueAt: null, dueDate: "2026-11-20" });
    const berlin = { dueAt: "2026-11-20", timeZone: "Europe/Berlin" };
    expect((await api.patch(`/api/tasks/${task.id}`, berlin, me)).body.dueDate).toBe("2026-11-20");
    const count = async (query: string) => (await api.get(`/api/tasks?tag=dated&${query}`, me)).body.data.length;
    expect(await count("dueAfter=2026-11-20&dueBefore=2026-11-20")).toBe(1);
    expect(await count("dueAfter=2026-11-21")).toBe(0);
    expect(await count("dueBefore=2026-11-19")).toBe(0);
  });

  it("covers the whole day when events and busy times are read", async () => {
    const me = await ownerInNewYork();
    const event = { title: "Evening", start: "2031-05-01T23:00:00-04:00", durationMinutes: 30 };
    expect((await api.post("/api/calendar/events", event, me)).status).toBe(201);
    const list = await api.get("/api/calendar/events?start=2031-05-01&end=2031-05-01", me);
    expect(list.body.data.map(({ title }: { title: string }) => title)).toEqual(["Evening"]);
    const busy = await api.get("/api/calendar/freebusy?start=2031-05-01&end=2031-05-01", me);
    expect(busy.body).toMatchObject({
      start: "2031-05-01T04:00:00.000Z",
      end: "2031-05-02T04:00:00.000Z",
      busy: [{ start: "2031-05-02T03:00:00.000Z" }],
    });
  });

  it("is read in `timeZone` when free slots are searched", async () => {
    const { body } = await api.get("/api/calendar/slots?start=2031-05-05&end=2031-05-05&timeZone=Asia/Tokyo");
    expect(body.slots[0].start).toBe("2031-05-05T00:00:00.000Z");
    expect(body.slots.at(-1).end).toBe("2031-05-05T08:00:00.000Z");
  });

  it("is the start of the day for a snooze, a receipt and a reference time", async () => {
    const me = await ownerInNewYork();
    const { body } = await api.post("/api/emails", { from: "a@x.org", receivedAt: "2026-11-15" }, me);
    expect(body.receivedAt).toBe("2026-11-15T05:00:00.000Z");
    const snoozed = await api.patch(`/api/emails/${body.id}`, { snoozedUntil: "2026-11-20" }, me);
    expect(snoozed.body.snoozedUntil).toBe("2026-11-20T05:00:00.000Z");
    const woken = await api.patch(`/api/emails/${body.id}`, { snoozedUntil: null }, me);
    expect(woken.body.snoozedUntil).toBeNull();
    const text = "Could we meet tomorrow at 3pm?";
    const found = await api.post("/api/calendar/detect", { text, referenceTime: "2026-11-18" }, me);
    expect(found.body.meetings[0].start).toBe("2026-11-19T20:00:00.000Z");
  });

  it.each([
    ["/api/emails?since=yesterday", "since"],
    ["/api/emails?until=2026", "until"],
    ["/api/tasks?dueBefore=2026-11-20T10:00:00", "dueBefore"],
    ["/api/calendar/events?start=13.01.2026", "start"],
    ["/api/calendar/freebusy?start=2026-11-16&end=soon", "end"],
    ["/api/calendar/slots?end=16.11.2026", "end"],
  ])("refuses %s and says what it takes", async (path, field) => {
    const answer = await api.get(path);
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors).toEqual([{ path: field, message: expect.stringContaining("or a date such as") }]);
  });

  it("is refused where there is no such day", async () => {
    const message = "has a date that does not exist";
    const answer = await api.post("/api/tasks", { title: "Dated", dueAt: "2026-02-30" });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors).toEqual([{ path: "dueAt", message }]);
    for (const path of ["/api/emails?until=2026-02-30", "/api/calendar/events?start=2026-13-01"]) {
      expect((await api.get(path)).body.errors, path).toMatchObject([{ message }]);
    }
  });
});

describe("an address", () => {
  const event = { title: "Review", start: "2031-06-02T10:00:00Z" };

  it("of an attendee or organizer is text or an object", async () => {
    const { body, status } = await api.post("/api/calendar/events", {
      ...event,
      organizer: "Ann Lee <Ann@X.org>",
      attendees: ["bob@x.org", "Cy Moe <cy@x.org>", { email: "Di@x.org", name: "Di", response: "accepted" }],
    });
    expect(status).toBe(201);
    expect(body.organizer).toEqual({ name: "Ann Lee", email: "ann@x.org" });
    expect(body.attendees).toEqual([
      { name: null, email: "bob@x.org", response: "needs_action" },
      { name: "Cy Moe", email: "cy@x.org", response: "needs_action" },
      { name: "Di", email: "di@x.org", response: "accepted" },
    ]);
  });

  it("of a sender is text or an object, wherever an email is read", async () => {
    const content = "Could we meet on Tuesday at 3pm?";
    const timeZone = "UTC";
    for (const from of ["Ann Lee <ann@x.org>", { name: "Ann Lee", email: "ANN@x.org" }]) {
      const made = await api.post("/api/calendar/events/from-email", {
        content,
        subject: `${typeof from}`,
        from,
        timeZone,
      });
      expect(made.body.organizer).toEqual({ name: "Ann Lee", email: "ann@x.org" });
      expect((await api.post("/api/ai/email-intelligence", { content, from, timeZone })).status).toBe(200);
      const reply = await api.post("/api/workflow/email-response", { content, from, timeZone });
      expect(reply.body.response).toContain("Ann");
    }
  });

  it.each([
    [{ attendees: ["nobody"] }, "attendees.0"],
    [{ attendees: [{ name: "Nobody" }] }, "attendees.0.email"],
    [{ attendees: [7] }, "attendees.0"],
    [{ organizer: "a@x.org, b@x.org" }, "organizer"],
  ])("%j is refused", async (fields, path) => {
    const answer = await api.post("/api/calendar/events", { ...event, ...fields });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toEqual([path]);
  });
});

describe("a time zone", () => {
  const wrong = ["PST", "EST", "CST6CDT", "Etc", "+02:00", "Mars/Olympus", "SystemV/PST8", "US/Pacific-New", "GMT+2"];

  it.each(wrong)("%s is refused", async (timeZone) => {
    const me = await signedInPerson("owner");
    const message = expect.stringMatching(/^must be an IANA time zone such as Europe\/Berlin, or UTC; not an abbrev/);
    const answers = [
      await api.post("/api/tasks", { title: "x", dueText: "tomorrow", timeZone }),
      await api.post("/api/calendar/events", { title: "x", start: "2031-06-02T10:00:00", timeZone }),
      await api.get(`/api/calendar/slots?timeZone=${encodeURIComponent(timeZone)}`),
      await api.get(`/api/calendar/stats?timeZone=${encodeURIComponent(timeZone)}`),
      await api.post("/api/calendar/detect", { text: "Lunch tomorrow?", timeZone }),
      await api.post("/api/ai/email-intelligence", { content: "Lunch tomorrow?", timeZone }),
      await api.patch("/api/settings/profile", { timeZone }, { token: me.token }),
    ];
    for (const answer of answers) {
      expectProblem(answer, 422, "validation_failed");
      expect(answer.body.errors).toEqual([{ path: "timeZone", message }]);
    }
  });

  it.each(["Europe/Berlin", "UTC", "US/Pacific", "Etc/GMT+5", "Japan", "europe/berlin"])(
    "%s is taken",
    async (timeZone) => {
      const { status } = await api.post("/api/calendar/detect", { text: "Lunch tomorrow?", timeZone });
      expect(status).toBe(200);
    },
  );
});
