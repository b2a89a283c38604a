import { type AnyColumn, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Context, signedInUser } from "../../context.ts";
import { eraseAll, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { chatActions, chatConversations, chatMessages, chatProposals } from "../../db/schema/chat.ts";
import { toProposal } from "./proposals.ts";
import { toConversation, toMessage } from "./service.ts";
import { toAction } from "./undo.ts";

/** Every conversation of the person, also with an API key. Anonymous ones belong to the owner. */
function isTheirs(ctx: Context): SQL | undefined {
  const { id, role } = signedInUser(ctx);
  const isOwn = eq(chatConversations.userId, id);
  return role === "owner" ? or(isOwn, isNull(chatConversations.userId)) : isOwn;
}

function ofTheirs(ctx: Context, column: AnyColumn): SQL {
  const theirs = ctx.db.select({ id: chatConversations.id }).from(chatConversations).where(isTheirs(ctx));
  return sql`${column} IN ${theirs}`;
}

export const personalData: readonly PersonalData[] = [
  {
    name: "conversations",
    pages: tablePages(chatConversations, { where: isTheirs, map: toConversation }),
    archive: {
      table: chatConversations,
      where: isTheirs,
      // What the next message would confirm was asked in another service.
      complete: (_, row) => ({ ...row, question: null, state: null }),
    },
    // Messages and proposals are deleted with their conversation.
    erase: ({ db }) => eraseAll(db, chatConversations),
  },
  {
    name: "chatMessages",
    pages: tablePages(chatMessages, {
      where: (ctx) => ofTheirs(ctx, chatMessages.conversationId),
      map: (row) => ({ conversationId: row.conversationId, ...toMessage(row) }),
      // A message can hold a whole email.
      pageSize: 50,
    }),
    archive: { table: chatMessages, where: (ctx) => ofTheirs(ctx, chatMessages.conversationId) },
  },
  {
    name: "chatProposals",
    pages: tablePages(chatProposals, {
      where: (ctx) => ofTheirs(ctx, chatProposals.conversationId),
      map: (row, ctx) => toProposal(ctx, row),
    }),
    archive: {
      table: chatProposals,
      where: (ctx) => ofTheirs(ctx, chatProposals.conversationId),
      // Its summary is this service's word for what it will do, and an archive is not written by this service.
      settle: {
        reason: "A proposal can be applied in the service that made it. Open ones are dismissed.",
        row: (row) => (row.status === "open" ? { ...row, status: "dismissed", closedAt: row.createdAt } : null),
      },
    },
  },
  {
    name: "chatActions",
    pages: tablePages(chatActions, {
      where: (ctx) => ofTheirs(ctx, chatActions.conversationId),
      map: (row) => toAction(row),
    }),
    archive: {
      table: chatActions,
      where: (ctx) => ofTheirs(ctx, chatActions.conversationId),
      // A change can be taken back in the service where it was made.
      complete: (_, row) => ({ ...row, undo: null }),
    },
  },
];
