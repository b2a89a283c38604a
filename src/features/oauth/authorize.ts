import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AssertionFailed, assertThat, runBatch } from "../../db/assert.ts";
import { oauthCodes } from "../../db/schema/oauth.ts";
import type { AgentScope, ProposalRule } from "../../lib/agent-rules.ts";
import { randomToken, sha256Hex } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { audit } from "../audit/service.ts";
import { inSession } from "../auth/authenticate.ts";
import { completeLogin, login } from "../auth/login/service.ts";
import { sessionIsProved } from "../auth/sessions/proofs.ts";
import {
  deletePageSession,
  type HeldSession,
  newPageSession,
  sessionExists,
  setPageSessionEnd,
} from "../auth/sessions/service.ts";
import { type AuthorizationRequest, backTo } from "./request.ts";
import { TICKET_MS, type Ticket } from "./ticket.ts";

const CODE_MS = 60 * 1000;

type SignIn = HeldSession | { challengeToken: string };

/** The first step. The page's ticket names the session that it begins, and is worth nothing without it. */
export async function signIn(ctx: Context, credentials: { email: string; password: string }): Promise<SignIn> {
  const session = newPageSession(ctx, TICKET_MS);
  const answer = await login(ctx, credentials, session);
  if ("challengeToken" in answer) return { challengeToken: answer.challengeToken };
  return { sessionId: session.row.id, userId: answer.user.id };
}

export async function signInWithCode(ctx: Context, challengeToken: string, given: string): Promise<HeldSession> {
  const digits = given.replaceAll(/[\s-]/g, "");
  const factor = /^\d{6}$/.test(digits) ? { code: digits } : { backupCode: given.trim() };
  const session = newPageSession(ctx, TICKET_MS);
  const { user } = await completeLogin(ctx, { challengeToken, ...factor }, session);
  return { sessionId: session.row.id, userId: user.id };
}

interface Decision {
  scopes: AgentScope[];
  rule: ProposalRule;
}

/** Holds while the account is as it was when the person signed in for this ticket. */
function isUnchanged({ userId, issuedAt }: Ticket): SQL {
  return sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId}
    AND max(coalesce(password_changed_at, 0), coalesce(totp_enabled_at, 0)) <= ${issuedAt})`;
}

const gone = () => new AppError("session_revoked", "Your account has changed. Sign in again.");

/** The request as one of the person that the ticket is for. Throws a 401 `AppError` if it is worth nothing any more. */
export async function personOf(ctx: Context, ticket: Ticket): Promise<Context> {
  const [row] = await ctx.db.all<{ holds: number }>(sql`SELECT ${isUnchanged(ticket)} AS holds`);
  if (row?.holds !== 1) throw gone();
  return inSession(ctx, ticket);
}

/** Issues a code for what the person has allowed, and returns the address to send them to. */
export async function allow(
  ctx: Context,
  request: AuthorizationRequest,
  ticket: Ticket,
  { scopes, rule }: Decision,
): Promise<string> {
  const code = randomToken(32);
  const { client, redirectUri, challenge, resource } = request;
  const { userId, sessionId, isOfPage } = ticket;
  const expiresAt = new Date(ctx.now.getTime() + CODE_MS);
  const details = { client: client.name, clientId: client.id.slice(0, 200), scopes: scopes.join(" "), proposals: rule };
  await runBatch(ctx.db, [
    assertThat(ctx.db, "sign_in_holds", sql`${isUnchanged(ticket)} AND ${sessionIsProved(ctx, sessionId)}`, gone),
    ...(isOfPage ? [setPageSessionEnd(ctx, sessionId, expiresAt)] : []),
    audit(ctx, "connection.allowed", { userId, details }),
    ctx.db.insert(oauthCodes).values({
      codeHash: sha256Hex(code),
      userId,
      sessionId,
      clientId: client.id,
      clientName: client.name,
      redirectUri,
      challenge,
      scopes,
      resource,
      rule,
      grantId: null,
      expiresAt,
    }),
  ]);
  return backTo(ctx, request, { code });
}

/** Needs no sign-in that still holds, but without one nothing is noted: the account may not even exist any more. */
export async function decline(ctx: Context, request: AuthorizationRequest, ticket: Ticket): Promise<string> {
  const { name: client } = request.client;
  const { userId, sessionId, isOfPage } = ticket;
  const noting = runBatch(ctx.db, [
    assertThat(ctx.db, "sign_in_exists", sessionExists(ctx, sessionId)),
    audit(ctx, "connection.declined", { userId, details: { client } }),
    ...(isOfPage ? [deletePageSession(ctx, sessionId)] : []),
  ]);
  await noting.catch((error) => {
    if (!(error instanceof AssertionFailed)) throw error;
  });
  return backTo(ctx, request, { error: "access_denied", error_description: "The person declined." });
}
