import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDates, MAX_SCANNED } from "../../src/engine/dates/find-dates.ts";
import { detectIn, understandEmail } from "../../src/engine/email/intelligence.ts";

const reference = new Date("2026-11-18T10:00:00Z");
const piece = fc.constantFrom(
  ..."Monday|tomorrow|at|3|3pm|10:30|from|to|-|between|and|the|24th|of|May|may|next|week|2 hours|for|every|Hi Ann,|please send|can we meet?|call|<div>|</p>|&nbsp;|>|\n|\n\n|https://zoom.us/j/1|.|,|$5|1/2|EST|(|)|’|é|😀|BEGIN:VEVENT\n|DTSTART:20261201T100000Z\n|END:VEVENT\n|Location: Room 4|-- |half past|in 2 weeks|cancel|99999999999".split(
    "|",
  ),
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(" ")),
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "grapheme", maxLength: 200 }),
);

describe("every quote is exactly the text it points at", () => {
  it("of a date", () => {
    fc.assert(
      fc.property(text, (content) => {
        let last = 0;
        for (const { start, end, text: quote, from, to } of findDates(content, { reference, timeZone: "Europe/Berlin" })
          .dates) {
          expect(content.slice(start, end)).toBe(quote);
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect([from, to].some((date) => date && Number.isNaN(date.getTime()))).toBe(false);
          if (from && to) expect(to.getTime()).toBeGreaterThan(from.getTime());
          last = end;
        }
      }),
      { numRuns: 400 },
    );
  });

  it("of a meeting, a signal and an action item", () => {
    fc.assert(
      fc.property(text, (content) => {
        const input = { content, reference, timeZone: "America/New_York" };
        const { meetings, signals } = detectIn(input);
        const { actionItems } = understandEmail(input);
        const quotes = [...meetings, ...actionItems].map(({ quote }) => quote);
        for (const { start, end, text: quote } of [...signals, ...quotes])
          expect(content.slice(start, end)).toBe(quote);
        for (const { start, end } of meetings) expect(end.getTime()).toBeGreaterThan(start.getTime());
      }),
      { numRuns: 200 },
    );
  });
});

describe("long texts", () => {
  it("are read up to 50,000 characters, and the answer says so", () => {
    const long = `${"word ".repeat(MAX_SCANNED / 5)}tomorrow at 3pm`;
    const { dates, note } = findDates(long, { reference, timeZone: "UTC" });
    expect(dates).toEqual([]);
    expect(note).toContain("50000");
  });

  it("with more dates than any mail has give the first of them", () => {
    const { dates, note } = findDates("1 day ".repeat(2000), { reference, timeZone: "UTC" });
    expect(dates).toHaveLength(500);
    expect(note).toContain("500");
  });
});
