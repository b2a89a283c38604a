import type { Context } from "../../../context.ts";
import { equalBytes, hmacSha256 } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";

/**
 * Whether a registration may make its account the owner. In production that needs the token: otherwise any stranger
 * could take over a service that was just deployed, or whose last account was deleted.
 */
export function maySetUp({ config }: Context, given: string | undefined): boolean {
  const { SETUP_TOKEN, ALLOW_PRIVATE_HOSTS } = config;
  if (SETUP_TOKEN === undefined) return ALLOW_PRIVATE_HOSTS;
  if (SETUP_TOKEN === null || given === undefined) return false;
  // Digests of equal length, so that the comparison takes equally long for every wrong token.
  return equalBytes(hmacSha256("setup token", given.trim()), hmacSha256("setup token", SETUP_TOKEN));
}

/** The error for a registration that may not make its account the owner. */
export function setupRefused({ config }: Context): AppError {
  if (typeof config.SETUP_TOKEN === "string") {
    const detail = "Send the secret SETUP_TOKEN of this service in `setupToken` to register its owner.";
    return new AppError("setup_token_required", detail);
  }
  const problem = config.SETUP_TOKEN === null ? "SETUP_TOKEN is too weak" : "SETUP_TOKEN is missing";
  const cure = "Set it with `wrangler secret put SETUP_TOKEN --env production`, and send it in `setupToken`.";
  return new AppError("misconfigured", `${problem}: nobody can register as the owner. ${cure}`);
}
