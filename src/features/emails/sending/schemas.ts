import { z } from "@hono/zod-openapi";
import { ADDRESS_FORMS } from "../../../http/address-schemas.ts";
import { doc, Id, IdParam, named, TimeOrDateInput } from "../../../http/schemas.ts";
import { AddressesInput, MessageId } from "../schemas.ts";

const MAX_CHARACTERS = 500_000;
/** What the platform takes at once. */
export const MAX_ATTACHMENTS = 32;

const Text = z.string().trim().min(1).max(MAX_CHARACTERS);
const Html = z.string().trim().min(1).max(MAX_CHARACTERS);
const Subject = z.string().trim().min(1).max(998);
const Recipients = AddressesInput.optional();

const HTML =
  "HTML version. If it is sent alone, the plain text is made from it. Scripts, forms and whatever else does not only show " +
  "something are removed when it is sent.";
const TO = `One recipient or a list; each is ${ADDRESS_FORMS}. At most 50 recipients together with \`cc\` and \`bcc\`.`;

/** Ids of uploaded files. */
export const AttachmentIds = z
  .array(z.string().max(64))
  .max(MAX_ATTACHMENTS)
  .refine((ids) => new Set(ids).size === ids.length, "must not name a file twice");

export const FollowUpDays = z.int().min(1).max(365).nullable();
export const FOLLOW_UP =
  "If nobody replies within so many days after it has left, the email returns to the top of the inbox. Until then it is " +
  "snoozed. Null: it does not.";

const sending = {
  cc: doc(AddressesInput, "One recipient in copy, or a list.").default([]),
  bcc: doc(AddressesInput, "One recipient that the others do not see, or a list.").default([]),
  sendAt: doc(
    TimeOrDateInput.nullable().optional(),
    "When to send it, up to a year ahead: the email is `scheduled` until then and can be taken back with " +
      "`/api/emails/{id}/cancel-send`. A date means the start of that day in your time zone. Default: at once, or after " +
      "the `undoSendSeconds` of the identity.",
  ),
  followUpDays: doc(FollowUpDays.optional(), FOLLOW_UP, 3),
  identityId: doc(
    Id.optional(),
    "The sender identity to send as. Default: your default identity; without one, your name and the service's address.",
  ),
  attachmentIds: doc(
    AttachmentIds,
    "Ids of files from `POST /api/emails/attachments`, together at most 25 MB. Each can be used once.",
  ).default([]),
  signature: doc(
    z.boolean(),
    "Put the identity's signature under the text, unless the text already contains it. Default: true.",
  ).default(true),
};

const quote = doc(z.boolean(), "Quote the original under the text. Default: true.").default(true);

export const NewMessage = named(
  "NewMessage",
  () => ({
    to: doc(AddressesInput, TO).default([]),
    ...sending,
    subject: doc(Subject, "Subject line."),
    body: doc(Text.optional(), "Plain text. Required without `html` and attachments."),
    html: doc(Html.optional(), HTML),
    inReplyTo: doc(
      z.union([Id, MessageId]).optional(),
      "Id or Message-ID of a stored email: adds this one to its thread. Nothing is quoted.",
    ),
  }),
  {
    example: {
      to: ["Ann Lee <ann@example.com>"],
      subject: "Contract for March",
      body: "Hi Ann,\n\nhere is the signed contract.\n\nAda",
    },
  },
);
export type NewMessage = z.output<typeof NewMessage>;

export const NewReply = named(
  "NewReply",
  () => ({
    body: doc(Text.optional(), "Plain text of the reply. Required without `html` and attachments."),
    html: doc(Html.optional(), HTML),
    subject: doc(Subject.optional(), "Default: the subject of the email with `Re:`."),
    to: doc(Recipients, `${TO} Default: the Reply-To address or the sender of the email.`),
    ...sending,
    replyAll: doc(
      z.boolean(),
      "Also send to every other recipient of the email, but not to your own addresses.",
    ).default(false),
    quote,
  }),
  { example: { body: "Hi Ann,\n\nhere is the signed contract.\n\nAda" } },
);
export type NewReply = z.output<typeof NewReply>;

export const NewForward = named(
  "NewForward",
  () => ({
    to: doc(AddressesInput, TO).default([]),
    ...sending,
    subject: doc(Subject.optional(), "Default: the subject of the email with `Fwd:`."),
    body: doc(Text.optional(), "Plain text above the original."),
    html: doc(Html.optional(), `${HTML} Without it, an original with HTML is still forwarded as HTML.`),
    quote,
    includeAttachments: doc(
      z.boolean(),
      "Send the attachments of the original too. They count towards the 25 MB and 32 files of an email. Default: true.",
    ).default(true),
  }),
  { example: { to: ["bob@example.com"], body: "Could you take care of this?" } },
);
export type NewForward = z.output<typeof NewForward>;

export const ScheduledParams = z.object({ id: doc(IdParam, "Id of an email that has not left.", 3) });
