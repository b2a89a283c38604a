import { VERSION } from "./config.ts";
import { chat } from "./features/ai/chat/routes.ts";
import { ai } from "./features/ai/routes.ts";
import { apiKeys } from "./features/api-keys/routes.ts";
import { authenticate } from "./features/auth/authenticate.ts";
import { reauthenticate } from "./features/auth/reauthenticate.ts";
import { auth } from "./features/auth/routes.ts";
import { billing } from "./features/billing/routes.ts";
import { bookingsvc } from "./features/bookingsvc/routes.ts";
import { detection } from "./features/calendar/detect/routes.ts";
import { calendar } from "./features/calendar/routes.ts";
import { emails } from "./features/emails/routes.ts";
import { health } from "./features/health/routes.ts";
import { activeModel, models } from "./features/models/routes.ts";
import { apiKeySettings } from "./features/settings/api-keys/routes.ts";
import { billingSettings } from "./features/settings/billing/routes.ts";
import { dataSettings } from "./features/settings/data/routes.ts";
import { profileSettings } from "./features/settings/profile/routes.ts";
import { securitySettings } from "./features/settings/security/routes.ts";
import { tokensSettings } from "./features/settings/tokens/routes.ts";
import { webhooksSettings } from "./features/settings/webhooks/routes.ts";
import { stats } from "./features/stats/routes.ts";
import { captions } from "./features/stream/captions/routes.ts";
import { streamCredentials } from "./features/stream/credentials/routes.ts";
import { milestones } from "./features/stream/milestones/routes.ts";
import { stream } from "./features/stream/routes.ts";
import { tasks } from "./features/tasks/routes.ts";
import { deliverNews } from "./features/webhooks/service.ts";
import { workflow } from "./features/workflow/routes.ts";
import { createServer } from "./http/server.ts";

const CALENDAR = "Events and series, free time, meetings found in text, and a feed that other calendars can read.";
const AI = "Models and their keys, generation, an assistant that acts, and mail understood, with or without a model.";
const SETTINGS = "A person's own profile, security, billing, AI tokens, outbound webhooks and data.";
const STREAM = "Live streams: their state, the posts that announce them, the platforms' credentials, and milestones.";
const OPERATIONS = "Whether the service is well, and what is going on.";

/** The whole service: every feature, where it lives and what it is for. */
export function createApp() {
  return createServer({
    version: VERSION,
    authenticate,
    reauthenticate,
    afterWrite: deliverNews,
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
      { path: "/api/ai-model", tag: "AI", description: AI, router: activeModel },
      { path: "/api/ai", tag: "AI", description: AI, router: models },
      { path: "/api/ai", tag: "AI", description: AI, router: ai },
      { path: "/api/ai/chat", tag: "AI", description: AI, router: chat },
      { path: "/api/api-keys", tag: "AI", description: AI, router: apiKeys },
      {
        path: "/api/workflow",
        tag: "Workflow",
        description: "Flat, stable answers for workflow automations.",
        router: workflow,
      },
      { path: "/api/settings/profile", tag: "Settings", description: SETTINGS, router: profileSettings },
      { path: "/api/settings/security", tag: "Settings", description: SETTINGS, router: securitySettings },
      { path: "/api/settings/security/api-keys", tag: "Settings", description: SETTINGS, router: apiKeySettings },
      { path: "/api/settings/billing", tag: "Settings", description: SETTINGS, router: billingSettings },
      { path: "/api/settings/tokens", tag: "Settings", description: SETTINGS, router: tokensSettings },
      { path: "/api/settings/webhooks", tag: "Settings", description: SETTINGS, router: webhooksSettings },
      { path: "/api/settings", tag: "Settings", description: SETTINGS, router: dataSettings },
      { path: "/api/billing", tag: "Billing", description: "What the billing provider tells us.", router: billing },
      { path: "/api/stream", tag: "Stream", description: STREAM, router: stream },
      { path: "/api/stream/captions", tag: "Stream", description: STREAM, router: captions },
      { path: "/api/stream", tag: "Stream", description: STREAM, router: streamCredentials },
      { path: "/api/stream/milestones", tag: "Stream", description: STREAM, router: milestones },
      {
        path: "/api/bookingsvc",
        tag: "Booking provider",
        description: "The connection to the booking provider, and the sync that keeps the calendar in step with it.",
        router: bookingsvc,
      },
      {
        path: "/api/stats",
        tag: "Operations",
        description: OPERATIONS,
        router: stats,
      },
      {
        path: "/api/health",
        tag: "Operations",
        description: OPERATIONS,
        router: health,
      },
    ],
  });
}
