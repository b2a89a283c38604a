export const providers = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  google: "Google",
  "workers-ai": "Workers AI",
  custom: "Your own server",
} as const;

/** Where a provider's models run, in the middle of a sentence. */
export const receivers = {
  ...providers,
  "workers-ai": "Workers AI in the Cloudflare account of this service",
  custom: "your own server",
} as const;
