import { VERSION } from "./config.ts";
import { ai } from "./features/ai/routes.ts";
import { authenticate } from "./features/auth/authenticate.ts";
import { auth } from "./features/auth/routes.ts";
import { bookingsvc } from "./features/bookingsvc/routes.ts";
import { detection } from "./features/calendar/detect/routes.ts";
import { calendar } from "./features/calendar/routes.ts";
import { emails } from "./features/emails/routes.ts";
import { health } from "./features/health/routes.ts";
import { stats } from "./features/stats/routes.ts";
import { tasks } from "./features/tasks/routes.ts";
import { createServer } from "./http/server.ts";

const CALENDAR = "Events and series, free time, meetings found in text, and a feed that other calendars can read.";

/** The whole service: every feature, where it lives and what it is for. */
export function createApp() {
  return createServer({
    version: VERSION,
    authenticate,
    features: [
      {
        path: "/api/auth",
        tag: "Authentication",
        description: "Accounts, sessions, two-factor sign-in and password reset.",
        router: auth,
      },
      {
        path: "/api/emails",
        tag: "Emails",
        description: "Mail: lists, search, threads, tags, answers, and what it asks for.",
        router: emails,
      },
      { path: "/api/tasks", tag: "Tasks", description: "What is to be done, and by when.", router: tasks },
      {
        path: "/api/calendar",
        tag: "Calendar",
        description: CALENDAR,
        router: calendar,
      },
      { path: "/api/calendar", tag: "Calendar", description: CALENDAR, router: detection },
      { path: "/api/ai", tag: "AI", description: "Mail understood, with or without a language model.", router: ai },
      {
        path: "/api/bookingsvc",
        tag: "Booking provider",
        description: "The connection to the booking provider, and the sync that keeps the calendar in step with it.",
        router: bookingsvc,
      },
      {
        path: "/api/stats",
        tag: "Operations",
        description: "Whether the service is well, and what is going on.",
        router: stats,
      },
      {
        path: "/api/health",
        tag: "Operations",
        description: "Whether the service is well, and what is going on.",
        router: health,
      },
    ],
  });
}
