import { describe, expect, it } from "vitest";
import { dateOf, HOUR_MS, isTimeZone, startOfDate, timeZoneName, toInstant, toWall } from "../../src/lib/time-zone.ts";

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

  it("have one spelling, and keep another name of a zone as the database writes it", () => {
    expect(timeZoneName("europe/BERLIN")).toBe("Europe/Berlin");
    expect(timeZoneName("utc")).toBe("UTC");
    for (const name of ["Asia/Kolkata", "Asia/Calcutta", "US/Eastern", "Europe/Kyiv", "America/Port-au-Prince"])
      expect(timeZoneName(name)).toBe(name);
    const odd = timeZoneName("asia/kOLKATA");
    expect(["Asia/Kolkata", "Asia/Calcutta"]).toContain(odd);
  });

  it("are known by IANA names only", () => {
    for (const name of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"]) expect(isTimeZone(name)).toBe(true);
    for (const name of ["", "Mars/Olympus", "+01:00", "Europe/Berlin; DROP"]) expect(isTimeZone(name)).toBe(false);
  });
});
