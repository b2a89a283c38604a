import { and, eq, gt, sql } from "drizzle-orm";
import type { Context, Credential } from "../../context.ts";
import { type Database, openDatabase } from "../../db/client.ts";
import { compiledStatement } from "../../db/compiled-query.ts";
import { oauthAccessTokens, oauthGrants } from "../../db/schema/oauth.ts";
import { users } from "../../db/schema/users.ts";
import { sha256Hex } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { type AccountRow, accountColumns, accountFacts, HAS_FACTS, toAccount } from "../people/account.ts";
import { ACCESS_TOKEN_PREFIX } from "./tokens.ts";

/** `lastUsedAt` is not written more often than this, so that most requests only read. */
const LAST_USED_PRECISION_MS = 5 * 60 * 1000;

const grantColumns = {
  ...accountColumns,
  grantId: sql<string>`${oauthGrants.id}`.as("grant_id"),
  clientName: oauthGrants.clientName,
  scopes: oauthGrants.scopes,
  rule: oauthGrants.rule,
  outsideAt: oauthGrants.outsideAt,
  lastUsedAt: oauthGrants.lastUsedAt,
};

type GrantInUse = Pick<
  typeof oauthGrants.$inferSelect,
  "clientName" | "scopes" | "rule" | "outsideAt" | "lastUsedAt"
> & { grantId: string };

const selectGrant = compiledStatement<AccountRow & GrantInUse>(({ db }) =>
  db
    .select(grantColumns)
    .from(oauthAccessTokens)
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthAccessTokens.grantId))
    .innerJoin(users, eq(users.id, oauthGrants.userId))
    .where(
      and(
        eq(oauthAccessTokens.tokenHash, sql.placeholder("hash")),
        gt(oauthAccessTokens.expiresAt, sql.placeholder("now")),
        eq(oauthGrants.resource, sql.placeholder("resource")),
      ),
    ),
);

const unknownToken = () => new AppError("token_expired", "The access token is wrong, expired or revoked.");

/** An agent's access token: accepted only for the resource it was made for, and while the row of its grant exists. */
export function grantCredential(ctx: Context, token: string, resource: string): Credential {
  if (!token.startsWith(ACCESS_TOKEN_PREFIX)) throw unknownToken();
  // Not the handle of the request, which carries this check and wakes live clients.
  const db = openDatabase(ctx);
  const hash = sha256Hex(token);
  const now = ctx.now.getTime();
  /** Its rule decides whether the request writes or proposes. Nothing is written once the person has changed it. */
  let identified: { rule: unknown } | null = null;
  return {
    kind: "grant",
    id: hash,
    select: (db, at = ctx.now) => selectGrant.bind(db, { hash, now: at.getTime(), resource }),
    isValid(scopes, identity) {
      const facts = identity?.facts ?? (identified ? [identified.rule] : []);
      const hasRule = identified ? "AND g.rule IS ?" : "";
      return {
        sql: `EXISTS (SELECT 1 FROM oauth_access_tokens t JOIN oauth_grants g ON g.id = t.grant_id
        JOIN users u ON u.id = g.user_id
        WHERE t.token_hash = ? AND t.expires_at > ? AND g.resource = ?
        AND EXISTS (SELECT 1 FROM json_each(g.scopes) WHERE value IN (${scopes.map(() => "?").join()}))
        ${identity ? `AND ${HAS_FACTS} AND g.scopes IS ? AND g.rule IS ? AND g.outside_at IS ?` : hasRule})`,
        values: [hash, now, resource, ...scopes, ...facts],
      };
    },
    identify(cells) {
      if (!cells) throw unknownToken();
      const row = selectGrant.toRow(cells);
      const { grantId: id, clientName: name, scopes, outsideAt } = row;
      identified = { rule: cells.rule };
      if (now - row.lastUsedAt.getTime() > LAST_USED_PRECISION_MS) ctx.defer(noteUsed(db, id, ctx.now));
      return {
        actor: {
          kind: "grant",
          user: toAccount(ctx, row),
          grant: { id, scopes, connection: { name, rule: row.rule, outsideAt } },
        },
        facts: [...accountFacts(cells), cells.scopes, cells.rule, cells.outside_at],
      };
    },
  };
}

async function noteUsed(db: Database, id: string, now: Date): Promise<void> {
  await db.update(oauthGrants).set({ lastUsedAt: now }).where(eq(oauthGrants.id, id));
}

/** Remembers that the agent was handed text by other people. */
export async function noteOutsideOfGrant(db: Database, id: string, now: Date): Promise<void> {
  await db.update(oauthGrants).set({ outsideAt: now }).where(eq(oauthGrants.id, id));
}
