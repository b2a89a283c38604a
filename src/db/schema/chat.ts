import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Engine } from "../../lib/ai-kinds.ts";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

/** A tool call. */
export interface ChatAction {
  tool: string;
  input: Record<string, unknown>;
  result: Record<string, unknown>;
}

/** A tool call the person can choose, with the label shown for it. */
export interface ChatOption {
  label: string;
  tool: string;
  input: Record<string, unknown>;
}

/** The last question of the built-in engine, which the next message may answer. */
export type ChatQuestion =
  | { kind: "which"; options: ChatOption[] }
  | { kind: "confirm"; calls: ChatOption[] }
  | { kind: "when"; tool: string; input: Record<string, unknown>; day: string | null }
  | { kind: "what"; tool: string; input: Record<string, unknown> };

export const chatConversations = sqliteTable(
  "chat_conversations",
  {
    id: text("id").primaryKey(),
    /** Null for a caller without a credential. */
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The API key that started it. A key sees only its own conversations, because its scopes may be narrower. */
    apiKeyId: integer("api_key_id"),
    /** The connection of an agent whose proposals it collects. */
    grantId: text("grant_id"),
    title: text("title").notNull(),
    question: text("question", { mode: "json" }).$type<ChatQuestion>(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [
    index("chat_conversations_user").on(table.userId, table.updatedAt, table.id),
    index("chat_conversations_updated").on(table.updatedAt),
  ],
);

export const chatMessages = sqliteTable(
  "chat_messages",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    conversationId: text("conversation_id")
      .notNull()
      .references(() => chatConversations.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["user", "assistant"] }).notNull(),
    text: text("text").notNull(),
    /**
     * Of a reply: whether it may contain text by other people, such as an email. Of a message: whether an API key sent
     * it. Such text is not sent to a model again where it could pass for the person's own.
     */
    hasUntrustedText: integer("outside", { mode: "boolean" }).notNull(),
    actions: text("actions", { mode: "json" }).$type<ChatAction[]>().notNull(),
    engine: text("engine", { mode: "json" }).$type<Engine>(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [index("chat_messages_conversation").on(table.conversationId, table.id)],
);

/** Changes that the person has to confirm, because the turn had read text by other people. */
export const chatProposals = sqliteTable(
  "chat_proposals",
  {
    id: text("id").primaryKey(),
    conversationId: text("conversation_id")
      .notNull()
      .references(() => chatConversations.id, { onDelete: "cascade" }),
    tool: text("tool").notNull(),
    input: text("input", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    reason: text("reason").notNull(),
    /** What it will do, written by the service from the record as it was. */
    summary: text("summary").notNull(),
    /** Which record, in which version, the summary describes; null for a new record. It is applied to no other. */
    basis: text("basis"),
    timeZone: text("time_zone").notNull(),
    status: text("status", { enum: ["open", "applied", "dismissed"] }).notNull(),
    result: text("result", { mode: "json" }).$type<Record<string, unknown>>(),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    closedAt: moment("settled_at"),
  },
  (table) => [
    index("chat_proposals_conversation").on(table.conversationId, table.id),
    index("chat_proposals_status").on(table.status, table.createdAt, table.id),
  ],
);
