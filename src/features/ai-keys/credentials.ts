import * as z from "zod";
import type { Context } from "../../context.ts";
import { PROVIDERS, type ProviderName } from "../../lib/ai-kinds.ts";
import { seal, unseal } from "../../lib/encryption.ts";
import { AppError } from "../../lib/errors.ts";
import { errorFields, log } from "../../log.ts";

/** Kept in KV, sealed as a whole: nobody can send a key to another address by changing what is stored. */
const Stored = z.object({ key: z.string(), baseUrl: z.string().nullable(), updatedAt: z.string() });
export type StoredKey = z.infer<typeof Stored>;

const FORMAT = 1;

export function storageName(provider: ProviderName): string {
  return `ai-key:${provider}`;
}

export function sealKey(ctx: Context, provider: ProviderName, key: StoredKey): Promise<string> {
  return seal(ctx.config.secret("ENCRYPTION_KEY"), purposeOf(provider), JSON.stringify(key));
}

async function openKey(ctx: Context, provider: ProviderName, sealed: string | null): Promise<StoredKey | null> {
  if (sealed === null) return null;
  const plain = await unseal(ctx.config.secret("ENCRYPTION_KEY"), purposeOf(provider), sealed);
  if (plain === null) {
    log("warn", "ai_key_unreadable", { provider, requestId: ctx.requestId });
    return null;
  }
  return Stored.parse(JSON.parse(plain));
}

function purposeOf(provider: ProviderName): string {
  return `ai key ${provider} ${FORMAT}`;
}

/** How the providers can be reached right now. Read anew for each request, so that a change holds from the next. */
export interface Credentials {
  /** A runtime key, one of the environment, or the binding. */
  isConfigured(provider: ProviderName): boolean;
  anyConfigured: boolean;
  /** The runtime key where there is one, else the environment's; null when there is neither. */
  read(provider: ProviderName): { key: string | null; baseUrl: string | null } | null;
}

/** One read for all providers. */
export async function readSealedKeys(ctx: Context): Promise<Map<string, string | null>> {
  try {
    return await ctx.config.bindings.KV.get(PROVIDERS.map(storageName));
  } catch (error) {
    log("error", "ai_keys_not_read", { requestId: ctx.requestId, ...errorFields(error) });
    throw new AppError("unavailable", "The key store cannot be read right now.", { retryAfter: 5 });
  }
}

export async function readCredentials(ctx: Context): Promise<Credentials> {
  const runtime = await readKeys(ctx);
  const isConfigured = (provider: ProviderName) => runtime.has(provider) || isInEnvironment(ctx, provider);
  return {
    isConfigured,
    anyConfigured: PROVIDERS.some(isConfigured),
    read(provider) {
      const stored = runtime.get(provider)?.();
      if (stored) return stored;
      return isInEnvironment(ctx, provider) ? { key: environmentKey(ctx, provider), baseUrl: null } : null;
    },
  };
}

/**
 * The runtime keys that this service can read; one it cannot is as good as none. Where it lacks the secret to try,
 * whoever takes a key is told so.
 */
export async function readKeys(ctx: Context): Promise<Map<ProviderName, () => StoredKey>> {
  const sealed = await readSealedKeys(ctx);
  const keys = new Map<ProviderName, () => StoredKey>();
  for (const provider of PROVIDERS) {
    try {
      const key = await openKey(ctx, provider, sealed.get(storageName(provider)) ?? null);
      if (key) keys.set(provider, () => key);
    } catch (error) {
      keys.set(provider, () => {
        throw error;
      });
    }
  }
  return keys;
}

export function isInEnvironment(ctx: Context, provider: ProviderName): boolean {
  if (provider === "workers-ai") return ctx.config.bindings.AI !== undefined;
  return environmentKey(ctx, provider) !== null;
}

function environmentKey({ config }: Context, provider: ProviderName): string | null {
  if (provider === "openai") return config.OPENAI_API_KEY ?? null;
  if (provider === "anthropic") return config.ANTHROPIC_API_KEY ?? null;
  if (provider === "google") return config.GOOGLE_API_KEY ?? null;
  return null;
}
