import type { Context, Credential } from "../../context.ts";
import { API_KEY_PREFIX } from "../../lib/api-key.ts";
import { apiKeyCredential } from "../api-keys/service.ts";
import { sessionCredential } from "./sessions/service.ts";

/** Reads a bearer credential: an API key by its prefix, a session's token otherwise. Throws a 401 `AppError` on others. */
export async function readCredential(ctx: Context, bearer: string): Promise<Credential> {
  return bearer.startsWith(API_KEY_PREFIX) ? apiKeyCredential(ctx, bearer) : sessionCredential(ctx, bearer);
}
