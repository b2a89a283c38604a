import { z } from "@hono/zod-openapi";
import {
  doc,
  FlagParam,
  Id,
  IdParam,
  listOf,
  named,
  pageParams,
  Tag,
  TimeOrDateInput,
  Timestamp,
} from "../../../http/schemas.ts";
import { CATEGORIES, DIRECTIONS, EMAIL_KINDS, EMAIL_STATUSES, URGENCIES } from "../../../lib/email-kinds.ts";
import { plainWords } from "../../../lib/search-syntax.ts";
import { Address } from "../schemas.ts";

const SEARCH =
  "Words in the subject, names, addresses, body and names of attachments, in any form (`invoices` finds `invoice`) and with " +
  'or without accents. All must match; the last may be the start of a word. `"a phrase"`, `a OR b`, `-word`, and ' +
  "parentheses work, and these operators: `from:`, `to:` (also in copy), `cc:`, `subject:`, `filename:`, `tag:` or " +
  "`label:`, `is:unread|read|starred|snoozed|sent|received`, `in:inbox|archive|trash|sent|snoozed|spam|anywhere`, " +
  '`has:attachment`, `before:` and `after:` with a date (`2026-11-01`, `2026/11/1`, `yesterday`, `"last monday"`), ' +
  "`older_than:` and `newer_than:` with an age (`7d`, `2w`, `6m`, `1y`), `category:` and `kind:`. Put a value with " +
  'spaces in quotes (`from:"Ann Lee"`) and a minus before what you do not want (`-from:ann`). An unknown operator is a ' +
  "word; a known one with an impossible value is 422. Results are in the order they were received.";

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

export const ThreadQuery = EmailQuery.omit({ threadId: true });
export type ThreadQuery = z.output<typeof ThreadQuery>;

export const ThreadSummary = named(
  "ThreadSummary",
  () => ({
    threadId: doc(Id, "Id of the thread."),
    subject: doc(z.string(), "Subject of the email that matches.", "Contract for March"),
    participants: doc(
      z.array(Address),
      "The senders, and the recipients of your emails: at most 20, in the order they joined.",
    ),
    count: doc(z.int(), "Number of emails, without those in spam and trash.", 3),
    unread: doc(z.int(), "Number of unread emails among the newest 50.", 1),
    emailId: doc(Id, "Id of the newest email."),
    snippet: doc(z.string(), "The first characters of the newest email.", "Hi Ada, could you send the contract?"),
    receivedAt: doc(Timestamp, "When the newest email was received or sent."),
    matchId: doc(Id, "Id of the newest email that matches the filters. The list is in the order of these."),
    snoozedUntil: doc(Timestamp.nullable(), "When the snooze of the matching email ends or ended."),
    hasAttachment: doc(z.boolean(), "Whether one of the newest 50 emails has an attachment.", false),
    isStarred: doc(z.boolean(), "Whether one of the newest 50 emails is starred.", false),
    tags: doc(z.array(z.string()), "Tags of the newest 50 emails.", ["hello"]),
    status: doc(
      z.enum(EMAIL_STATUSES),
      "`inbox` if one of its emails is there, otherwise that of the newest.",
      "inbox",
    ),
  }),
  { description: "A conversation. Emails in spam and trash are left out; a list of spam or trash has only those." },
);
export type ThreadSummary = z.infer<typeof ThreadSummary>;
export const ThreadList = listOf(ThreadSummary, "ThreadList");

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
