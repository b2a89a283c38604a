import type { Context } from "../../context.ts";
import { PROVIDERS, type ProviderName } from "../../lib/ai-kinds.ts";
import { AppError } from "../../lib/errors.ts";
import { outsideAddressProblem } from "../../lib/outside-address.ts";
import { errorFields, log } from "../../log.ts";
import { audit } from "../audit/service.ts";
import { isInEnvironment, readKeys, readSealedKeys, type StoredKey, sealKey, storageName } from "./credentials.ts";
import type { AiKey, NewAiKeyInput } from "./schemas.ts";

/** The providers and where their keys come from; never a part of a key. */
export async function listKeys(ctx: Context): Promise<AiKey[]> {
  const runtime = await readKeys(ctx);
  return PROVIDERS.map((provider) => toEntry(ctx, provider, runtime.get(provider)?.() ?? null));
}

function toEntry(ctx: Context, provider: ProviderName, runtime: StoredKey | null): AiKey {
  const source = runtime ? "runtime" : isInEnvironment(ctx, provider) ? "environment" : "none";
  return {
    keyId: provider,
    provider,
    configured: source !== "none",
    source,
    baseUrl: runtime?.baseUrl ?? null,
    updatedAt: runtime?.updatedAt ?? null,
  };
}

/** These have no address of their own. */
const NEED_ADDRESS: ReadonlySet<ProviderName> = new Set(["custom", "workers-ai"]);

/** Saves a key over whatever stood there. It is used from the next request on. */
export async function saveKey(ctx: Context, input: NewAiKeyInput): Promise<{ entry: AiKey; isNew: boolean }> {
  const { provider, key } = input;
  const baseUrl = input.baseUrl?.replace(/\/+$/, "") ?? null;
  checkAddress(ctx, provider, baseUrl);
  const { KV } = ctx.config.bindings;
  const isNew = !(await hasKey(ctx, provider));
  const stored = { key, baseUrl, updatedAt: ctx.now.toISOString() };
  const sealed = await sealKey(ctx, provider, stored);
  await orUnavailable(ctx, () => KV.put(storageName(provider), sealed));
  await audit(ctx, "ai_key.saved", { userId: userOf(ctx), details: { provider } });
  return { entry: toEntry(ctx, provider, stored), isNew };
}

function checkAddress(ctx: Context, provider: ProviderName, baseUrl: string | null): void {
  const problem =
    baseUrl === null
      ? NEED_ADDRESS.has(provider)
        ? `is required for the provider ${provider}`
        : null
      : outsideAddressProblem(baseUrl, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  if (problem) {
    throw new AppError("validation_failed", `baseUrl: ${problem}`, { errors: [{ path: "baseUrl", message: problem }] });
  }
}

/** Takes the override away: the environment's key, if there is one, holds again. */
export async function removeKey(ctx: Context, provider: ProviderName): Promise<void> {
  const { KV } = ctx.config.bindings;
  if (!(await hasKey(ctx, provider))) {
    throw new AppError("not_found", `There is no runtime key for ${provider}.`);
  }
  await orUnavailable(ctx, () => KV.delete(storageName(provider)));
  await audit(ctx, "ai_key.removed", { userId: userOf(ctx), details: { provider } });
}

/** Every provider's runtime key. */
export async function eraseKeys(ctx: Context): Promise<void> {
  const { KV } = ctx.config.bindings;
  await orUnavailable(ctx, async () => {
    await Promise.all(PROVIDERS.map((provider) => KV.delete(storageName(provider))));
  });
}

async function hasKey(ctx: Context, provider: ProviderName): Promise<boolean> {
  return typeof (await readSealedKeys(ctx)).get(storageName(provider)) === "string";
}

/** The store takes one write a second for a name. */
async function orUnavailable(ctx: Context, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log("error", "ai_key_not_written", { requestId: ctx.requestId, ...errorFields(error) });
    throw new AppError("unavailable", "The key store did not take the change. Try again.", { retryAfter: 1 });
  }
}

function userOf({ actor }: Context): number | null {
  return "user" in actor ? actor.user.id : null;
}
