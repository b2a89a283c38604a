import type { LanguageModel } from "ai";
import type { ProviderName } from "../../lib/ai-kinds.ts";
import { createTransport } from "./transport.ts";

interface Access {
  provider: ProviderName;
  /** The provider's name of it. */
  model: string;
  key: string | null;
  /** Default: the provider's own address. */
  baseUrl: string | null;
  /** With the binding, Workers AI needs no key. */
  binding: Ai | undefined;
  /** Throws if a failed request must not be sent again. */
  beforeRetry: () => Promise<void>;
}

interface OpenedModel {
  languageModel: LanguageModel;
  /** Whether it accepts a schema for its output. Others get the schema in the prompt. */
  takesSchema: boolean;
}

/** Each client is loaded on first use, so that requests without AI do not pay for it. */
export async function openLanguageModel(access: Access): Promise<OpenedModel> {
  const { provider, model, baseUrl, binding } = access;
  const settings = { apiKey: access.key ?? "", fetch: createTransport(access.beforeRetry) };
  switch (provider) {
    case "anthropic": {
      const { openAnthropic } = await import("./anthropic.ts");
      return { languageModel: openAnthropic(model, { ...settings, ...at(baseUrl) }), takesSchema: true };
    }
    case "google": {
      const { openGoogle } = await import("./google.ts");
      return { languageModel: openGoogle(model, { ...settings, ...at(baseUrl) }), takesSchema: true };
    }
    case "workers-ai": {
      if (binding && !access.key) {
        const { createWorkersAI } = await import("./workers-ai.ts");
        // Only some of its models follow a schema; the others ignore it.
        return { languageModel: createWorkersAI({ binding })(model), takesSchema: false };
      }
      return openCompatible(access, settings);
    }
    default:
      return openCompatible(access, settings);
  }
}

const OPENAI_URL = "https://api.openai.com/v1";

async function openCompatible(access: Access, settings: { apiKey: string; fetch: typeof fetch }): Promise<OpenedModel> {
  const { createOpenAICompatible } = await import("./openai-compatible.ts");
  const isOpenAI = access.provider === "openai";
  const provider = createOpenAICompatible({
    ...settings,
    name: access.provider === "workers-ai" ? "workersAi" : access.provider,
    baseURL: access.baseUrl ?? OPENAI_URL,
    includeUsage: true,
    supportsStructuredOutputs: isOpenAI,
    ...(isOpenAI && { transformRequestBody: forOpenAI }),
  });
  return { languageModel: provider(access.model), takesSchema: isOpenAI };
}

/** OpenAI's newer models reject `max_tokens`, which compatible servers still use. */
function forOpenAI({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}

function at(baseUrl: string | null): { baseURL?: string } {
  return baseUrl === null ? {} : { baseURL: baseUrl };
}
