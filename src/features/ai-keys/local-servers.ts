import type { Context } from "../../context.ts";
import { AppError } from "../../lib/errors.ts";
import { servedModels } from "../../providers/llm/served-models.ts";
import type { LocalServer } from "./schemas.ts";

/** Where these programs listen by default. No part of an address comes from a request. */
const SERVERS = [
  { server: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { server: "lm-studio", baseUrl: "http://127.0.0.1:1234/v1" },
  { server: "llama-cpp", baseUrl: "http://127.0.0.1:8080/v1" },
] as const;
/** Anything may listen there. A server on the same computer that takes longer, or says more, is none of these. */
const LIMITS = { maxBytes: 256 * 1024, timeoutMs: 1500 };

/** The model servers that run beside the service, which therefore has to run on a person's own computer. */
export async function findLocalServers(ctx: Context): Promise<LocalServer[]> {
  if (!ctx.config.ALLOW_PRIVATE_HOSTS) {
    throw new AppError("not_found", "Only a service that runs on your computer can find models there.");
  }
  const asked = await Promise.all(
    SERVERS.map(async (each) => ({ ...each, models: await servedModels(each.baseUrl, LIMITS) })),
  );
  return asked.filter(({ models }) => models.length > 0);
}
