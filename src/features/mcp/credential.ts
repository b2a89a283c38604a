import type { Context, Credential } from "../../context.ts";
import { API_KEY_PREFIX } from "../../lib/api-key.ts";
import { apiKeyCredential } from "../api-keys/service.ts";
import { grantCredential } from "../connections/credential.ts";

/** The address that access tokens are made for. */
function resourceOf({ baseUrl }: Pick<Context, "baseUrl">): string {
  return `${baseUrl}/mcp`;
}

/** A connection's access token or an API key. The token of a session is neither: that is for the person's own console. */
export function agentCredential(ctx: Context, bearer: string): Credential {
  return bearer.startsWith(API_KEY_PREFIX)
    ? apiKeyCredential(ctx, bearer, { isAgent: true })
    : grantCredential(ctx, bearer, resourceOf(ctx));
}
