import * as z from "zod";
import { firstCharacters } from "../../lib/text.ts";

/** A booking as the calendar needs it, whatever the provider calls things. */
export interface ProviderBooking {
  uid: string;
  title: string;
  description: string | null;
  status: "accepted" | "pending" | "awaiting_host" | "cancelled" | "rejected" | (string & {});
  start: Date;
  end: Date;
  organizer: { name: string | null; email: string } | null;
  timeZone: string | null;
  attendees: { name: string | null; email: string }[];
  location: string | null;
  meetingUrl: string | null;
  cancellationReason: string | null;
  rescheduledFromUid: string | null;
  icsUid: string | null;
  /** Null for rows the provider never touched since; they pass no filter on it. */
  updatedAt: Date | null;
}

export interface ProviderAccount {
  email: string;
  name: string;
  timeZone: string;
}

export interface ProviderEventType {
  id: number;
  title: string;
  slug: string;
  durationMinutes: number;
  description: string;
  url: string | null;
  hidden: boolean;
}

const text = z.string().nullish();
/** Words for people, within what an event has room for. */
const words = (max: number) =>
  z
    .string()
    .transform((value) => firstCharacters(value, max))
    .nullish();
const moment = z.iso.datetime({ offset: true }).transform((value) => new Date(value));
const person = z.object({ name: text, email: text, timeZone: text });

// Only what is used is named, and what can be missing may be: one odd field must not lose a booking.
const Booking = z.object({
  uid: z.string().min(1),
  title: words(500),
  description: words(20_000),
  status: z.string().min(1),
  start: moment,
  end: moment,
  hosts: z.array(person).nullish(),
  attendees: z.array(person).nullish(),
  location: words(2000),
  meetingUrl: text,
  cancellationReason: words(1000),
  rescheduledFromUid: text,
  icsUid: text,
  updatedAt: moment.nullish(),
});

export const Account = z.object({ email: z.string(), name: text, username: text, timeZone: text });

const EventType = z.object({
  id: z.number(),
  title: z.string(),
  slug: z.string(),
  lengthInMinutes: z.number(),
  description: text,
  bookingUrl: text,
  hidden: z.boolean().nullish(),
});

/** What every answer is wrapped in. */
export const Envelope = z.object({ status: z.literal("success"), data: z.unknown() });

export type ReadBooking = { booking: ProviderBooking } | { uid: string | null; problem: string };

/** Reads one row; a row that makes no sense is told of, so that the others can go on. */
export function readBooking(row: unknown): ReadBooking {
  const result = Booking.safeParse(row);
  if (!result.success) return { uid: uidOf(row), problem: problemOf(result.error) };
  const { data } = result;
  if (data.end <= data.start) return { uid: data.uid, problem: "end is not after start" };
  const host = data.hosts?.[0];
  return {
    booking: {
      uid: data.uid,
      title: data.title?.trim() || "Booking",
      description: data.description || null,
      status: data.status.toLowerCase(),
      start: data.start,
      end: data.end,
      organizer: host?.email ? { name: host.name ?? null, email: host.email } : null,
      timeZone: host?.timeZone ?? null,
      attendees: (data.attendees ?? []).flatMap(({ name, email }) => (email ? [{ name: name ?? null, email }] : [])),
      location: placeOf(data.location),
      meetingUrl: webAddress(data.meetingUrl) ?? webAddress(data.location),
      cancellationReason: data.cancellationReason || null,
      rescheduledFromUid: data.rescheduledFromUid || null,
      icsUid: data.icsUid || null,
      updatedAt: data.updatedAt ?? null,
    },
  };
}

export function readEventType(row: unknown): ProviderEventType | null {
  const result = EventType.safeParse(row);
  if (!result.success) return null;
  const { id, title, slug, lengthInMinutes, description, bookingUrl, hidden } = result.data;
  return {
    id,
    title,
    slug,
    durationMinutes: lengthInMinutes,
    description: description ?? "",
    url: bookingUrl ?? null,
    hidden: hidden ?? false,
  };
}

/** `integrations:google:meet` names a service rather than a place, and `unknown` names nothing. */
function placeOf(location: string | null | undefined): string | null {
  if (!location || location === "unknown" || location.startsWith("integrations:")) return null;
  return location;
}

function webAddress(value: string | null | undefined): string | null {
  return value && /^https?:\/\/\S+$/i.test(value) ? value : null;
}

function uidOf(row: unknown): string | null {
  const uid = z.object({ uid: z.string() }).safeParse(row);
  return uid.success ? uid.data.uid : null;
}

function problemOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
