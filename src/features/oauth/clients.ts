import { eq } from "drizzle-orm";
import * as z from "zod";
import type { Context } from "../../context.ts";
import { oauthClients } from "../../db/schema/oauth.ts";
import { randomToken } from "../../lib/crypto.ts";
import { redirectHost, redirectProblem } from "../../lib/redirect-uri.ts";
import { collapseSpace, firstCharacters } from "../../lib/text.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { documentProblem, fetchClientDocument } from "../../providers/client-document.ts";
import { OAuthError } from "./errors.ts";

/** A description is read again after this time. */
const FRESH_MS = DAY_MS;
const MAX_URIS = 10;
const NAME_CHARACTERS = 60;

export type Client = Pick<typeof oauthClients.$inferSelect, "id" | "name" | "redirectUris">;

/** Control characters and those that change the direction of text could make a name look like another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu;

const Described = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_URIS),
});

function describedBy(input: unknown): { name: string; redirectUris: string[] } {
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
  return { name: given || redirectHost(redirectUris[0] ?? ""), redirectUris };
}

/** Dynamic registration, of public clients only: whoever asks gets an id, and no secret that a program could not keep. */
export async function registerClient(ctx: Context, input: unknown) {
  const { name, redirectUris } = describedBy(input);
  const id = randomToken();
  await ctx.db.insert(oauthClients).values({ id, name, redirectUris, createdAt: ctx.now, readAt: ctx.now });
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
    throw new OAuthError("invalid_client", "This agent is not registered here, or was forgotten. Connect it again.");
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
    throw new OAuthError("invalid_client", "The agent's description names another client_id than its address.");
  }
  const described = describedBy(document);
  const row = { id, ...described, createdAt: ctx.now, readAt: ctx.now };
  const { createdAt: _, id: __, ...set } = row;
  await ctx.db.insert(oauthClients).values(row).onConflictDoUpdate({ target: oauthClients.id, set });
  return row;
}
