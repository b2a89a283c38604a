import { and, eq, ne } from "drizzle-orm";
import { type Context, isPerson } from "../../context.ts";
import { modelState } from "../../db/schema/ai-models.ts";
import type { EngineChoice } from "../../lib/ai-kinds.ts";
import { AppError } from "../../lib/errors.ts";
import { type Credentials, readCredentials } from "../ai-keys/credentials.ts";
import { type CatalogueEntry, catalogue, modelNamed } from "./catalogue.ts";
import type { ActiveModel, ModelEntry } from "./schemas.ts";

const theState = eq(modelState.id, 1);

type State = Pick<typeof modelState.$inferSelect, "model" | "updatedAt">;

export function selectState(ctx: Context) {
  return ctx.db.select().from(modelState).where(theState);
}

/**
 * The selected model; null while models are switched off. Until one is selected it is the first that can be used, so that
 * saving any key is enough.
 */
export function activeEntry(ctx: Context, state: State | undefined, credentials: Credentials): CatalogueEntry | null {
  if (state?.model === "builtin") return null;
  const selected = modelNamed(ctx.config, credentials, state?.model ?? "model_a");
  if (state?.updatedAt) return selected;
  return catalogue(ctx.config, credentials).find(({ provider }) => credentials.isConfigured(provider)) ?? selected;
}

export const SWITCHED_OFF = "Models are switched off. Select one with POST /api/ai-model.";

/** Refuses to go on with a model that was switched off since the request began. */
export async function requireModelsOn(ctx: Context): Promise<void> {
  const [state] = await selectState(ctx);
  if (state?.model === "builtin") throw new AppError("model_not_configured", SWITCHED_OFF);
}

export async function getActiveModel(ctx: Context): Promise<ActiveModel> {
  const [[state], credentials] = await Promise.all([selectState(ctx), readCredentials(ctx)]);
  return toActive(activeEntry(ctx, state, credentials), state?.updatedAt ?? null, credentials);
}

/** Only a person switches models on again: a program must not be able to send texts to a provider against their will. */
export async function setActiveModel(ctx: Context, model: EngineChoice): Promise<ActiveModel> {
  const mayChange = isPerson(ctx) || model === "builtin" ? theState : and(theState, ne(modelState.model, "builtin"));
  const [[state], credentials] = await Promise.all([
    ctx.db.update(modelState).set({ model, updatedAt: ctx.now }).where(mayChange).returning(),
    readCredentials(ctx),
  ]);
  if (!state) throw new AppError("forbidden", "Models are switched off. Only a person can switch them on again.");
  return toActive(activeEntry(ctx, state, credentials), state.updatedAt, credentials);
}

function toActive(entry: CatalogueEntry | null, updatedAt: Date | null, credentials: Credentials): ActiveModel {
  return {
    ...(entry ?? { model: "builtin", provider: null, upstreamModel: null }),
    available: entry === null || credentials.isConfigured(entry.provider),
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}

export async function listModels(ctx: Context): Promise<ModelEntry[]> {
  const [[state], credentials] = await Promise.all([selectState(ctx), readCredentials(ctx)]);
  const active = activeEntry(ctx, state, credentials)?.model;
  return catalogue(ctx.config, credentials).map((entry) => {
    const available = credentials.isConfigured(entry.provider);
    return {
      ...entry,
      active: entry.model === active,
      available,
      unavailableReason: available ? null : howToAdd(entry),
    };
  });
}

/** How to make a model available. */
export function howToAdd({ provider }: CatalogueEntry): string {
  if (provider === "workers-ai") {
    return "Bind Workers AI as AI, or save a key and a baseUrl for workers-ai with POST /api/api-keys.";
  }
  if (provider === "custom") return "Save a baseUrl for custom with POST /api/api-keys.";
  return `Save a key for ${provider} with POST /api/api-keys, or set ${provider.toUpperCase()}_API_KEY.`;
}
