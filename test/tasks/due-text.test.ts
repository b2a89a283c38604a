import { describe, expect, it } from "vitest";
import { parseDueText } from "../../src/engine/due-date.ts";
import { expectProblem, service } from "../harness.ts";

/** A Sunday; 13:00 in Berlin, 07:00 in New York. */
const NOW = new Date("2026-11-15T12:00:00Z");
const due = (text: string, zone = "Europe/Berlin", now = NOW) =>
  parseDueText(text, { reference: now, timeZone: zone })?.toISOString() ?? null;

describe("a due date out of reach", () => {
  it.each([
    { dueText: "99999 years from now" },
    { dueText: "in 99999 centuries", timeZone: "Europe/Berlin" },
    { dueAt: "9999-12-31T23:59:59-14:00" },
    { dueAt: "0000-01-01T00:00:00Z" },
  ])("is refused: %o", async (due) => {
    const answer = await service().post("/api/tasks", { title: "Later", ...due });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0].path).toBe(Object.keys(due)[0]);
  });
});

describe("a due date with reminders", () => {
  const post = (fields: object) =>
    service().post("/api/tasks", { title: "Call", timeZone: "Europe/Berlin", ...fields });

  it("has those that its words ask for, also in a change", async () => {
    const { body } = await post({ dueText: "2031-05-06 5pm, remind me an hour before" });
    expect(body).toMatchObject({ dueAt: "2031-05-06T15:00:00.000Z", reminders: [{ minutesBefore: 60 }] });
    const changes = {
      dueText: "every friday at 9am, remind me a day and half an hour before",
      timeZone: "Europe/Berlin",
    };
    const changed = await service().patch(`/api/tasks/${body.id}`, changes);
    expect(changed.body).toMatchObject({
      rrule: expect.stringContaining("FREQ=WEEKLY"),
      reminders: [{ minutesBefore: 1440 }, { minutesBefore: 30 }],
    });
    const moved = await service().patch(`/api/tasks/${body.id}`, { dueText: "2031-05-09 9am" });
    expect(moved.body.reminders).toHaveLength(2);
  });

  it("keeps those of the request, and refuses what no reminder can be", async () => {
    const own = await post({ dueText: "tomorrow 5pm remind me 1h before", reminders: [{ minutesBefore: 5 }] });
    expect(own.body.reminders).toMatchObject([{ minutesBefore: 5 }]);
    for (const dueText of ["tomorrow remind me 99 days before", "remind me an hour before"]) {
      const refused = await post({ dueText });
      expectProblem(refused, 422, "validation_failed");
      expect(refused.body.errors[0].path).toBe("dueText");
    }
  });
});

describe("a due date in plain words", () => {
  it("is read in the asked zone", () => {
    expect(due("next friday 5pm")).toBe("2026-11-20T16:00:00.000Z");
    expect(due("next friday 5pm", "America/New_York")).toBe("2026-11-20T22:00:00.000Z");
    expect(due("tomorrow at noon", "Asia/Kathmandu")).toBe("2026-11-16T06:15:00.000Z");
    expect(due("2026-12-24 18:30")).toBe("2026-12-24T17:30:00.000Z");
  });

  it("means the end of the day when it names no time", () => {
    expect(due("tomorrow")).toBe("2026-11-16T22:59:59.999Z");
    expect(due("friday", "America/New_York")).toBe("2026-11-21T04:59:59.999Z");
    expect(due("in 3 days")).toBe("2026-11-18T22:59:59.999Z");
  });

  it("means a weekday to come, also on a weekend and beside a number that may be an hour", () => {
    expect(due("this friday")).toBe("2026-11-20T22:59:59.999Z");
    expect(due("this monday 5pm", "Europe/Berlin", new Date("2026-11-14T12:00:00Z"))).toBe("2026-11-16T16:00:00.000Z");
    expect(due("monday 9")).toBe("2026-11-16T08:00:00.000Z");
    expect(due("friday 20")).toBe("2026-11-20T22:59:59.999Z");
    expect(due("monday 9th")).toBe("2027-08-09T21:59:59.999Z");
  });

  it("means working hours when it does not say which half of the day", () => {
    expect(due("tomorrow at 3")).toBe("2026-11-16T14:00:00.000Z");
    expect(due("tomorrow at 9")).toBe("2026-11-16T08:00:00.000Z");
    expect(due("tomorrow 03:00")).toBe("2026-11-16T02:00:00.000Z");
    expect(due("tomorrow at 3am")).toBe("2026-11-16T02:00:00.000Z");
  });

  it("means today when the time is still to come, else tomorrow", () => {
    expect(due("at 6pm")).toBe("2026-11-15T17:00:00.000Z");
    expect(due("9am")).toBe("2026-11-16T08:00:00.000Z");
    expect(due("half past 3")).toBe("2026-11-15T14:30:00.000Z");
  });

  it("means the hour people mean by a part of the day", () => {
    expect(due("this evening")).toBe("2026-11-15T18:00:00.000Z");
    expect(due("tuesday evening")).toBe("2026-11-17T18:00:00.000Z");
    expect(due("tomorrow afternoon")).toBe("2026-11-16T14:00:00.000Z");
    expect(due("saturday lunchtime")).toBe("2026-11-21T11:00:00.000Z");
    expect(due("first thing tomorrow")).toBe("2026-11-16T08:00:00.000Z");
  });

  it("reads the 24-hour clock as people write it", () => {
    expect(due("friday 17")).toBe("2026-11-20T16:00:00.000Z");
    expect(due("friday 17h")).toBe("2026-11-20T16:00:00.000Z");
    expect(due("friday 17 uhr")).toBe("2026-11-20T16:00:00.000Z");
  });

  it("reads a dotted date with the day first", () => {
    expect(due("3.12.")).toBe("2026-12-03T22:59:59.999Z");
    expect(due("24.12. at 10")).toBe("2026-12-24T09:00:00.000Z");
  });

  it("means a day within a part of a month, and a quarter to come", () => {
    expect(due("start of next month")).toBe("2026-12-01T22:59:59.999Z");
    expect(due("early december")).toBe("2026-12-05T22:59:59.999Z");
    expect(due("mid december")).toBe("2026-12-16T22:59:59.999Z");
    expect(due("end of december")).toBe("2026-12-31T22:59:59.999Z");
    expect(due("Q1")).toBe("2027-03-31T21:59:59.999Z");
  });

  it("names no date that does not exist, whatever else it says", () => {
    expect(due("Feb 30 at 10")).toBeNull();
    expect(due("31 June")).toBeNull();
  });

  it("knows the words of offices", () => {
    expect(due("EOD")).toBe("2026-11-15T16:00:00.000Z");
    expect(due("eod friday")).toBe("2026-11-20T16:00:00.000Z");
    expect(due("end of week")).toBe("2026-11-20T16:00:00.000Z");
    expect(due("day after tomorrow at 10")).toBe("2026-11-17T09:00:00.000Z");
  });

  it("keeps a zone the text names, and exact spans of time", () => {
    expect(due("tomorrow 5pm EST")).toBe("2026-11-16T22:00:00.000Z");
    expect(due("17:00 UTC tomorrow")).toBe("2026-11-16T17:00:00.000Z");
    expect(due("in 20 minutes", "America/New_York")).toBe("2026-11-15T12:20:00.000Z");
  });

  it("is right on the days the clocks change", () => {
    const spring = new Date("2027-03-27T12:00:00Z");
    expect(due("tomorrow", "Europe/Berlin", spring)).toBe("2027-03-28T21:59:59.999Z");
    expect(due("tomorrow at 02:30", "Europe/Berlin", spring)).toBe("2027-03-28T01:30:00.000Z");
  });

  it("is null for text that names no date", () => {
    for (const text of ["", "when pigs fly", "soon", "🎉"]) expect(due(text)).toBeNull();
  });

  it("is accepted in place of dueAt", async () => {
    const { status, body } = await service().post("/api/tasks", {
      title: "Call Ann",
      dueText: "tomorrow 5pm",
      timeZone: "America/New_York",
    });
    expect(status).toBe(201);
    expect(["21:00:00.000Z", "22:00:00.000Z"]).toContain(body.dueAt.slice(11));
  });
});
