import { z } from "@hono/zod-openapi";
import {
  FlagParam,
  Id,
  IdParam,
  listOf,
  pageParams,
  Tag,
  Tags,
  Timestamp,
  TimestampInput,
} from "../../http/schemas.ts";
import { isEmailAddress, parseAddress } from "../../lib/addresses.ts";
import { DIRECTIONS, EMAIL_STATUSES, LATEST_MAIL, URGENCIES } from "../../lib/email-kinds.ts";
import { Task } from "../tasks/schemas.ts";
import { EmailAnalysis } from "./analysis/schemas.ts";

const MAX_RECIPIENTS = 100;
const MAX_IDS = 500;

export const Address = z
  .object({
    name: z.string().openapi({ example: "Ann Lee", description: "Empty when only the address is known." }),
    email: z.string().openapi({ example: "ann@example.com" }),
  })
  .openapi("Address");

const Attachment = z
  .object({
    name: z.string().max(500).openapi({ example: "contract.pdf" }),
    type: z.string().max(200).openapi({ example: "application/pdf" }),
    size: z.int().min(0).openapi({ example: 48_213, description: "Bytes." }),
  })
  .openapi("Attachment");

const Status = z.enum(EMAIL_STATUSES).openapi({ example: "inbox" });

const summary = {
  id: Id,
  messageId: z.string().openapi({ example: "<7f3a@example.com>" }),
  threadId: Id,
  threadCount: z.int().openapi({ example: 3, description: "Mails in the thread, this one included." }),
  inReplyTo: z.string().nullable().openapi({ example: "<7f39@example.com>" }),
  direction: z.enum(DIRECTIONS).openapi({ example: "inbound" }),
  source: z.enum(["api", "inbound", "import"]).openapi({ example: "inbound" }),
  from: Address,
  to: z.array(Address),
  cc: z.array(Address),
  replyTo: Address.nullable(),
  subject: z.string().openapi({ example: "Contract for March" }),
  snippet: z.string().openapi({ example: "Hi Ada, could you send the signed contract by Friday?" }),
  attachments: z.array(Attachment),
  tags: z.array(z.string()).openapi({ example: ["hello"] }),
  status: Status,
  isRead: z.boolean().openapi({ example: false }),
  isStarred: z.boolean().openapi({ example: false }),
  snoozedUntil: Timestamp.nullable(),
  receivedAt: Timestamp,
  analysis: EmailAnalysis.nullable().openapi({ description: "What an engine made of the mail, once one has." }),
  version: z.int().openapi({ example: 1, description: "Rises with every change; also the ETag." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const EmailSummary = z.object(summary).openapi("EmailSummary", { description: "A mail without its body." });
export type EmailSummary = z.infer<typeof EmailSummary>;

export const Email = z
  .object({
    ...summary,
    body: z.string().openapi({ example: "Hi Ada,\n\ncould you send the signed contract by Friday?" }),
    html: z.string().nullable(),
  })
  .openapi("Email");
export type Email = z.infer<typeof Email>;

export const EmailList = listOf(EmailSummary, "EmailList");

const AddressInput = z
  .union([z.string().max(500), z.object({ name: z.string().max(200).default(""), email: z.string().max(320) })])
  .transform((given, ctx) => {
    const address =
      typeof given === "string" ? parseAddress(given) : { name: given.name.trim(), email: given.email.trim() };
    if (address && isEmailAddress(address.email)) return address;
    ctx.addIssue({ code: "custom", message: "must be an email address, such as Ann <ann@example.com>" });
    return z.NEVER;
  })
  .openapi("AddressInput", {
    description: "`Ann <ann@example.com>`, `ann@example.com`, or an object.",
    example: "Ann Lee <ann@example.com>",
  });

const AddressesInput = z
  .union([z.array(AddressInput).max(MAX_RECIPIENTS), AddressInput])
  .transform((given) => (Array.isArray(given) ? given : [given]))
  .openapi({ description: "One address or a list.", example: ["hello@example.com"] });

const MessageId = z
  .string()
  .trim()
  .min(1)
  .max(998)
  .regex(/^<*[^<>\s]+>*$/, "must be one Message-ID without spaces")
  .openapi({ example: "<7f3a@example.com>" });

const MailTime = TimestampInput.refine(
  (moment) => moment.getTime() >= 0 && moment < LATEST_MAIL,
  "must be from 1970 to 2199",
);

export const NewEmail = z
  .object({
    messageId: MessageId.optional().openapi({
      description: "A mail is stored once: the same id again answers 200 with the stored one. Made up when left out.",
    }),
    inReplyTo: MessageId.nullable().default(null),
    references: z.array(MessageId).max(100).default([]).openapi({ description: "The mails before it, oldest first." }),
    direction: z.enum(DIRECTIONS).default("inbound"),
    source: z.enum(["api", "import"]).default("api"),
    from: AddressInput,
    to: AddressesInput.default([]),
    cc: AddressesInput.default([]),
    replyTo: AddressInput.nullable().default(null),
    subject: z.string().max(2000).default("").openapi({ example: "Contract for March" }),
    body: z.string().optional().openapi({
      description: "Plain text. Made from `html` when left out.",
      example: "Hi Ada,\n\ncould you send the signed contract by Friday?",
    }),
    html: z.string().nullable().default(null),
    attachments: z.array(Attachment).max(100).default([]),
    tags: Tags.optional().openapi({ description: "When left out, the local part of the first recipient." }),
    status: Status.optional().openapi({ description: "When left out, `inbox`; for outbound mail `archived`." }),
    isRead: z.boolean().optional().openapi({ description: "Outbound mail is read, inbound is not." }),
    isStarred: z.boolean().default(false),
    receivedAt: MailTime.optional().openapi({ description: "Now, when left out." }),
    createTasks: z
      .enum(["none", "action_items", "every"])
      .default("none")
      .openapi({ description: "`action_items`: a task for each sentence that asks for something. `every`: one task." }),
  })
  .openapi("NewEmail");
export type NewEmail = z.output<typeof NewEmail>;

export const EmailChanges = z
  .object({
    isRead: z.boolean().optional(),
    isStarred: z.boolean().optional(),
    status: Status.optional(),
    tags: Tags.optional().openapi({ description: "Replaces all tags." }),
    snoozedUntil: MailTime.nullable().optional().openapi({
      description: "Until then the mail stays out of `status=inbox`; null wakes it now.",
    }),
  })
  .openapi("EmailChanges");
export type EmailChanges = z.output<typeof EmailChanges>;

export const BulkChanges = z
  .object({
    ids: z.array(Id).min(1).max(MAX_IDS),
    isRead: z.boolean().optional(),
    isStarred: z.boolean().optional(),
    status: Status.optional(),
    addTags: Tags.optional(),
    removeTags: Tags.optional(),
  })
  .refine(({ addTags = [], removeTags = [] }) => !addTags.some((tag) => removeTags.includes(tag)), {
    path: ["removeTags"],
    message: "a tag cannot be added and removed at once",
  })
  .openapi("BulkEmailChanges");
export type BulkChanges = z.output<typeof BulkChanges>;

export const BulkResult = z
  .object({
    updated: z.int().openapi({ example: 2 }),
    missing: z.array(Id).openapi({ description: "Ids of no mail.", example: [] }),
  })
  .openapi("BulkEmailResult");

export const EmailParams = z.object({ id: IdParam });

export const EmailQuery = z.object({
  tag: Tag.optional().openapi({ description: "In any case: `Hello` finds `hello`.", example: "hello" }),
  q: z.string().max(20_000).optional().openapi({
    description: "Words of subject, people and body; all must be there, the last may be the beginning of a word.",
    example: "contract march",
  }),
  status: Status.optional().openapi({
    description: "`inbox` leaves out mail that is still snoozed. Left out: mail of every status.",
  }),
  direction: z.enum(DIRECTIONS).optional(),
  unread: FlagParam.optional(),
  starred: FlagParam.optional(),
  snoozed: FlagParam.optional().openapi({ description: "Whether the mail is asleep right now." }),
  threadId: IdParam.optional(),
  urgency: z.enum(URGENCIES).optional().openapi({ description: "Of the analysis; mail not analysed yet has none." }),
  since: TimestampInput.optional().openapi({ description: "Received at this moment or later." }),
  until: TimestampInput.optional().openapi({ description: "Received before this moment." }),
  ...pageParams,
});
export type EmailQuery = z.output<typeof EmailQuery>;

export const TagCount = z
  .object({
    tag: z.string().openapi({ example: "hello" }),
    count: z.int().openapi({ example: 12 }),
    unread: z.int().openapi({ example: 3 }),
  })
  .openapi("TagCount");
export const TagList = listOf(TagCount, "TagList");

export const EmailTasks = z
  .object({
    created: z.int().openapi({ example: 1, description: "How many tasks this call made." }),
    tasks: z.array(Task).openapi({ description: "All tasks of the mail." }),
  })
  .openapi("EmailTasks");

export const Reply = z
  .object({
    body: z.string().trim().min(1).max(500_000).openapi({ example: "Here it is, signed." }),
    html: z.string().max(500_000).optional(),
    subject: z.string().trim().min(1).max(998).optional().openapi({ description: "`Re: …` when left out." }),
    cc: AddressesInput.default([]),
    replyAll: z.boolean().default(false).openapi({ description: "Also to everyone else the mail went to." }),
  })
  .openapi("NewReply");
export type Reply = z.output<typeof Reply>;
