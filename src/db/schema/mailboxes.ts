import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  FOLDER_ROLES,
  MAILBOX_RUN_STATUSES,
  MAILBOX_RUN_TRIGGERS,
  MAILBOX_STATUSES,
  type MailboxProblem,
  type MailServer,
} from "../../lib/mailbox-kinds.ts";
import { moment, versionColumns } from "../columns.ts";
import { emailKey } from "./keys.ts";

const counter = (name: string) => integer(name).notNull().default(0);

/** The owner's mailboxes elsewhere, which are read by IMAP and written through by SMTP. */
export const mailboxes = sqliteTable(
  "mailboxes",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    label: text("label").notNull(),
    /** In lower case. */
    address: text("address").notNull(),
    /** The name that its emails are sent with; null for the person's. */
    name: text("name"),
    imap: text("imap", { mode: "json" }).$type<MailServer>().notNull(),
    smtp: text("smtp", { mode: "json" }).$type<MailServer>().notNull(),
    username: text("username").notNull(),
    /** How to log in, as JSON (`features/mailboxes/secrets.ts`). Encrypted with ENCRYPTION_KEY, bound to the id. */
    secret: text("secret").notNull(),
    /** When the password, the servers or the user name last changed: a run that began before writes no status. */
    connectionChangedAt: moment("connection_changed_at").notNull(),
    status: text("status", { enum: MAILBOX_STATUSES }).notNull(),
    /** Why the last run failed; null after one that did not. */
    problem: text("problem", { mode: "json" }).$type<MailboxProblem>(),
    /** A person paused it: no run begins by itself. */
    paused: integer("paused", { mode: "boolean" }).notNull().default(false),
    /** How far back the first walk goes. */
    historyDays: integer("history_days").notNull(),
    connectedAt: moment("connected_at"),
    lastOkAt: moment("last_ok_at"),
    /** Failed runs in a row. */
    failures: counter("failures"),
    /** When the cron tries it next; null if it does not by itself: paused, or its password was refused. */
    nextTryAt: moment("next_try_at"),
    /** When the owner was told of the outage; null while it works. */
    outageToldAt: moment("outage_told_at"),
    /** The run that has the mailbox, and until when. */
    leaseRunId: text("lease_run_id"),
    leaseUntil: moment("lease_until"),
    ...versionColumns(),
  },
  (table) => [
    uniqueIndex("mailboxes_address").on(table.address),
    index("mailboxes_due").on(table.nextTryAt).where(sql`next_try_at IS NOT NULL`),
  ],
);

/** The folders of a mailbox, as its server names them. Only those with a role are read. */
export const mailboxFolders = sqliteTable(
  "mailbox_folders",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    mailboxId: integer("mailbox_id")
      .notNull()
      .references(() => mailboxes.id, { onDelete: "cascade" }),
    /** As the server writes it, in modified UTF-7; and to be read by people. */
    path: text("path").notNull(),
    name: text("name").notNull(),
    role: text("role", { enum: FOLDER_ROLES }),
    /** The person chose the role, or none: it is not guessed again. */
    roleIsChosen: integer("role_is_chosen", { mode: "boolean" }).notNull().default(false),
    /** Null until the folder is read for the first time. */
    uidValidity: integer("uid_validity"),
    nextUid: integer("next_uid"),
    /** Can have more digits than a number. */
    modSeq: text("mod_seq"),
    /** How many messages it had when they were last compared: fewer means that some are gone. */
    messages: integer("messages"),
    /** The first walk begins with messages since then; null once it is done. */
    walkSince: moment("walk_since"),
    /** Messages that the first walk has read, and those that it found and has still to read. */
    walkDone: counter("walk_done"),
    walkWaiting: counter("walk_waiting"),
  },
  (table) => [index("mailbox_folders_mailbox").on(table.mailboxId, table.path)],
);

/** A message of a folder and the email that it is here, with what both sides last agreed on. */
export const mailboxMessages = sqliteTable(
  "mailbox_messages",
  {
    folderId: integer("folder_id")
      .notNull()
      .references(() => mailboxFolders.id, { onDelete: "cascade" }),
    uid: integer("uid").notNull(),
    mailboxId: integer("mailbox_id").notNull(),
    /** Null once the email was deleted here. */
    emailId: integer("email_id").references(emailKey, { onDelete: "set null" }),
    /** Of the email, for lists. */
    receivedAt: moment("received_at").notNull(),
    seen: integer("seen", { mode: "boolean" }).notNull(),
    flagged: integer("flagged", { mode: "boolean" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.folderId, table.uid] }),
    index("mailbox_messages_email").on(table.emailId, table.mailboxId),
    index("mailbox_messages_listed")
      .on(table.mailboxId, table.receivedAt, table.emailId)
      .where(sql`email_id IS NOT NULL`),
  ],
);

/** Emails whose read flag, star or place changed here and not there yet. Written by a trigger. */
export const mailboxDirty = sqliteTable(
  "mailbox_dirty",
  {
    emailId: integer("email_id").notNull().references(emailKey, { onDelete: "cascade" }),
    mailboxId: integer("mailbox_id")
      .notNull()
      .references(() => mailboxes.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.emailId, table.mailboxId] }),
    index("mailbox_dirty_mailbox").on(table.mailboxId, table.emailId),
  ],
);

/** Emails that left through a mailbox, or may have left, until their copy is seen in its folder of sent emails. */
export const mailboxSent = sqliteTable(
  "mailbox_sent",
  {
    emailId: integer("email_id").primaryKey().references(emailKey, { onDelete: "cascade" }),
    mailboxId: integer("mailbox_id")
      .notNull()
      .references(() => mailboxes.id, { onDelete: "cascade" }),
    /** Null while it is not known whether it left. */
    leftAt: moment("left_at"),
  },
  (table) => [index("mailbox_sent_mailbox").on(table.mailboxId, table.emailId)],
);

/** Runs of a mailbox. */
export const mailboxRuns = sqliteTable(
  "mailbox_runs",
  {
    id: text("id").primaryKey(),
    mailboxId: integer("mailbox_id")
      .notNull()
      .references(() => mailboxes.id, { onDelete: "cascade" }),
    trigger: text("trigger", { enum: MAILBOX_RUN_TRIGGERS }).notNull(),
    full: integer("full", { mode: "boolean" }).notNull(),
    status: text("status", { enum: MAILBOX_RUN_STATUSES }).notNull(),
    fetched: counter("fetched"),
    created: counter("created"),
    known: counter("known"),
    flagsIn: counter("flags_in"),
    flagsOut: counter("flags_out"),
    movesIn: counter("moves_in"),
    movesOut: counter("moves_out"),
    appended: counter("appended"),
    conflicts: counter("conflicts"),
    skipped: counter("skipped"),
    waiting: counter("waiting"),
    errors: text("errors", { mode: "json" }).$type<string[]>().notNull().default([]),
    startedAt: moment("started_at").notNull(),
    finishedAt: moment("finished_at"),
  },
  (table) => [
    index("mailbox_runs_mailbox").on(table.mailboxId, table.startedAt, table.id),
    index("mailbox_runs_started_at").on(table.startedAt),
  ],
);
