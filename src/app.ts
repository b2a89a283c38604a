import { VERSION } from "./config.ts";
import { noneEnabled } from "./features/webhooks/enabled-endpoints.ts";
import type { Feature, Tag } from "./http/route.ts";
import { createServer } from "./http/server.ts";

type App = ReturnType<typeof createServer>;

interface Registration {
  /** The group of the API reference. */
  tag: TagName;
  /** Where its endpoints are: a request loads only the features that one of these paths leads to. */
  paths: readonly string[];
  load(): Promise<Pick<Feature, "routes">>;
}

/** Every feature with endpoints. Registered here and nowhere else, in the order of the API reference. */
const FEATURES: readonly Registration[] = [
  {
    tag: "Authentication",
    paths: ["/api/auth/register", "/api/auth/registration"],
    load: () => import("./features/auth/accounts/routes.ts"),
  },
  { tag: "Authentication", paths: ["/api/auth/login"], load: () => import("./features/auth/login/routes.ts") },
  {
    tag: "Authentication",
    paths: ["/api/auth/refresh", "/api/auth/logout", "/api/auth/me", "/api/settings/security/sessions"],
    load: () => import("./features/auth/sessions/routes.ts"),
  },
  { tag: "Authentication", paths: ["/api/auth/session"], load: () => import("./features/auth/console/routes.ts") },
  {
    tag: "Authentication",
    paths: ["/api/auth/password", "/api/settings/security/password"],
    load: () => import("./features/auth/password/routes.ts"),
  },
  { tag: "Emails", paths: ["/api/emails/rules"], load: () => import("./features/emails/rules/routes.ts") },
  { tag: "Emails", paths: ["/api/emails/searches"], load: () => import("./features/emails/searches/routes.ts") },
  {
    tag: "Emails",
    paths: ["/api/emails"],
    load: () => import("./features/emails/blocking/routes.ts"),
  },
  {
    tag: "Emails",
    paths: ["/api/emails"],
    load: () => import("./features/emails/unsubscribe/routes.ts"),
  },
  { tag: "Emails", paths: ["/api/emails/attachments"], load: () => import("./features/emails/uploads/routes.ts") },
  // Before the emails, whose ids would take its path.
  { tag: "Emails", paths: ["/api/emails/drafts"], load: () => import("./features/emails/drafts/routes.ts") },
  { tag: "Emails", paths: ["/api/emails/snippets"], load: () => import("./features/emails/snippets/routes.ts") },
  { tag: "Emails", paths: ["/api/emails/import"], load: () => import("./features/emails/import/routes.ts") },
  {
    tag: "Emails",
    paths: ["/api/emails/count", "/api/emails/update-matching", "/api/emails/undo"],
    load: () => import("./features/emails/matching/routes.ts"),
  },
  { tag: "Emails", paths: ["/api/emails"], load: () => import("./features/emails/routes.ts") },
  { tag: "Emails", paths: ["/api/emails"], load: () => import("./features/emails/sending/routes.ts") },
  { tag: "Emails", paths: ["/api/emails"], load: () => import("./features/emails/attachments/routes.ts") },
  { tag: "Emails", paths: ["/api/emails"], load: () => import("./features/emails/frame/routes.ts") },
  {
    tag: "Emails",
    paths: ["/api/settings/identities"],
    load: () => import("./features/emails/identities/routes.ts"),
  },
  {
    tag: "Mailboxes",
    paths: ["/api/settings/mailboxes"],
    load: () => import("./features/mailboxes/routes.ts"),
  },
  {
    tag: "Mailboxes",
    paths: ["/api/settings/mailboxes"],
    load: () => import("./features/mailbox-sync/routes.ts"),
  },
  { tag: "Contacts", paths: ["/api/contacts"], load: () => import("./features/contacts/routes.ts") },
  // Before the tasks, whose ids would take its path.
  { tag: "Tasks", paths: ["/api/tasks/lists"], load: () => import("./features/tasks/lists/routes.ts") },
  { tag: "Tasks", paths: ["/api/tasks/plan"], load: () => import("./features/planning/routes.ts") },
  { tag: "Tasks", paths: ["/api/tasks/quick"], load: () => import("./features/tasks/quick/routes.ts") },
  { tag: "Tasks", paths: ["/api/tasks"], load: () => import("./features/tasks/routes.ts") },
  { tag: "Reminders", paths: ["/api/reminders"], load: () => import("./features/reminders/routes.ts") },
  {
    tag: "Reminders",
    paths: ["/api/settings/notifications/push"],
    load: () => import("./features/notifications/channels/push/routes.ts"),
  },
  {
    tag: "Calendar",
    paths: ["/api/calendar/events", "/api/calendar/upcoming"],
    load: () => import("./features/calendar/events/routes.ts"),
  },
  {
    tag: "Calendar",
    paths: ["/api/calendar/events"],
    load: () => import("./features/calendar/invitations/routes.ts"),
  },
  { tag: "Calendar", paths: ["/api/emails"], load: () => import("./features/calendar/invitations/email/routes.ts") },
  {
    tag: "Calendar",
    paths: ["/api/calendar/import"],
    load: () => import("./features/calendar/import/routes.ts"),
  },
  {
    tag: "Calendar",
    paths: ["/api/calendar/freebusy", "/api/calendar/slots"],
    load: () => import("./features/calendar/free-time/routes.ts"),
  },
  {
    tag: "Calendar",
    paths: ["/api/calendar/stats"],
    load: () => import("./features/calendar/statistics/routes.ts"),
  },
  {
    tag: "Calendar",
    paths: ["/api/calendar/feed", "/api/calendar/feed.ics"],
    load: () => import("./features/calendar/feed/routes.ts"),
  },
  {
    tag: "Calendar",
    paths: ["/api/calendar/detect", "/api/calendar/events/from-email"],
    load: () => import("./features/calendar/detect/routes.ts"),
  },
  { tag: "Bookings", paths: ["/api/bookingsvc"], load: () => import("./features/bookings/routes.ts") },
  {
    tag: "AI",
    paths: ["/api/ai/generate", "/api/ai/email-intelligence"],
    load: () => import("./features/ai/routes.ts"),
  },
  { tag: "Chat", paths: ["/api/ai/chat"], load: () => import("./features/chat/routes.ts") },
  {
    tag: "AI models",
    paths: ["/api/ai-model", "/api/ai/models"],
    load: () => import("./features/ai-models/routes.ts"),
  },
  { tag: "AI models", paths: ["/api/api-keys"], load: () => import("./features/ai-keys/routes.ts") },
  { tag: "Workflow", paths: ["/api/workflow"], load: () => import("./features/workflow/routes.ts") },
  { tag: "Profile", paths: ["/api/settings/profile"], load: () => import("./features/profile/routes.ts") },
  { tag: "Profile", paths: ["/api/settings/profile/email"], load: () => import("./features/auth/email/routes.ts") },
  {
    tag: "Profile",
    paths: ["/api/settings/profile/notifications"],
    load: () => import("./features/notifications/routes.ts"),
  },
  {
    tag: "Profile",
    paths: ["/api/settings/profile/working-hours"],
    load: () => import("./features/calendar/working-hours/routes.ts"),
  },
  {
    tag: "Emails",
    paths: ["/api/settings/retention"],
    load: () => import("./features/emails/retention/routes.ts"),
  },
  { tag: "Security", paths: ["/api/settings/security"], load: () => import("./features/auth/security/routes.ts") },
  {
    tag: "Security",
    paths: ["/api/settings/security/2fa"],
    load: () => import("./features/auth/two-factor/routes.ts"),
  },
  {
    tag: "Security",
    paths: ["/api/settings/security/login-history", "/api/settings/security/audit-log"],
    load: () => import("./features/audit/routes.ts"),
  },
  { tag: "API keys", paths: ["/api/settings/security/api-keys"], load: () => import("./features/api-keys/routes.ts") },
  {
    tag: "Billing",
    paths: ["/api/settings/billing", "/api/billing"],
    load: () => import("./features/billing/routes.ts"),
  },
  { tag: "Billing", paths: ["/api/settings/billing/usage"], load: () => import("./features/stats/usage/routes.ts") },
  { tag: "AI tokens", paths: ["/api/settings/tokens"], load: () => import("./features/ai-models/tokens/routes.ts") },
  { tag: "Webhooks", paths: ["/api/settings/webhooks"], load: () => import("./features/webhooks/routes.ts") },
  {
    tag: "Your data",
    paths: ["/api/settings/data", "/api/settings/account"],
    load: () => import("./features/personal-data/routes.ts"),
  },
  {
    tag: "Your data",
    paths: ["/api/settings/data/exports", "/api/settings/data/import", "/api/settings/data/uploads"],
    load: () => import("./features/personal-data/archive/routes.ts"),
  },
  { tag: "Stream", paths: ["/api/stream"], load: () => import("./features/stream/routes.ts") },
  { tag: "Stream", paths: ["/api/stream/captions"], load: () => import("./features/stream/captions/routes.ts") },
  {
    tag: "Stream",
    paths: ["/api/stream/credentials", "/api/stream/voice"],
    load: () => import("./features/stream/credentials/routes.ts"),
  },
  { tag: "Stream", paths: ["/api/stream/milestones"], load: () => import("./features/stream/milestones/routes.ts") },
  { tag: "Agents", paths: ["/mcp"], load: () => import("./features/mcp/routes.ts") },
  {
    tag: "Agents",
    paths: ["/oauth", "/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"],
    load: () => import("./features/oauth/routes.ts"),
  },
  {
    tag: "Agents",
    paths: ["/api/settings/security/connections"],
    load: () => import("./features/connections/routes.ts"),
  },
  { tag: "Live updates", paths: ["/api/live"], load: () => import("./features/live/routes.ts") },
  { tag: "Operations", paths: ["/api/stats"], load: () => import("./features/stats/routes.ts") },
  { tag: "Operations", paths: ["/api/health"], load: () => import("./features/health/routes.ts") },
  { tag: "Operations", paths: ["/api/service"], load: () => import("./features/maintenance/routes.ts") },
];

/** The groups of the API reference. */
const TAGS = {
  Authentication: "Create accounts, sign in, and manage sessions and passwords.",
  Emails: "List, search, tag and reply to emails, and turn what they ask for into tasks.",
  Mailboxes: "Mailboxes of yours elsewhere, read by IMAP and written through by SMTP.",
  Contacts: "The people whom you exchange emails and events with.",
  Tasks: "To-dos with due dates, lists, subtasks and repetition; quick add and the plan of a day.",
  Reminders: "What has reminded you, what will, and the devices that get Web Push.",
  Calendar: "Events and series, busy times and free slots, meetings found in text, and a calendar feed.",
  Bookings: "The connection to the booking provider and the sync that keeps the calendar in step with it.",
  AI: "Generate text and analyze emails, with a language model or the built-in engine.",
  Chat: "An assistant that answers questions and acts on emails, tasks and events.",
  "AI models": "Choose the language model and manage the keys of AI providers.",
  Workflow: "Stable, flat responses for workflow automations.",
  Profile: "Your profile, notification settings, working hours and email address.",
  Security: "Two-factor authentication, login history and audit log.",
  "API keys": "Keys that let your own programs call this API.",
  Billing: "Plans, usage, invoices and payments.",
  "AI tokens": "AI usage, the monthly token budget and alerts.",
  Webhooks: "Endpoints of yours that are called when something happens.",
  "Your data": "Export your data or delete your account.",
  Stream: "Live streams: their state, the posts that announce them, platform credentials and milestones.",
  Agents: "Connect Claude, ChatGPT and other agents: OAuth, and the connections a person has allowed.",
  "Live updates": "Learn of changes as they happen.",
  Operations: "Service health, statistics and maintenance.",
} as const;

type TagName = keyof typeof TAGS;

const tags: readonly Tag[] = Object.entries(TAGS).map(([name, description]) => ({ name, description }));

/** The app with every feature, as the API reference describes it. */
export function createApp(): Promise<App> {
  return serve(FEATURES);
}

const apps = new Map<string, Promise<App>>();
/** The same by paths: looking for the features of each request takes 1 % of it. */
const appsByShape = new Map<string, Promise<App>>();
const MAX_SHAPES = 500;

/**
 * The app for a request. A new isolate loads only the features that the path leads to: creating all routes takes
 * longer than most responses (`npm run bench` shows both). Apps are kept for the life of the isolate.
 */
export function appFor(url: string): Promise<App> {
  const path = url.slice(url.indexOf("/", "https://".length)).split("?")[0] ?? "/";
  // The API reference needs every feature; a path that the router will decode may lead to any of them.
  const isWhole = /^\/(?:api-)?docs(?:\/|$)|%|\/\//.test(path);
  // Records of one kind have the same features.
  const shape = isWhole ? "" : path.replaceAll(/\/\d+(?=\/|$)/g, "/0");
  let app = appsByShape.get(shape);
  if (!app) {
    app = appWith(isWhole ? FEATURES : FEATURES.filter(({ paths }) => paths.some((start) => leadsTo(start, path))));
    if (appsByShape.size >= MAX_SHAPES) appsByShape.clear();
    appsByShape.set(shape, app);
  }
  return app;
}

function appWith(features: readonly Registration[]): Promise<App> {
  const key = features.map((feature) => FEATURES.indexOf(feature)).join();
  const app = apps.get(key) ?? serve(features);
  apps.set(key, app);
  return app;
}

function leadsTo(start: string, path: string): boolean {
  return path.startsWith(start) && (path.length === start.length || path[start.length] === "/");
}

/** Loads a module when it is needed for the first time. `import()` looks it up at each call, which takes 1 % of a write. */
function once<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

const credentials = once(() => import("./features/auth/authenticate.ts"));
const webhooks = once(() => import("./features/webhooks/service.ts"));

async function serve(registrations: readonly Registration[]): Promise<App> {
  const features = await Promise.all(
    registrations.map(async ({ tag, load }) => ({ tag, routes: (await load()).routes })),
  );
  return createServer({
    version: VERSION,
    readCredential: async (...given) => (await credentials()).readCredential(...given),
    // Loads what hashes passwords and checks codes, which few requests need.
    reauthenticate: async (...proof) => (await import("./features/auth/reauthentication.ts")).reauthenticate(...proof),
    afterWrite: {
      isNeeded: () => !noneEnabled.isKnown,
      run: async (ctx) => (await webhooks()).deliverNewEvents(ctx),
    },
    features,
    tags,
  });
}
