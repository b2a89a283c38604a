import { owner } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { Retention, RetentionChanges } from "./schemas.ts";
import { getRetention, updateRetention } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/retention", {
  operationId: "getEmailRetention",
  summary: "Get email retention settings",
  description:
    "Returns after how many days emails are deleted. The default is 30 days for trash and spam, and never for other emails.",
  guard: owner,
  returns: { 200: Retention },
  handle: ({ ctx }) => getRetention(ctx),
});

routes.endpoint("patch", "/api/settings/retention", {
  operationId: "updateEmailRetention",
  summary: "Update email retention settings",
  description:
    "Expired emails are deleted permanently every night, in batches. A rule can set a time for the emails that " +
    "it matches (`deleteAfterDays`).",
  guard: owner,
  body: RetentionChanges,
  returns: { 200: Retention },
  errors: ["nothing_to_update"],
  ifMatch: true,
  handle: ({ ctx, body, ifMatch }) => updateRetention(ctx, body, ifMatch),
});
