import { drizzle } from "drizzle-orm/d1";
import type { Context } from "../../src/context.ts";
import { events } from "../../src/db/schema/calendar.ts";
import { draftEvent, type NewEvent } from "../../src/features/calendar/events/changes.ts";
import { assertType } from "../../src/lib/cast.ts";
import { DAY_MS, dateOf, weekdayOf } from "../../src/lib/time-zone.ts";
import type { SeedContext } from "./area.ts";

const ZONE = "Europe/London";
const UID_PREFIX = "seed-calendar-";
/** The booking that the API reference uses as its example. */
const EXAMPLE_BOOKING = "bk_7Yk2";

const ADA = { name: "Ada Lovelace", email: "ada@example.com" };
const GUESTS = [
  { name: "Grace Hopper", email: "grace@example.com" },
  { name: "Alan Turing", email: "alan@example.org" },
  { name: "Katherine Johnson", email: "katherine@example.net" },
  { name: "Edsger Dijkstra", email: "edsger@example.org" },
];

const STRANGER = { name: "Margaret Hamilton", email: "margaret@stranger.example" };

const MEETINGS = [
  { title: "Proposal walk-through", minutes: 45, tags: ["client"], location: "Room 2" },
  { title: "Design review", minutes: 60, tags: ["product"], meetingUrl: "https://meet.example.com/design" },
  {
    title: "Interview: support engineer",
    minutes: 45,
    tags: ["hiring"],
    meetingUrl: "https://meet.example.com/hiring",
  },
  { title: "Budget check", minutes: 30, tags: ["finance"], location: "Room 1" },
  { title: "Supplier call", minutes: 30, tags: ["operations"], meetingUrl: "https://meet.example.com/supplier" },
  { title: "Dentist", minutes: 40, tags: ["private"], location: "Lindenstraße 9" },
];
const RESPONSES = ["accepted", "needs_action", "tentative", "declined"] as const;

/**
 * Two weeks back to three ahead: meetings of every kind, four series, whole days, bookings, some called off, and an
 * invitation from a stranger.
 */
export async function calendar({ db, random, now }: SeedContext): Promise<string> {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] ?? assertType<Item>(items[0]);
  const day = (offset: number) => dateOf(now.getTime() + offset * DAY_MS);
  const monday = 1 - weekdayOf(now.getTime());
  const list: NewEvent[] = [
    series("Stand-up", `${day(monday - 14)}T09:15:00`, 15, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", ["team"]),
    series("Weekly planning", `${day(monday - 14)}T11:00:00`, 60, "FREQ=WEEKLY;BYDAY=MO", ["team"]),
    series("One-to-one with Grace", `${day(monday - 12)}T15:00:00`, 30, "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", ["people"]),
    series("Invoices", `${day(monday - 10)}T16:00:00`, 30, "FREQ=MONTHLY;BYDAY=-1FR", ["finance"]),
    {
      title: "Team offsite",
      start: day(monday + 16),
      end: day(monday + 18),
      allDay: true,
      busy: true,
      tags: ["team"],
      location: "Potsdam",
    },
    {
      title: "Grace's birthday",
      start: day(monday + 9),
      allDay: true,
      tags: ["people"],
      reminders: [{ minutesBefore: 1440, channel: "default" }],
    },
    {
      title: "Day off",
      start: day(monday - 3),
      allDay: true,
      busy: true,
      tags: ["private"],
      notes: "Phone stays at home.",
    },
    // The example of the API reference: event 8 of a new database.
    {
      title: "Partnership call",
      start: `${day(monday + 8)}T14:00:00`,
      durationMinutes: 30,
      status: "tentative",
      busy: false,
      source: "email",
      externalSequence: 0,
      organizer: STRANGER,
      attendees: [{ ...ADA, response: "needs_action" }],
      awaitsAnswer: true,
      addedByStranger: STRANGER.email,
      invitation: { sender: STRANGER.email, attendee: ADA.email, response: "needs_action", busy: true, told: null },
    },
  ];
  for (let offset = monday - 14; offset < monday + 21; offset++) {
    if (weekdayOf(now.getTime() + offset * DAY_MS) > 5 || list.length >= 40) continue;
    for (const hour of [10, 13 + Math.floor(random() * 3)].slice(random() < 0.4 ? 1 : 0)) {
      const { minutes, ...meeting } = pick(MEETINGS);
      const isBooking = random() < 0.25;
      list.push({
        ...meeting,
        ...(isBooking && {
          title: "Intro call",
          bookingId: list.some(({ bookingId }) => bookingId) ? `${UID_PREFIX}booking-${list.length}` : EXAMPLE_BOOKING,
          externalStatus: "accepted",
        }),
        start: `${day(offset)}T${hour}:${random() < 0.5 ? "00" : "30"}:00`,
        durationMinutes: minutes,
        organizer: ADA,
        attendees: [{ ...pick(GUESTS), response: pick(RESPONSES) }],
        ...(random() < 0.12 && { status: "cancelled", cancelReason: "Moved to next month" }),
        ...(random() < 0.1 && { status: "tentative" }),
      });
    }
  }
  const ctx = assertType<Context>({ now, actor: { kind: "anonymous" }, config: { ACCESS_MODE: "open" } });
  const drafts = list
    .slice(0, 40)
    .map((input, index) => draftEvent(ctx, { timeZone: ZONE, ...input, icalUid: `${UID_PREFIX}${index}` }));
  const database = drizzle(db);
  await db
    .prepare("DELETE FROM events WHERE ical_uid IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(drafts.map(({ icalUid }) => icalUid)))
    .run();
  const [first, ...others] = drafts.map((draft) => database.insert(events).values(draft));
  if (first) await database.batch([first, ...others]);
  const count = (test: (draft: (typeof drafts)[number]) => boolean) => drafts.filter(test).length;
  return (
    `${drafts.length} events around today: ${count(({ rrule }) => rrule !== null)} series, ` +
    `${count(({ startDate }) => startDate !== null)} of whole days, ${count(({ bookingId }) => bookingId !== null)} bookings, ` +
    `${count(({ status }) => status === "cancelled")} cancelled, ` +
    `${count(({ awaitsAnswer }) => awaitsAnswer)} invitation without a response`
  );
}

function series(title: string, start: string, durationMinutes: number, rrule: string, tags: string[]): NewEvent {
  return { title, start, durationMinutes, rrule, tags, meetingUrl: "https://meet.example.com/team" };
}
