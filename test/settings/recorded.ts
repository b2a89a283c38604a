import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import type { Env } from "../../src/config.ts";
import type { Context } from "../../src/context.ts";
import { type CallRecord, recordCall } from "../../src/features/ai-models/tokens/usage.ts";
import { systemCtx } from "../harness.ts";

export const ENGINE = {
  kind: "llm",
  model: "model_a",
  provider: "openai",
  upstreamModel: "m",
  fallbackReason: null,
} as const;
export const BUILTIN = { kind: "builtin", model: null, provider: null, upstreamModel: null } as const;

/** Records a call as the service would, and waits for what it puts off. */
export async function call(tokens: number, more: Partial<CallRecord> & { now?: Date; vars?: Partial<Env> } = {}) {
  const { now = new Date(), vars = {}, ...record } = more;
  const execution = createExecutionContext();
  const base = systemCtx(vars, execution);
  const ctx: Context = { ...base, now };
  const outputTokens = Math.floor(tokens / 4);
  const cost = { inputTokens: tokens - outputTokens, outputTokens, durationMs: 12 };
  await recordCall(ctx, { task: "chat", engine: ENGINE, ...cost, ...record });
  await waitOnExecutionContext(execution);
}
