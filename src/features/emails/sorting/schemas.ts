import { z } from "@hono/zod-openapi";
import { doc, Id, Timestamp } from "../../../http/schemas.ts";

const Unsubscribe = z.object({
  oneClick: doc(z.boolean(), "Whether one request to `url` is enough (RFC 8058).", true),
  url: doc(
    z.string().nullable(),
    "The https address for it. A page, unless `oneClick` is true.",
    "https://news.example.com/u/1",
  ),
  mailto: doc(z.string().nullable(), "The mailto address for it.", null),
});

const AppliedRule = z.object({
  id: doc(Id.nullable(), "Id of the rule."),
  name: doc(z.string(), "Name of the rule at that time.", "Newsletters"),
});

/** What headers and rules say about an email. */
export const sortingFields = {
  listId: doc(z.string().nullable(), "List-Id of the mailing list it came through, in lower case.", null),
  unsubscribe: doc(
    Unsubscribe.nullable(),
    "How to leave the mailing list, from the email's headers. Null if they do not say. Use `POST " +
      "/api/emails/{id}/unsubscribe`.",
  ),
  appliedRules: doc(
    z.array(AppliedRule),
    "The rules that acted on the email. Without an id: its sender is blocked, or you have left its mailing list.",
    [],
  ),
  deleteAt: doc(Timestamp.nullable(), "When a rule will delete the email, unless it is starred by then.", null),
};
