import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { EVENT_SOURCES, EVENT_STATUSES, type Response } from "../../lib/event-kinds.ts";
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

/** Single events, series, and occurrences of a series that were edited individually. */
export const events = sqliteTable(
  "events",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
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
    bookingId: text("booking_id").unique(),
    organizer: text("organizer", { mode: "json" }).$type<Person>(),
    attendees: list<Attendee>("attendees"),
    tags: list<string>("tags"),
    notes: text("notes"),
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
    recurringEventId: integer("recurring_event_id").references((): AnySQLiteColumn => events.id, {
      onDelete: "cascade",
    }),
    originalStart: moment("original_start"),
    /** Set on events from outside that were deleted here, so that a sync does not bring them back unchanged. */
    deletedAt: moment("deleted_at"),
    version: integer("version").notNull().default(1),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [
    index("events_span_start").on(table.span, table.startAt, table.id, table.endAt, table.status, table.busy),
    index("events_span_status").on(table.span, table.status, table.startAt, table.id, table.endAt),
    index("events_span_source").on(table.span, table.source, table.startAt, table.id, table.endAt),
    index("events_series_end").on(table.seriesEnd),
    uniqueIndex("events_ical_uid").on(table.icalUid).where(sql`original_start IS NULL`),
    uniqueIndex("events_occurrence").on(table.icalUid, table.originalStart),
    index("events_recurring_event_id").on(table.recurringEventId),
    index("events_email_id").on(table.emailId),
    index("events_added_by_stranger").on(table.createdAt).where(sql`added_by_stranger IS NOT NULL`),
    index("events_awaits_answer").on(table.startAt, table.id).where(sql`awaits_answer = 1`),
    index("events_waiting_for_link")
      .on(table.rescheduledFromBookingId)
      .where(sql`rescheduled_from_id IS NULL AND rescheduled_from_booking_id IS NOT NULL`),
  ],
);

/** One row. Triggers count the revisions. */
export const calendarState = sqliteTable("calendar_state", {
  id: integer("id").primaryKey(),
  /** Changes with every event. */
  revision: integer("revision").notNull().default(0),
  /** Changes with every series, whose occurrences SQL cannot see. */
  seriesRevision: integer("series_revision").notNull().default(0),
  feedTokenHash: text("feed_token_hash"),
  feedCreatedAt: moment("feed_created_at"),
});

/** Number of events by status and source, counted by triggers. Edited occurrences belong to their series. */
export const eventTotals = sqliteTable(
  "event_totals",
  {
    status: text("status").notNull(),
    source: text("source").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [uniqueIndex("event_totals_kind").on(table.status, table.source)],
);

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
