export const EVENT_STATUSES = ["tentative", "confirmed", "cancelled"] as const;
export const EVENT_SOURCES = ["manual", "email", "bookingsvc", "chat", "workflow"] as const;
export const RESPONSES = ["needs_action", "accepted", "declined", "tentative"] as const;

export type Response = (typeof RESPONSES)[number];
