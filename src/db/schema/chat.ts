import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Engine } from "../../lib/ai-kinds.ts";
import type { Language } from "../../lib/languages.ts";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

/** A tool call. */
export interface ChatAction {
  /** Of a write: its row in `chat_actions`. */
  id: string | null;
  tool: string;
  input: Record<string, unknown>;
  result: Record<string, unknown>;
}

/** A record that the conversation is about. */
export interface ChatRecord {
  kind: "task" | "event" | "email" | "draft" | "slot";
  /** Of a free slot: 0. */
  id: number;
  /** Of one occurrence of a series. */
  occurrence?: string;
  /** Of a free slot: when it starts. */
  start?: string;
  /** May be other people's words: only to be found by the person's, and to be shown to them. */
  title: string;
  /** It is the person's own, by the mark of the record. Otherwise, what is made of the title is marked. */
  isOwn?: true;
}

/** What the next message may refer to. */
export interface ChatState {
  /** What the latest replies were about, the newest first, in the order in which each named them. */
  groups: ChatRecord[][];
  /** Whether the newest group was written, and not only shown. */
  isWritten: boolean;
  /** Whether the last reply has taken something back. */
  isUndone: boolean;
  /** The last write to a record that exists, without the record: "and the other one". */
  act: { tool: string; input: Record<string, unknown> } | null;
  /** The last question that was answered from the records. "What about Friday?" asks it again. */
  asked: string | null;
  /** The same, kept also after a change: "and now?" asks it again. */
  lastAsked?: string | null;
  /** The proposals of the last reply. */
  proposals: string[];
  /** The last message was not understood. */
  isLost?: boolean;
  /** The language of the conversation, if it is not English: a short message does not tell. */
  language?: Language;
}

/** How to take a write back, or to make it again. */
export interface ChatUndo {
  kind: "task" | "event" | "email" | "draft";
  id: number;
  occurrence?: string;
  /** The row that is put in place of the present one; null: there is none. */
  before: Record<string, unknown> | null;
  /** The version of the present row; null: there is none. No other version is overwritten. */
  version: number | null;
  /** The version that the row had before. */
  from: number | null;
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
  /** `time`: what was said about the time of day already; `span`: a week or month that was said instead of a day. */
  | { kind: "when"; tool: string; input: Record<string, unknown>; day: string | null; time?: string; span?: string }
  | { kind: "what"; tool: string; input: Record<string, unknown> }
  /** The address of the person to invite. */
  | { kind: "address"; tool: string; input: Record<string, unknown>; name: string };

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
    state: text("state", { mode: "json" }).$type<ChatState>(),
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
    /** The name of the agent or API key that proposed it, as the person knows it; null: the chat did, asked by a person. */
    agent: text("agent"),
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

/** The writes of conversations, so that each can be taken back. */
export const chatActions = sqliteTable(
  "chat_actions",
  {
    id: text("id").primaryKey(),
    conversationId: text("conversation_id")
      .notNull()
      .references(() => chatConversations.id, { onDelete: "cascade" }),
    tool: text("tool").notNull(),
    /** The name of what was written. */
    title: text("title").notNull(),
    /** Null for what cannot be taken back, such as an email that was sent. */
    undo: text("undo", { mode: "json" }).$type<ChatUndo>(),
    status: text("status", { enum: ["done", "undone"] }).notNull(),
    /** Counts within the conversation: what was done, or taken back, by one message has the same. */
    step: integer("step").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [index("chat_actions_conversation").on(table.conversationId, table.step)],
);
