import type { Actor, Context } from "../../context.ts";
import { API_KEY_PREFIX } from "../../lib/api-key.ts";
import { authenticateApiKey } from "../api-keys/service.ts";
import { authenticateSession } from "./sessions/service.ts";

/** The actor behind a bearer credential: an API key by its prefix, a session's token otherwise. */
export function authenticate(ctx: Context, credential: string): Promise<Actor> {
  return credential.startsWith(API_KEY_PREFIX)
    ? authenticateApiKey(ctx, credential)
    : authenticateSession(ctx, credential);
}
