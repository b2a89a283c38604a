import { bookingsvc } from "../features/bookingsvc/routes.ts";
import { detection } from "../features/calendar/detect/routes.ts";
import { calendar } from "../features/calendar/routes.ts";
import type { Feature } from "../http/route.ts";

const CALENDAR = "Events and series, free time, meetings found in text, and a feed that other calendars can read.";

export const features: readonly Feature[] = [
  { path: "/api/calendar", tag: "Calendar", description: CALENDAR, router: calendar },
  { path: "/api/calendar", tag: "Calendar", description: CALENDAR, router: detection },
  {
    path: "/api/bookingsvc",
    tag: "Booking provider",
    description: "The connection to the booking provider, and the sync that keeps the calendar in step with it.",
    router: bookingsvc,
  },
];
