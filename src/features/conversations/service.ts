import { and, asc, desc, eq, lt, sql } from "drizzle-orm";
import { type Context, isPerson } from "../../context.ts";
import { brokeConstraint } from "../../db/constraint.ts";
import { keyset, listPage, type Page, type PageRequest } from "../../db/page.ts";
import { purge } from "../../db/purge.ts";
import {
  type ChatAction,
  type ChatQuestion,
  type ChatState,
  chatActions,
  chatConversations,
  chatMessages,
  chatProposals,
} from "../../db/schema/chat.ts";
import type { Engine } from "../../lib/ai-kinds.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { collapseSpace, firstCharacters } from "../../lib/text.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { insertProposals, type Proposal, toProposal } from "./proposals.ts";
import type { Undoable } from "./put-back.ts";
import { NO_STATE, stateAfter, type TurnTrace } from "./state.ts";
import { askedByCaller, isForCaller, isOwn } from "./visibility.ts";

/** How many messages of a conversation the next turn sees. */
const HISTORY_MESSAGES = 20;
const RETENTION_DAYS = 90;
const TITLE_CHARACTERS = 80;

export type MessageRow = typeof chatMessages.$inferSelect;

function unknown(id: string): AppError {
  return new AppError("not_found", `There is no conversation ${id}.`);
}

export interface OpenConversation {
  id: string;
  isNew: boolean;
  question: ChatQuestion | null;
  state: ChatState;
  /** The latest messages, oldest first. */
  history: MessageRow[];
}

export function newConversation(): OpenConversation {
  return { id: randomToken(), isNew: true, question: null, state: NO_STATE, history: [] };
}

export async function openConversation(ctx: Context, id: string): Promise<OpenConversation> {
  const [[found], latest] = await ctx.db.batch([
    ctx.db
      .select({ question: chatConversations.question, state: chatConversations.state })
      .from(chatConversations)
      .where(and(eq(chatConversations.id, id), isOwn(ctx))),
    ctx.db
      .select()
      .from(chatMessages)
      .where(eq(chatMessages.conversationId, id))
      .orderBy(desc(chatMessages.id))
      .limit(HISTORY_MESSAGES),
  ]);
  if (!found) throw unknown(id);
  const all = latest.reverse();
  // What an API key has asked for is not completed by the next words of a person, or the other way: see asked-by.ts.
  const isOwnState = all.at(-2)?.hasUntrustedText !== isPerson(ctx);
  const { question, state } = isOwnState ? found : { question: null, state: null };
  return { id, isNew: false, question, state: state ?? NO_STATE, history: askedByCaller(ctx, all) };
}

/** What a turn has done, as it is stored. */
interface StoredTurn extends TurnTrace {
  actions: ChatAction[];
  proposals: readonly Proposal[];
  undoables: readonly Undoable[];
  timeZone: string;
  hasOutsideWords(reply: string): boolean;
}

export interface Exchange {
  message: string;
  reply: string;
  engine: Engine;
  question: ChatQuestion | null;
}

export async function storeExchange(
  ctx: Context,
  { id, isNew }: OpenConversation,
  turn: StoredTurn,
  { message, reply, engine, question }: Exchange,
): Promise<void> {
  const { now: createdAt, db, actor } = ctx;
  const common = { conversationId: id, createdAt };
  const state = stateAfter(turn);
  const conversation = {
    id,
    userId: "user" in actor ? actor.user.id : null,
    apiKeyId: actor.kind === "api_key" ? actor.key.id : null,
    grantId: null,
    title: firstCharacters(collapseSpace(message), TITLE_CHARACTERS),
    question,
    state,
    createdAt,
    updatedAt: createdAt,
  };
  const messages = db.insert(chatMessages).values([
    { ...common, role: "user", text: message, hasUntrustedText: !isPerson(ctx), actions: [], engine: null },
    {
      ...common,
      role: "assistant",
      text: reply,
      hasUntrustedText: turn.hasOutsideWords(reply),
      actions: turn.actions,
      engine,
    },
  ]);
  const agent = actor.kind === "api_key" ? sql<string>`(SELECT name FROM api_keys WHERE id = ${actor.key.id})` : null;
  const proposals = insertProposals(ctx, id, turn, agent);
  const stored = isNew
    ? db.insert(chatConversations).values(conversation)
    : db
        .update(chatConversations)
        .set({ question, state, updatedAt: createdAt })
        .where(and(eq(chatConversations.id, id), isOwn(ctx)));
  try {
    await db.batch([stored, messages, ...proposals, ...insertActions(ctx, id, turn.undoables)]);
  } catch (error) {
    if (brokeConstraint(error, "FOREIGN KEY")) throw unknown(id);
    throw error;
  }
}

/**
 * The statements that keep what an agent has proposed, in a conversation of its connection: there the person finds it,
 * and applies or dismisses it as what the chat proposes.
 */
export function storeAgentProposals(ctx: Context, turn: StoredTurn, connection: string) {
  const { actor, db, now } = ctx;
  if (actor.kind !== "grant" && actor.kind !== "api_key") throw new Error("only a program's proposals are kept here");
  const owner =
    actor.kind === "grant" ? { apiKeyId: null, grantId: actor.grant.id } : { apiKeyId: actor.key.id, grantId: null };
  const id = actor.kind === "grant" ? `agent-${actor.grant.id}` : `agent-key-${actor.key.id}`;
  const title = firstCharacters(`Proposals by ${connection}`, TITLE_CHARACTERS);
  const times = { createdAt: now, updatedAt: now };
  const conversation = { id, userId: actor.user.id, ...owner, title, question: null, state: null, ...times };
  return [
    db
      .insert(chatConversations)
      .values(conversation)
      .onConflictDoUpdate({ target: chatConversations.id, set: { updatedAt: now } }),
    ...insertProposals(ctx, id, turn, connection),
  ] as const;
}

export function toConversation({ id, title, createdAt, updatedAt }: typeof chatConversations.$inferSelect) {
  return { id, title, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Last used first. */
export function listConversations(ctx: Context, page: PageRequest): Promise<Page<Conversation>> {
  const by = ["updatedAt", "id"] as const;
  const paged = { list: "conversations", table: chatConversations, by, order: "desc", where: isOwn(ctx) } as const;
  return listPage(ctx, page, paged, toConversation);
}

export type Conversation = ReturnType<typeof toConversation>;

export async function readConversation(ctx: Context, id: string, page: PageRequest) {
  const pages = keyset(ctx, `messages of ${id}`, [chatMessages.id], "asc");
  const [[found], messages, proposals, actions] = await ctx.db.batch([
    ctx.db
      .select()
      .from(chatConversations)
      .where(and(eq(chatConversations.id, id), isOwn(ctx))),
    ctx.db
      .select()
      .from(chatMessages)
      .where(and(eq(chatMessages.conversationId, id), isForCaller(ctx), pages.after(page.cursor)))
      .orderBy(asc(chatMessages.id))
      .limit(page.limit + 1),
    ctx.db
      .select()
      .from(chatProposals)
      .where(eq(chatProposals.conversationId, id))
      .orderBy(desc(chatProposals.createdAt))
      .limit(100),
    ctx.db
      .select({ id: chatActions.id })
      .from(chatActions)
      .where(
        and(eq(chatActions.conversationId, id), eq(chatActions.status, "done"), sql`${chatActions.undo} IS NOT NULL`),
      )
      .orderBy(desc(chatActions.step))
      .limit(200),
  ]);
  if (!found) throw unknown(id);
  const undoable = new Set(actions.map((action) => action.id));
  return {
    ...toConversation(found),
    messages: pages.page(
      messages,
      page,
      (row) => [row.id],
      (row) => toMessage(row, undoable),
    ),
    proposals: proposals.map((row) => toProposal(ctx, row)),
  };
}

/** `undoable`: ids of the writes that can be taken back. */
export function toMessage(
  { id, role, text, actions, engine, createdAt }: MessageRow,
  undoable: ReadonlySet<string> = new Set(),
) {
  const shown = actions.map((action) => ({ ...action, canUndo: action.id !== null && undoable.has(action.id) }));
  return { id, role, text, actions: shown, engine, createdAt: createdAt.toISOString() };
}

export async function deleteConversation(ctx: Context, id: string): Promise<void> {
  const gone = await ctx.db
    .delete(chatConversations)
    .where(and(eq(chatConversations.id, id), isOwn(ctx)))
    .returning({ id: chatConversations.id });
  if (gone.length === 0) throw unknown(id);
}

/** For the cron. */
export function purgeConversations(ctx: Context): Promise<number> {
  const oldest = new Date(ctx.now.getTime() - RETENTION_DAYS * DAY_MS);
  return purge(ctx.db, chatConversations, lt(chatConversations.updatedAt, oldest), ctx.signal);
}

/** The statements that keep what was written, as one step of its conversation, so that it can be taken back. */
export function insertActions(
  { db, now }: Context,
  conversationId: string,
  undoables: readonly Undoable[],
  { isSameStep = false } = {},
) {
  const last = sql`(SELECT coalesce(max(step), 0) FROM chat_actions WHERE conversation_id = ${conversationId})`;
  return undoables.map((action, index) =>
    db.insert(chatActions).values({
      ...action,
      conversationId,
      status: "done",
      step: index === 0 && !isSameStep ? sql`${last} + 1` : last,
      createdAt: now,
    }),
  );
}
