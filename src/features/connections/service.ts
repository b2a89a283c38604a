import { and, count, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { type Condition, type Context, signedInUser } from "../../context.ts";
import { assertExists, runBatch } from "../../db/assert.ts";
import { listPage, type PageRequest } from "../../db/page.ts";
import { oauthCodes, oauthGrants } from "../../db/schema/oauth.ts";
import { PROPOSAL_RULES, type ProposalRule } from "../../lib/agent-rules.ts";
import { AppError } from "../../lib/errors.ts";
import { audit } from "../audit/service.ts";
import { sendSecurityAlert } from "../notifications/security-alerts.ts";
import type { ConnectionChanges } from "./schemas.ts";

type GrantRow = typeof oauthGrants.$inferSelect;

export function toConnection(row: GrantRow) {
  const { id, clientName: name, clientId, redirectHost, scopes, rule: proposals } = row;
  return {
    id,
    name,
    clientId,
    redirectHost,
    scopes,
    proposals,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

export function listConnections(ctx: Context, request: PageRequest) {
  const user = signedInUser(ctx);
  const list = `connections:${user.id}`;
  const where = and(eq(oauthGrants.userId, user.id), gt(oauthGrants.expiresAt, ctx.now));
  const paged = { list, table: oauthGrants, by: ["createdAt", "id"], order: "desc", where } as const;
  return listPage(ctx, request, paged, toConnection);
}

const unknown = () => new AppError("not_found", "You have no connection with this id.");
const isMine = (ctx: Context, id: string) => and(eq(oauthGrants.id, id), eq(oauthGrants.userId, signedInUser(ctx).id));

/** Details for the audit log, with the name of the agent: the connection itself may be gone when somebody reads them. */
function named(id: string, more: Record<string, string> = {}): SQL {
  const name = sql`(SELECT client_name FROM oauth_grants WHERE id = ${id})`;
  return sql`json_set(${JSON.stringify({ connectionId: id, ...more })}, '$.client', ${name})`;
}

/** Whether under the second rule fewer changes wait for the person. */
function isWider(before: ProposalRule, after: ProposalRule): boolean {
  return PROPOSAL_RULES.indexOf(after) > PROPOSAL_RULES.indexOf(before);
}

/** Whether after a change, not validated yet, the agent may do no more without the person than now. */
export async function keepsWaiting(
  ctx: Context,
  { proposals }: Readonly<Record<string, unknown>>,
  id = "",
): Promise<boolean | Condition> {
  const rule = PROPOSAL_RULES.find((each) => each === proposals);
  if (!rule) return true;
  const [row] = await ctx.db.select({ rule: oauthGrants.rule }).from(oauthGrants).where(isMine(ctx, id));
  const sql = "(SELECT rule FROM oauth_grants WHERE id = ?) IS ?";
  return (!row || !isWider(row.rule, rule)) && { sql, values: [id, row?.rule ?? null] };
}

export async function changeConnection(ctx: Context, id: string, { proposals }: ConnectionChanges) {
  if (proposals === undefined) throw new AppError("nothing_to_update");
  const mine = isMine(ctx, id);
  const userId = signedInUser(ctx).id;
  const [[before], , , [row]] = await runBatch(ctx.db, [
    ctx.db.select({ rule: oauthGrants.rule }).from(oauthGrants).where(mine),
    assertExists(ctx.db, oauthGrants, mine, unknown),
    audit(ctx, "connection.changed", { userId, details: named(id, { proposals }) }),
    ctx.db.update(oauthGrants).set({ rule: proposals }).where(mine).returning(),
  ] as const);
  if (!before || !row) throw unknown();
  if (isWider(before.rule, row.rule)) {
    const which = row.rule === "never" ? "All of its changes" : "New tasks and events";
    const explanation = `Its name is "${row.clientName}". ${which} are now made at once, also after it has read emails.`;
    sendSecurityAlert(ctx, userId, "An agent may now make more changes without asking", explanation);
  }
  return toConnection(row);
}

/** Takes effect at once: its tokens work only while the row exists. */
export async function endConnection(ctx: Context, id: string): Promise<void> {
  const mine = isMine(ctx, id);
  await runBatch(ctx.db, [
    assertExists(ctx.db, oauthGrants, mine, unknown),
    audit(ctx, "connection.ended", { userId: signedInUser(ctx).id, details: named(id) }),
    ctx.db.delete(oauthGrants).where(mine),
  ]);
}

/** The statement that ends every connection of a person, and returns the agents' names. */
export function deleteConnectionsOf({ db }: Pick<Context, "db">, userId: number, onlyIf: SQL = sql`1`) {
  return db
    .delete(oauthGrants)
    .where(and(eq(oauthGrants.userId, userId), onlyIf))
    .returning({ name: oauthGrants.clientName });
}

/** The statement that takes back what a person has allowed, where the agent has not exchanged it for tokens yet. */
export function deleteUnusedCodesOf({ db }: Pick<Context, "db">, userId: number) {
  return db.delete(oauthCodes).where(and(eq(oauthCodes.userId, userId), isNull(oauthCodes.grantId)));
}

export function countConnections({ db, now }: Pick<Context, "db" | "now">, userId: number) {
  return db
    .select({ count: count() })
    .from(oauthGrants)
    .where(and(eq(oauthGrants.userId, userId), gt(oauthGrants.expiresAt, now)));
}
