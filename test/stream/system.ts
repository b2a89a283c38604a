import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { configOf, type Env } from "../../src/config.ts";
import { type Context, systemContext } from "../../src/context.ts";

/** What the cron would hand to a verb. */
export function systemCtx(vars: Partial<Env> = {}): Context {
  return systemContext(configOf({ ...env, ...vars }), createExecutionContext());
}
