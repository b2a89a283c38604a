import type { Context, Credential } from "../../context.ts";
import { API_KEY_PREFIX } from "../../lib/api-key.ts";
import { apiKeyCredential } from "../api-keys/service.ts";
import { cookieCredential, sessionCredential } from "./sessions/credential.ts";

/**
 * Reads a credential. In the header: an API key by its prefix, a session's token otherwise. In the cookie: the refresh
 * token of a session. Throws a 401 `AppError` on others.
 */
export async function readCredential(
  ctx: Context,
  given: string,
  source: "header" | "cookie" = "header",
): Promise<Credential> {
  if (source === "cookie") return cookieCredential(ctx, given);
  return given.startsWith(API_KEY_PREFIX) ? apiKeyCredential(ctx, given) : sessionCredential(ctx, given);
}
