import { z } from "@hono/zod-openapi";
import { doc, FlagParam, IdParam, listOf, named, pageParams, Tag, TimeOrDateInput } from "../../../http/schemas.ts";
import { CATEGORIES, DIRECTIONS, EMAIL_KINDS, EMAIL_STATUSES, URGENCIES } from "../../../lib/email-kinds.ts";
import { FILE_KINDS } from "../../../lib/file-kinds.ts";
import { readBy } from "../../../lib/receipts.ts";
import { plainWords } from "../../../lib/search-syntax.ts";
import { Attachment, EmailSummary } from "../schemas.ts";

const SEARCH =
  "Words in the subject, names, addresses, body and names of attachments, in any form (`invoices` finds `invoice`) and with " +
  'or without accents. All must match; the last may be the start of a word. `"a phrase"`, `a OR b`, `-word`, and ' +
  "parentheses work, and these operators: `from:`, `to:` (also in copy), `cc:`, `subject:`, `filename:`, `tag:` or " +
  "`label:`, `mailbox:` (label or address of a connected mailbox), `is:unread|read|starred|snoozed|sent|received`, `in:inbox|archive|trash|sent|snoozed|spam|anywhere` " +
  "(`anywhere` includes spam and trash), " +
  `\`has:attachment|${FILE_KINDS.join("|")}\` (a file of this kind, by the ending of its name), ` +
  "`larger:` and `smaller:` with a size (`5mb`, `300kb`), `before:`, `after:` and `on:` with a date (`2026-11-01`, " +
  '`2026/11/1`, `2026-11`, `yesterday`, `"last week"`, `"letzte Woche"`), `older:` and `newer:` with a date or an age ' +
  "(`7d`, `2w`, `6m`, `1y`), `category:` and `kind:`. Put a value with " +
  'spaces in quotes (`from:"Ann Lee"`) and a minus before what you do not want (`-from:ann`). An unknown operator ' +
  "(`form:ann`), or a known one with an impossible value, is 422. Results are in the order they were received. API keys " +
  "and agents do not find emails with a sign-in code or link by their words, only by `from:`, `to:` and `cc:`.";

const person = (what: string) =>
  doc(
    z
      .string()
      .trim()
      .max(320)
      .refine((text) => plainWords(text) !== "", "must have a letter or a digit")
      .optional(),
    `${what} An address must be equal, in any case; other text must be words of the name or the address, such as ` +
      "`Ann Lee` or `example.com`.",
  );

export const EmailQuery = z.object({
  tag: doc(Tag.optional(), "Only emails with this tag. Upper and lower case are equal."),
  q: doc(z.string().max(20_000).optional(), SEARCH),
  status: doc(
    z.enum([...EMAIL_STATUSES, "any"]).optional(),
    "`inbox` leaves out snoozed emails. `any` includes spam and trash. Default: all but spam and trash.",
  ),
  direction: doc(z.enum(DIRECTIONS).optional(), "Only received or only sent emails."),
  from: person("Only emails of this sender."),
  to: person("Only emails to this recipient, directly or in copy."),
  unread: doc(FlagParam.optional(), "Only unread emails, or only read ones."),
  starred: doc(FlagParam.optional(), "Only starred emails, or only those without a star."),
  snoozed: doc(FlagParam.optional(), "Only emails that are snoozed now, or only those that are not."),
  hasAttachment: doc(FlagParam.optional(), "Only emails with an attachment, or only those without."),
  threadId: doc(IdParam.optional(), "Only emails of this thread."),
  mailboxId: doc(IdParam.optional(), "Only emails that this connected mailbox has."),
  kind: doc(
    z.enum([...EMAIL_KINDS, "bulk"]).optional(),
    "Only emails of this kind. `bulk` is another name for `newsletter`.",
  ),
  category: doc(z.enum(CATEGORIES).optional(), "Only emails whose analysis has this category."),
  urgency: doc(z.enum(URGENCIES).optional(), "Only emails whose analysis has this urgency."),
  replyNeeded: doc(
    FlagParam.optional(),
    "Only emails that need your reply (`replyNeeded`), or only the others, including those not analyzed yet.",
  ),
  since: doc(
    TimeOrDateInput.optional(),
    "Received at this time or later. A date such as `2026-11-15` means the start of that day in your time zone.",
  ),
  until: doc(TimeOrDateInput.optional(), "Received before this time. A date includes that whole day."),
  ...pageParams,
});
export type EmailQuery = z.output<typeof EmailQuery>;

export const FileQuery = EmailQuery.pick({
  q: true,
  from: true,
  since: true,
  until: true,
  limit: true,
  cursor: true,
}).extend({
  kind: doc(z.enum(FILE_KINDS).optional(), "Only files of this kind, by the ending of their names."),
});
export type FileQuery = z.output<typeof FileQuery>;

const EmailFile = named("EmailFile", () => ({
  emailId: doc(z.int(), "The email that it is attached to.", 42),
  ...Attachment.pick({ n: true, name: true, type: true, size: true }).shape,
  kind: doc(
    z.enum(FILE_KINDS).nullable(),
    "What kind of file it is by the ending of its name; null for any other.",
    "pdf",
  ),
  ...EmailSummary.pick({ from: true, subject: true, direction: true, status: true, receivedAt: true }).shape,
}));
readBy("emails:read", EmailFile);
export type EmailFile = z.infer<typeof EmailFile>;
export const EmailFileList = listOf(EmailFile, "EmailFileList");

const Participant = z.object({
  name: doc(z.string(), "The person's name. Empty if only the address is known.", "Ann Lee"),
  address: doc(z.string(), "The person's address.", "ann@example.com"),
  isMe: doc(z.boolean(), "Whether it is you.", false),
});

const ConversationFacts = named("ConversationFacts", () => ({
  count: doc(z.int(), "Number of emails.", 3),
  unreadCount: doc(z.int(), "Number of unread emails.", 1),
  isStarred: doc(z.boolean(), "Whether one of the emails is starred.", false),
  hasAttachments: doc(z.boolean(), "Whether one of the emails has an attachment.", false),
  participants: doc(
    z.array(Participant),
    "The senders, and the recipients of your emails: the first five, in the order they joined.",
  ),
  isMuted: doc(z.boolean(), "Whether new emails of the thread go to the archive instead of the inbox.", false),
}));

export const Conversation = named(
  "EmailConversation",
  () => ({
    ...EmailSummary.shape,
    conversation: doc(
      ConversationFacts,
      "The whole thread, without its emails in spam and trash; in a list of spam or trash, its emails there.",
    ),
  }),
  { description: "A thread: its newest email that matches the filters, and what the list shows of the whole." },
);
export type Conversation = z.infer<typeof Conversation>;
export const ConversationList = listOf(Conversation, "EmailConversationList");

const TagCount = named("TagCount", () => ({
  tag: doc(z.string(), "The tag.", "hello"),
  count: doc(z.int(), "Number of emails with the tag, without those in spam and trash.", 12),
  unread: doc(z.int(), "Number of unread emails with the tag, without those in spam and trash.", 3),
}));
export const TagList = listOf(TagCount, "TagList");

const BoxCount = named("BoxCount", () => ({
  count: doc(z.int(), "Number of emails.", 12),
  unread: doc(z.int(), "Number of unread emails.", 3),
}));

export const EmailBoxes = named(
  "EmailBoxes",
  () => ({
    inbox: doc(BoxCount, "The inbox without snoozed emails, as `status=inbox` lists it."),
    snoozed: doc(BoxCount, "Emails that are snoozed now, in the inbox or archived."),
    archived: doc(BoxCount, "The archive (`status=archived`), also of sent emails."),
    sent: doc(BoxCount, "Sent emails (`direction=outbound`) outside spam and trash."),
    starred: doc(BoxCount, "Starred emails (`starred=true`) outside spam and trash."),
    spam: doc(BoxCount, "Suspected spam (`status=spam`)."),
    trash: doc(BoxCount, "The trash (`status=trash`)."),
  }),
  { description: "Numbers of emails and unread emails by box." },
);
export type EmailBoxes = z.infer<typeof EmailBoxes>;
