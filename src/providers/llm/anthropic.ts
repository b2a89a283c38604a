// Only the language model: the package's main entry includes files, skills and batches.
import { AnthropicLanguageModel } from "@ai-sdk/anthropic/internal";
import type { LanguageModel } from "ai";

const BASE_URL = "https://api.anthropic.com/v1";

export interface ClientSettings {
  apiKey: string;
  baseURL?: string;
  fetch: typeof fetch;
}

export function openAnthropic(model: string, { apiKey, baseURL = BASE_URL, fetch }: ClientSettings): LanguageModel {
  return new AnthropicLanguageModel(model, {
    provider: "anthropic.messages",
    baseURL,
    headers: { "anthropic-version": "2023-06-01", "x-api-key": apiKey },
    fetch,
  });
}
