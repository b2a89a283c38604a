import * as z from "zod";
import type { Booking } from "../../../lib/booking.ts";
import { firstCharacters } from "../../../lib/text.ts";
import { timeZoneName } from "../../../lib/zone-names.ts";
import type { ProviderEventType, ReadBooking } from "../provider.ts";

const text = z.string().nullish();
/** Text for people, cut to the length an event can store. */
const limitedText = (max: number) =>
  z
    .string()
    .transform((value) => firstCharacters(value, max))
    .nullish();
const moment = z.iso.datetime({ offset: true }).transform((value) => new Date(value));
const person = z.object({ name: text, email: text, timeZone: text });

// Lists only what is used, and requires as little as possible: one odd field must not lose a booking.
const WireBooking = z.object({
  uid: z.string().min(1),
  title: limitedText(500),
  description: limitedText(20_000),
  status: z.string().min(1),
  start: moment,
  end: moment,
  hosts: z.array(person).nullish(),
  attendees: z.array(person).nullish(),
  location: limitedText(2000),
  meetingUrl: text,
  cancellationReason: limitedText(1000),
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

/** The envelope of every response. */
export const Envelope = z.object({ status: z.literal("success"), data: z.unknown() });

const STATUSES: Record<string, Booking["status"]> = {
  accepted: "confirmed",
  pending: "tentative",
  awaiting_host: "tentative",
  cancelled: "cancelled",
  rejected: "cancelled",
};

/** The provider's zone if the IANA database has it. */
export function zoneOf(given: { timeZone?: string | null } | undefined): string {
  return timeZoneName(given?.timeZone ?? "") ?? "UTC";
}

/** Reads one row. An invalid row is reported, so that it does not stop the others. */
export function readBooking(row: unknown): ReadBooking {
  const { data, error } = WireBooking.safeParse(row);
  if (!data) return { bookingId: uidOf(row), problem: problemOf(error) };
  if (data.end <= data.start) return { bookingId: data.uid, problem: "end is not after start" };
  const host = data.hosts?.[0];
  const externalStatus = data.status.toLowerCase();
  const status = STATUSES[externalStatus];
  const booking: Booking = {
    bookingId: data.uid,
    title: data.title?.trim() || "Booking",
    description: data.description || null,
    start: data.start,
    end: data.end,
    timeZone: zoneOf(host),
    location: placeOf(data.location),
    meetingUrl: webAddress(data.meetingUrl) ?? webAddress(data.location),
    status: status ?? "tentative",
    organizer: host?.email ? { name: host.name ?? null, email: host.email } : null,
    attendees: (data.attendees ?? []).flatMap(({ name, email }) =>
      email ? [{ name: name ?? null, email, response: "accepted" as const }] : [],
    ),
    icalUid: data.icsUid || null,
    // The provider also puts the reason for a new time here, on a booking that is not cancelled.
    cancelReason: (status === "cancelled" && data.cancellationReason) || null,
    externalStatus,
    externalUpdatedAt: data.updatedAt ?? null,
    rescheduledFromBookingId: data.rescheduledFromUid || null,
  };
  if (status) return { booking };
  return { booking, note: `${data.uid}: the status "${externalStatus}" is unknown; stored as tentative` };
}

export function readEventType(row: unknown): ProviderEventType | null {
  const { data } = EventType.safeParse(row);
  if (!data) return null;
  const { id, title, slug, lengthInMinutes, description, bookingUrl, hidden } = data;
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

/** `integrations:google:meet` names a service and `unknown` names nothing; neither is a place. */
function placeOf(location: string | null | undefined): string | null {
  if (!location || location === "unknown" || location.startsWith("integrations:")) return null;
  return location;
}

function webAddress(value: string | null | undefined): string | null {
  return value && /^https?:\/\/\S+$/i.test(value) ? value : null;
}

function uidOf(row: unknown): string | null {
  return z.object({ uid: z.string() }).safeParse(row).data?.uid ?? null;
}

function problemOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}

const uid = z.string().min(1).max(200).nullish();
const Delivery = z.object({ payload: z.object({ uid, rescheduleUid: uid }).nullish() });

/** The bookings that a webhook is about. */
export function bookingIdsIn(body: unknown): string[] {
  const { uid: named, rescheduleUid } = Delivery.safeParse(body).data?.payload ?? {};
  return [rescheduleUid, named].filter((id) => typeof id === "string");
}
