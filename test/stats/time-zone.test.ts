import { describe, expect, it } from "vitest";
import { dateOf, HOUR_MS, startOfDate, toInstant, toWall } from "../../src/lib/time-zone.ts";
import { timeZoneName } from "../../src/lib/zone-names.ts";
import { signedInPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";

const iso = (instant: number) => new Date(instant).toISOString();

describe("days in a time zone", () => {
  it("begin at its midnight", () => {
    expect(iso(startOfDate("Europe/Berlin", "2026-11-16"))).toBe("2026-11-15T23:00:00.000Z");
    expect(iso(startOfDate("Europe/Berlin", "2026-07-16"))).toBe("2026-07-15T22:00:00.000Z");
    expect(iso(startOfDate("Asia/Kathmandu", "2026-11-16"))).toBe("2026-11-15T18:15:00.000Z");
    expect(iso(startOfDate("Pacific/Kiritimati", "2026-01-01"))).toBe("2025-12-31T10:00:00.000Z");
    expect(dateOf(toWall("Europe/Berlin", Date.parse("2026-11-16T23:30:00Z")))).toBe("2026-11-17");
  });

  it("have 23 or 25 hours when the clocks change", () => {
    const hours = (zone: string, from: string, to: string) =>
      (startOfDate(zone, to) - startOfDate(zone, from)) / HOUR_MS;
    expect(hours("Europe/Berlin", "2026-03-29", "2026-03-30")).toBe(23);
    expect(hours("Europe/Berlin", "2026-10-25", "2026-10-26")).toBe(25);
    expect(hours("America/New_York", "2026-11-01", "2026-11-02")).toBe(25);
    expect(hours("Australia/Lord_Howe", "2026-04-05", "2026-04-06")).toBe(24.5);
    // In Beirut the day of the change begins at one o'clock.
    expect(hours("Asia/Beirut", "2026-03-29", "2026-03-30")).toBe(23);
  });

  it("read a time that comes twice as the first, and one that is left out as before the change", () => {
    expect(iso(toInstant("Europe/Berlin", Date.UTC(2026, 9, 25, 2, 30)))).toBe("2026-10-25T00:30:00.000Z");
    expect(iso(toInstant("Europe/Berlin", Date.UTC(2026, 2, 29, 2, 30)))).toBe("2026-03-29T01:30:00.000Z");
  });
});

/** As people and programs write zones, none of which is a name of the IANA database or stands for one zone only. */
const NOT_IANA = [
  "",
  "PST",
  "pst",
  "EST",
  "IST",
  "CST6CDT",
  "EST5EDT",
  "GMT+2",
  "GMT0",
  "UTC+1",
  "utc+1",
  "+02:00",
  "-0500",
  "Z",
  "Mars/Olympus",
  "SystemV/PST8PDT",
  "US/Pacific-New",
  "Canada/East-Saskatchewan",
  "Etc/Unknown",
  "Etc/GMT+99",
  "Factory",
  "posix/Europe/Berlin",
  "Europe/Berlin; DROP",
  "Europe/Berlin ",
  "Pacific Standard Time",
  "__proto__",
  "constructor",
];

const OPEN_ALL_WEEK = Object.fromEntries(
  ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((day) => [day, []]),
);

describe("a time zone", () => {
  it("has one spelling, that of the IANA database, whatever the case it is sent in", () => {
    const names = ["UTC", "Europe/Berlin", "Asia/Kolkata", "Asia/Calcutta", "US/Eastern", "Europe/Kyiv", "Etc/GMT+5"];
    for (const name of [
      ...names,
      "America/Port-au-Prince",
      "Asia/Ho_Chi_Minh",
      "Etc/UTC",
      "GB-Eire",
      "ROK",
      "NZ-CHAT",
    ]) {
      for (const given of [name, name.toLowerCase(), name.toUpperCase()]) expect(timeZoneName(given)).toBe(name);
      expect(() => toWall(name, 0)).not.toThrow();
    }
    for (const name of Intl.supportedValuesOf("timeZone")) expect(timeZoneName(name)).toBe(name);
  });

  it("is stored only if it is a real IANA zone: profile, working hours and events", async () => {
    const { token } = await signedInPerson();
    const client = service();
    const event = { title: "Call", start: "2050-03-01T09:00:00Z" };
    for (const timeZone of NOT_IANA) {
      const answers = [
        await client.patch("/api/settings/profile", { timeZone }, { token }),
        await client.put("/api/settings/profile/working-hours", { timeZone, days: OPEN_ALL_WEEK }, { token }),
        await client.post("/api/calendar/events", { ...event, timeZone }),
        await client.get(`/api/calendar/stats?timeZone=${encodeURIComponent(timeZone)}`),
      ];
      for (const answer of answers) {
        expectProblem(answer, 422, "validation_failed");
        expect(answer.text).toMatch(/Europe\/Berlin/);
      }
    }
    const stored = await client.patch("/api/settings/profile", { timeZone: "us/PACIFIC" }, { token });
    expect(stored.body.timeZone).toBe("US/Pacific");
  });
});
