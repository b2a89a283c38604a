import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { listPage, type Page, type PageRequest } from "../../db/page.ts";
import { chatConversations, chatProposals } from "../../db/schema/chat.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { isOwnIn } from "./visibility.ts";

const PROPOSAL_MS = DAY_MS;

/** What a write would do. */
export interface Preview {
  /** For the person, in the service's own words. Never shown to a model: it quotes the record. */
  summary: string;
  /** The record that would change; null for a new one. */
  record: { id: number; version: number } | null;
}

/** A write that a person may apply. */
export interface Proposal {
  id: string;
  tool: string;
  input: Record<string, unknown>;
  summary: string;
  reason: string;
  /** Which record, in which version, it is about. */
  basis: string | null;
}

/** Changes whenever the record does. */
export function basisOf({ record }: Preview): string | null {
  return record && `${record.id}:${record.version}`;
}

export function newProposal(
  { ctx: { actor }, timeZone }: { ctx: Context; timeZone: string },
  { preview, ...call }: Pick<Proposal, "tool" | "input" | "reason"> & { preview: Preview },
): Proposal {
  // A program may have chosen another time zone than the person expects who reads the summary.
  const isProgram = actor.kind === "api_key" || actor.kind === "grant";
  const zone = isProgram && actor.user.timeZone !== timeZone ? `, times in ${timeZone}` : "";
  return { id: randomToken(), ...call, summary: `${preview.summary}${zone}`, basis: basisOf(preview) };
}

/** The statements that store proposals. */
export function insertProposals(
  ctx: Context,
  conversationId: string,
  turn: { proposals: readonly Proposal[]; timeZone: string },
  agent: string | SQL | null,
) {
  const { db, now: createdAt } = ctx;
  return turn.proposals.map((proposal) =>
    db.insert(chatProposals).values({
      ...proposal,
      conversationId,
      agent,
      createdAt,
      timeZone: turn.timeZone,
      status: "open",
      result: null,
      expiresAt: new Date(createdAt.getTime() + PROPOSAL_MS),
      closedAt: null,
    }),
  );
}

export type ProposalRow = typeof chatProposals.$inferSelect;

export function toProposal(ctx: Context, row: ProposalRow) {
  const { id, conversationId, agent, tool, input, summary, reason, result, createdAt, expiresAt } = row;
  const status = row.status === "open" && expiresAt <= ctx.now ? ("expired" as const) : row.status;
  const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
  return { id, conversationId, agent, tool, input, summary, reason, status, result: result ?? null, ...times };
}

/** What waits for the person, of the chat and of agents. Older proposals have expired. */
export function listProposals(ctx: Context, page: PageRequest): Promise<Page<ReturnType<typeof toProposal>>> {
  const isRecent = gt(chatProposals.createdAt, new Date(ctx.now.getTime() - PROPOSAL_MS));
  const where = and(eq(chatProposals.status, "open"), isRecent, isOwnProposal(ctx));
  const paged = {
    list: "open proposals",
    table: chatProposals,
    by: ["createdAt", "id"],
    order: "desc",
    where,
  } as const;
  return listPage(ctx, page, paged, (row) => toProposal(ctx, row));
}

const isOwnProposal = (ctx: Context) => isOwnIn(ctx, chatProposals.conversationId);

/** Closes an open proposal. Only one of several parallel requests succeeds. */
export async function closeProposal(ctx: Context, id: string, status: "applied" | "dismissed"): Promise<ProposalRow> {
  const isOwned = and(eq(chatProposals.id, id), isOwnProposal(ctx));
  const { db } = ctx;
  const [[closed], [known]] = await db.batch([
    db
      .update(chatProposals)
      .set({ status, closedAt: ctx.now })
      .where(and(isOwned, eq(chatProposals.status, "open"), gt(chatProposals.expiresAt, ctx.now)))
      .returning(),
    db.select().from(chatProposals).where(isOwned),
  ]);
  if (closed) return closed;
  if (!known) throw new AppError("not_found", `There is no proposal ${id}.`);
  if (known.status === "open")
    throw new AppError("proposal_expired", "The proposal has expired after 24 hours. Ask the assistant again.");
  throw new AppError("proposal_settled", `The proposal was already ${known.status}. Nothing was changed.`);
}

/** Keeps how it went, and what was written. */
export async function settle(
  ctx: Context,
  id: string,
  change: Partial<ProposalRow>,
  also: readonly BatchItem<"sqlite">[] = [],
): Promise<void> {
  const db = ctx.bookkeeping;
  await db.batch([
    db.update(chatProposals).set(change).where(eq(chatProposals.id, id)),
    db
      .update(chatConversations)
      .set({ updatedAt: ctx.now })
      .where(sql`${chatConversations.id} = (SELECT conversation_id FROM chat_proposals WHERE id = ${id})`),
    ...also,
  ]);
}

/** What the open ones of these proposals would do. */
export async function summariesOf(ctx: Context, ids: readonly string[]): Promise<{ id: string; summary: string }[]> {
  return ctx.db
    .select({ id: chatProposals.id, summary: chatProposals.summary })
    .from(chatProposals)
    .where(and(inArray(chatProposals.id, [...ids]), isOwnProposal(ctx), eq(chatProposals.status, "open")));
}

export async function dismissProposal(ctx: Context, id: string): Promise<void> {
  await closeProposal(ctx, id, "dismissed");
}
