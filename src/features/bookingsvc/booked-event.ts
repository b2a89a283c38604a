import type { ProviderBooking } from "../../providers/bookingsvc/wire.ts";
import type { BookedEvent } from "../calendar/bookings/apply-bookings.ts";

const STATUSES: Record<string, BookedEvent["status"]> = {
  accepted: "confirmed",
  pending: "tentative",
  awaiting_host: "tentative",
  cancelled: "cancelled",
  rejected: "cancelled",
};

/** A booking as the calendar keeps it. A status we do not know is kept too, as not yet certain, and told of. */
export function toBookedEvent(booking: ProviderBooking, note: (problem: string) => void): BookedEvent {
  const status = STATUSES[booking.status];
  if (!status) note(`${booking.uid}: the status "${booking.status}" is not known; kept as tentative`);
  return {
    bookingId: booking.uid,
    title: booking.title,
    description: booking.description,
    start: booking.start,
    end: booking.end,
    timeZone: booking.timeZone ?? "UTC",
    location: booking.location,
    meetingUrl: booking.meetingUrl,
    status: status ?? "tentative",
    organizer: booking.organizer,
    attendees: booking.attendees.map((attendee) => ({ ...attendee, response: "accepted" as const })),
    icalUid: booking.icsUid,
    // The provider puts a reason for moving here as well, on a booking that stands.
    cancelReason: status === "cancelled" ? booking.cancellationReason : null,
    externalStatus: booking.status,
    externalUpdatedAt: booking.updatedAt,
    rescheduledFromBookingId: booking.rescheduledFromUid,
  };
}
