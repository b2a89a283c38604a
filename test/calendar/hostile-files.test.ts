import ICAL from "ical.js";
import { describe, expect, it } from "vitest";
import { readInvitation } from "../../src/lib/ics/read.ts";
import { definedClocks } from "../../src/lib/ics/zone-offset.ts";

/* Anybody can send a calendar file. What it costs to read must not depend on what its writer wants. */

const EVERY_DAY = "FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=SU,MO,TU,WE,TH,FR,SA";
const calendarOf = (lines: string) => `BEGIN:VCALENDAR\nMETHOD:REQUEST\n${lines}END:VCALENDAR\n`;

/** A zone one hour east of UTC, and two where the second rule applies. */
function zoneOf(name: string, winter: string, summer?: string): string {
  const part = (kind: string, from: string, to: string, rule: string) =>
    `BEGIN:${kind}\nDTSTART:19700101T020000\nTZOFFSETFROM:${from}\nTZOFFSETTO:${to}\nRRULE:${rule}\nEND:${kind}\n`;
  const parts = [
    part("STANDARD", summer ? "+0200" : "+0100", "+0100", winter),
    ...(summer ? [part("DAYLIGHT", "+0100", "+0200", summer)] : []),
  ];
  return `BEGIN:VTIMEZONE\nTZID:${name}\n${parts.join("")}END:VTIMEZONE\n`;
}

const event = (lines: string) => `BEGIN:VEVENT\nUID:a${lines.length}\n${lines}\nEND:VEVENT\n`;

function withZones(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `Odd ${index}`);
  const exceptions = names.map((name) => `EXDATE;TZID=${name}:20310102T100000`);
  const first = ["DTSTART;TZID=Odd 0:20310101T100000", "RRULE:FREQ=DAILY", ...exceptions].join("\n");
  return calendarOf(names.map((name) => zoneOf(name, EVERY_DAY)).join("") + event(first));
}

describe("a calendar file that somebody sent", () => {
  it("may have a few time zones of its own, and no hundreds that each have to be identified", () => {
    expect(readInvitation(withZones(5), "UTC").events[0]?.timeZone).toBe("Africa/Algiers");
    expect(() => readInvitation(withZones(6), "UTC")).toThrow("too many time zones");
  });

  it("may have ten series, whose rules take time to follow, and no more", () => {
    const series = event("DTSTART:20310101T100000Z\nRRULE:FREQ=DAILY;COUNT=1000");
    expect(readInvitation(calendarOf(series.repeat(10)), "UTC").events).toHaveLength(10);
    expect(() => readInvitation(calendarOf(series.repeat(11)), "UTC")).toThrow("more than 10 series");
    expect(readInvitation(calendarOf(series.repeat(11)), "UTC", "file").events).toHaveLength(11);
  });

  it("has its zones read by the months, dates and weekdays of their rules, as programs write them", () => {
    const january = Date.UTC(2031, 0, 15);
    const july = Date.UTC(2031, 6, 15);
    for (const [winter, summer] of [
      ["BYMONTH=10;BYDAY=-1SU", "BYMONTH=3;BYDAY=-1SU"],
      ["BYMONTH=11;BYDAY=1SU", "BYMONTH=3;BYDAY=+2SU"],
      ["BYMONTH=10;BYMONTHDAY=-1", "BYMONTH=4;BYMONTHDAY=1"],
      ["BYMONTH=10;BYDAY=SU;BYMONTHDAY=8,9,10,11,12,13,14", "BYMONTH=3"],
    ]) {
      const zone = zoneOf("Odd", `FREQ=YEARLY;${winter}`, `FREQ=YEARLY;${summer}`);
      const { offsetAt } = definedClocks(new ICAL.Component(ICAL.parse(zone)), 2031);
      expect([january, july].map(offsetAt)).toEqual([3_600_000, 7_200_000]);
    }
  });
});
