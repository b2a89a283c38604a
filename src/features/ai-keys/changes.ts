import { not } from "drizzle-orm";
import { type Context, forBookkeeping } from "../../context.ts";
import { AssertionFailed, assertThat, runBatch } from "../../db/assert.ts";
import type { ProviderName } from "../../lib/ai-kinds.ts";
import { AppError } from "../../lib/errors.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import { wasDoneSince } from "../audit/history.ts";
import { audit } from "../audit/service.ts";

/*
 * KV cannot compare and swap, and a read may be a minute old. So whoever writes a key notes it in the database first, in
 * a batch that fails if another writer could be overwritten. An entry of the log whose write then fails is harmless; a
 * write without an entry could be undone by a rotation.
 */

/** How long a read of KV may return what was there before a change. The platform says a minute or more. */
const KV_SETTLES_MS = 2 * MINUTE_MS;
/** Longer than a write to KV takes. */
const WRITE_MS = MINUTE_MS / 2;

/** Call it before a key is saved or removed. Fails while a rotation may be writing the old key. */
export async function noteChange(
  ctx: Context,
  action: "ai_key.saved" | "ai_key.removed",
  provider: ProviderName,
): Promise<void> {
  const busy = () => new AppError("unavailable", "AI keys are being encrypted again. Try again.", { retryAfter: 30 });
  await note(ctx, { action, provider, unless: ["ai_key.resealed"], withinMs: WRITE_MS, refusal: busy });
}

/** Whether a rotation may write a key again: not if the one it has read may have been replaced or removed since. */
export async function claimReseal(ctx: Context, provider: ProviderName): Promise<boolean> {
  try {
    const unless = ["ai_key.saved", "ai_key.removed"] as const;
    await note(forBookkeeping(ctx), { action: "ai_key.resealed", provider, unless, withinMs: KV_SETTLES_MS });
    return true;
  } catch (error) {
    if (error instanceof AssertionFailed) return false;
    throw error;
  }
}

type KeyAction = `ai_key.${"saved" | "removed" | "resealed"}`;

interface Note {
  action: KeyAction;
  provider: ProviderName;
  unless: readonly KeyAction[];
  withinMs: number;
  refusal?: () => AppError;
}

async function note(given: Context, { action, provider, unless, withinMs, refusal }: Note): Promise<void> {
  // The request may have begun long before.
  const now = new Date();
  const ctx = { ...given, now };
  const userId = "user" in ctx.actor ? ctx.actor.user.id : null;
  const isFree = not(wasDoneSince(unless, new Date(now.getTime() - withinMs)));
  await runBatch(ctx.db, [
    assertThat(ctx.db, "ai_keys_free", isFree, refusal),
    audit(ctx, action, { userId, details: { provider } }),
  ]);
}
