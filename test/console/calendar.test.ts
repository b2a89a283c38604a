import { describe, expect, it } from "vitest";
import { nthOf, readRule, shiftRule, writeRule } from "../../src/console/lib/rule.ts";
import { addDays, dateText, pastText, type TimeHabits } from "../../src/console/lib/time.ts";
import {
  localText,
  minutesBetween,
  momentAt,
  normal,
  offsetAt,
  startOfDay,
  wallAt,
} from "../../src/console/lib/zone.ts";
import { addMonths, daysOf, isDay, stepFrom, weekNumber } from "../../src/console/screens/calendar/days.ts";
import { fitLanes, inLanes, place, segmentOn, sideBySide } from "../../src/console/screens/calendar/layout.ts";

const at = (text: string) => Date.parse(text);
const iso = (moment: number) => new Date(moment).toISOString();
const NEW_YORK = "America/New_York";
const BERLIN = "Europe/Berlin";

describe("wall clocks", () => {
  it("show what the zone shows, on both sides of a change", () => {
    expect(wallAt(NEW_YORK, at("2026-03-08T06:59:00Z"))).toEqual({ day: "2026-03-08", minutes: 119 });
    expect(wallAt(NEW_YORK, at("2026-03-08T07:00:00Z"))).toEqual({ day: "2026-03-08", minutes: 180 });
    expect(wallAt(BERLIN, at("2026-10-25T00:30:00Z"))).toEqual({ day: "2026-10-25", minutes: 150 });
    expect(wallAt(BERLIN, at("2026-10-25T01:30:00Z"))).toEqual({ day: "2026-10-25", minutes: 150 });
    expect(offsetAt("Asia/Kathmandu", at("2026-11-16T00:00:00Z"))).toBe(345);
    expect(offsetAt("America/St_Johns", at("2026-11-16T00:00:00Z"))).toBe(-210);
  });

  it("name one moment for each time: skipped ones later, doubled ones the first", () => {
    const moment = (zone: string, day: string, minutes: number) => iso(momentAt(zone, { day, minutes }));
    expect(moment(NEW_YORK, "2026-03-08", 90)).toBe("2026-03-08T06:30:00.000Z");
    expect(moment(NEW_YORK, "2026-03-08", 150)).toBe("2026-03-08T07:30:00.000Z");
    expect(moment(NEW_YORK, "2026-03-08", 210)).toBe("2026-03-08T07:30:00.000Z");
    expect(moment(NEW_YORK, "2026-11-01", 90)).toBe("2026-11-01T05:30:00.000Z");
    expect(moment(NEW_YORK, "2026-11-01", 120)).toBe("2026-11-01T07:00:00.000Z");
    expect(moment(BERLIN, "2026-03-29", 150)).toBe("2026-03-29T01:30:00.000Z");
    expect(moment(BERLIN, "2026-10-25", 150)).toBe("2026-10-25T00:30:00.000Z");
    expect(moment(BERLIN, "2026-10-25", 180)).toBe("2026-10-25T02:00:00.000Z");
    // A zone that skips midnight, and one that skipped a whole day.
    expect(moment("America/Santiago", "2026-09-06", 0)).toBe("2026-09-06T04:00:00.000Z");
    expect(moment("Pacific/Apia", "2011-12-31", 60)).toBe("2011-12-30T11:00:00.000Z");
  });

  it("go there and back for every quarter of an hour of both changes", () => {
    for (const [zone, day] of [
      [NEW_YORK, "2026-03-08"],
      [NEW_YORK, "2026-11-01"],
      [BERLIN, "2026-03-29"],
      [BERLIN, "2026-10-25"],
    ] as const) {
      for (let minutes = 0; minutes < 1440; minutes += 15) {
        const moment = momentAt(zone, { day, minutes });
        const isSkipped = wallAt(zone, moment).minutes !== minutes;
        if (isSkipped) expect(wallAt(zone, moment).minutes).toBe(minutes + 60);
        else expect(momentAt(zone, wallAt(zone, moment))).toBe(moment);
      }
    }
  });

  it("begin each day at its first moment, in every zone and around every change of clocks", () => {
    const [from, to, week, quarter] = [at("2025-01-01"), at("2028-01-01"), 7 * 86_400_000, 900_000];
    let changes = 0;
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      for (let moment = from; moment < to; moment += week) {
        if (offsetAt(zone, moment) === offsetAt(zone, moment + week)) continue;
        changes += 1;
        const { day: first } = wallAt(zone, moment);
        for (let count = 1; count <= 8; count++) {
          const day = addDays(first, count);
          const noon = at(`${day}T12:00:00Z`);
          if (offsetAt(zone, noon - 2 * 86_400_000) === offsetAt(zone, noon + 2 * 86_400_000)) continue;
          // From when it is the day before everywhere: all clocks change at a quarter of an hour.
          let found = at(`${day}T00:00:00Z`) - 15 * 3_600_000;
          while (wallAt(zone, found).day !== day) found += quarter;
          expect(`${zone} ${startOfDay(zone, day).toISOString()}`).toBe(`${zone} ${iso(found)}`);
        }
      }
    }
    expect(changes).toBeGreaterThan(500);
  });

  it("carry minutes over to other days", () => {
    expect(normal({ day: "2026-12-31", minutes: 1500 })).toEqual({ day: "2027-01-01", minutes: 60 });
    expect(normal({ day: "2026-03-01", minutes: -30 })).toEqual({ day: "2026-02-28", minutes: 1410 });
    expect(localText({ day: "2026-11-16", minutes: 1445 })).toBe("2026-11-17T00:05");
    expect(minutesBetween({ day: "2026-03-08", minutes: 60 }, { day: "2026-03-09", minutes: 30 })).toBe(1410);
  });
});

describe("days in words", () => {
  it("are each written in their own way, also where the person's zone is UTC", () => {
    const habits: TimeHabits = { timeZone: "UTC", locale: "en-GB", timeFormat: "24h", weekStart: "monday" };
    expect(pastText(habits, new Date("2024-11-06T09:00:00Z"), new Date("2026-11-18T09:00:00Z"))).toBe("6 Nov 2024");
    expect(dateText(habits, "2026-11-18")).toContain("18 November 2026");
  });
});

describe("days of a view", () => {
  const habits = (weekStart: TimeHabits["weekStart"]): TimeHabits => ({
    timeZone: NEW_YORK,
    locale: "en",
    timeFormat: "24h",
    weekStart,
  });

  it("are whole weeks from the day that the profile's week starts on", () => {
    expect(daysOf(habits("monday"), "week", "2026-11-18")[0]).toBe("2026-11-16");
    expect(daysOf(habits("sunday"), "week", "2026-11-18")[0]).toBe("2026-11-15");
    expect(daysOf(habits("saturday"), "week", "2026-11-18")[0]).toBe("2026-11-14");
    const month = daysOf(habits("monday"), "month", "2026-11-18");
    expect([month[0], month.at(-1), month.length]).toEqual(["2026-10-26", "2026-12-06", 42]);
    expect(daysOf(habits("monday"), "month", "2027-02-10").length).toBe(28);
    expect(daysOf(habits("sunday"), "day", "2026-03-08")).toEqual(["2026-03-08"]);
  });

  it("step by their own length, and months keep the day where they can", () => {
    expect(stepFrom("week", "2026-12-28", 1)).toBe("2027-01-04");
    expect(stepFrom("month", "2026-01-31", 1)).toBe("2026-02-28");
    expect(addMonths("2026-03-31", -1)).toBe("2026-02-28");
    expect(addMonths("2026-11-30", 3)).toBe("2027-02-28");
    expect(weekNumber("2026-11-16")).toBe(47);
    expect(weekNumber("2027-01-01")).toBe(53);
    expect([isDay("2026-02-29"), isDay("2028-02-29"), isDay("today"), isDay("2026-13-01")]).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});

describe("where events stand", () => {
  const timed = (start: string, end: string) => ({ start, end, allDay: false, startDate: null, endDate: null });

  it("is the profile's zone, over midnight and over the change of clocks", () => {
    const late = place(BERLIN, timed("2026-11-16T22:30:00Z", "2026-11-17T00:30:00Z"));
    expect([late.first, late.last, late.isBar]).toEqual(["2026-11-16", "2026-11-17", false]);
    expect([segmentOn(late, "2026-11-16"), segmentOn(late, "2026-11-17")]).toMatchObject([
      { from: 1410, to: 1440 },
      { from: 0, to: 90 },
    ]);
    const untilMidnight = place(BERLIN, timed("2026-11-16T21:00:00Z", "2026-11-16T23:00:00Z"));
    expect(untilMidnight).toMatchObject({ last: "2026-11-16", from: 1320, to: 1440 });
    // 1:30 to 1:30, an hour later: the clocks went back.
    const doubled = place(NEW_YORK, timed("2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"));
    expect(doubled).toMatchObject({ first: "2026-11-01", last: "2026-11-01", from: 90, to: 150 });
    const skipped = place(NEW_YORK, timed("2026-03-08T06:30:00Z", "2026-03-08T07:30:00Z"));
    expect(skipped).toMatchObject({ from: 90, to: 210 });
    const holiday = {
      ...timed("2026-11-15T15:00:00Z", "2026-11-17T15:00:00Z"),
      allDay: true,
      startDate: "2026-11-16",
      endDate: "2026-11-18",
    };
    expect(place(NEW_YORK, holiday)).toMatchObject({ first: "2026-11-16", last: "2026-11-17", isBar: true });
    expect(place(NEW_YORK, timed("2026-11-16T15:00:00Z", "2026-11-18T15:00:00Z")).isBar).toBe(true);
  });

  const segment = (item: string, from: number, to: number) => ({ item, from, to });

  it("is side by side for those that overlap, and as wide as there is room", () => {
    const { boxes, crowds } = sideBySide(
      [segment("a", 540, 660), segment("b", 570, 600), segment("c", 600, 660), segment("d", 700, 760)],
      4,
    );
    const seen = Object.fromEntries(boxes.map(({ item, column, columns, span }) => [item, [column, columns, span]]));
    expect(seen).toEqual({ a: [0, 2, 1], b: [1, 2, 1], c: [1, 2, 1], d: [0, 1, 1] });
    expect(crowds).toEqual([]);
    const wide = sideBySide([segment("a", 0, 120), segment("b", 0, 60), segment("c", 0, 30), segment("d", 60, 120)], 9);
    expect(wide.boxes.find(({ item }) => item === "d")).toMatchObject({ column: 1, span: 2 });
  });

  it("never overlaps, whatever comes, and loses nothing", () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state % below;
    };
    for (let round = 0; round < 60; round++) {
      const given = Array.from({ length: 1 + random(40) }, (_, index) => {
        const from = random(94) * 15;
        return segment(String(index), from, Math.min(1440, from + 15 + random(12) * 15));
      });
      const max = 2 + random(5);
      const { boxes, crowds } = sideBySide(given, max);
      expect(boxes.length + crowds.flatMap(({ items }) => items).length).toBe(given.length);
      for (const a of boxes) {
        expect(a.column + a.span).toBeLessThanOrEqual(Math.min(a.columns, max));
        for (const b of boxes) {
          if (a === b || a.from >= b.to || b.from >= a.to) continue;
          expect(a.column + a.span <= b.column || b.column + b.span <= a.column).toBe(true);
        }
        for (const crowd of crowds.filter(({ from, to }) => from < a.to && to > a.from)) {
          expect(a.column + a.span).toBeLessThan(crowd.columns + 0.5);
          expect(a.column).toBeLessThan(crowd.columns - 1);
        }
      }
    }
  });

  it("is in lanes across days, with the rest counted on each day", () => {
    const days = daysOf(
      { timeZone: "UTC", locale: "en", timeFormat: "24h", weekStart: "monday" },
      "week",
      "2026-11-16",
    );
    const bar = (name: string, first: string, last: string) => ({ name, first, last });
    const byStart = (a: { first: string; last: string }, b: { first: string; last: string }) =>
      a.first === b.first ? (a.last < b.last ? 1 : a.last > b.last ? -1 : 0) : a.first < b.first ? -1 : 1;
    const laned = inLanes(
      [
        bar("trip", "2026-11-12", "2026-11-18"),
        bar("fair", "2026-11-17", "2026-11-30"),
        bar("one", "2026-11-19", "2026-11-19"),
        bar("two", "2026-11-19", "2026-11-19"),
        bar("gone", "2026-11-23", "2026-11-24"),
      ],
      days,
      byStart,
    );
    const seen = Object.fromEntries(laned.map(({ item, first, last, lane }) => [item.name, [first, last, lane]]));
    expect(seen).toEqual({ trip: [0, 2, 0], fair: [1, 6, 1], one: [3, 3, 0], two: [3, 3, 2] });
    const { shown, hidden } = fitLanes(laned, 7, 2);
    expect(shown.map(({ item }) => item.name)).toEqual(["trip", "one"]);
    expect(hidden).toEqual([0, 1, 1, 2, 1, 1, 1]);
    expect(fitLanes(laned, 7, 3).hidden).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});

describe("recurrence rules", () => {
  it("are read for the form and written again as they were", () => {
    for (const text of [
      "FREQ=DAILY",
      "FREQ=DAILY;INTERVAL=3;COUNT=10",
      "FREQ=WEEKLY;BYDAY=MO,WE",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270201T045959Z",
      "FREQ=MONTHLY",
      "FREQ=MONTHLY;BYDAY=-1FR",
      "FREQ=YEARLY",
    ]) {
      const rule = readRule(text, "2026-11-27", NEW_YORK);
      expect(rule && writeRule(rule, NEW_YORK)).toBe(text);
    }
    expect(readRule("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1", "2026-11-16", NEW_YORK)).toBeNull();
    const until = readRule("FREQ=DAILY;UNTIL=20270201T045959Z", "2026-11-16", NEW_YORK);
    expect(until?.ends).toEqual({ kind: "on", day: "2027-01-31" });
    expect(readRule("FREQ=HOURLY", "2026-11-16", NEW_YORK)).toBeNull();
    expect(readRule("FREQ=MONTHLY;BYMONTHDAY=1", "2026-11-16", NEW_YORK)).toBeNull();
    expect([nthOf("2026-11-13"), nthOf("2026-11-27"), nthOf("2026-11-01")]).toEqual([2, -1, 1]);
  });

  it("move with their series where a rule can say it", () => {
    expect(shiftRule("FREQ=WEEKLY;BYDAY=MO,SU", 1)).toBe("FREQ=WEEKLY;BYDAY=TU,MO");
    expect(shiftRule("FREQ=WEEKLY;BYDAY=MO", -1)).toBe("FREQ=WEEKLY;BYDAY=SU");
    expect(shiftRule("FREQ=WEEKLY", 3)).toBe("FREQ=WEEKLY");
    expect(shiftRule("FREQ=MONTHLY;BYDAY=-1FR", 1)).toBeNull();
    expect(shiftRule("FREQ=MONTHLY;BYMONTHDAY=15", 1)).toBeNull();
    expect(shiftRule("FREQ=MONTHLY;BYDAY=-1FR", 0)).toBe("FREQ=MONTHLY;BYDAY=-1FR");
  });
});
