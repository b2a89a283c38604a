import bcrypt from "bcryptjs";
import type { Context } from "../../../context.ts";
import { hmacSha256 } from "../../../lib/crypto.ts";
import { toBase64 } from "../../../lib/encoding.ts";

const COST = 10;

/** Of a password nobody knows: checking against it takes as long as checking a real one. */
const NOBODYS_HASH = "$2b$10$aYIt0SgMl1ruwEDxK9LuYOEf0R7qdR8vtP05Gp5PoqKIujSo6FZB.";

/**
 * bcrypt reads 72 bytes and stops at NUL, so it is given a keyed digest of the password instead:
 * always 44 harmless characters, and worthless to who steals the database without the pepper.
 */
export function pepper(secret: string, password: string): string {
  return toBase64(hmacSha256(secret, password));
}

export function hashPassword(ctx: Pick<Context, "config">, password: string): Promise<string> {
  return bcrypt.hash(pepper(ctx.config.secret("PASSWORD_PEPPER"), password), COST);
}

/** Checks a password against a hash, with the same work when there is none, so that timing tells nothing. */
export function passwordMatches(ctx: Context, password: string, hash: string | undefined): Promise<boolean> {
  return passwordCheck(ctx, password)(hash);
}

/** The same in two steps: what needs no hash can be done while the database looks for one. */
export function passwordCheck(ctx: Context, password: string): (hash: string | undefined) => Promise<boolean> {
  const peppered = pepper(ctx.config.secret("PASSWORD_PEPPER"), password);
  // In one go: the work fills its thread either way, and bcryptjs's pauses only make it longer.
  return async (hash) => bcrypt.compareSync(peppered, hash ?? NOBODYS_HASH) && hash !== undefined;
}

/** A hash made with a lower cost than today's is replaced at the next login. */
export function isOutdated(hash: string): boolean {
  return bcrypt.getRounds(hash) < COST;
}
