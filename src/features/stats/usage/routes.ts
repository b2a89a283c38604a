import { user } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { BillingUsage } from "./schemas.ts";
import { readUsage } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/billing/usage", {
  operationId: "getBillingUsage",
  summary: "Get usage and limits",
  description: "Returns what the service uses and what its plan allows.",
  guard: user,
  returns: { 200: BillingUsage },
  handle: ({ ctx }) => readUsage(ctx),
});
