import type { EVENT_STATUSES, Response } from "./event-kinds.ts";

/** A booking as the calendar stores it, whatever provider it comes from. */
export interface Booking {
  bookingId: string;
  title: string;
  description: string | null;
  start: Date;
  end: Date;
  timeZone: string;
  location: string | null;
  meetingUrl: string | null;
  status: (typeof EVENT_STATUSES)[number];
  organizer: { name: string | null; email: string } | null;
  attendees: { name: string | null; email: string; response: Response }[];
  icalUid: string | null;
  cancelReason: string | null;
  /** The status in the provider's own terms. */
  externalStatus: string;
  /** Null if the provider never changed the booking; no filter on this time finds it. */
  externalUpdatedAt: Date | null;
  rescheduledFromBookingId: string | null;
}
