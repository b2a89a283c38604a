import type { Context } from "../../context.ts";
import { purgeExpired } from "../../db/purge.ts";
import { loginChallenges, loginFailures, mailTokens, sessions } from "../../db/schema/auth.ts";

/** Frees space only: expired credentials are refused whether or not they are still stored. */
export function purgeExpiredCredentials(ctx: Context): Promise<number> {
  return purgeExpired(ctx, [sessions, loginChallenges, loginFailures, mailTokens]);
}
