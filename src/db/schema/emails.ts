import { type SQL, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Address } from "../../lib/addresses.ts";
import type { StoredAttachment } from "../../lib/attachments.ts";
import {
  CATEGORIES,
  DELIVERY_STATES,
  DIRECTIONS,
  EMAIL_KINDS,
  EMAIL_SOURCES,
  EMAIL_STATUSES,
  type EmailAnalysis,
  type EmailAuthentication,
  type StoredSignIn,
  URGENCIES,
} from "../../lib/email-kinds.ts";
import type { ListHeaders } from "../../lib/list-headers.ts";
import { moment, versionColumns } from "../columns.ts";

const total = (name: string) => integer(name).notNull().default(0);

/**
 * A row for each thread, with all that a list of conversations shows of the whole. A thread has the id of its first email.
 * Written by triggers (triggers/threads.ts).
 */
export const threads = sqliteTable(
  "threads",
  {
    id: integer("id").primaryKey(),
    emailCount: integer("email_count").notNull(),
    /** Outside spam and trash: its emails, those that are unread, starred and with an attachment. The same in spam and in the trash. */
    keptCount: total("kept_count"),
    keptUnread: total("kept_unread"),
    keptStarred: total("kept_starred"),
    keptFiles: total("kept_files"),
    spamCount: total("spam_count"),
    spamUnread: total("spam_unread"),
    spamStarred: total("spam_starred"),
    spamFiles: total("spam_files"),
    trashCount: total("trash_count"),
    trashUnread: total("trash_unread"),
    trashStarred: total("trash_starred"),
    trashFiles: total("trash_files"),
    /** Emails that were ever snoozed. */
    snoozedCount: total("snoozed_count"),
    /** The newest email in each box, of those that were never snoozed; null if there is none. */
    keptAt: moment("kept_at"),
    keptId: integer("kept_id"),
    inboxAt: moment("inbox_at"),
    inboxId: integer("inbox_id"),
    archivedAt: moment("archived_at"),
    archivedId: integer("archived_id"),
    spamAt: moment("spam_at"),
    spamId: integer("spam_id"),
    trashAt: moment("trash_at"),
    trashId: integer("trash_id"),
    /** The first people who wrote, or to whom the person wrote: name, address, and 1 for the person. */
    participants: text("participants", { mode: "json" }).$type<ThreadParticipant[]>().notNull().default([]),
  },
  (table) => [
    index("threads_kept").on(table.keptAt, table.keptId).where(sql`kept_at IS NOT NULL`),
    index("threads_inbox").on(table.inboxAt, table.inboxId).where(sql`inbox_at IS NOT NULL`),
    index("threads_archived").on(table.archivedAt, table.archivedId).where(sql`archived_at IS NOT NULL`),
    index("threads_spam").on(table.spamAt, table.spamId).where(sql`spam_at IS NOT NULL`),
    index("threads_trash").on(table.trashAt, table.trashId).where(sql`trash_at IS NOT NULL`),
  ],
);

export type ThreadParticipant = [name: string, address: string, isMe: 0 | 1];

/**
 * The thread of a Message-ID that no stored email has, but that emails refer to: a reply that arrives before the email
 * it replies to, or after that email was deleted, still joins the thread. Stored without angle brackets.
 */
export const threadMessages = sqliteTable(
  "thread_messages",
  {
    messageId: text("message_id").primaryKey(),
    threadId: integer("thread_id").notNull(),
  },
  (table) => [index("thread_messages_thread_id").on(table.threadId)],
);

/** Threads whose new emails go to the archive, because a person muted them. Gone with the last email of the thread. */
export const mutedThreads = sqliteTable(
  "muted_threads",
  {
    threadId: integer("thread_id").primaryKey(),
    since: moment("since").notNull(),
  },
  // For lists: D1 counts a row for each primary key that it does not find, and none in an index.
  (table) => [index("muted_threads_thread_id").on(table.threadId)],
);

/**
 * Emails. Their content never changes. Triggers keep the search index, `email_tags`, `tags`, thread counts and
 * statistics (triggers/emails.sql, triggers/generated.ts).
 */
/** What a draft knows and the email that is made of it does not. */
export interface WrittenDraft {
  body: string;
  html: string | null;
  quote: boolean;
  signature: boolean;
  inReplyTo: number | null;
  forwardOf: number | null;
}

/** From here on, a search for large emails has an index. */
export const LARGE_BYTES = 1_000_000;
/** Outside spam and trash. Of what did not arrive as a message, the files are not counted here. */
export const MAY_BE_LARGE = `is_aside = 0 AND (raw_size > ${LARGE_BYTES} OR content_size > ${LARGE_BYTES} OR (raw_size IS NULL AND attachments <> '[]'))`;

export const emails = sqliteTable(
  "emails",
  {
    /** Given by each INSERT: see next-id.ts. */
    id: integer("id").primaryKey(),
    messageId: text("message_id").notNull(),
    /** Identifies the email: the Message-ID without angle brackets, which some senders leave out. */
    messageKey: text("message_key").generatedAlwaysAs((): SQL => sql`trim(message_id, '<>')`),
    threadId: integer("thread_id").notNull(),
    /**
     * Whether its thread has, or once had, other emails. Then `emails_thread` lists the email. Otherwise `thread_id` is the
     * email's own id, and the number of emails in its thread need not be looked up. Written by triggers.
     */
    hasThreadCount: integer("has_thread_count", { mode: "boolean" }).notNull().default(false),
    inReplyTo: text("in_reply_to"),
    /** Message-IDs of the earlier emails, oldest first. */
    references: text("reference_ids", { mode: "json" }).$type<string[]>().notNull(),
    direction: text("direction", { enum: DIRECTIONS }).notNull(),
    source: text("source", { enum: EMAIL_SOURCES }).notNull(),
    fromName: text("from_name").notNull(),
    fromEmail: text("from_email").notNull(),
    to: text("to_recipients", { mode: "json" }).$type<Address[]>().notNull(),
    cc: text("cc_recipients", { mode: "json" }).$type<Address[]>().notNull(),
    /** Recipients that the others do not see; null for none. Only of emails that this service sends. */
    bcc: text("bcc_recipients", { mode: "json" }).$type<Address[]>(),
    replyTo: text("reply_to", { mode: "json" }).$type<Address>(),
    /** What kind of message it is, by its headers. */
    kind: text("kind", { enum: EMAIL_KINDS }).notNull(),
    /** What the receiving mail server found; null for emails that no trusted server checked. */
    authentication: text("authentication", { mode: "json" }).$type<EmailAuthentication>(),
    /** How far the sending of an outbound email got; null for all others. */
    delivery: text("delivery", { enum: DELIVERY_STATES }),
    /** Why the delivery failed, or that it is not known whether the email left. */
    deliveryError: text("delivery_error"),
    /** When a scheduled email is to leave, or was to. */
    sendAt: moment("send_at"),
    /** The sender's identity; null for the person's name and the service's address. */
    identityId: integer("identity_id"),
    /** The address that an inbound email was delivered to. */
    deliveredTo: text("delivered_to"),
    subject: text("subject").notNull(),
    snippet: text("snippet").notNull(),
    attachments: text("attachments", { mode: "json" }).$type<StoredAttachment[]>().notNull(),
    /** The object with the message as it arrived; null for one that was sent or came by the API. */
    rawKey: text("raw_key"),
    rawSize: integer("raw_size"),
    /** The object with `body` and `html`, which are null then, because they are long. */
    contentKey: text("content_key"),
    /** In bytes; null without such an object. */
    contentSize: integer("content_size"),
    /** To find the email of an object: the key of the content is that of the message with a suffix. */
    objectKey: text("object_key").generatedAlwaysAs((): SQL => sql`coalesce(raw_key, content_key)`),
    /** Whether it has a file that is not part of its HTML. */
    hasAttachments: integer("has_attachments", { mode: "boolean" }).notNull().default(false),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull(),
    status: text("status", { enum: EMAIL_STATUSES }).notNull(),
    /**
     * Whether `status` is `spam` or `trash`. Written by triggers. An update writes every index whose condition names a
     * column that it sets, so the indexes that leave out such emails cannot name `status`.
     */
    isAside: integer("is_aside", { mode: "boolean" }).notNull().default(false),
    isRead: integer("is_read", { mode: "boolean" }).notNull(),
    isStarred: integer("is_starred", { mode: "boolean" }).notNull(),
    /** Its List-Id and how to leave the list; null for an email without these headers. */
    list: text("list", { mode: "json" }).$type<ListHeaders>(),
    /** The rules that acted on it; null if none did. Without an id: its sender is blocked, or its list was left. */
    appliedRules: text("applied_rules", { mode: "json" }).$type<{ id: number | null; name: string }[]>(),
    /** When it is deleted, because a rule says so. */
    deleteAt: moment("delete_at"),
    snoozedUntil: moment("snoozed_until"),
    /** Of a sent email: when it returns to the inbox, by a snooze, unless somebody replies before. */
    followUpAt: moment("follow_up_at"),
    receivedAt: moment("received_at").notNull(),
    /** From `analysis`; null until there is one. */
    urgency: text("urgency", { enum: URGENCIES }),
    category: text("category", { enum: CATEGORIES }),
    /** Whether it still waits for an answer: as the analysis says, until one left or the person said otherwise. */
    replyNeeded: integer("reply_needed", { mode: "boolean" }),
    analysis: text("analysis", { mode: "json" }).$type<EmailAnalysis>(),
    /** When the next attempt to analyze it is due; null if no analysis is owed. */
    analysisDueAt: moment("analysis_due_at"),
    /** Attempts that have begun. */
    analysisAttempts: integer("analysis_attempts").notNull().default(0),
    /** The code or link that it signs its reader in with; null for all other emails. */
    signIn: text("sign_in", { mode: "json" }).$type<StoredSignIn>(),
    ...versionColumns(),
    // Large columns last: a query that does not select them never reads their pages.
    body: text("body"),
    html: text("html"),
    /** Until it has left: the draft that it was, without signature and quote, for taking it back. */
    writtenAs: text("written_as", { mode: "json" }).$type<WrittenDraft>(),
  },
  (table) => [
    uniqueIndex("emails_message_key").on(table.messageKey),
    index("emails_object").on(table.objectKey).where(sql`object_key IS NOT NULL`),
    index("emails_listed").on(table.isAside, table.receivedAt, table.id),
    index("emails_box").on(table.status, table.isRead, table.receivedAt, table.id),
    index("emails_thread").on(table.threadId, table.receivedAt, table.id).where(sql`has_thread_count = 1`),
    index("emails_starred").on(table.receivedAt, table.id).where(sql`is_starred = 1 AND is_aside = 0`),
    index("emails_snoozed").on(table.receivedAt, table.id).where(sql`snoozed_until IS NOT NULL`),
    index("emails_woken").on(table.snoozedUntil, table.id).where(sql`snoozed_until IS NOT NULL`),
    index("emails_woken_thread").on(table.threadId, table.snoozedUntil, table.id).where(sql`snoozed_until IS NOT NULL`),
    index("emails_outbound").on(table.receivedAt, table.id).where(sql`direction = 'outbound' AND is_aside = 0`),
    index("emails_kind").on(table.kind, table.receivedAt, table.id).where(sql`is_aside = 0`),
    index("emails_sending").on(table.updatedAt).where(sql`delivery = 'sending'`),
    index("emails_scheduled").on(table.sendAt).where(sql`delivery = 'scheduled'`),
    index("emails_analysis_due").on(table.analysisDueAt).where(sql`analysis_due_at IS NOT NULL`),
    index("emails_large").on(table.receivedAt, table.id).where(sql.raw(MAY_BE_LARGE)),
    index("emails_follow_up").on(table.threadId).where(sql`follow_up_at IS NOT NULL`),
    index("emails_delete").on(table.deleteAt).where(sql`delete_at IS NOT NULL`),
    index("emails_failed").on(table.receivedAt).where(sql`delivery = 'failed'`),
    index("emails_urgency")
      .on(table.urgency, table.receivedAt, table.id)
      .where(sql`urgency IS NOT NULL AND is_aside = 0`),
    index("emails_category")
      .on(table.category, table.receivedAt, table.id)
      .where(sql`category IS NOT NULL AND is_aside = 0`),
    index("emails_reply_needed").on(table.receivedAt, table.id).where(sql`reply_needed = 1 AND is_aside = 0`),
  ],
);

/**
 * One row: numbers of emails, of which all but those by status leave out spam and trash, and of their objects. A search reads
 * them to know whether a filter lets few emails through. Written by triggers.
 */
export const emailTotals = sqliteTable("email_totals", {
  id: integer("id").primaryKey(),
  /** The id of the last email. */
  lastId: total("last_id"),
  inbox: total("inbox"),
  inboxUnread: total("inbox_unread"),
  archived: total("archived"),
  archivedUnread: total("archived_unread"),
  spam: total("spam"),
  spamUnread: total("spam_unread"),
  trash: total("trash"),
  trashUnread: total("trash_unread"),
  starred: total("starred"),
  starredUnread: total("starred_unread"),
  outbound: total("outbound"),
  outboundUnread: total("outbound_unread"),
  replyNeeded: total("reply_needed"),
  low: total("low"),
  normal: total("normal"),
  high: total("high"),
  critical: total("critical"),
  personal: total("personal"),
  work: total("work"),
  meeting: total("meeting"),
  invoice: total("invoice"),
  receipt: total("receipt"),
  newsletter: total("newsletter"),
  notification: total("notification"),
  spamLike: total("spam_like"),
  /** Objects in R2 that emails refer to, in the trash too, and their bytes. The same of files that wait to be attached. */
  objects: total("objects"),
  objectBytes: total("object_bytes"),
  uploads: total("uploads"),
  uploadBytes: total("upload_bytes"),
});

/**
 * The tags of `emails` outside spam and trash as rows, to find the newest emails of a tag. Written by triggers. The
 * migration makes it WITHOUT ROWID, which drizzle-kit cannot express: the table is its key, so a tag writes one row.
 */
export const emailTags = sqliteTable(
  "email_tags",
  {
    tag: text("tag").notNull(),
    status: text("status", { enum: EMAIL_STATUSES }).notNull(),
    isRead: integer("is_read", { mode: "boolean" }).notNull(),
    receivedAt: moment("received_at").notNull(),
    emailId: integer("email_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tag, table.status, table.isRead, table.receivedAt, table.emailId] })],
);

/** Number of emails outside spam and trash by tag. Written by triggers; an unused tag has no row. Also WITHOUT ROWID. */
export const tags = sqliteTable(
  "tags",
  {
    tag: text("tag").primaryKey(),
    count: integer("count").notNull(),
    unread: integer("unread").notNull(),
  },
  (table) => [index("tags_count").on(table.count, table.tag)],
);

/** Addresses the person has written to, or whose invitation they have accepted. */
export const knownSenders = sqliteTable("known_senders", {
  /** Lower-case. */
  email: text("email").primaryKey(),
  since: moment("since").notNull(),
});

/**
 * Received emails that were deleted for good, so that one that is delivered again stays deleted. Written by a trigger,
 * forgotten after a month: no mail server tries longer.
 */
export const deletedEmails = sqliteTable(
  "deleted_emails",
  {
    messageKey: text("message_key").primaryKey(),
    fromEmail: text("from_email").notNull(),
    source: text("source", { enum: EMAIL_SOURCES }).notNull(),
    authentication: text("authentication", { mode: "json" }).$type<EmailAuthentication>(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("deleted_emails_expires_at").on(table.expiresAt)],
);

/** The emails of an update of all that match, as they were before it: a row for each portion, for undoing it. */
export const emailUndos = sqliteTable(
  "email_undos",
  {
    /** That of the whole update, a dot, and an id of the portion. */
    id: text("id").primaryKey(),
    /** With the version that the update gave them. */
    before: text("before", { mode: "json" }).$type<Record<string, unknown>[]>().notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("email_undos_expires").on(table.expiresAt)],
);
