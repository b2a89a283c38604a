import { env } from "cloudflare:workers";
import { Stripe } from "stripe";
import { inject } from "vitest";
import type { Env } from "../../src/config.ts";
import { contextFor, signedInPerson } from "../auth/people.ts";
import type { StripeFault } from "../fakes/stripe/server.ts";
import type { Json, StripeEvent } from "../fakes/stripe/world.ts";
import { service } from "../harness.ts";

export const WEBHOOK_SECRET = "whsec_test_only_0123456789";

/** Nothing bought, nothing used, no limit: the state tests of money and tokens begin with. */
export async function emptyTill(): Promise<void> {
  const statements = [
    "DELETE FROM billing_events",
    "DELETE FROM billing_purchases",
    "DELETE FROM billing_account",
    "INSERT INTO billing_account (id, reference) VALUES (1, lower(hex(randomblob(16))))",
    "DELETE FROM ai_calls",
    "DELETE FROM ai_usage",
    "DELETE FROM ai_usage_days",
    "DELETE FROM ai_usage_months",
    "DELETE FROM token_alerts",
    "UPDATE token_budget SET monthly_limit = NULL",
  ];
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)));
}

/** A service that sells, with an account of its own at the fake provider, and its owner signed in. */
export async function newShop(more: Partial<Env> = {}) {
  await emptyTill();
  const key = `sk_test_${crypto.randomUUID().replaceAll("-", "")}`;
  const base = inject("stripeUrl");
  const vars: Partial<Env> = {
    STRIPE_SECRET_KEY: key,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: base,
    ...more,
  };
  const client = service(vars);
  const owner = await signedInPerson("owner");

  async function control<T>(verb: string, command: object = {}): Promise<T> {
    const response = await fetch(`${base}/control/${key}/${verb}`, { method: "POST", body: JSON.stringify(command) });
    if (!response.ok) throw new Error(`${verb}: ${await response.text()}`);
    return response.json();
  }

  async function deliver(event: StripeEvent, { secret = WEBHOOK_SECRET, at = Date.now() } = {}) {
    const raw = JSON.stringify(event);
    const header = await Stripe.webhooks.generateTestHeaderStringAsync({
      payload: raw,
      secret,
      timestamp: Math.floor(at / 1000),
    });
    return client.call("POST", "/api/billing/webhook", { raw, headers: { "stripe-signature": header } });
  }

  return {
    key,
    vars,
    client,
    owner,
    deliver,
    context: () => contextFor(owner.token, vars),
    get: (path: string) => client.get(`/api/settings/${path}`, { token: owner.token }),
    post: (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      client.post(`/api/settings/${path}`, body, { token: owner.token, headers }),
    async subscription() {
      return (await client.get("/api/settings/billing/subscription", { token: owner.token })).body;
    },
    async balance() {
      return (await client.get("/api/settings/tokens/balance", { token: owner.token })).body;
    },
    /** Pays at the checkout; the event is what the provider would deliver then. */
    complete: (sessionId: string, paid = true) => control<StripeEvent>("complete", { sessionId, paid }),
    subscribe: (customerId: string, lookupKey: string) => control<StripeEvent>("subscribe", { customerId, lookupKey }),
    refund: (sessionId: string, amount: number) => control<StripeEvent>("refund", { sessionId, amount }),
    changeSubscription: (change: object) => control<StripeEvent>("subscription", change),
    event: (type: string, object: object) => control<StripeEvent>("event", { type, object }),
    invoice: (customerId: string) => control<Json>("invoice", { customerId }),
    card: (customerId: string) => control<Json>("card", { customerId }),
    deleteCustomer: (customerId: string) => control<StripeEvent>("delete", { customerId }),
    sell: (...lookupKeys: string[]) => control("sell", { lookupKeys }),
    faults: (...faults: StripeFault[]) => control("faults", { faults }),
    requests: () => control<{ method: string; path: string; idempotencyKey: string | null }[]>("requests"),
    customers: () => control<Json[]>("customers"),
    sessions: () => control<Json[]>("sessions"),
  };
}

export type Shop = Awaited<ReturnType<typeof newShop>>;

/** A shop whose owner has subscribed, and the provider's webhook said so. */
export async function subscribedShop(plan = "pro") {
  const shop = await newShop();
  const { body } = await shop.post("billing/checkout", { plan });
  await shop.deliver(await shop.complete(body.id));
  const [customer] = await shop.customers();
  return { ...shop, customerId: String(customer?.id) };
}
