import { z } from "@hono/zod-openapi";
import { ADDRESS_FORMS, AddressInput, addressFields, readAddress } from "../../../http/address-schemas.ts";
import { REMINDERS_TEXT, recordReminders, remindersInput } from "../../../http/reminder-schemas.ts";
import {
  doc,
  FlagParam,
  Id,
  integerParam,
  listOf,
  listParam,
  named,
  objectOf,
  pageParams,
  Tags,
  TimeOrDateInput,
  Timestamp,
  TimestampInput,
  TimeZone,
  versionFields,
} from "../../../http/schemas.ts";
import { BOOKING_SOURCE, EVENT_SOURCES, EVENT_STATUSES, RESPONSES } from "../../../lib/event-kinds.ts";
import { readBy } from "../../../lib/receipts.ts";

const Status = z.enum(EVENT_STATUSES);
const Source = z.enum(EVENT_SOURCES);
const Response = z.enum(RESPONSES);

const when = () => z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]).openapi({ type: "string" });
const WHEN = "A time with an offset, a local time in `timeZone`, or a date for an all-day event.";

const text = (max: number) => z.string().trim().max(max).nullable();

const toPerson = (address: { name: string; email: string }) => ({
  name: address.name || null,
  email: address.email.toLowerCase(),
});

const attendeeInput = () =>
  z
    .union([
      z.string().max(500),
      z.object({ ...addressFields, response: doc(Response.optional(), "Default: `needs_action`.", "accepted") }),
    ])
    .transform((given, ctx) => {
      const address = readAddress(given, ctx);
      const response = typeof given === "string" ? undefined : given.response;
      return address ? { ...toPerson(address), response: response ?? ("needs_action" as const) } : z.NEVER;
    });

const details = () => ({
  description: doc(text(20_000), "Details."),
  location: doc(text(1000), "Place."),
  meetingUrl: doc(
    z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .nullable(),
    "Link to a video call.",
  ),
  status: doc(Status, "Status. Default for a new event: `confirmed`."),
  busy: doc(
    z.boolean(),
    "Whether the event blocks its time. If not, it has no conflicts. Default: true, or false if `allDay`.",
  ),
  organizer: doc(AddressInput.transform(toPerson).nullable(), `Organizer: ${ADDRESS_FORMS}.`),
  attendees: doc(
    z.array(attendeeInput()).max(500),
    `Attendees, each ${ADDRESS_FORMS}. No invitation or update is sent to them.`,
  ),
  tags: doc(Tags, "Tags. A sync never changes them."),
  notes: doc(text(20_000), "Private notes. A sync never changes them."),
  reminders: doc(remindersInput(), REMINDERS_TEXT, [{ minutesBefore: 10 }]),
  emailId: doc(Id.nullable(), "Id of a stored email that the event belongs to."),
  cancelReason: doc(text(1000), "Why the event is cancelled."),
  rescheduledFromId: doc(Id.nullable(), "Id of the event that this one replaces."),
  externalStatus: doc(text(100), "Status in the booking provider's own terms."),
  externalUpdatedAt: doc(TimestampInput.nullable(), "When the booking provider last changed the booking."),
});

const times = () => ({
  end: doc(when().optional(), `End, not included. ${WHEN}`),
  durationMinutes: doc(
    z
      .int()
      .min(1)
      .max(5 * 366 * 24 * 60)
      .optional(),
    "Length, instead of `end`. Default: 30 minutes, or one day for an all-day event.",
  ),
  allDay: doc(z.boolean().optional(), "Whether the event covers whole days. Default: false."),
  timeZone: doc(
    TimeZone.optional(),
    "IANA time zone of local times, dates and the series. Default: the time zone of your profile, otherwise UTC.",
  ),
  rrule: doc(
    z.string().trim().min(1).max(500).nullable().optional(),
    "Recurrence rule (RFC 5545 RRULE), applied in local time of `timeZone`; null ends the recurrence. At most 24 " +
      "occurrences a day; COUNT and INTERVAL up to 1000; BYWEEKNO, and in a monthly rule BYMONTHDAY with BYSETPOS or a " +
      "numbered BYDAY, are not supported.",
  ),
  exdates: doc(z.array(when()).max(1000).optional(), "Starts of excluded occurrences."),
});

const title = () => doc(z.string().trim().min(1).max(500), "Title.");
const BookingId = z.string().trim().min(1).max(200);

const hasOneEnd = ({ end, durationMinutes }: { end?: string; durationMinutes?: number }) =>
  end === undefined || durationMinutes === undefined;
const ONE_END = { message: "cannot be sent together with end", path: ["durationMinutes"] };

export const NewEvent = objectOf(() => ({
  title: title(),
  start: doc(when(), `Start. ${WHEN}`),
  ...times(),
  ...z.object(details()).partial().shape,
  source: doc(
    Source.optional(),
    `What created the event. Default: \`manual\`; with a \`bookingId\` always \`${BOOKING_SOURCE}\`.`,
  ),
  bookingId: doc(
    BookingId.optional(),
    "Id of the provider's booking. If it already has an event, that event is updated; fields left out stay.",
  ),
}))
  .refine(hasOneEnd, ONE_END)
  .refine(({ source, bookingId }) => source !== BOOKING_SOURCE || bookingId !== undefined, {
    message: `is required with the source ${BOOKING_SOURCE}`,
    path: ["bookingId"],
  })
  .openapi("NewEvent", {
    example: {
      title: "Quarterly review",
      start: "2026-11-16T10:30:00+01:00",
      durationMinutes: 45,
      timeZone: "Europe/Berlin",
      location: "Room 4",
      attendees: ["Grace Hopper <grace@example.com>"],
      tags: ["client"],
    },
  });

export const EventChange = objectOf(() => ({
  title: title().optional(),
  start: doc(when().optional(), `Start. ${WHEN}`),
  ...times(),
  ...z.object(details()).partial().shape,
}))
  .refine(hasOneEnd, ONE_END)
  .openapi("EventChange", {
    description: "Changes to an event. Fields that are left out stay as they are.",
    example: { start: "2026-11-16T15:00:00+01:00", location: "Room 2" },
  });

const personFields = () => ({
  name: doc(z.string().nullable(), "The person's name.", "Ann Lee"),
  email: doc(z.string(), "The address.", "ann@example.com"),
});
const Attendee = named("Attendee", () => ({
  ...personFields(),
  response: doc(
    Response,
    "Response to the invitation, or the value you set. `needs_action` means a missing response only " +
      "for invitations and bookings; the service does not send invitations to your own events.",
    "accepted",
  ),
}));

const fields = () => ({
  id: doc(Id, "Id of the event; for an occurrence that was never edited, the id of its series."),
  title: doc(z.string(), "Title.", "Quarterly review"),
  description: doc(z.string().nullable(), "Details.", "Numbers, then plans."),
  start: doc(Timestamp, "Start."),
  end: doc(Timestamp, "End, not included.", "2026-11-16T10:15:00.000Z"),
  allDay: doc(z.boolean(), "Whether the event covers whole days.", false),
  startDate: doc(z.iso.date().nullable(), "First date of an all-day event. `start` is its start in `timeZone`.", null),
  endDate: doc(z.iso.date().nullable(), "The date after the last one of an all-day event.", null),
  timeZone: doc(z.string(), "IANA time zone of the event.", "Europe/Berlin"),
  location: doc(z.string().nullable(), "Place.", "Room 4"),
  meetingUrl: doc(z.string().nullable(), "Link to a video call.", "https://meet.example.com/abc"),
  status: doc(Status, "Status.", "confirmed"),
  busy: doc(z.boolean(), "Whether the event blocks its time.", true),
  awaitsAnswer: doc(z.boolean(), "Whether this invitation needs your response.", false),
  myResponse: doc(Response.nullable(), "Your response to the invitation; null if the event asks for none.", null),
  source: doc(Source, "What created the event.", "manual"),
  outside: doc(
    z.boolean(),
    "Whether some of its text may come from other people or from programs: an email, an invitation, a booking, an API " +
      "key or an applied proposal. Set by the service. It becomes false when a person, not an API key, replaces or " +
      "removes every text of the event in one change, its tags and people included.",
    false,
  ),
  bookingId: doc(z.string().nullable(), "Id of the provider's booking.", null),
  organizer: doc(z.object(personFields()).nullable(), "Organizer."),
  attendees: doc(z.array(Attendee), "Attendees. The service sends them nothing."),
  tags: doc(z.array(z.string()), "Tags.", ["client"]),
  notes: doc(z.string().nullable(), "Private notes.", "Bring the contract."),
  reminders: recordReminders(),
  emailId: doc(Id.nullable(), "Id of the email that the event came from."),
  icalUid: doc(
    z.string(),
    "iCalendar UID.",
    "7d0f6f0e-2f1c-4a3b-9b57-0c6a9a3f8e11@personal-operations-assistant.invalid",
  ),
  sequence: doc(z.int(), "Increases with every change of time, place or status.", 0),
  rescheduledFromId: doc(Id.nullable(), "Id of the event that this one replaces."),
  cancelReason: doc(z.string().nullable(), "Why the event is cancelled.", null),
  externalStatus: doc(z.string().nullable(), "Status in the booking provider's own terms.", null),
  externalUpdatedAt: doc(Timestamp.nullable(), "When the booking provider or the organizer last changed it."),
  rrule: doc(z.string().nullable(), "Recurrence rule of a series (RFC 5545 RRULE).", null),
  exdates: doc(z.array(Timestamp), "Starts of excluded occurrences.", []),
  recurringEventId: doc(Id.nullable(), "Id of the series that this occurrence belongs to."),
  originalStart: doc(
    Timestamp.nullable(),
    "The start this occurrence has in its series. Send it as `occurrence` to get, update or delete only this one.",
  ),
  ...versionFields,
});

export const Event = named("Event", fields);
readBy("calendar:read", Event);

export const Conflict = named("EventConflict", () => ({
  id: doc(Id, "Id of the other event."),
  title: doc(z.string(), "Its title.", "Dentist"),
  start: doc(Timestamp, "Its start."),
  end: doc(Timestamp, "Its end.", "2026-11-16T10:15:00.000Z"),
  outside: doc(z.boolean(), "Whether some of its text may come from other people or from programs.", false),
}));
readBy("calendar:read", Conflict, ["start", "end"]);
export type Conflict = z.infer<typeof Conflict>;

export const WrittenEvent = named("WrittenEvent", () => ({
  ...fields(),
  conflicts: doc(
    z.array(Conflict),
    "Other events at the same time, at most 20. A series is compared for the next 366 days.",
  ),
}));
readBy("calendar:read", WrittenEvent);

export const EventList = listOf(Event, "EventList", () => ({
  unexpanded: doc(
    z.array(Id).optional(),
    "Ids of repeating invitations from strangers that are too complex to expand; some occurrences may " +
      "be missing. Accept or delete them. Only present if there are any.",
  ),
}));

export const EventFilter = objectOf(() => ({
  start: doc(
    TimeOrDateInput.optional(),
    "Only events that end after this time. A date such as `2026-11-16` means the start of that day in your time zone.",
  ),
  end: doc(TimeOrDateInput.optional(), "Only events that start before this time. A date includes that whole day."),
  status: listParam(EVENT_STATUSES).optional(),
  source: listParam(EVENT_SOURCES).optional(),
  awaitsAnswer: doc(
    FlagParam.optional(),
    "Only invitations that you have not responded to; `false`: all other events.",
  ),
  ...pageParams,
}));
export type EventFilter = z.output<typeof EventFilter>;

export const BookingPath = objectOf(() => ({ bookingId: doc(BookingId, "Id of the provider's booking.", "bk_7Yk2") }));

const occurrence = () => doc(TimestampInput.optional(), "The `originalStart` of one occurrence of a series.");
const onConflict = () =>
  doc(z.enum(["reject"]).optional(), "`reject`: save nothing and return 409 if the time is taken.");

export const OccurrenceQuery = objectOf(() => ({ occurrence: occurrence() }));
export const CreateQuery = objectOf(() => ({ onConflict: onConflict() }));
export const UpdateQuery = objectOf(() => ({ occurrence: occurrence(), onConflict: onConflict() }));

export const UpcomingQuery = objectOf(() => ({
  ...pageParams,
  days: doc(integerParam(1, 366), "Number of days to look ahead. Default: 30.").default(30),
}));
