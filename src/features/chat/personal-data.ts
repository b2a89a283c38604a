import { eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { signedInUser } from "../../context.ts";
import { eraseAll, type PersonalData, walk } from "../../db/personal-data.ts";
import { chatConversations, chatMessages, chatProposals } from "../../db/schema/chat.ts";
import { type MessageRow, type ProposalRow, toConversation, toMessage, toProposal } from "./conversations.ts";

/** Also conversations started with an API key. Those without a user belong to the owner. */
function isTheirs(ctx: Context): SQL | undefined {
  const { id, role } = signedInUser(ctx);
  const isOwn = eq(chatConversations.userId, id);
  return role === "owner" ? or(isOwn, isNull(chatConversations.userId)) : isOwn;
}

function ofTheirs(ctx: Context, column: typeof chatMessages.conversationId | typeof chatProposals.conversationId): SQL {
  const theirs = ctx.db.select({ id: chatConversations.id }).from(chatConversations).where(isTheirs(ctx));
  return sql`${column} IN ${theirs}`;
}

/** A reply can contain a whole email. */
const MESSAGES_A_PAGE = 50;

const conversations: PersonalData = {
  name: "conversations",
  async *pages(ctx) {
    const pages = walk<typeof chatConversations.$inferSelect>(
      chatConversations.id,
      ({ id }) => id,
      (where, order, limit) => ctx.db.select().from(chatConversations).where(where).orderBy(order).limit(limit),
      { where: isTheirs(ctx) },
    );
    for await (const rows of pages) yield rows.map(toConversation);
  },
  /** Also those without a user. Messages and proposals are deleted by the foreign key. */
  erase: ({ db }) => eraseAll(db, chatConversations),
};

const messages: PersonalData = {
  name: "chatMessages",
  async *pages(ctx) {
    const pages = walk<MessageRow>(
      chatMessages.id,
      ({ id }) => id,
      (where, order, limit) => ctx.db.select().from(chatMessages).where(where).orderBy(order).limit(limit),
      { where: ofTheirs(ctx, chatMessages.conversationId), size: MESSAGES_A_PAGE },
    );
    for await (const rows of pages) {
      yield rows.map((row) => ({ conversationId: row.conversationId, ...toMessage(row) }));
    }
  },
};

const proposals: PersonalData = {
  name: "chatProposals",
  async *pages(ctx) {
    const pages = walk<ProposalRow>(
      chatProposals.id,
      ({ id }) => id,
      (where, order, limit) => ctx.db.select().from(chatProposals).where(where).orderBy(order).limit(limit),
      { where: ofTheirs(ctx, chatProposals.conversationId) },
    );
    for await (const rows of pages) yield rows.map((row) => toProposal(ctx, row));
  },
};

export const personalData: readonly PersonalData[] = [conversations, messages, proposals];
