import type { Feature } from "../http/route.ts";
import { serve } from "./serve.ts";

type App = ReturnType<typeof serve>;
type Area = () => Promise<{ features: readonly Feature[] }>;

/**
 * What follows `/api/` → the area that answers. A new isolate reads only the area it is asked for: making the
 * routes of all of them takes longer than most answers do.
 */
const AREAS: Record<string, Area> = {
  health: () => import("./health.ts"),
  stats: () => import("./operations.ts"),
  auth: () => import("./accounts.ts"),
  emails: () => import("./mail.ts"),
  tasks: () => import("./mail.ts"),
  calendar: () => import("./calendar.ts"),
  bookingsvc: () => import("./calendar.ts"),
  ai: () => import("./ai.ts"),
  "ai-model": () => import("./ai.ts"),
  "api-keys": () => import("./ai.ts"),
  workflow: () => import("./ai.ts"),
  settings: () => import("./settings.ts"),
  billing: () => import("./settings.ts"),
  stream: () => import("./stream.ts"),
};

const apps = new Map<readonly Feature[], App>();
const loaded = new Map<string, App>();
const NOTHING: readonly Feature[] = [];
let whole: App | undefined;

/** The part of the service that a request is for; the whole of it for the description, or where it is hard to say. */
export async function appFor(url: string): Promise<App> {
  const path = url.slice(url.indexOf("/", "https://".length)).split("?")[0] ?? "/";
  if (/^\/(?:api-)?docs(?:\/|$)|%|\/\//.test(path)) {
    whole ??= (await import("../app.ts")).createApp();
    return whole;
  }
  const name = /^\/api\/([\w-]+)/.exec(path)?.[1] ?? "";
  return loaded.get(name) ?? load(name);
}

async function load(name: string): Promise<App> {
  const features = Object.hasOwn(AREAS, name) ? (await AREAS[name]?.())?.features : undefined;
  const app = apps.get(features ?? NOTHING) ?? serve(features ?? NOTHING);
  apps.set(features ?? NOTHING, app);
  if (features) loaded.set(name, app);
  return app;
}
