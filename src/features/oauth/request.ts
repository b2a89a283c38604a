import type { Context } from "../../context.ts";
import { AGENT_SCOPES, type AgentScope } from "../../lib/agent-rules.ts";
import { isRegistered } from "../../lib/redirect-uri.ts";
import { type Client, findClient, isAllowedAnything } from "./clients.ts";
import { OAuthError } from "./errors.ts";

/** What a client asks the person for. */
export interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  state: string | null;
  challenge: string;
  scopes: AgentScope[];
  resource: string;
}

/** A request of a client that somebody here has allowed before, but which is wrong: the client is told. */
export class RefusedRequest extends Error {
  readonly location: string;

  constructor(location: string) {
    super("refused");
    this.location = location;
  }
}

/** Where the person is sent back to, with `iss` and `state`, so that the client knows whose answer to what it is. */
export function backTo(
  { baseUrl }: Pick<Context, "baseUrl">,
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set("state", state);
  url.searchParams.set("iss", baseUrl);
  return url.href;
}

/**
 * Reads a request. While the client or its address is in doubt, the person is told, and sent nowhere. That goes for every
 * client that nobody has allowed anything: anybody can register one, and a link to this service would lead to wherever
 * they like (RFC 9700, 4.11.2).
 */
export async function readRequest(ctx: Context, given: URLSearchParams): Promise<AuthorizationRequest> {
  for (const name of new Set(given.keys())) {
    if (given.getAll(name).length > 1)
      throw new OAuthError("invalid_request", `The parameter ${name} was sent more than once.`);
  }
  const client = await findClient(ctx, given.get("client_id") ?? "");
  const redirectUri = given.get("redirect_uri") ?? "";
  if (!isRegistered(redirectUri, client.redirectUris)) {
    throw new OAuthError("invalid_request", "The redirect address is not registered for this agent.");
  }
  const state = given.get("state");
  try {
    return { client, redirectUri, state, ...wishesOf(ctx, given) };
  } catch (error) {
    if (!(error instanceof OAuthError) || !(await isAllowedAnything(ctx, client))) throw error;
    throw new RefusedRequest(backTo(ctx, { redirectUri, state }, error.body));
  }
}

function wishesOf(ctx: Context, given: URLSearchParams) {
  if (given.get("response_type") !== "code") {
    throw new OAuthError("unsupported_response_type", "response_type must be code.");
  }
  const challenge = given.get("code_challenge") ?? "";
  if (given.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge)) {
    throw new OAuthError(
      "invalid_request",
      "PKCE with S256 is required: send code_challenge and code_challenge_method.",
    );
  }
  return { challenge, scopes: scopesIn(given.get("scope")), resource: resourceIn(ctx, given.get("resource")) };
}

/** Scopes that are not offered are left out: the response to the code says what was granted. */
function scopesIn(text: string | null): AgentScope[] {
  const asked = text?.split(" ").filter(Boolean) ?? [];
  if (asked.length === 0) return [...AGENT_SCOPES];
  const known = AGENT_SCOPES.filter((scope) => asked.includes(scope));
  if (known.length === 0) throw new OAuthError("invalid_scope", `The scopes are ${AGENT_SCOPES.join(" ")}.`);
  return known;
}

/** Clients of the first version with OAuth name no resource; there is only one. */
export function resourceIn({ baseUrl }: Pick<Context, "baseUrl">, given: string | null): string {
  const resource = `${baseUrl}/mcp`;
  const asked = given !== null && URL.canParse(given) ? new URL(given).href.replace(/\/$/, "") : given;
  if (asked !== null && asked !== new URL(resource).href) {
    throw new OAuthError("invalid_target", `The resource is ${resource}.`);
  }
  return resource;
}
