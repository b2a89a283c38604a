import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { EVENT_SOURCES, EVENT_STATUSES, type Response } from "../../lib/event-kinds.ts";
import type { StoredReminder } from "../../lib/reminder-kinds.ts";
import type { WorkingHours } from "../../lib/working-hours.ts";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

const flag = (name: string) => integer(name, { mode: "boolean" });
const list = <Item>(name: string) => text(name, { mode: "json" }).$type<Item[]>().notNull().default([]);

export interface Person {
  name: string | null;
  email: string;
}

export interface Attendee extends Person {
  response: Response;
}

/** Where an event stands that an emailed invitation created. */
export interface InvitationState {
  /** The sender of the first email. */
  sender: string;
  /** The attendee who is the person; null if the invitation does not name them. */
  attendee: string | null;
  /** The person's response; null while the invitation asks for none. */
  response: Response | null;
  /** Whether the organizer wants it to take up time. An unanswered invitation may not do so. */
  busy: boolean;
  /** Starts of the occurrences that the person has deleted: no update brings them back. */
  deleted?: number[];
  /** The response that was last sent to the organizer, or is being sent. */
  told: { response: Response; comment: string | null; state: "sending" | "sent"; at: number } | null;
}

/** The condition of the unique index on `booking_id`. An upsert has to repeat it. */
export const HAS_BOOKING = sql.raw("booking_id IS NOT NULL");

const eventColumns = () => ({
  title: text("title").notNull(),
  description: text("description"),
  /** Start and end. For an all-day event: when its dates begin and end in its time zone. */
  startAt: moment("start_at").notNull(),
  endAt: moment("end_at").notNull(),
  /** The dates of an all-day event, end exclusive. `start_at` and `end_at` are computed from them. */
  startDate: text("start_date"),
  endDate: text("end_date"),
  timeZone: text("time_zone").notNull(),
  /**
   * Class of the event's length, so that overlap is a range of `start_at` within each class. Null for series and
   * deleted events, which take up no time themselves.
   */
  span: integer("span"),
  location: text("location"),
  meetingUrl: text("meeting_url"),
  status: text("status", { enum: EVENT_STATUSES }).notNull(),
  /** Whether it takes up time. An event that does not never conflicts. */
  busy: flag("busy").notNull().default(true),
  source: text("source", { enum: EVENT_SOURCES }).notNull(),
  /** Whether any of its words may come from other people or programs (`lib/outside-words.ts`). True if nobody says. */
  outside: flag("outside").notNull().default(true),
  /** An invitation that asks for a response, until the person responds or it is cancelled. */
  awaitsAnswer: flag("awaits_answer").notNull().default(false),
  /** The address of the unknown sender who added it; null for all other events. Counted to limit how many they add. */
  addedByStranger: text("added_by_stranger"),
  /** Null for events that no invitation created. */
  invitation: text("invitation", { mode: "json" }).$type<InvitationState>(),
  bookingId: text("booking_id"),
  organizer: text("organizer", { mode: "json" }).$type<Person>(),
  attendees: list<Attendee>("attendees"),
  tags: list<string>("tags"),
  notes: text("notes"),
  /** Null: the defaults of each person's profile. */
  reminders: text("reminders", { mode: "json" }).$type<StoredReminder[]>(),
  emailId: integer("email_id"),
  icalUid: text("ical_uid").notNull(),
  sequence: integer("sequence").notNull().default(0),
  rescheduledFromId: integer("rescheduled_from_id"),
  cancelReason: text("cancel_reason"),
  externalStatus: text("external_status"),
  externalUpdatedAt: moment("external_updated_at"),
  /** Hash of the booking as last received: shows whether it changed at the provider, whatever was edited here. */
  externalHash: text("external_hash"),
  /** Becomes `rescheduledFromId` once the event of that booking exists. */
  rescheduledFromBookingId: text("rescheduled_from_booking_id"),
  /** The organizer's SEQUENCE. `sequence` also increases with changes made here. */
  externalSequence: integer("external_sequence"),
  rrule: text("rrule"),
  /** Starts of occurrences that are cancelled, and of those that were edited and have their own row. */
  exdates: list<number>("exdates"),
  overrides: list<number>("overrides"),
  /** Start of the last occurrence that COUNT or UNTIL allow; null for an endless series. */
  seriesUntil: moment("series_until"),
  /** End of the last occurrence, or a date far away; null unless it is a series that is not deleted. */
  seriesEnd: integer("series_end"),
  recurringEventId: integer("recurring_event_id"),
  originalStart: moment("original_start"),
  /** Set on events from outside that were deleted here, so that a sync does not bring them back unchanged. */
  deletedAt: moment("deleted_at"),
  version: integer("version").notNull().default(1),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

/**
 * Single events, series, and occurrences of a series that were edited individually. Most events are none of these but
 * single, and come from nowhere else: the indexes for the others do not have them.
 */
export const events = sqliteTable(
  "events",
  {
    /** Of a new event: `db/next-id.ts`. */
    id: integer("id").primaryKey(),
    ...eventColumns(),
    recurringEventId: integer("recurring_event_id").references((): AnySQLiteColumn => events.id, {
      onDelete: "cascade",
    }),
  },
  (table) => [
    index("events_span_start").on(table.span, table.startAt, table.id, table.endAt, table.status, table.busy),
    index("events_span_status").on(table.span, table.status, table.startAt, table.id, table.endAt),
    index("events_span_source").on(table.span, table.source, table.startAt, table.id, table.endAt),
    index("events_series_end").on(table.seriesEnd).where(sql`series_end IS NOT NULL`),
    uniqueIndex("events_booking_id").on(table.bookingId).where(HAS_BOOKING),
    uniqueIndex("events_ical_uid").on(table.icalUid).where(sql`original_start IS NULL`),
    uniqueIndex("events_occurrence").on(table.icalUid, table.originalStart).where(sql`original_start IS NOT NULL`),
    index("events_recurring_event_id").on(table.recurringEventId).where(sql`recurring_event_id IS NOT NULL`),
    index("events_email_id").on(table.emailId).where(sql`email_id IS NOT NULL`),
    index("events_added_by_stranger").on(table.createdAt).where(sql`added_by_stranger IS NOT NULL`),
    index("events_awaits_answer").on(table.startAt, table.id).where(sql`awaits_answer = 1`),
    index("events_waiting_for_link")
      .on(table.rescheduledFromBookingId)
      .where(sql`rescheduled_from_id IS NULL AND rescheduled_from_booking_id IS NOT NULL`),
  ],
);

/**
 * Events as they were before they were deleted, for a day, so that they can be restored. Nothing else reads them. The
 * migration makes it WITHOUT ROWID, as `email_tags`: a deletion writes one row more.
 */
export const deletedEvents = sqliteTable(
  "deleted_events",
  {
    /** What was deleted: the id of an event or a series, or "series@start" for one occurrence of a series. */
    key: text("key").primaryKey(),
    /** For an occurrence that was never edited: that of its series, as are all other columns. */
    id: integer("id").notNull(),
    ...eventColumns(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("deleted_events_edited").on(table.id).where(sql`original_start IS NOT NULL`)],
);

/** Every key of `calendar_state.totals`. */
export const EVENT_TOTALS = EVENT_STATUSES.flatMap((status) => EVENT_SOURCES.map((source) => `${status} ${source}`));
const NO_EVENTS = Object.fromEntries(EVENT_TOTALS.map((name) => [name, 0]));

/** One row. Triggers count the revisions and the events. */
export const calendarState = sqliteTable("calendar_state", {
  id: integer("id").primaryKey(),
  /** The last id that an event has, or had. */
  lastEventId: integer("last_event_id").notNull().default(0),
  /** Changes with every event. */
  revision: integer("revision").notNull().default(0),
  /** Changes with every series, whose occurrences SQL cannot see. */
  seriesRevision: integer("series_revision").notNull().default(0),
  /**
   * Number of events by status and source, such as "confirmed manual"; here because every new event writes this row
   * anyway. Edited occurrences belong to their series and are not counted.
   */
  totals: text("totals", { mode: "json" }).$type<Record<string, number>>().notNull().default(NO_EVENTS),
  feedTokenHash: text("feed_token_hash"),
  feedCreatedAt: moment("feed_created_at"),
  /** Who made the link. It ends with their account. */
  feedUserId: integer("feed_user_id").references(() => users.id, { onDelete: "set null" }),
});

/**
 * The single events of up to 64 hours that start on a day (UTC) and are not cancelled, all in one row: statistics of
 * weeks read a row a day, however many events there are. Written by triggers.
 */
export const eventDays = sqliteTable("event_days", {
  /** Start of the day, in milliseconds. */
  day: integer("day").primaryKey(),
  /** Start, end, whether it takes up time, whether it is all-day. Null if there are more than 200. */
  events: text("events", { mode: "json" }).$type<[start: number, end: number, busy: 0 | 1, allDay: 0 | 1][]>(),
});

/** A person's working hours. No row while they have set none. */
export const workingHours = sqliteTable("working_hours", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  timeZone: text("time_zone").notNull(),
  days: text("days", { mode: "json" }).$type<WorkingHours>().notNull(),
  version: integer("version").notNull(),
  updatedAt: moment("updated_at").notNull(),
});
