import { z } from "@hono/zod-openapi";
import { ADDRESS_FORMS, DraftRecipientInput } from "../../../http/address-schemas.ts";
import {
  doc,
  Id,
  IdParam,
  listOf,
  named,
  PageQuery,
  TimeOrDateInput,
  Timestamp,
  versionFields,
} from "../../../http/schemas.ts";
import { readBy } from "../../../lib/receipts.ts";
import { byteLength } from "../../../lib/text.ts";
import { MAX_UNDO_SECONDS } from "../identities/schemas.ts";
import { Address } from "../schemas.ts";
import { AttachmentIds, FOLLOW_UP, FollowUpDays } from "../sending/schemas.ts";
import { UploadedAttachment } from "../uploads/schemas.ts";

/** Two of them fit into a row of 2 MB, together with three lists of recipients. */
const MAX_BYTES = 900_000;
const MAX_RECIPIENT_BYTES = 60_000;

const Recipients = z
  .array(z.union([Address, z.string()]))
  .openapi({ example: [{ name: "Ann Lee", email: "ann@example.com" }] });
const AS_TEXT = "One that is not an email address is the text as it was written.";

const RecipientsInput = z
  .union([z.array(DraftRecipientInput), DraftRecipientInput])
  .transform((given) => (Array.isArray(given) ? given : [given]).filter((each) => each !== ""))
  .refine(
    (all) => byteLength(JSON.stringify(all)) <= MAX_RECIPIENT_BYTES,
    `must have at most ${MAX_RECIPIENT_BYTES} bytes`,
  );

const SUBJECT = "Subject line. May be empty while it is a draft.";
const BODY = "Plain text. Empty if there is none, or if only `html` is used.";
const HTML = "HTML version. Without `body`, the plain text is made from it.";
const IN_REPLY_TO = "Id of the email that the draft replies to.";
const FORWARD_OF = "Id of the email that the draft forwards.";
const IDENTITY = "The sender identity to send as. Null: your default identity.";
const SEND_AT = "When the email leaves after you send the draft. Null: immediately.";
const QUOTE = "Whether the original is quoted under the text when it is sent.";
const SIGNATURE = "Whether the identity's signature is put under the text when it is sent.";

export const Draft = named(
  "Draft",
  () => ({
    id: doc(Id, "Id of the draft. Drafts have ids of their own, which are not those of emails."),
    delivery: doc(z.literal("draft"), "Always `draft`.", "draft"),
    to: doc(Recipients, `Recipients. ${AS_TEXT}`),
    cc: doc(Recipients, `Recipients in copy. ${AS_TEXT}`),
    bcc: doc(Recipients, `Recipients that the others do not see. ${AS_TEXT}`),
    subject: doc(z.string(), SUBJECT, "Contract for March"),
    snippet: doc(z.string(), "The first 200 characters of the text, on one line.", "Hi Ann, here is the contract."),
    body: doc(z.string(), BODY, "Hi Ann,\n\nhere is the contract."),
    html: doc(z.string().nullable(), HTML, null),
    inReplyTo: doc(Id.nullable(), IN_REPLY_TO, 1),
    forwardOf: doc(Id.nullable(), FORWARD_OF, null),
    identityId: doc(Id.nullable(), IDENTITY, null),
    sendAt: doc(Timestamp.nullable(), SEND_AT, null),
    followUpDays: doc(FollowUpDays, FOLLOW_UP, null),
    attachments: doc(z.array(UploadedAttachment), "The files that are attached."),
    quote: doc(z.boolean(), QUOTE, true),
    signature: doc(z.boolean(), SIGNATURE, true),
    ...versionFields,
  }),
  { description: "An email that is being written." },
);
readBy("emails:read", Draft);
export type Draft = z.infer<typeof Draft>;

export const DraftList = listOf(Draft, "DraftList");

const LongText = z.string().refine((text) => byteLength(text) <= MAX_BYTES, `must have at most ${MAX_BYTES} bytes`);

const content = {
  to: doc(
    RecipientsInput.optional(),
    `One recipient or a list; each is ${ADDRESS_FORMS}. May be empty. Anything else is kept as text, and refused only ` +
      "when the draft is sent.",
  ),
  cc: doc(RecipientsInput.optional(), "One recipient in copy, or a list."),
  bcc: doc(RecipientsInput.optional(), "One recipient that the others do not see, or a list."),
  subject: doc(z.string().trim().max(998).optional(), SUBJECT),
  body: doc(LongText.optional(), BODY),
  html: doc(LongText.nullable().optional(), HTML),
  identityId: doc(Id.nullable().optional(), IDENTITY),
  sendAt: doc(
    TimeOrDateInput.nullable().optional(),
    `${SEND_AT} A date means the start of that day in your time zone.`,
  ),
  followUpDays: doc(FollowUpDays.optional(), FOLLOW_UP, 3),
  attachmentIds: doc(
    AttachmentIds.optional(),
    "Ids of uploaded files. Replaces the draft's files; removed files are deleted.",
  ),
  quote: doc(z.boolean().optional(), `${QUOTE} Default: true.`),
  signature: doc(z.boolean().optional(), `${SIGNATURE} Default: true.`),
};

export const NewDraft = named(
  "NewDraft",
  () => ({
    ...content,
    inReplyTo: doc(Id.optional(), `${IN_REPLY_TO} Recipients and subject default to those of a reply.`),
    forwardOf: doc(Id.optional(), `${FORWARD_OF} The subject defaults to that of a forward.`),
    includeAttachments: doc(
      z.boolean(),
      "With `forwardOf`: the draft gets copies of the attachments of the email. Default: true.",
    ).default(true),
    replyAll: doc(
      z.boolean(),
      "With `inReplyTo`: `cc` defaults to every other recipient of the email, without your own addresses.",
    ).default(false),
  }),
  { example: { to: ["Ann Lee <ann@example.com>"], subject: "Contract for March", body: "Hi Ann," } },
);
export type NewDraft = z.output<typeof NewDraft>;

export const DraftChanges = named("DraftChanges", () => content, {
  example: { body: "Hi Ann,\n\nhere is the signed contract." },
});
export type DraftChanges = z.output<typeof DraftChanges>;

export const DraftsQuery = PageQuery.extend({
  emailId: doc(IdParam.optional(), "Only drafts that reply to this email or forward it."),
});
export type DraftsQuery = z.output<typeof DraftsQuery>;

export const DraftParams = z.object({ id: IdParam });
/** Another one than in the examples that read and change. */
export const SentDraftParams = z.object({ id: doc(IdParam, "Id of the draft.", 2) });

export const SendQuery = z.object({
  undoSeconds: doc(
    z.coerce.number().int().min(0).max(MAX_UNDO_SECONDS).optional(),
    "Minimum delay before the email is sent, during which it can be cancelled. Default: the " +
      "`undoSendSeconds` of the identity. A draft with `sendAt` is sent at that time.",
    0,
  ),
});
