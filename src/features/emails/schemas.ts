import { z } from "@hono/zod-openapi";
import { ADDRESS_FORMS, AddressInput } from "../../http/address-schemas.ts";
import {
  doc,
  Id,
  listOf,
  named,
  Tags,
  TimeOrDateInput,
  Timestamp,
  TimeZone,
  versionFields,
} from "../../http/schemas.ts";
import { SENDER_PROOFS } from "../../lib/authentication-results.ts";
import {
  AUTHENTICATION_RESULTS,
  DELIVERY_STATES,
  DIRECTIONS,
  EMAIL_KINDS,
  EMAIL_SOURCES,
  EMAIL_STATUSES,
  LATEST_EMAIL,
  SIGN_IN_KINDS,
} from "../../lib/email-kinds.ts";
import { readBy } from "../../lib/receipts.ts";
import { Task } from "../tasks/schemas.ts";
import { EmailAnalysis } from "./analysis/schemas.ts";
import { sortingFields } from "./sorting/schemas.ts";

const MAX_RECIPIENTS = 100;
const MAX_IDS = 500;

export const Address = named(
  "Address",
  () => ({
    name: doc(z.string(), "The person's name. Empty if only the address is known.", "Ann Lee"),
    email: doc(z.string(), "The address.", "ann@example.com"),
  }),
  { description: "An email address with the person's name." },
);

const attachment = {
  name: doc(z.string().max(500), "File name.", "contract.pdf"),
  type: doc(z.string().max(200), "Media type, as the sender gave it.", "application/pdf"),
  size: doc(z.int().min(0), "Size in bytes.", 48_213),
};

const NewAttachment = named("NewAttachment", () => attachment, { description: "An attachment without its content." });

export const Attachment = named("Attachment", () => ({
  n: doc(z.int().min(1), "Number of the attachment in its email, from 1.", 1),
  ...attachment,
  inline: doc(z.boolean(), "Whether the HTML shows it, by its `contentId`.", false),
  contentId: doc(z.string().nullable(), "Its name in `cid:` addresses of the HTML.", null),
}));

const Status = z.enum(EMAIL_STATUSES);
const Direction = z.enum(DIRECTIONS);

const KIND =
  "Kind of email, by its headers first, then by its sender and text: `person`; `newsletter` (any bulk email, such as one " +
  "with List-Unsubscribe); `notification` and `receipt` (from a machine); `bounce`; `auto_reply`; `invitation` (contains a " +
  "calendar request or response); `spam_like` (the check of the sender failed, or it looks like fraud). Only `person` " +
  "creates tasks by default.";

const checked = (name: string) =>
  doc(
    z.enum(AUTHENTICATION_RESULTS),
    `Result of ${name} for the domain in From. \`none\`: nothing was proved.`,
    "pass",
  );

const Authentication = z.object({
  spf: checked("SPF"),
  dkim: checked("DKIM"),
  dmarc: checked("DMARC"),
});

const STATUS =
  "Where the email is. Suspected spam is in `spam`, for 30 days unless `GET /api/settings/retention` returns another period.";

const SignIn = doc(
  z
    .object({
      kind: doc(
        z.enum(SIGN_IN_KINDS),
        "A code or password, or a link to sign in, reset a password or verify an address.",
        "code",
      ),
      code: doc(z.string().nullable(), "The code. Null for a link, and for API keys.", "482913"),
      expiresAt: doc(
        Timestamp.nullable(),
        "When it expires: as the email says, otherwise after 15 minutes (code) or an hour (link). Null for what is used " +
          "more than once: a password, a card's PIN, recovery codes, an access token.",
      ),
    })
    .nullable(),
  "What a received email signs you in with. Only a person sees the subject and text of such an email: API keys, webhooks, " +
    "agents and models get a sentence instead. Null for all other emails.",
  null,
);

const SUBJECT = "Contract for March";
const BODY = "Hi Ada,\n\ncould you send the signed contract by Friday?";

const summary = {
  id: Id,
  messageId: doc(z.string(), "Message-ID header.", "<7f3a@example.com>"),
  threadId: doc(Id, "Id of the thread the email belongs to."),
  threadCount: doc(z.int(), "Number of emails in the thread, including this one.", 3),
  inReplyTo: doc(z.string().nullable(), "Message-ID of the email it replies to.", "<7f39@example.com>"),
  direction: doc(Direction, "Whether the email was received or sent.", "inbound"),
  source: doc(z.enum(EMAIL_SOURCES), "How the email got here.", "inbound"),
  kind: doc(z.enum(EMAIL_KINDS), KIND, "person"),
  authentication: doc(
    Authentication.nullable(),
    "Results of the receiving mail server's checks of the sender. Null if no trusted server checked the email. " +
      "`senderProof` says what they mean.",
  ),
  senderProof: doc(
    z.enum(SENDER_PROOFS).nullable(),
    "`verified`: the sender is who they claim to be. `unverified`: nothing proves it. `failed`: `dmarc` is `fail`, or without " +
      "DMARC neither `spf` nor `dkim` is `pass` and one is `fail`. Such an email may be forged: it creates no task and " +
      "changes no event. Null for emails that you sent.",
    "verified",
  ),
  delivery: doc(
    z.enum(DELIVERY_STATES).nullable(),
    "Delivery state of an email that this service sends: `scheduled` until `sendAt`, then `sending`, and `sent` or " +
      "`failed`. Null for all other emails. Drafts are at `/api/emails/drafts`.",
    null,
  ),
  deliveryError: doc(
    z.string().nullable(),
    "Why sending failed, and whether the email may still have been sent. Null unless `delivery` is `failed`.",
    null,
  ),
  sendAt: doc(Timestamp.nullable(), "When a scheduled email leaves, or left. Null for all other emails.", null),
  identityId: doc(Id.nullable(), "The sender identity that was used. Null: none.", null),
  from: Address,
  to: doc(z.array(Address), "Recipients."),
  cc: doc(z.array(Address), "Recipients in copy."),
  replyTo: doc(Address.nullable(), "Where replies go, if not to the sender."),
  subject: doc(z.string(), "Subject line.", SUBJECT),
  snippet: doc(
    z.string(),
    "The first 200 characters of the body, on one line.",
    "Hi Ada, could you send the contract?",
  ),
  attachments: doc(
    z.array(Attachment),
    "The attachments, at most the first 100. `GET /api/emails/{id}/attachments/{n}` returns the content of one.",
  ),
  rawSize: doc(
    z.int().nullable(),
    "Size in bytes of the original message, which `GET /api/emails/{id}/raw` returns. Null for an email that was sent " +
      "or stored through the API.",
    51_877,
  ),
  mailboxes: doc(
    z.array(
      z.object({
        id: doc(Id, "Id of the mailbox."),
        label: doc(z.string(), "The mailbox's label.", "Private"),
        folder: doc(z.string(), "The folder that has the email there.", "INBOX"),
      }),
    ),
    "The connected mailboxes that have this email, and where. Empty for an email that came another way.",
    [],
  ),
  tags: doc(z.array(z.string()), "Tags.", ["hello"]),
  status: doc(Status, STATUS, "inbox"),
  isRead: doc(z.boolean(), "Whether the email has been read.", false),
  isStarred: doc(z.boolean(), "Whether the email is starred.", false),
  ...sortingFields,
  snoozedUntil: doc(
    Timestamp.nullable(),
    "The email is hidden from `status=inbox` until then, and then listed at the top.",
  ),
  followUpAt: doc(
    Timestamp.nullable(),
    "Of a sent email: when it returns to the inbox, or returned, because nobody replied. Null if it does not, and as soon " +
      "as somebody replies.",
    null,
  ),
  receivedAt: doc(Timestamp, "When the email was received or sent."),
  replyNeeded: doc(
    z.boolean().nullable(),
    "Whether the email needs your reply, according to its analysis, until you reply in the thread or " +
      "change this value. Null until the email is analyzed.",
    true,
  ),
  analysis: doc(
    EmailAnalysis.nullable(),
    "The stored analysis. Null until the email is analyzed. Inbound emails are analyzed shortly after they arrive; " +
      "emails that you store or import, on request.",
  ),
  signIn: SignIn,
  ...versionFields,
};

export const EmailSummary = named("EmailSummary", () => summary, { description: "An email without its body." });
export type EmailSummary = z.infer<typeof EmailSummary>;

export const Email = named("Email", () => ({
  ...summary,
  bcc: doc(z.array(Address), "Recipients that the others do not see. Only of emails that this service sends."),
  body: doc(z.string(), "Plain text.", BODY),
  html: doc(
    z.string().nullable(),
    "HTML version, exactly as the sender wrote it, and therefore unsafe: it may contain scripts, forms, tracking pixels " +
      "and misleading links. Sanitize it, and display it in a sandboxed frame that loads nothing from outside.",
  ),
}));
readBy("emails:read", Email);
readBy("emails:read", EmailSummary);
export type Email = z.infer<typeof Email>;

export const EmailList = listOf(EmailSummary, "EmailList");

/** One address or a list. */
export const AddressesInput = z
  .union([z.array(AddressInput).max(MAX_RECIPIENTS), AddressInput])
  .transform((given) => (Array.isArray(given) ? given : [given]));

export const MessageId = z
  .string()
  .trim()
  .min(1)
  .max(998)
  .regex(/^<*[^<>\s]+>*$/, "must be one Message-ID without spaces");

const EmailTime = TimeOrDateInput.refine(
  (value) => new Date(value).getTime() >= 0 && new Date(value) < LATEST_EMAIL,
  "must be from 1970 to 2199",
);

export const NewEmail = named(
  "NewEmail",
  () => ({
    messageId: doc(
      MessageId.optional(),
      "Message-ID header. If it is already stored, the stored email is returned with 200. Default: generated.",
    ),
    inReplyTo: doc(MessageId.nullable(), "Message-ID of the email it replies to.").default(null),
    references: doc(z.array(MessageId).max(100), "Message-IDs of the thread, oldest first.").default([]),
    direction: doc(Direction, "Whether the email was received or sent. Default: `inbound`.").default("inbound"),
    source: doc(z.enum(["api", "import"]), "How the email got here. Default: `api`.").default("api"),
    from: doc(AddressInput, `Sender: ${ADDRESS_FORMS}.`),
    to: doc(AddressesInput, `One recipient or a list; each is ${ADDRESS_FORMS}.`).default([]),
    cc: doc(AddressesInput, "One recipient in copy, or a list.").default([]),
    replyTo: doc(AddressInput.nullable(), "Where replies go, if not to the sender.").default(null),
    subject: doc(z.string().max(2000), "Subject line.").default(""),
    body: doc(z.string().optional(), "Plain text. Default: the text of `html`."),
    html: doc(z.string().nullable(), "HTML version, stored as it is.").default(null),
    attachments: doc(z.array(NewAttachment).max(100), "Names, types and sizes of the attachments.").default([]),
    tags: doc(Tags.optional(), "Tags. Default: the local part of the first recipient's address."),
    status: doc(
      Status.optional(),
      "Where the email goes. Default: `inbox`, `spam` if its kind is `spam_like`, or `archived` for an outbound email.",
    ),
    isRead: doc(z.boolean().optional(), "Whether it has been read. Default: true for an outbound email."),
    isStarred: doc(z.boolean(), "Whether it is starred.").default(false),
    receivedAt: doc(
      EmailTime.optional(),
      "When it was received or sent, or a date for the start of that day in your time zone. Default: now.",
    ),
    kind: doc(
      z.enum(EMAIL_KINDS).optional(),
      "Kind of email. Default: what the sender and the text suggest, since there are no headers; `person` for an outbound email.",
    ),
    createTasks: doc(
      z.enum(["none", "action_items", "every"]),
      "`action_items`: a task for each request in the email. `every`: one task for the email. An API key " +
        "also needs `tasks:write` for these. An email with `signIn` gets no task. Default: `none`.",
    ).default("none"),
  }),
  {
    example: {
      from: "Ann Lee <ann@example.com>",
      to: ["hello@example.com"],
      subject: SUBJECT,
      body: BODY,
      createTasks: "action_items",
    },
  },
);
export type NewEmail = z.output<typeof NewEmail>;

export const flags = {
  isRead: doc(z.boolean().optional(), "Whether the email has been read."),
  isStarred: doc(z.boolean().optional(), "Whether the email is starred."),
  status: doc(
    Status.optional(),
    "Where the email is. A person who moves an email into `spam`, or from there to `inbox` or `archived`, also decides " +
      "where later emails of the sender go.",
  ),
  replyNeeded: doc(
    z.boolean().nullable().optional(),
    "Whether the email needs your reply. A later analysis keeps this value. Null changes nothing.",
  ),
  tasks: doc(
    z.enum(["keep", "cancel"]).optional(),
    "With `status: trash`: `cancel` also cancels the open tasks that the service made from the email. Tasks that you made " +
      "stay. An API key also needs `tasks:write` for that. Default: `keep`. `GET /api/tasks?emailId=` lists them.",
  ),
};

export const snooze = {
  snoozedUntil: doc(
    EmailTime.nullable().optional(),
    "Hides the email from `status=inbox` until then, and then lists it at the top. An archived email comes back to " +
      "the inbox. Must be in the future. A date means the start of that day in your time zone; null ends the snooze.",
  ),
  snoozeText: doc(
    z.string().trim().min(1).max(200).optional(),
    "The same in plain English, such as `tomorrow morning`, `in 2 hours` or `next week`. A day means 8:00.",
  ),
  timeZone: doc(
    TimeZone.optional(),
    "IANA time zone of `snoozeText` and of a date in `snoozedUntil`. Default: that of your profile, otherwise UTC.",
  ),
};

export const EmailChanges = named(
  "EmailChanges",
  () => ({
    ...flags,
    tags: doc(Tags.optional(), "Replaces all tags."),
    ...snooze,
    followUpDays: doc(
      z.int().min(1).max(365).nullable().optional(),
      "Of an email that you sent: if nobody replies within so many days from now, it returns to the inbox. Null ends that.",
    ),
  }),
  { example: { isRead: true, tags: ["contracts"] } },
);
export type EmailChanges = z.output<typeof EmailChanges>;

export const BulkChanges = z
  .object({
    ids: doc(z.array(Id).min(1).max(MAX_IDS).optional(), "Ids of the emails to update. Send these or `threadIds`."),
    threadIds: doc(
      z.array(Id).min(1).max(MAX_IDS).optional(),
      "Ids of the threads whose emails to update, together at most 2,000 emails. Emails that are already as asked are not touched.",
    ),
    within: doc(
      z.enum([...EMAIL_STATUSES, "snoozed"]).optional(),
      "With `threadIds`: only emails in this box, so that archiving a conversation of the inbox does not move its emails in " +
        "the trash. `inbox` leaves out snoozed emails. Default: all but spam and trash. Emails that you sent go to the archive " +
        "when the others go to the inbox or to spam.",
    ),
    isMuted: doc(
      z.boolean().optional(),
      "With `threadIds`: whether the threads are muted. New emails of a muted thread go to the archive instead of the inbox.",
    ),
    ...flags,
    ...snooze,
    addTags: doc(Tags.optional(), "Tags to add."),
    removeTags: doc(Tags.optional(), "Tags to remove."),
  })
  .refine(({ addTags = [], removeTags = [] }) => !addTags.some((tag) => removeTags.includes(tag)), {
    path: ["removeTags"],
    message: "must not contain a tag of addTags",
  })
  .refine(({ ids, threadIds }) => (ids === undefined) !== (threadIds === undefined), {
    path: ["ids"],
    message: "must be sent, or threadIds instead",
  })
  .refine(({ threadIds, within }) => threadIds !== undefined || within === undefined, {
    path: ["within"],
    message: "can only be sent together with threadIds",
  })
  .refine(({ threadIds, isMuted }) => threadIds !== undefined || isMuted === undefined, {
    path: ["isMuted"],
    message: "can only be sent together with threadIds",
  })
  .openapi("BulkEmailChanges", { example: { ids: [1, 2], status: "archived", addTags: ["contracts"] } });
export type BulkChanges = z.output<typeof BulkChanges>;

const EmailBefore = named(
  "EmailBefore",
  () => ({
    id: Id,
    threadId: summary.threadId,
    status: summary.status,
    isRead: summary.isRead,
    isStarred: summary.isStarred,
    tags: summary.tags,
    snoozedUntil: doc(Timestamp.nullable(), "When its snooze ended or was to end."),
    replyNeeded: summary.replyNeeded,
  }),
  { description: "An email as it was before the update." },
);

export const BulkResult = named("BulkEmailResult", () => ({
  updated: doc(z.int(), "Number of emails that were updated.", 2),
  missing: doc(z.array(Id), "Ids of `ids` or `threadIds` that do not exist.", []),
  before: doc(
    z.array(EmailBefore).optional(),
    "With `threadIds`: the emails that were updated as they were before, to undo the update by their ids.",
  ),
}));
export type BulkResult = z.infer<typeof BulkResult>;

export const EmailTasks = named("EmailTasks", () => ({
  created: doc(z.int(), "Number of tasks that this request created.", 1),
  tasks: doc(z.array(Task), "All tasks of the email, at most 100."),
  note: doc(z.string().nullable(), "Why no task could be created. Null if that was possible.", null),
}));
