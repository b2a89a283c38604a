import { and, eq, isNull, lte, or } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertExists, runBatch } from "../../db/assert.ts";
import { oauthCodes } from "../../db/schema/oauth.ts";
import { users } from "../../db/schema/users.ts";
import type { AgentScope, ProposalRule } from "../../lib/agent-rules.ts";
import { randomToken, sha256Hex } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { audit } from "../audit/service.ts";
import { completeLogin, login } from "../auth/login/service.ts";
import { dropSession } from "../auth/sessions/service.ts";
import { findAccount } from "../people/account.ts";
import { type AuthorizationRequest, backTo } from "./request.ts";
import type { Ticket } from "./ticket.ts";

const CODE_MS = 60 * 1000;

export type SignIn = { userId: number } | { challengeToken: string };

/** The first step. The session that a sign-in begins is not needed: the page's ticket says who was here. */
export async function signIn(ctx: Context, credentials: { email: string; password: string }): Promise<SignIn> {
  const answer = await login(ctx, credentials);
  if ("challengeToken" in answer) return { challengeToken: answer.challengeToken };
  await dropSession(ctx, answer.token);
  return { userId: answer.user.id };
}

export async function signInWithCode(ctx: Context, challengeToken: string, given: string): Promise<{ userId: number }> {
  const digits = given.replaceAll(/[\s-]/g, "");
  const factor = /^\d{6}$/.test(digits) ? { code: digits } : { backupCode: given.trim() };
  const { token, user } = await completeLogin(ctx, { challengeToken, ...factor });
  await dropSession(ctx, token);
  return { userId: user.id };
}

export async function addressOf(ctx: Context, userId: number): Promise<string> {
  const account = await findAccount(ctx, userId);
  if (!account) throw new AppError("session_revoked", "The account no longer exists.");
  return account.email;
}

interface Decision {
  scopes: AgentScope[];
  rule: ProposalRule;
}

/** Issues a code for what the person has allowed, and returns the address to send them to. */
export async function allow(
  ctx: Context,
  request: AuthorizationRequest,
  { userId, issuedAt }: Ticket,
  { scopes, rule }: Decision,
): Promise<string> {
  const code = randomToken(32);
  const { client, redirectUri, challenge, resource } = request;
  const signedIn = new Date(issuedAt);
  const unchanged = or(isNull(users.passwordChangedAt), lte(users.passwordChangedAt, signedIn));
  const gone = () => new AppError("session_revoked", "Your account has changed meanwhile. Sign in again.");
  const details = { client: client.name, clientId: client.id.slice(0, 200), scopes: scopes.join(" "), proposals: rule };
  await runBatch(ctx.db, [
    assertExists(ctx.db, users, and(eq(users.id, userId), unchanged), gone),
    audit(ctx, "connection.allowed", { userId, details }),
    ctx.db.insert(oauthCodes).values({
      codeHash: sha256Hex(code),
      userId,
      clientId: client.id,
      clientName: client.name,
      redirectUri,
      challenge,
      scopes,
      resource,
      rule,
      grantId: null,
      expiresAt: new Date(ctx.now.getTime() + CODE_MS),
    }),
  ]);
  return backTo(ctx, request, { code });
}

export async function decline(ctx: Context, request: AuthorizationRequest, { userId }: Ticket): Promise<string> {
  const { name: client } = request.client;
  await audit(ctx, "connection.declined", { userId, details: { client } });
  return backTo(ctx, request, { error: "access_denied", error_description: "The person declined." });
}
