import type { Context } from "../../context.ts";
import { PROVIDERS, type ProviderName } from "../../lib/ai-kinds.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { outsideAddressProblem } from "../../lib/outside-address.ts";
import { errorFields, log } from "../../log.ts";
import { servedModels } from "../../providers/llm/served-models.ts";
import { discardFiles, reuseFile } from "../files/service.ts";
import { sendSecurityAlert } from "../notifications/security-alerts.ts";
import { noteChange } from "./changes.ts";
import { isInEnvironment, readKeys, readSealedKeys, type StoredKey, sealKey, storageName } from "./credentials.ts";
import type { AiKey, NewAiKeyInput } from "./schemas.ts";

export async function listKeys(ctx: Context): Promise<AiKey[]> {
  const { keys } = await readKeys(ctx);
  return PROVIDERS.map((provider) => toEntry(ctx, provider, keys.get(provider)?.() ?? null));
}

function toEntry(ctx: Context, provider: ProviderName, runtime: StoredKey | null): AiKey {
  const source = runtime ? "runtime" : isInEnvironment(ctx, provider) ? "environment" : "none";
  return {
    keyId: provider,
    provider,
    configured: source !== "none",
    source,
    baseUrl: runtime?.baseUrl ?? null,
    model: runtime?.model ?? null,
    upstreamModel: runtime?.upstreamModel ?? null,
    updatedAt: runtime?.updatedAt ?? null,
  };
}

/** These have no address of their own. */
const NEEDS_BASE_URL: ReadonlySet<ProviderName> = new Set(["custom", "workers-ai"]);

/** Replaces the provider's runtime key. */
export async function saveKey(ctx: Context, input: NewAiKeyInput): Promise<{ entry: AiKey; isNew: boolean }> {
  const { provider, key = null } = input;
  const baseUrl = input.baseUrl?.replace(/(?<!\/)\/+$/, "") ?? null;
  checkAddress(ctx, input);
  const { KV } = ctx.config.bindings;
  const [isKnown, assigned] = await Promise.all([hasKey(ctx, provider), assignedModel(ctx, input, baseUrl)]);
  const stored = { key, baseUrl, ...assigned, updatedAt: ctx.now.toISOString() };
  const sealed = await sealKey(ctx, provider, stored);
  await reuseFile(ctx, storageName(provider));
  await noteChange(ctx, "ai_key.saved", provider);
  await orUnavailable(ctx, () => KV.put(storageName(provider), sealed));
  tellOfKey(ctx, provider, baseUrl);
  return { entry: toEntry(ctx, provider, stored), isNew: !isKnown };
}

function tellOfKey(ctx: Context, provider: ProviderName, baseUrl: string | null): void {
  if (!("user" in ctx.actor)) return;
  const place = baseUrl === null ? `the account of this key at ${provider}` : new URL(baseUrl).host;
  const explanation = `Emails and messages that this provider works on are now sent to ${place}.`;
  sendSecurityAlert(ctx, ctx.actor.user, `A key for the AI provider ${provider} was saved`, explanation);
}

/** A custom server always gets a model, so that it can be used at once, unless a variable has named one. */
async function assignedModel(
  { config }: Context,
  { provider, key, model, upstreamModel }: NewAiKeyInput,
  baseUrl: string | null,
): Promise<Pick<StoredKey, "model" | "upstreamModel">> {
  if (model === undefined && upstreamModel === undefined) {
    const configured = [config.MODEL_A, config.MODEL_B, config.MODEL_C, config.MODEL_D];
    const hasModel = provider !== "custom" || configured.some((name) => name?.startsWith("custom/"));
    if (hasModel) return { model: null, upstreamModel: null };
  }
  return {
    model: model ?? "model_d",
    upstreamModel: upstreamModel ?? (baseUrl && (await servedModels(baseUrl, { key: key ?? null }))[0]) ?? "default",
  };
}

/** Throws if a valid request lacks the address that its provider needs, or names one that none may have. */
export function checkNamedAddress(ctx: Context, body: Readonly<Record<string, unknown>>): void {
  checkAddress(ctx, assertType<NewAiKeyInput>(body));
}

function checkAddress(ctx: Context, { provider, baseUrl = null }: Pick<NewAiKeyInput, "provider" | "baseUrl">): void {
  const problem =
    baseUrl === null
      ? NEEDS_BASE_URL.has(provider)
        ? `is required for the provider ${provider}`
        : null
      : outsideAddressProblem(baseUrl, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  if (problem) throw validationFailed({ path: "baseUrl", message: problem });
}

export async function removeKey(ctx: Context, provider: ProviderName): Promise<void> {
  const { KV } = ctx.config.bindings;
  if (!(await hasKey(ctx, provider))) {
    throw new AppError("not_found", `No runtime key is saved for ${provider}.`);
  }
  await noteChange(ctx, "ai_key.removed", provider);
  await orUnavailable(ctx, () => KV.delete(storageName(provider)));
}

/** Does not wait for the key store, so that an account can be deleted while it is down. */
export function eraseKeys(ctx: Context): Promise<void> {
  return discardFiles(ctx, PROVIDERS.map(storageName));
}

async function hasKey(ctx: Context, provider: ProviderName): Promise<boolean> {
  return typeof (await readSealedKeys(ctx)).get(storageName(provider)) === "string";
}

/** KV accepts one write per second for each key. */
async function orUnavailable(ctx: Context, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log("error", "ai_key_not_written", { requestId: ctx.requestId, ...errorFields(error) });
    throw new AppError("unavailable", "The key store did not accept the change. Try again.", { retryAfter: 1 });
  }
}
