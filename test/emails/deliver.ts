import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env as baseEnv } from "cloudflare:workers";
import type { Env } from "../../src/config.ts";
import worker from "../../src/index.ts";
import { deliverQueue } from "../queued.ts";

interface Delivery {
  from?: string;
  to?: string;
  vars?: Partial<Env>;
}

/** Hands a raw message to the Worker as the platform does; answers with the reason of a rejection, or null. */
export async function deliver(raw: string | Uint8Array, { from, to, vars }: Delivery = {}): Promise<string | null> {
  const bytes = typeof raw === "string" ? new TextEncoder().encode(raw.replaceAll(/\r?\n/g, "\r\n")) : raw;
  let reason: string | null = null;
  const message = {
    from: from ?? "ann@example.com",
    to: to ?? "hello@example.com",
    headers: new Headers(),
    raw: new Response(bytes).body,
    rawSize: bytes.byteLength,
    setReject: (text: string) => {
      reason = text;
    },
  };
  const execution = createExecutionContext();
  const env: Env = { ...baseEnv, ...vars };
  await worker.email(message as unknown as ForwardableEmailMessage, env, execution);
  await waitOnExecutionContext(execution);
  return reason;
}

/** The same, and what it sent to the queue is done. */
export async function deliverAndAnalyse(raw: string | Uint8Array, delivery: Delivery = {}): Promise<string | null> {
  const reason = await deliver(raw, delivery);
  await deliverQueue({ vars: delivery.vars });
  return reason;
}
