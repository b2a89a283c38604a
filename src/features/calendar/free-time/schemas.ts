import { z } from "@hono/zod-openapi";
import { doc, integerParam, named, TimeOrDateInput, Timestamp, TimeZone } from "../../../http/schemas.ts";

const Interval = named("Interval", () => ({
  start: doc(Timestamp, "Start."),
  end: doc(Timestamp, "End, not included.", "2026-11-16T10:15:00.000Z"),
}));

const FROM = "A time with an offset, or a date such as `2026-11-16` for the start of that day";
const TO = "A time with an offset, or a date, which is included as a whole.";

export const RangeQuery = z.object({
  start: doc(TimeOrDateInput, `Start of the range. ${FROM} in your time zone.`, "2026-11-16"),
  end: doc(TimeOrDateInput, `End of the range, at most 366 days later. ${TO}`, "2026-11-20"),
});
export type RangeQuery = z.output<typeof RangeQuery>;

export const FreeBusy = named("FreeBusy", () => ({
  start: doc(Timestamp, "Start of the range."),
  end: doc(Timestamp, "End of the range.", "2026-11-21T00:00:00.000Z"),
  busy: doc(z.array(Interval), "Busy times in the range, ascending, with overlapping events merged."),
}));

export const SlotQuery = z.object({
  durationMinutes: doc(integerParam(5, 1440), "Length of a slot. Default: 30.").default(30),
  start: doc(TimeOrDateInput.optional(), `${FROM} in \`timeZone\`. Default: now.`),
  end: doc(TimeOrDateInput.optional(), `At most 31 days after \`start\`. ${TO} Default: 7 days after \`start\`.`),
  timeZone: doc(
    TimeZone.optional(),
    "IANA time zone of dates and, if you have set no working hours, of 9:00 to 17:00 on weekdays. Default: the time " +
      "zone of your profile, otherwise UTC.",
  ),
});
export type SlotQuery = z.output<typeof SlotQuery>;

export const Slots = named("Slots", () => ({
  timeZone: doc(z.string(), "The time zone that was used.", "Europe/Berlin"),
  durationMinutes: doc(z.int(), "Length of each slot.", 45),
  slots: doc(z.array(Interval), "Free slots, ascending and without overlaps."),
}));
