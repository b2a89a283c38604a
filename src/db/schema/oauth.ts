import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AgentScope, ProposalRule } from "../../lib/agent-rules.ts";
import { moment } from "../columns.ts";
import { ownerId } from "./users.ts";

/** Programs that may ask a person for a connection. */
export const oauthClients = sqliteTable(
  "oauth_clients",
  {
    /** Of a registered client a random text; of one that describes itself, the address of its document. */
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    redirectUris: text("redirect_uris", { mode: "json" }).$type<string[]>().notNull(),
    createdAt: moment("created_at").notNull(),
    /** When the document was read, or the client registered. */
    readAt: moment("read_at").notNull(),
  },
  (table) => [index("oauth_clients_created").on(table.createdAt)],
);

/** A person's permission for one client. Its tokens work only while the row exists. */
export const oauthGrants = sqliteTable(
  "oauth_grants",
  {
    id: text("id").primaryKey(),
    userId: ownerId(),
    clientId: text("client_id").notNull(),
    /** As the person saw them: a client may change its name later. */
    clientName: text("client_name").notNull(),
    redirectHost: text("redirect_host").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<AgentScope[]>().notNull(),
    resource: text("resource").notNull(),
    rule: text("rule").$type<ProposalRule>().notNull(),
    /** The number of the current refresh token. The previous one still works for a short time. */
    refreshCounter: integer("refresh_counter").notNull(),
    rotatedAt: moment("rotated_at").notNull(),
    /** When text by other people was last handed out, to the minute. */
    outsideAt: moment("outside_at"),
    createdAt: moment("created_at").notNull(),
    lastUsedAt: moment("last_used_at").notNull(),
    /** Extended by every refresh. */
    expiresAt: moment("expires_at").notNull(),
    version: integer("version").notNull().default(1),
  },
  (table) => [
    index("oauth_grants_user").on(table.userId, table.createdAt, table.id),
    index("oauth_grants_client").on(table.clientId),
    index("oauth_grants_expires").on(table.expiresAt),
  ],
);

/** Several may be valid at once: an agent that runs in two places refreshes at different times. */
export const oauthAccessTokens = sqliteTable(
  "oauth_access_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    grantId: text("grant_id")
      .notNull()
      .references(() => oauthGrants.id, { onDelete: "cascade" }),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    index("oauth_access_tokens_grant").on(table.grantId),
    index("oauth_access_tokens_expires").on(table.expiresAt),
  ],
);

/** What a person has allowed, until the client exchanges the code for tokens. */
export const oauthCodes = sqliteTable(
  "oauth_codes",
  {
    codeHash: text("code_hash").primaryKey(),
    userId: ownerId(),
    /** The sign-in that allowed it. The code works only while its row exists. */
    sessionId: text("session_id").notNull(),
    clientId: text("client_id").notNull(),
    clientName: text("client_name").notNull(),
    redirectUri: text("redirect_uri").notNull(),
    challenge: text("challenge").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<AgentScope[]>().notNull(),
    resource: text("resource").notNull(),
    rule: text("rule").$type<ProposalRule>().notNull(),
    /** Set when it is used. A second use ends this grant. */
    grantId: text("grant_id"),
    /** A used code is kept until then, so that a second use is noticed. */
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("oauth_codes_user").on(table.userId), index("oauth_codes_expires").on(table.expiresAt)],
);
