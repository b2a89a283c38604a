import { anyone, owner } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { Health, HealthDetails } from "./schemas.ts";
import { checkHealth, readHealthDetails } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/health", {
  operationId: "getHealth",
  summary: "Check the service's health",
  description:
    "Checks the database, the key-value store, the file store, the settings, the background jobs and the open " +
    "alerts. Returns only the overall status; the owner reads the details at `/api/health/details`. Returns 503 if " +
    "the database cannot be reached.",
  guard: anyone,
  returns: { 200: Health, 503: Health },
  handle: async ({ c, ctx }) => {
    const { isReachable, health } = await checkHealth(ctx);
    return c.json(health, isReachable ? 200 : 503);
  },
});

routes.endpoint("get", "/api/health/details", {
  operationId: "getHealthDetails",
  summary: "Get health details",
  description:
    "Returns the state of each part of the service, and all current `problems` with a link to the " +
    "instructions for each. The owner is notified by email and by the event `service.alert` when a " +
    "problem begins and when it ends.",
  guard: owner,
  returns: { 200: HealthDetails },
  handle: ({ ctx }) => readHealthDetails(ctx),
});
