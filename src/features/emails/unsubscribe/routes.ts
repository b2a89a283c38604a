import { contextOf } from "../../../http/app-env.ts";
import { data } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter } from "../../../http/router.ts";
import { EmailParams } from "../schemas.ts";
import { UnsubscribeRequest, UnsubscribeResult } from "./schemas.ts";
import { unsubscribe } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/emails/{id}/unsubscribe", {
    operationId: "unsubscribeFromList",
    summary: "Leave a mailing list",
    description:
      "Sends the one-click request of RFC 8058 if the email's DKIM signature is valid and covers the unsubscribe headers, " +
      "or else an email to the `mailto` address if the sender is verified. Otherwise the response is 409 with the reason, " +
      "and `url` and `mailto` to do it by hand. A list that was left is remembered and not asked again.",
    guard: data("emails:write"),
    rateLimit: "expensive",
    params: EmailParams,
    body: UnsubscribeRequest,
    returns: { 200: UnsubscribeResult },
    errors: ["not_found", "unsubscribe_unavailable", "provider_error", "provider_timeout"],
    idempotent: true,
  }),
  async (c) => c.json(await unsubscribe(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
);
