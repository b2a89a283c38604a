import { z } from "@hono/zod-openapi";
import {
  countsOf,
  EmailAddress,
  Id,
  IdParam,
  integerParam,
  listOf,
  listParam,
  pageParams,
  Tags,
  Timestamp,
  TimestampInput,
  TimeZone,
} from "../../../http/schemas.ts";
import { EVENT_SOURCES, EVENT_STATUSES, RESPONSES } from "../../../lib/event-kinds.ts";

const Status = z.enum(EVENT_STATUSES).openapi({ example: "confirmed" });

const When = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]).openapi({
  type: "string",
  example: "2026-11-16T10:30:00+01:00",
  description:
    "A time with an offset, a local time (read in `timeZone`), or, for an all-day event, a date. " +
    "A full time given for an all-day event counts as its date.",
});

const text = (max: number, example: string) => z.string().trim().max(max).nullable().openapi({ example });

const Person = z.object({
  name: z.string().trim().max(200).nullable().default(null).openapi({ example: "Grace Hopper" }),
  email: EmailAddress.openapi({ example: "grace@example.com" }),
});

const AttendeeInput = Person.extend({
  response: z.enum(RESPONSES).default("needs_action").openapi({ example: "accepted" }),
});

const MeetingUrl = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .nullable()
  .openapi({ example: "https://meet.example.com/abc" });

const RuleInput = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .nullable()
  .openapi({
    example: "FREQ=WEEKLY;BYDAY=MO,WE",
    description:
      "An RFC 5545 RRULE; null ends the recurrence. It runs by the clock of `timeZone`, so nine o'clock stays nine o'clock. " +
      "Up to 24 occurrences a day; COUNT and INTERVAL up to 1000; BYWEEKNO is not supported.",
  });

const details = {
  description: text(20_000, "Numbers, then plans."),
  location: text(1000, "Room 4"),
  meetingUrl: MeetingUrl,
  status: Status,
  busy: z
    .boolean()
    .openapi({ example: true, description: "Whether it takes up time; if not, it conflicts with nothing." }),
  organizer: Person.nullable(),
  attendees: z.array(AttendeeInput).max(500),
  tags: Tags,
  notes: text(20_000, "Bring the contract."),
  emailId: Id.nullable(),
  cancelReason: text(1000, "Ill"),
  rescheduledFromId: Id.nullable(),
  externalStatus: text(100, "accepted"),
  externalUpdatedAt: TimestampInput.nullable(),
};

const when = {
  end: When.optional(),
  durationMinutes: z
    .int()
    .min(1)
    .max(5 * 366 * 24 * 60)
    .optional()
    .openapi({ example: 45, description: "In place of `end`. Without either: 30 minutes, or one day." }),
  allDay: z.boolean().optional().openapi({ example: false, description: "Whole days, `end` exclusive." }),
  timeZone: TimeZone.optional(),
  rrule: RuleInput.optional(),
  exdates: z.array(When).max(1000).optional().openapi({ description: "Starts of occurrences that do not take place." }),
};

const Title = z.string().trim().min(1).max(500).openapi({ example: "Quarterly review" });
const BookingId = z.string().trim().min(1).max(200);

export const NewEvent = z
  .object({
    title: Title,
    start: When,
    ...when,
    ...z.object(details).partial().shape,
    source: z
      .enum(EVENT_SOURCES)
      .optional()
      .openapi({ example: "manual", description: "`bookingsvc` when there is a `bookingId`, and only then." }),
    bookingId: BookingId.optional().openapi({
      example: "bk_7Yk2",
      description: "The provider's booking. Its event is updated if there is one: what the body does not name stays.",
    }),
  })
  .refine(({ end, durationMinutes }) => end === undefined || durationMinutes === undefined, {
    message: "give either end or durationMinutes",
    path: ["durationMinutes"],
  })
  .refine(({ source, bookingId }) => source !== "bookingsvc" || bookingId !== undefined, {
    message: "an event of the booking provider needs its bookingId",
    path: ["bookingId"],
  })
  .openapi("NewEvent");

export const EventChange = z
  .object({ title: Title.optional(), start: When.optional(), ...when, ...z.object(details).partial().shape })
  .refine(({ end, durationMinutes }) => end === undefined || durationMinutes === undefined, {
    message: "give either end or durationMinutes",
    path: ["durationMinutes"],
  })
  .openapi("EventChange");

const nullableText = (example: string) => z.string().nullable().openapi({ example });
const DateOnly = z.iso.date().nullable().openapi({ example: null });

const fields = {
  id: Id,
  title: z.string().openapi({ example: "Quarterly review" }),
  description: nullableText("Numbers, then plans."),
  start: Timestamp,
  end: Timestamp.openapi({ example: "2026-11-16T10:00:00.000Z" }),
  allDay: z.boolean().openapi({ example: false }),
  startDate: DateOnly.openapi({
    description:
      "Of an all-day event: its first date, the same for everyone. `start` is where that day begins in `timeZone`.",
  }),
  endDate: DateOnly.openapi({ description: "Of an all-day event: the date after its last." }),
  timeZone: z.string().openapi({ example: "Europe/Berlin" }),
  location: nullableText("Room 4"),
  meetingUrl: nullableText("https://meet.example.com/abc"),
  status: Status,
  busy: z.boolean().openapi({ example: true }),
  source: z.enum(EVENT_SOURCES).openapi({ example: "manual" }),
  bookingId: nullableText("bk_7Yk2"),
  organizer: z.object({ name: z.string().nullable(), email: z.string() }).nullable(),
  attendees: z.array(
    z.object({ name: z.string().nullable(), email: z.string(), response: z.enum(RESPONSES) }).openapi("Attendee"),
  ),
  tags: z.array(z.string()).openapi({ example: ["client"] }),
  notes: nullableText("Bring the contract."),
  emailId: Id.nullable(),
  icalUid: z.string().openapi({ example: "7d0f6f0e-2f1c-4a3b-9b57-0c6a9a3f8e11" }),
  sequence: z.int().openapi({ example: 0, description: "Rises with every change of time, place or status." }),
  rescheduledFromId: Id.nullable(),
  cancelReason: nullableText("Ill"),
  externalStatus: nullableText("accepted"),
  externalUpdatedAt: Timestamp.nullable(),
  rrule: nullableText("FREQ=WEEKLY;BYDAY=MO,WE"),
  exdates: z.array(Timestamp).openapi({ description: "Starts of occurrences that do not take place." }),
  recurringEventId: Id.nullable().openapi({
    description: "Of an occurrence: its series. One that was never edited has the `id` of the series too.",
  }),
  originalStart: Timestamp.nullable().openapi({
    description:
      "Of an occurrence: when its series has it. Pass it as `occurrence` to read, change or delete just this one.",
  }),
  version: z.int().openapi({ example: 1 }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const Event = z.object(fields).openapi("Event");

const ConflictSchema = z
  .object({ id: Id, title: z.string().openapi({ example: "Dentist" }), start: Timestamp, end: Timestamp })
  .openapi("EventConflict");

export const WrittenEvent = z
  .object({
    ...fields,
    conflicts: z.array(ConflictSchema).openapi({
      description: "What else takes up the same time, at most 20; of a series, within the next 366 days.",
    }),
  })
  .openapi("WrittenEvent");

export const EventList = listOf(Event, "EventList");

/** One end of a range to look at. */
const Bound = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => new Date(text))
  .openapi({
    type: "string",
    example: "2026-11-16T00:00:00Z",
    description: "A time with an offset, or a date: its midnight in UTC.",
  });

export const EventFilter = z.object({
  start: Bound.optional().openapi({ description: "Only events that end after this." }),
  end: Bound.optional().openapi({
    description: "Only events that start before this. With both bounds, series are shown as their occurrences.",
  }),
  status: listParam(EVENT_STATUSES).optional(),
  source: listParam(EVENT_SOURCES).optional(),
  ...pageParams,
});

export const EventPath = z.object({ id: IdParam });
export const BookingPath = z.object({ bookingId: BookingId.openapi({ example: "bk_7Yk2" }) });

const occurrence = TimestampInput.optional().openapi({
  description: "The `originalStart` of one occurrence of a series: only this one is meant.",
});
const onConflict = z.enum(["reject"]).optional().openapi({
  description: "`reject`: write nothing if the time is taken.",
});

export const OccurrenceQuery = z.object({ occurrence });
export const CreateQuery = z.object({ onConflict });
export const UpdateQuery = z.object({ occurrence, onConflict });

const days = integerParam(1, 366).default(30);
export const UpcomingQuery = z.object({
  limit: integerParam(1, 100).default(50).openapi({ default: 50, example: 10 }),
  cursor: pageParams.cursor,
  days: days.openapi({ default: 30, example: 7, description: "How far to look ahead." }),
});

const ZoneParam = TimeZone.optional().openapi({
  example: "Europe/Berlin",
  description: "An IANA time zone; your profile's when left out, UTC for whoever is not signed in.",
});
export const ZoneQuery = z.object({ timeZone: ZoneParam });

const DayFigures = z
  .object({
    date: z.iso.date().openapi({ example: "2026-11-16" }),
    events: z.int().openapi({ example: 4 }),
    hours: z.number().openapi({ example: 3.5 }),
  })
  .openapi("DayFigures");

export const Statistics = z
  .object({
    timeZone: z.string().openapi({ example: "Europe/Berlin" }),
    total: z.int().openapi({ example: 40, description: "All events; a series is one." }),
    upcoming: z.int().openapi({
      example: 12,
      description: "On now or within 30 days, not cancelled; every occurrence counts.",
    }),
    byStatus: countsOf(EVENT_STATUSES),
    bySource: countsOf(EVENT_SOURCES),
    hoursBooked: z
      .object({ thisWeek: z.number().openapi({ example: 11.5 }), nextWeek: z.number().openapi({ example: 8 }) })
      .openapi({ description: "Weeks begin on Monday. Overlapping time counts once, all-day events do not." }),
    perDay: z.array(DayFigures).openapi({ description: "Today and the 13 days after it." }),
    busiestDay: z.object(DayFigures.shape).nullable(),
  })
  .openapi("CalendarStatistics");

const IntervalSchema = z.object({ start: Timestamp, end: Timestamp }).openapi("Interval");

export const RangeQuery = z.object({ start: Bound, end: Bound });
export const FreeBusy = z
  .object({
    start: Timestamp,
    end: Timestamp,
    busy: z.array(IntervalSchema).openapi({ description: "Ascending, apart from each other, within the range." }),
  })
  .openapi("FreeBusy");

export const SlotQuery = z.object({
  durationMinutes: integerParam(5, 1440).default(30).openapi({ default: 30, example: 45 }),
  start: Bound.optional().openapi({ description: "Now, when left out." }),
  end: Bound.optional().openapi({ description: "A week after start, when left out; at most 31 days." }),
  timeZone: ZoneParam,
});
export const Slots = z
  .object({
    timeZone: z.string().openapi({ example: "Europe/Berlin" }),
    durationMinutes: z.int().openapi({ example: 45 }),
    slots: z.array(IntervalSchema),
  })
  .openapi("Slots");

export const Feed = z
  .object({
    url: z.string().nullable().openapi({
      example: "https://assistant.example.com/api/calendar/feed.ics?token=…",
      description: "Subscribe to this in any calendar. Shown once.",
    }),
    createdAt: Timestamp,
  })
  .openapi("CalendarFeed");

export const FeedQuery = z.object({ token: z.string().min(1).max(200).openapi({ example: "kX2…" }) });
