import { afterEach, describe, expect, it } from "vitest";
import { sampled } from "../sampled.ts";
import { api, at, leaveStage, newEvent, prefer, remindersOf, setProfile, stage, tick, tokenOf } from "./stage.ts";

afterEach(leaveStage);

const MINUTE = 60_000;
const starts = async (person: { id: number }) => (await remindersOf(person)).map(({ recordAt }) => recordAt).reverse();

describe("the reminders of a series", () => {
  // The clocks go back in Berlin on 25 October 2026, and in New York on 1 November.
  it.each(
    sampled([
      [
        "Europe/Berlin",
        "2026-10-24",
        ["2026-10-24T07:00:00.000Z", "2026-10-25T08:00:00.000Z", "2026-10-26T08:00:00.000Z"],
      ],
      [
        "America/New_York",
        "2026-10-31",
        ["2026-10-31T13:00:00.000Z", "2026-11-01T14:00:00.000Z", "2026-11-02T14:00:00.000Z"],
      ],
      [
        "Europe/Berlin",
        "2027-03-27",
        ["2027-03-27T08:00:00.000Z", "2027-03-28T07:00:00.000Z", "2027-03-29T07:00:00.000Z"],
      ],
    ]),
  )("every day at 9 stay at 9 in %s across the change after %s", async (timeZone, date, expected) => {
    const { owner } = await stage(`${date}T00:30:00Z`);
    await newEvent({ title: "Standup", start: `${date}T09:00:00`, timeZone, rrule: "FREQ=DAILY" });
    for (const start of expected) {
      await tick(at(start) - 10 * MINUTE - 1000);
      expect(await starts(owner)).not.toContain(start);
      await tick(at(start) - 10 * MINUTE);
    }
    expect(await starts(owner)).toEqual(expected);
  });

  it("an hour before an event on the night of the change come an hour before it", async () => {
    const { owner } = await stage("2026-10-24T22:00:00Z");
    await setProfile(owner, { timeZone: "Europe/Berlin" });
    // Half past two comes twice in Berlin on this night, and half past three an hour later than it looks.
    const berlin = { timeZone: "Europe/Berlin", reminders: [{ minutesBefore: 60 }] };
    await newEvent({ title: "First", start: "2026-10-25T02:30:00+02:00", ...berlin });
    await newEvent({ title: "Second", start: "2026-10-25T02:30:00+01:00", ...berlin });
    await newEvent({ title: "Third", start: "2026-10-25T03:30:00", ...berlin });
    await newEvent({ title: "Weekly", start: "2026-10-18T03:30:00", rrule: "FREQ=WEEKLY", ...berlin });
    for (let time = at("2026-10-24T23:25:00Z"); time <= at("2026-10-25T02:00:00Z"); time += 5 * MINUTE)
      await tick(time);
    expect((await remindersOf(owner)).map((each) => [each.title, each.at]).sort()).toEqual([
      ["First", "2026-10-24T23:30:00.000Z"],
      ["Second", "2026-10-25T00:30:00.000Z"],
      ["Third", "2026-10-25T01:30:00.000Z"],
      ["Weekly", "2026-10-25T01:30:00.000Z"],
    ]);
  });

  it("leave out occurrences that are cancelled, and follow one that was moved", async () => {
    const { owner } = await stage("2026-11-18T00:00:00Z");
    const { id } = await newEvent({ title: "Standup", start: "2026-11-18T09:00:00Z", rrule: "FREQ=DAILY" });
    const path = `/api/calendar/events/${id}`;
    expect((await api.delete(`${path}?occurrence=2026-11-19T09:00:00Z`)).status).toBe(204);
    const moved = await api.patch(`${path}?occurrence=2026-11-20T09:00:00Z`, { start: "2026-11-20T15:00:00Z" });
    expect(moved.status).toBe(200);
    for (const day of [18, 19, 20, 21]) {
      await tick(`2026-11-${day}T08:50:00Z`);
      await tick(`2026-11-${day}T14:50:00Z`);
    }
    expect(await starts(owner)).toEqual([
      "2026-11-18T09:00:00.000Z",
      "2026-11-20T15:00:00.000Z",
      "2026-11-21T09:00:00.000Z",
    ]);
  });

  it("have a default that can change, for all series there are", async () => {
    const { owner } = await stage("2026-11-18T08:00:00Z");
    await newEvent({ title: "Standup", start: "2026-11-18T09:00:00Z", rrule: "FREQ=DAILY" });
    await newEvent({
      title: "Own",
      start: "2026-11-18T09:00:00Z",
      rrule: "FREQ=DAILY",
      reminders: [{ minutesBefore: 5 }],
    });
    await tick("2026-11-18T08:00:00Z");
    await prefer(owner, { eventReminderMinutes: 45 });
    await tick("2026-11-18T08:15:00Z");
    expect((await remindersOf(owner)).map(({ title }) => title)).toEqual(["Standup"]);
    await tick("2026-11-18T08:50:00Z");
    await tick("2026-11-18T08:55:00Z");
    expect((await remindersOf(owner)).map(({ title }) => title)).toEqual(["Own", "Standup"]);
  });

  it("of whole days come in the morning of the day, for as long as the series lasts", async () => {
    const { owner } = await stage("2026-11-18T00:00:00Z");
    await newEvent({ title: "Bins", start: "2026-11-18", allDay: true, timeZone: "UTC", rrule: "FREQ=DAILY;COUNT=2" });
    for (const day of [18, 19, 20]) await tick(`2026-11-${day}T09:00:00Z`);
    expect((await remindersOf(owner)).map((each) => each.at)).toEqual([
      "2026-11-19T09:00:00.000Z",
      "2026-11-18T09:00:00.000Z",
    ]);
  });

  it("refuse one moment for all occurrences", async () => {
    await stage("2026-11-18T00:00:00Z");
    const event = { title: "Standup", start: "2026-11-19T09:00:00Z", rrule: "FREQ=DAILY" };
    const answer = await api.post("/api/calendar/events", { ...event, reminders: [{ at: "2026-11-19T08:00:00Z" }] });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ path: "reminders.0.at" });
  });
});

describe("upcoming reminders", () => {
  it("are those of the next days, in order, with the end of quiet hours", async () => {
    const { owner } = await stage("2026-11-18T08:00:00Z", { quietHours: { start: "22:00", end: "07:00" } });
    await newEvent({ title: "Standup", start: "2026-11-18T09:00:00Z", rrule: "FREQ=DAILY" });
    await newEvent({ title: "Early", start: "2026-11-19T07:05:00Z" });
    await api.post("/api/tasks", { title: "Contract", dueAt: "2026-11-18T15:00:00Z" });
    await api.post("/api/tasks", {
      title: "Trip",
      dueAt: "2026-12-10T15:00:00Z",
      reminders: [{ minutesBefore: 40_000 }],
    });
    const { body } = await api.get("/api/reminders/upcoming?days=2", await tokenOf(owner));
    expect(
      body.data.map((each: { title: string; at: string; deliverAt: string }) => [each.title, each.at, each.deliverAt]),
    ).toEqual([
      ["Standup", "2026-11-18T08:50:00.000Z", "2026-11-18T08:50:00.000Z"],
      ["Contract", "2026-11-18T15:00:00.000Z", "2026-11-18T15:00:00.000Z"],
      ["Early", "2026-11-19T06:55:00.000Z", "2026-11-19T07:00:00.000Z"],
      ["Standup", "2026-11-19T08:50:00.000Z", "2026-11-19T08:50:00.000Z"],
    ]);
    expect((await api.get("/api/reminders/upcoming")).body.data).not.toEqual([]);
  });
});
