import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { SENDER_PROOFS, type SenderProof } from "../../lib/authentication-results.ts";
import type { EmailKind } from "../../lib/email-kinds.ts";
import { moment, versionColumns } from "../columns.ts";

export type RuleMatch = "all" | "any";
export type RuleTextField = "from" | "to" | "subject" | "body" | "listId";
export type RuleCondition =
  | { field: RuleTextField; op: "contains" | "not_contains" | "is" | "is_not"; value: string }
  | { field: "kind"; op: "is" | "is_not"; value: EmailKind }
  | { field: "authentication"; op: "is" | "is_not"; value: SenderProof }
  | { field: "hasAttachment"; value: boolean }
  | { field: "size"; op: "larger_than" | "smaller_than"; value: number };

export interface RuleActions {
  addTags?: string[] | undefined;
  archive?: boolean | undefined;
  star?: boolean | undefined;
  markRead?: boolean | undefined;
  trash?: boolean | undefined;
  makeTask?: boolean | undefined;
  forwardTo?: number | undefined;
  deleteAfterDays?: number | undefined;
  stop?: boolean | undefined;
}

/** What the owner wants done with emails. Rules are tried in the order of `position`, then of their ids. */
export const emailRules = sqliteTable(
  "email_rules",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    name: text("name").notNull(),
    position: integer("position").notNull(),
    enabled: integer("enabled", { mode: "boolean" }).notNull(),
    match: text("matching", { enum: ["all", "any"] })
      .$type<RuleMatch>()
      .notNull(),
    conditions: text("conditions", { mode: "json" }).$type<RuleCondition[]>().notNull(),
    actions: text("actions", { mode: "json" }).$type<RuleActions>().notNull(),
    /**
     * The run that applies the rule to stored emails: it goes from the newest to the oldest, and looks next at emails
     * with ids below `runBelow`. Null if there was none; 0 when it is done.
     */
    runBelow: integer("run_below"),
    runStartedAt: moment("run_started_at"),
    /** When the queue should have taken the next step: then the cron sends it again. */
    runDueAt: moment("run_due_at"),
    runSeen: integer("run_seen").notNull().default(0),
    runMatched: integer("run_matched").notNull().default(0),
    ...versionColumns(),
  },
  (table) => [
    index("email_rules_position").on(table.position, table.id),
    index("email_rules_run_due").on(table.runDueAt).where(sql`run_due_at IS NOT NULL`),
  ],
);

/** A search that the person wants to repeat. Its dates in words are read anew each time. */
export const emailSearches = sqliteTable("email_searches", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull(),
  q: text("q").notNull(),
  ...versionColumns(),
});

/** Addresses and domains whose emails go to the trash. */
export const blockedSenders = sqliteTable(
  "blocked_senders",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** An address, or a domain: then it has no @. In lower case. */
    sender: text("sender").notNull(),
    /** Blocked from an email that nobody has proved to be the sender's: emails that are proved still arrive. */
    unverifiedOnly: integer("unverified_only", { mode: "boolean" }).notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [uniqueIndex("blocked_senders_sender").on(table.sender)],
);

/** What the person said of a sender, by moving an email into spam or out of it. One row for each email that they judged. */
export const senderVerdicts = sqliteTable(
  "sender_verdicts",
  {
    /** The email that was judged. It may be deleted since. */
    emailId: integer("email_id").primaryKey(),
    /** Lower-case. */
    sender: text("sender").notNull(),
    isSpam: integer("is_spam", { mode: "boolean" }).notNull(),
    /** How well it was proved that the email is the sender's. */
    proof: text("proof", { enum: SENDER_PROOFS }).notNull(),
    at: moment("at").notNull(),
  },
  (table) => [index("sender_verdicts_sender").on(table.sender, table.at)],
);

/** Mailing lists that the person has left. */
export const leftLists = sqliteTable("left_lists", {
  /** The List-Id, or the sender's address where there is none, and the verified domain of the sender. In lower case. */
  list: text("list").primaryKey(),
  method: text("method", { enum: ["one_click", "mailto"] }).notNull(),
  /** Whether emails that still come go to the trash. */
  trashLater: integer("trash_later", { mode: "boolean" }).notNull(),
  leftAt: moment("left_at").notNull(),
});

/** One row or none: how long emails are kept. */
export const emailRetention = sqliteTable("email_retention", {
  id: integer("id").primaryKey(),
  /** Days that an email stays in the trash; null: for ever. */
  trashDays: integer("trash_days"),
  /** Days that spam is kept; null: for ever. */
  spamDays: integer("spam_days"),
  /** Days that emails of a kind are kept. */
  kindDays: text("kind_days", { mode: "json" }).$type<{ [Kind in EmailKind]?: number }>().notNull(),
  ...versionColumns(),
});
