import { contextOf } from "../../../http/app-env.ts";
import { user } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter } from "../../../http/router.ts";
import { BillingUsage } from "./schemas.ts";
import { readUsage } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/settings/billing/usage", {
    operationId: "getBillingUsage",
    summary: "Get usage and limits",
    description: "Returns what the service uses and what its plan allows.",
    guard: user,
    returns: { 200: BillingUsage },
  }),
  async (c) => c.json(await readUsage(contextOf(c)), 200),
);
