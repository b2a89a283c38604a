export const EVENT_STATUSES = ["tentative", "confirmed", "cancelled"] as const;
/** The stored source of events that come from a booking provider, whichever it is. */
export const BOOKING_SOURCE = "bookingsvc" as const;
export const EVENT_SOURCES = ["manual", "email", BOOKING_SOURCE, "chat", "workflow"] as const;
export const RESPONSES = ["needs_action", "accepted", "declined", "tentative"] as const;

export type Response = (typeof RESPONSES)[number];
