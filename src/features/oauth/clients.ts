import { and, desc, eq, inArray, not, sql } from "drizzle-orm";
import * as z from "zod";
import type { Context } from "../../context.ts";
import { oauthClients } from "../../db/schema/oauth.ts";
import { randomToken } from "../../lib/crypto.ts";
import { toBytes } from "../../lib/encoding.ts";
import { redirectHost, redirectProblem } from "../../lib/redirect-uri.ts";
import { collapseSpace, firstCharacters } from "../../lib/text.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { documentProblem, fetchClientDocument } from "../../providers/client-document.ts";
import { OAuthError } from "./errors.ts";

/** A description is read again after this time. */
const FRESH_MS = DAY_MS;
const MAX_URIS = 10;
const NAME_CHARACTERS = 60;
/** Anybody can have a client stored, so what is stored of one is little, … */
const CLIENT_BYTES = 2048;
/** … and of those that nobody has allowed anything, only the newest are kept. */
const MAX_UNUSED = 1000;

export type Client = Pick<typeof oauthClients.$inferSelect, "id" | "name" | "redirectUris">;

/** Control characters and those that change the direction of text could make a name look like another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu;

const Described = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_URIS),
});

function describedBy(id: string, input: unknown): Client {
  const parsed = Described.safeParse(input);
  if (!parsed.success) {
    throw new OAuthError("invalid_client_metadata", `redirect_uris must be a list of 1 to ${MAX_URIS} addresses.`);
  }
  const { client_name = "", redirect_uris: redirectUris } = parsed.data;
  for (const uri of redirectUris) {
    const problem = redirectProblem(uri);
    if (problem) throw new OAuthError("invalid_redirect_uri", `A redirect address ${problem}.`);
  }
  const given = firstCharacters(collapseSpace(client_name.replace(INVISIBLE, " ")).trim(), NAME_CHARACTERS);
  const client = { id, name: given || redirectHost(redirectUris[0] ?? ""), redirectUris };
  if (toBytes(JSON.stringify(client)).length > CLIENT_BYTES) {
    const detail = `The client's id, name and redirect addresses must have at most ${CLIENT_BYTES} bytes together.`;
    throw new OAuthError("invalid_client_metadata", detail);
  }
  return client;
}

/** Stores a client, and forgets the oldest ones that nobody uses if there are too many. */
async function store(ctx: Context, client: Client): Promise<void> {
  const { id, ...described } = client;
  const { createdAt } = oauthClients;
  const tooMany = ctx.db
    .select({ id: oauthClients.id })
    .from(oauthClients)
    .where(isUnused)
    .orderBy(desc(createdAt))
    .limit(MAX_UNUSED)
    .offset(MAX_UNUSED);
  await ctx.db.batch([
    ctx.db
      .insert(oauthClients)
      .values({ ...client, createdAt: ctx.now, readAt: ctx.now })
      .onConflictDoUpdate({ target: oauthClients.id, set: { ...described, readAt: ctx.now } }),
    ctx.db.delete(oauthClients).where(inArray(oauthClients.id, tooMany)),
  ]);
}

/** A client that nobody has allowed anything. */
export const isUnused = sql`NOT EXISTS (SELECT 1 FROM oauth_grants WHERE client_id = ${oauthClients.id})`;

export async function isAllowedAnything({ db }: Context, { id }: Client): Promise<boolean> {
  const [used] = await db
    .select({ id: oauthClients.id })
    .from(oauthClients)
    .where(and(eq(oauthClients.id, id), not(isUnused)));
  return used !== undefined;
}

/** Dynamic registration, of public clients only: whoever asks gets an id, and no secret that a program could not keep. */
export async function registerClient(ctx: Context, input: unknown) {
  const client = describedBy(randomToken(), input);
  await store(ctx, client);
  const { id, name, redirectUris } = client;
  return {
    client_id: id,
    client_id_issued_at: Math.floor(ctx.now.getTime() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

/** A registered client, or one that publishes a description of itself at the address that is its id. */
export async function findClient(ctx: Context, id: string): Promise<Client> {
  const [known] = await ctx.db.select().from(oauthClients).where(eq(oauthClients.id, id));
  const isDocument = /^https?:\/\//.test(id);
  if (known && (!isDocument || ctx.now.getTime() - known.readAt.getTime() < FRESH_MS)) return known;
  if (!isDocument)
    throw new OAuthError(
      "invalid_client",
      "This agent is not registered here, or its registration has expired. Connect it again.",
    );
  const problem = documentProblem(ctx.config, id);
  if (problem) throw new OAuthError("invalid_client", `The address of the agent's description ${problem}.`);
  return storeDocument(ctx, id);
}

async function storeDocument(ctx: Context, id: string): Promise<Client> {
  const document = await fetchClientDocument(id).catch(() => {
    throw new OAuthError(
      "invalid_client",
      "The agent's description could not be read at its address. Try again later.",
    );
  });
  if (typeof document !== "object" || document === null || !("client_id" in document) || document.client_id !== id) {
    throw new OAuthError("invalid_client", "The client_id in the agent's description is not its address.");
  }
  const client = describedBy(id, document);
  await store(ctx, client);
  return client;
}
