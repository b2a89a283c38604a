import { z } from "@hono/zod-openapi";
import { doc, IdParam, named } from "../../../http/schemas.ts";
import { readBy } from "../../../lib/receipts.ts";
import { WrittenEvent } from "../events/schemas.ts";

export const InvitationPath = z.object({ id: doc(IdParam, "Id of the event.", 8) });

export const ANSWERS = ["accepted", "declined", "tentative"] as const;

export const InvitationResponse = z
  .object({
    response: doc(z.enum(ANSWERS), "Your response."),
    comment: doc(z.string().trim().min(1).max(1000).optional(), "A comment for the organizer."),
    notify: doc(
      z.boolean().optional(),
      "Whether to email the response to the organizer. Default: it is sent if possible. With `true`, the request " +
        "fails and changes nothing if it cannot be sent.",
    ),
  })
  .openapi("InvitationResponse", { example: { response: "accepted", comment: "Looking forward to it." } });
export type InvitationResponse = z.output<typeof InvitationResponse>;

export const AnsweredEvent = named("AnsweredEvent", () => ({
  ...WrittenEvent.shape,
  notified: doc(
    z.boolean(),
    "Whether the organizer has been sent this response. False if email is not configured or was not accepted; send the " +
      "same response again to retry.",
    true,
  ),
}));
readBy("calendar:read", AnsweredEvent);
