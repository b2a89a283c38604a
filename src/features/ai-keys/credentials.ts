import * as z from "zod";
import type { Context } from "../../context.ts";
import { type SealedStore, sealValue, unsealValue } from "../../db/sealed.ts";
import { MODELS, type ModelName, PROVIDERS, type ProviderName } from "../../lib/ai-kinds.ts";
import { AppError } from "../../lib/errors.ts";
import { errorFields, log } from "../../log.ts";
import { claimReseal } from "./changes.ts";

/** Stored in KV and encrypted as a whole, so that changing the stored value cannot send a key to another address. */
const StoredKey = z.object({
  key: z.string().nullable(),
  baseUrl: z.string().nullable(),
  model: z.enum(MODELS).nullable().default(null),
  upstreamModel: z.string().nullable().default(null),
  updatedAt: z.string(),
});
export type StoredKey = z.infer<typeof StoredKey>;

const FORMAT = 1;

export function storageName(provider: ProviderName): string {
  return `ai-key:${provider}`;
}

export function sealKey(ctx: Context, provider: ProviderName, key: StoredKey): Promise<string> {
  return sealValue(ctx, purposeOf(provider), JSON.stringify(key));
}

async function openKey(ctx: Context, provider: ProviderName, sealed: string | null): Promise<StoredKey | null> {
  if (sealed === null) return null;
  const plain = await unsealValue(ctx, { purpose: purposeOf(provider), sealed });
  if (plain === null) {
    log("warn", "ai_key_unreadable", { provider, requestId: ctx.requestId });
    return null;
  }
  return StoredKey.parse(JSON.parse(plain));
}

function purposeOf(provider: ProviderName): string {
  return `ai key ${provider} ${FORMAT}`;
}

/** Only a rotation seals a key again, because KV cannot compare and swap: see changes.ts. */
export const aiKeys: SealedStore = {
  kind: "ai_keys",
  async list(ctx) {
    const stored = await readSealedKeys(ctx);
    const values = PROVIDERS.flatMap((provider) => {
      const sealed = stored.get(storageName(provider));
      if (!sealed) return [];
      const replace = async (fresh: string) => {
        if (!(await claimReseal(ctx, provider))) return false;
        await ctx.config.bindings.KV.put(storageName(provider), fresh);
        return true;
      };
      return [{ purpose: purposeOf(provider), sealed, replace }];
    });
    return { values, next: null };
  },
};

/** How the providers can be reached. Read for each request, so that a change applies from the next one. */
export interface Credentials {
  /** There is a runtime key, a key in the environment, or the binding. */
  isConfigured(provider: ProviderName): boolean;
  anyConfigured: boolean;
  /** The runtime key, otherwise the environment's; null when there is neither. */
  read(provider: ProviderName): { key: string | null; baseUrl: string | null } | null;
  /** The models that runtime keys put in place of the configured ones. */
  models: RuntimeModels;
}

type RuntimeModels = ReadonlyMap<ModelName, { provider: ProviderName; upstreamModel: string }>;

/** One read for all providers. */
export async function readSealedKeys(ctx: Context): Promise<Map<string, string | null>> {
  try {
    return await ctx.config.bindings.KV.get(PROVIDERS.map(storageName));
  } catch (error) {
    log("error", "ai_keys_not_read", { requestId: ctx.requestId, ...errorFields(error) });
    throw new AppError("unavailable", "The key store cannot be read right now. Try again.", { retryAfter: 5 });
  }
}

export async function readCredentials(ctx: Context): Promise<Credentials> {
  const { keys, models } = await readKeys(ctx);
  const isConfigured = (provider: ProviderName) => keys.has(provider) || isInEnvironment(ctx, provider);
  return {
    isConfigured,
    anyConfigured: PROVIDERS.some(isConfigured),
    read(provider) {
      const stored = keys.get(provider)?.();
      if (stored) return stored;
      return isInEnvironment(ctx, provider) ? { key: environmentKey(ctx, provider), baseUrl: null } : null;
    },
    models,
  };
}

/**
 * The runtime keys that this service can decrypt; one that it cannot counts as absent. Without the secret to try,
 * reading a key throws `misconfigured`.
 */
export async function readKeys(
  ctx: Context,
): Promise<{ keys: Map<ProviderName, () => StoredKey>; models: RuntimeModels }> {
  const sealed = await readSealedKeys(ctx);
  const keys = new Map<ProviderName, () => StoredKey>();
  const readable: (StoredKey & { provider: ProviderName })[] = [];
  for (const provider of PROVIDERS) {
    try {
      const key = await openKey(ctx, provider, sealed.get(storageName(provider)) ?? null);
      if (!key) continue;
      keys.set(provider, () => key);
      readable.push({ ...key, provider });
    } catch (error) {
      keys.set(provider, () => {
        throw error;
      });
    }
  }
  // Of two keys for one model the newer wins: it is set last.
  readable.sort((one, other) => one.updatedAt.localeCompare(other.updatedAt));
  const models = readable.flatMap(({ model, upstreamModel, provider }) =>
    model && upstreamModel ? [[model, { provider, upstreamModel }] as const] : [],
  );
  return { keys, models: new Map(models) };
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
