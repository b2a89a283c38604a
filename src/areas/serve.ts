import { VERSION } from "../config.ts";
import { authenticate } from "../features/auth/authenticate.ts";
import { reauthenticate } from "../features/auth/reauthenticate.ts";
import type { Feature } from "../http/route.ts";
import { createServer } from "../http/server.ts";

/** A service of these features. What follows a write is loaded when there is one. */
export function serve(features: readonly Feature[]) {
  return createServer({
    version: VERSION,
    authenticate,
    reauthenticate,
    afterWrite: async (ctx) => (await import("../features/webhooks/service.ts")).deliverNews(ctx),
    features,
  });
}
