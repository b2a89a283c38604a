import bcrypt from "bcryptjs";
import type { Context } from "../../../context.ts";
import { hmacSha256 } from "../../../lib/crypto.ts";
import { toBase64 } from "../../../lib/encoding.ts";

const COST = 10;

/** Hash of an unknown password. Checked for addresses without an account, so that timing does not reveal them. */
const DUMMY_HASH = "$2b$10$aYIt0SgMl1ruwEDxK9LuYOEf0R7qdR8vtP05Gp5PoqKIujSo6FZB.";

/**
 * bcrypt reads at most 72 bytes and stops at NUL, so it is given a keyed digest of the password: always 44 characters,
 * and useless to anyone who steals the database without the pepper.
 */
export function pepper(secret: string, password: string): string {
  return toBase64(hmacSha256(secret, password));
}

export function hashPassword(ctx: Pick<Context, "config">, password: string): Promise<string> {
  return bcrypt.hash(pepper(ctx.config.secret("PASSWORD_PEPPER"), password), COST);
}

/** Takes equally long without a hash, so that timing does not reveal whether an account exists. */
export function passwordMatches(ctx: Context, password: string, hash: string | undefined): Promise<boolean> {
  return passwordCheck(ctx, password)(hash);
}

/** `passwordMatches` in two steps: the first runs while the database reads the hash. */
export function passwordCheck(ctx: Context, password: string): (hash: string | undefined) => Promise<boolean> {
  const peppered = pepper(ctx.config.secret("PASSWORD_PEPPER"), password);
  // Synchronous, because bcryptjs's asynchronous version pauses often and takes longer.
  return async (hash) => bcrypt.compareSync(peppered, hash ?? DUMMY_HASH) && hash !== undefined;
}

/** Whether a hash has a lower cost than today's. It is then replaced at the next sign-in. */
export function isOutdated(hash: string): boolean {
  return bcrypt.getRounds(hash) < COST;
}
