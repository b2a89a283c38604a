import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Address, DraftRecipient } from "../../lib/addresses.ts";
import type { StoredSignIn } from "../../lib/email-kinds.ts";
import { moment, versionColumns } from "../columns.ts";
import { ownerId } from "./users.ts";

/** As whom a person writes: name, address, signature and where replies go. At most one is the default. */
export const identities = sqliteTable(
  "identities",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    name: text("name").notNull(),
    /** Null: the address in MAIL_FROM, whatever it is at the time. */
    address: text("address"),
    replyTo: text("reply_to", { mode: "json" }).$type<Address>(),
    signatureText: text("signature_text"),
    signatureHtml: text("signature_html"),
    /** How long every email waits before it leaves, so that it can be cancelled. */
    undoSendSeconds: integer("undo_send_seconds").notNull(),
    isDefault: integer("is_default", { mode: "boolean" }).notNull(),
    ...versionColumns(),
  },
  (table) => [
    index("identities_user").on(table.userId, table.id),
    uniqueIndex("identities_default").on(table.userId).where(sql`is_default = 1`),
  ],
);

/** Texts that are inserted while an email is written, by their name behind a semicolon. */
export const emailSnippets = sqliteTable(
  "email_snippets",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** In lower case. */
    name: text("name").notNull(),
    /** With placeholders, such as "{first name}". */
    text: text("text").notNull(),
    ...versionColumns(),
  },
  (table) => [uniqueIndex("email_snippets_name").on(table.name)],
);

/**
 * Emails that are being written. Not rows of `emails`: they change, and nothing searches or counts them. Sending one
 * removes it in the batch that stores the email.
 */
export const emailDrafts = sqliteTable(
  "email_drafts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    to: text("to_recipients", { mode: "json" }).$type<DraftRecipient[]>().notNull(),
    cc: text("cc_recipients", { mode: "json" }).$type<DraftRecipient[]>().notNull(),
    bcc: text("bcc_recipients", { mode: "json" }).$type<DraftRecipient[]>().notNull(),
    subject: text("subject").notNull(),
    identityId: integer("identity_id").references(() => identities.id, { onDelete: "set null" }),
    /** Ids of emails. One that was deleted is not answered or quoted any more. */
    inReplyTo: integer("in_reply_to"),
    forwardOf: integer("forward_of"),
    sendAt: moment("send_at"),
    /** The sent email returns to the inbox after so many days without a reply. */
    followUpDays: integer("follow_up_days"),
    /** Whether the original is quoted when it is sent. False if the text contains it. */
    quote: integer("quote", { mode: "boolean" }).notNull(),
    /** Whether it is signed when it is sent. */
    signature: integer("signature", { mode: "boolean" }).notNull(),
    /** That of the email it answers or forwards: its subject and text may repeat it. */
    signIn: text("sign_in", { mode: "json" }).$type<StoredSignIn>(),
    ...versionColumns(),
    body: text("body").notNull(),
    html: text("html"),
  },
  (table) => [
    index("email_drafts_updated").on(table.updatedAt, table.id),
    index("email_drafts_identity").on(table.identityId).where(sql`identity_id IS NOT NULL`),
    index("email_drafts_reply").on(table.inReplyTo).where(sql`in_reply_to IS NOT NULL`),
    index("email_drafts_forward").on(table.forwardOf).where(sql`forward_of IS NOT NULL`),
  ],
);

/**
 * Files that wait to be attached. One belongs to a draft, or nobody: then it expires. When an email is stored with it, the
 * row goes and the email refers to the file. Deleting a row deletes its file (a trigger).
 */
export const emailUploads = sqliteTable(
  "email_uploads",
  {
    /** The last part of the key. */
    id: text("id").primaryKey(),
    key: text("key").notNull(),
    name: text("name").notNull(),
    type: text("type").notNull(),
    size: integer("size").notNull(),
    contentId: text("content_id"),
    draftId: integer("draft_id").references(() => emailDrafts.id, { onDelete: "cascade" }),
    /** Null while a draft has it. */
    expiresAt: moment("expires_at"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("email_uploads_draft").on(table.draftId).where(sql`draft_id IS NOT NULL`),
    index("email_uploads_expires").on(table.expiresAt).where(sql`expires_at IS NOT NULL`),
  ],
);
