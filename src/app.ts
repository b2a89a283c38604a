import { VERSION } from "./config.ts";
import { ai } from "./features/ai/routes.ts";
import { authenticate } from "./features/auth/authenticate.ts";
import { auth } from "./features/auth/routes.ts";
import { detection } from "./features/calendar/detect/routes.ts";
import { health } from "./features/health/routes.ts";
import { createServer } from "./http/server.ts";

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
      { path: "/api/calendar", tag: "Calendar", description: "Meetings found in text.", router: detection },
      { path: "/api/ai", tag: "AI", description: "Mail understood, with or without a language model.", router: ai },
      { path: "/api/health", tag: "Operations", description: "Whether the service is well.", router: health },
    ],
  });
}
