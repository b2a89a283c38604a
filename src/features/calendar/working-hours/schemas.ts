import { z } from "@hono/zod-openapi";
import { doc, named, TimeZone } from "../../../http/schemas.ts";

const OFFICE_DAY = [{ start: "09:00", end: "17:00" }];

const Clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be a time such as 09:00, or 24:00 for the end of the day");
const ClockRange = z
  .object({
    start: doc(Clock, "Start of the range, as a 24-hour clock time.", "09:00"),
    end: doc(Clock, "End of the range, after `start`. `24:00` is the end of the day.", "17:00"),
  })
  .refine(({ start, end }) => start < end, { message: "must be after start", path: ["end"] });

/** Clock times all have five characters, so they sort as text. */
function areApart(ranges: readonly { start: string; end: string }[]): boolean {
  return ranges.every(({ start }, index) => index === 0 || start >= (ranges[index - 1]?.end ?? ""));
}

const day = (name: string, example: typeof OFFICE_DAY) =>
  doc(
    z.array(ClockRange).max(8).refine(areApart, "must be in order and not overlap"),
    `Ranges on ${name}, in order and without overlaps. Empty: no working hours.`,
    example,
  );

const Week = named(
  "WorkingWeek",
  () => ({
    monday: day("Monday", OFFICE_DAY),
    tuesday: day("Tuesday", OFFICE_DAY),
    wednesday: day("Wednesday", OFFICE_DAY),
    thursday: day("Thursday", OFFICE_DAY),
    friday: day("Friday", OFFICE_DAY),
    saturday: day("Saturday", []),
    sunday: day("Sunday", []),
  }),
  { description: "Working hours by weekday." },
);

export const WorkingHours = named("WorkingHours", () => ({
  timeZone: doc(z.string(), "Time zone of the clock times.", "Europe/London"),
  days: Week,
  isDefault: doc(z.boolean(), "True while you have set no hours of your own.", false),
  version: doc(z.int(), "Increases with every change; also the ETag.", 3),
}));

export const NewWorkingHours = named(
  "NewWorkingHours",
  () => ({
    timeZone: doc(TimeZone.optional(), "Time zone of the clock times. Default: your profile's time zone."),
    days: Week,
  }),
  {
    example: {
      timeZone: "Europe/London",
      days: {
        monday: OFFICE_DAY,
        tuesday: OFFICE_DAY,
        wednesday: OFFICE_DAY,
        thursday: OFFICE_DAY,
        friday: [{ start: "09:00", end: "13:00" }],
        saturday: [],
        sunday: [],
      },
    },
  },
);
export type NewWorkingHours = z.output<typeof NewWorkingHours>;
