import bcrypt from "bcryptjs";
import type { Context } from "../../../context.ts";
import { hmacSha256 } from "../../../lib/crypto.ts";
import { toBase64 } from "../../../lib/encoding.ts";
import { secretById } from "../../../lib/secrets.ts";

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

/** The stored form of a password: the hash and the id of its pepper. */
interface StoredPassword {
  passwordHash: string;
  pepperId: string;
}

export async function hashPassword(ctx: Pick<Context, "config">, password: string): Promise<StoredPassword> {
  const [current] = ctx.config.secrets("PASSWORD_PEPPER");
  return { passwordHash: await bcrypt.hash(pepper(current.value, password), COST), pepperId: current.id };
}

/** Takes equally long without an account, so that timing does not reveal whether there is one. */
export function passwordMatches(ctx: Context, password: string, stored: StoredPassword | undefined): Promise<boolean> {
  return passwordCheck(ctx, password)(stored);
}

/**
 * `passwordMatches` in two steps: the first runs while the database reads the account. A password whose pepper is
 * neither the current nor the previous one cannot be checked and counts as wrong.
 */
export function passwordCheck(
  ctx: Context,
  password: string,
): (stored: StoredPassword | undefined) => Promise<boolean> {
  const peppers = ctx.config.secrets("PASSWORD_PEPPER");
  const [current] = peppers;
  const peppered = pepper(current.value, password);
  return async (stored) => {
    const used = stored && secretById(peppers, stored.pepperId);
    const given = !used || used === current ? peppered : pepper(used.value, password);
    // One comparison in every case. Synchronous, because bcryptjs's asynchronous version pauses often and takes longer.
    return bcrypt.compareSync(given, used ? stored.passwordHash : DUMMY_HASH) && used !== undefined;
  };
}

/**
 * Whether the hash has a lower cost than today's or was made with the previous pepper. It is then replaced at the next
 * sign-in.
 */
export function isOutdated({ config }: Pick<Context, "config">, { passwordHash, pepperId }: StoredPassword): boolean {
  const [current] = config.secrets("PASSWORD_PEPPER");
  return pepperId !== current.id || bcrypt.getRounds(passwordHash) < COST;
}
