// Only the language model: the package's main entry includes images, video, speech and batches.
import { GoogleLanguageModel } from "@ai-sdk/google/internal";
import type { LanguageModel } from "ai";
import type { ClientSettings } from "./anthropic.ts";

const BASE_URL = "https://generativelanguage.googleapis.com/v1beta";

export function openGoogle(model: string, { apiKey, baseURL = BASE_URL, fetch }: ClientSettings): LanguageModel {
  return new GoogleLanguageModel(model, {
    provider: "google.generative-ai",
    baseURL,
    headers: { "x-goog-api-key": apiKey },
    generateId: () => crypto.randomUUID(),
    fetch,
  });
}
