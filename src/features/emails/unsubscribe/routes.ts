import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { UnsubscribeRequest, UnsubscribeResult } from "./schemas.ts";
import { unsubscribe } from "./service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/emails/{id}/unsubscribe", {
  operationId: "unsubscribeFromList",
  summary: "Leave a mailing list",
  description:
    "Sends the one-click request of RFC 8058 if the sender is verified and the DKIM signature that passed covers " +
    "the unsubscribe headers, or else an email to the `mailto` address, if it is signed or SPF passed. Otherwise " +
    "the response is 409 with the reason, and `url` and `mailto` to do it by hand. The service remembers the list " +
    "with its sender's domain and does not ask it again.",
  guard: data("emails:write"),
  derivesFrom: ["emails:read"],
  rateLimit: "expensive",
  body: UnsubscribeRequest,
  returns: { 200: UnsubscribeResult },
  errors: ["unsubscribe_unavailable", "provider_error", "provider_timeout"],
  idempotent: true,
  handle: ({ ctx, params, body }) => unsubscribe(ctx, params.id, body),
});
