import type { Context } from "../context.ts";
import { isSealedWith, seal, unseal } from "../lib/encryption.ts";
import type { Secrets } from "../lib/secrets.ts";
import { errorFields, log } from "../log.ts";

/** A stored value that is encrypted with ENCRYPTION_KEY. */
export interface SealedValue {
  /** What the value is and whose. Sealed and opened with the same words. */
  purpose: string;
  sealed: string;
  /** Stores `fresh` in its place and returns true, unless the stored value has changed since it was read. */
  replace(fresh: string): Promise<boolean>;
}

/**
 * A place where sealed values are stored. Each one is listed in features/maintenance/rotation.ts, so that a rotation of
 * ENCRYPTION_KEY forgets none.
 */
export interface SealedStore {
  kind: string;
  /** Up to `limit` values after a position, from 0 on, and where the next ones begin; null at the end. */
  list(ctx: Context, after: number, limit: number): Promise<{ values: SealedValue[]; next: number | null }>;
}

export function sealValue(ctx: Context, purpose: string, plain: string): Promise<string> {
  return seal(encryptionKeys(ctx), purpose, plain);
}

/** The plain text, or null if no key opens the value. Never stores anything. */
export function unsealValue(ctx: Context, { purpose, sealed }: Omit<SealedValue, "replace">): Promise<string | null> {
  return unseal(encryptionKeys(ctx), purpose, sealed);
}

/**
 * For what a client keeps for a while and gives back: nothing is stored, so a rotation has nothing to seal again. With
 * JWT_SECRET, as cursors and sessions.
 */
export function sealForClient({ config }: Context, purpose: string, plain: string): Promise<string> {
  return seal(config.secrets("JWT_SECRET"), purpose, plain);
}

export function unsealFromClient({ config }: Context, purpose: string, sealed: string): Promise<string | null> {
  return unseal(config.secrets("JWT_SECRET"), purpose, sealed);
}

/** The plain text as `unsealValue` gives it, and after the response seals a value of the previous key again with the current one. */
export async function openValue(ctx: Context, value: SealedValue): Promise<string | null> {
  const plain = await unsealValue(ctx, value);
  if (plain !== null && !isCurrent(ctx, value)) ctx.defer(resealQuietly(ctx, value, plain));
  return plain;
}

/** The value was read, so a failure to store it again is only logged: the next read or `npm run rotate` does it. */
async function resealQuietly(ctx: Context, value: SealedValue, plain: string): Promise<void> {
  try {
    await value.replace(await sealValue(ctx, value.purpose, plain));
  } catch (error) {
    log("warn", "value_not_resealed", { requestId: ctx.requestId, ...errorFields(error) });
  }
}

/** `waiting`: it changed meanwhile, so a later run has to look at it again. */
type Resealed = "alreadyCurrent" | "resealed" | "waiting" | "unreadable";

export async function resealValue(ctx: Context, value: SealedValue): Promise<Resealed> {
  const plain = await unsealValue(ctx, value);
  if (plain === null) return "unreadable";
  if (isCurrent(ctx, value)) return "alreadyCurrent";
  return (await value.replace(await sealValue(ctx, value.purpose, plain))) ? "resealed" : "waiting";
}

function isCurrent(ctx: Context, { sealed }: SealedValue): boolean {
  const [current] = encryptionKeys(ctx);
  return isSealedWith(current, sealed);
}

function encryptionKeys({ config }: Context): Secrets {
  return config.secrets("ENCRYPTION_KEY");
}
