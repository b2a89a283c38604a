import { z } from "@hono/zod-openapi";
import { doc, named, Timestamp } from "../../../http/schemas.ts";

export const UnsubscribeRequest = named(
  "UnsubscribeRequest",
  () => ({
    trashLater: doc(
      z.boolean(),
      "Whether emails of this list that still arrive go to the trash, marked as read. Default: false.",
    ).default(false),
  }),
  { example: { trashLater: true } },
);
export type UnsubscribeRequest = z.output<typeof UnsubscribeRequest>;

export const UnsubscribeResult = named("UnsubscribeResult", () => ({
  list: doc(z.string(), "The List-Id, or the sender's address if the emails have none.", "news.example.com"),
  method: doc(
    z.enum(["one_click", "mailto"]),
    "`one_click`: the list accepted the request (RFC 8058). `mailto`: an email was sent to the address it names.",
    "one_click",
  ),
  trashLater: doc(z.boolean(), "Whether emails of this list that still arrive go to the trash.", true),
  leftAt: doc(Timestamp, "When the list was left."),
}));
export type UnsubscribeResult = z.infer<typeof UnsubscribeResult>;
