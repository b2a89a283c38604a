import { type AnyColumn, and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Context, isPerson } from "../../context.ts";
import { chatConversations } from "../../db/schema/chat.ts";

/*
 * A person may go on with the conversation of an API key. The key sees of it what it said and was told itself, and not
 * what the person has asked there, nor the reply: its scopes may be narrower, and not every reply says what it was made
 * of. The person may not have seen the replies to the key.
 */

interface Message {
  role: "user" | "assistant";
  /** Of a message: whether a program sent it. */
  hasUntrustedText: boolean;
}

/** Of the latest messages, oldest first, those that the caller may see. */
export function askedByCaller<Row extends Message>(ctx: Context, messages: readonly Row[]): Row[] {
  const asked = messages.map((row, at) => (row.role === "user" ? row : messages[at - 1]));
  return messages.filter((_, at) => isPerson(ctx) || asked[at]?.hasUntrustedText === true);
}

/** The same, for a query of `chat_messages`. */
export function isForCaller(ctx: Context): SQL | undefined {
  if (isPerson(ctx)) return undefined;
  return sql`(SELECT asked.outside FROM chat_messages AS asked WHERE asked.conversation_id = chat_messages.conversation_id
    AND asked.id <= chat_messages.id AND asked.role = 'user' ORDER BY asked.id DESC LIMIT 1) = 1`;
}

/**
 * Callers without a credential share their conversations. An API key sees only those it started: the others may contain
 * data it is not allowed to read.
 */
export function isOwn({ actor }: Context): SQL | undefined {
  if (!("user" in actor)) return isNull(chatConversations.userId);
  const isUsers = eq(chatConversations.userId, actor.user.id);
  if (actor.kind === "grant") return and(isUsers, eq(chatConversations.grantId, actor.grant.id));
  return actor.kind === "api_key" ? and(isUsers, eq(chatConversations.apiKeyId, actor.key.id)) : isUsers;
}

/** Matches what belongs to the caller's own conversations. */
export function isOwnIn(ctx: Context, column: AnyColumn): SQL {
  const own = ctx.db.select({ id: chatConversations.id }).from(chatConversations).where(isOwn(ctx));
  return sql`${column} IN ${own}`;
}
