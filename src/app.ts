import { VERSION } from "./config.ts";
import { health } from "./features/health/routes.ts";
import { createServer } from "./http/server.ts";
import { AppError } from "./lib/errors.ts";

/** The whole service: every feature, where it lives and what it is for. */
export function createApp() {
  return createServer({
    version: VERSION,
    authenticate: async () => {
      throw new AppError("unauthenticated");
    },
    features: [{ path: "/api/health", tag: "Operations", description: "Whether the service is well.", router: health }],
  });
}
