import { env } from "cloudflare:workers";
import { inject } from "vitest";
import type { Env } from "../../src/config.ts";
import type { Context } from "../../src/context.ts";
import { sealKey, storageName } from "../../src/features/ai-keys/credentials.ts";
import type { ProviderName } from "../../src/lib/ai-kinds.ts";
import type { SeenRequest, Turn } from "../fakes/llm/server.ts";
import { service, systemCtx } from "../harness.ts";

// Loaded by the service on the first use, which would be a slow first test.
await Promise.all([
  import("../../src/providers/llm/sdk.ts"),
  import("../../src/providers/llm/openai-compatible.ts"),
  import("../../src/providers/llm/anthropic.ts"),
  import("../../src/providers/llm/google.ts"),
]);

const PATHS: Record<ProviderName, string> = {
  openai: "/openai/v1",
  custom: "/openai/v1",
  "workers-ai": "/openai/v1",
  anthropic: "/anthropic/v1",
  google: "/google/v1beta",
};

/** What a model of each provider is called here; the anthropic one is known to take a schema. */
const MODELS: Record<ProviderName, string> = {
  openai: "gpt-x",
  custom: "llama-x",
  "workers-ai": "@cf/x/y",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-x",
};

/** A key-value store of one's own: the real one, under names nobody else has. */
export function ownStore(): KVNamespace {
  const prefix = `${crypto.randomUUID()}:`;
  const store = {
    async get(names: string | string[]) {
      if (typeof names === "string") return env.KV.get(prefix + names);
      const found = await env.KV.get(names.map((name) => prefix + name));
      return new Map(names.map((name) => [name, found.get(prefix + name) ?? null]));
    },
    put: (name: string, value: string) => env.KV.put(prefix + name, value),
    delete: (name: string) => env.KV.delete(prefix + name),
    async list({ prefix: start = "" }: KVNamespaceListOptions = {}) {
      const { keys, ...rest } = await env.KV.list({ prefix: prefix + start });
      return { ...rest, keys: keys.map(({ name }) => ({ name: name.slice(prefix.length) })) };
    },
  };
  return store as unknown as KVNamespace;
}

/** The service with a key for one provider, and that provider's fake, which says what it is told to. */
export async function newTenant(provider: ProviderName = "openai", vars: Partial<Env> = {}) {
  const key = `key-${crypto.randomUUID()}`;
  const base = inject("modelsUrl");
  const all: Partial<Env> = { KV: ownStore(), MODEL_A: `${provider}/${MODELS[provider]}`, ...vars };
  const context = (): Context => systemCtx(all);
  const stored = {
    key,
    baseUrl: base + PATHS[provider],
    model: null,
    upstreamModel: null,
    updatedAt: new Date().toISOString(),
  };
  await all.KV?.put(storageName(provider), await sealKey(context(), provider, stored));

  async function control(verb: string, command: unknown = {}): Promise<SeenRequest[]> {
    const response = await fetch(`${base}/control/${key}/${verb}`, { method: "POST", body: JSON.stringify(command) });
    return response.json();
  }
  return {
    key,
    vars: all,
    client: service(all),
    context,
    says: (...turns: Turn[]) => control("script", turns),
    requests: () => control("requests"),
    /** Lets the answers go that are held, those to come included. */
    release: () => control("release"),
  };
}

/** The events of a `text/event-stream` answer. */
export function eventsOf(text: string): { event: string; data: Record<string, unknown> }[] {
  return text
    .split("\n\n")
    .filter((block) => /^event: /m.test(block))
    .map((block) => ({
      event: /^event: (.*)$/m.exec(block)?.[1] ?? "",
      data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "null"),
    }));
}

/** What was written down of this model's or engine's calls since, newest last. */
export async function callsSince(id: number) {
  const { results } = await env.DB.prepare("SELECT * FROM ai_calls WHERE id > ? ORDER BY id").bind(id).all<{
    task: string;
    model: string;
    provider: string | null;
    input_tokens: number;
    output_tokens: number;
    fallback_reason: string | null;
  }>();
  return results;
}

export async function lastCallId(): Promise<number> {
  const row = await env.DB.prepare("SELECT max(id) AS id FROM ai_calls").first<{ id: number | null }>();
  return row?.id ?? 0;
}
