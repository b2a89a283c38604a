// The language model alone: the package's front door brings files, skills and batches along.
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
