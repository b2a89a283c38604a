import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { purgeBillingEvents } from "../../src/features/billing/webhook.ts";
import { auditActions, countRows, PASSWORD, signedInPerson } from "../auth/people.ts";
import { expectErrorLog, expectProblem, service } from "../harness.ts";
import { interruptBatch } from "../measured.ts";
import { emptyTill, newShop, type Shop, subscribedShop } from "./shop.ts";

afterEach(emptyTill);

const PACKAGE = 1_000_000;

async function startPurchase(shop: Shop, name = "tokens_1m"): Promise<string> {
  const { status, body } = await shop.post("tokens/purchase", { package: name });
  expect(status).toBe(201);
  return body.id;
}

describe("a subscription", () => {
  it("begins when the webhook says so, with the provider's dates and the plan's limits", async () => {
    const shop = await newShop();
    const { body } = await shop.post("billing/checkout", { plan: "pro" });
    const event = await shop.complete(body.id);
    expect(await shop.subscription()).toMatchObject({ plan: "free" });
    expect((await shop.deliver(event)).body).toEqual({ received: true, duplicate: false });
    expect(await shop.subscription()).toMatchObject({
      plan: "pro",
      planName: "Pro",
      status: "active",
      interval: "month",
      currentPeriodEnd: expect.stringMatching(/Z$/),
      cancelAtPeriodEnd: false,
      limits: { aiTokensPerMonth: 2_000_000, webhooks: 10, apiKeys: 20 },
    });
    expect((await shop.get("billing/plans")).body.data.find(({ current }: { current: boolean }) => current).id).toBe(
      "pro",
    );
  });

  it("follows changes made in the portal", async () => {
    const shop = await subscribedShop();
    await shop.deliver(await shop.changeSubscription({ lookupKey: "poa_business_year" }));
    expect(await shop.subscription()).toMatchObject({ plan: "business", interval: "year" });
    await shop.deliver(await shop.changeSubscription({ cancel_at_period_end: true }));
    expect(await shop.subscription()).toMatchObject({ plan: "business", cancelAtPeriodEnd: true });
    await shop.deliver(await shop.changeSubscription({ status: "canceled" }));
    expect(await shop.subscription()).toMatchObject({ plan: "free", status: "cancelled", interval: null });
  });

  it.each([
    ["past_due", "past_due", "pro"],
    ["trialing", "trialing", "pro"],
    ["unpaid", "unpaid", "free"],
    ["paused", "paused", "free"],
    ["incomplete_expired", "cancelled", "free"],
  ])("that is %s at the provider is %s here, with the plan %s", async (given, status, plan) => {
    const shop = await subscribedShop();
    await shop.deliver(await shop.changeSubscription({ status: given }));
    expect(await shop.subscription()).toMatchObject({ status, plan });
  });

  it("is the provider's truth of now, in whatever order the deliveries come", async () => {
    const shop = await subscribedShop();
    const upgrade = await shop.changeSubscription({ lookupKey: "poa_business_month" });
    const end = await shop.changeSubscription({ status: "canceled" });
    await shop.deliver(end);
    await shop.deliver(upgrade);
    expect(await shop.subscription()).toMatchObject({ plan: "free", status: "cancelled" });
  });

  it("survives the late news that an older one has ended", async () => {
    const shop = await subscribedShop();
    const end = await shop.changeSubscription({ status: "canceled" });
    await shop.deliver(await shop.subscribe(shop.customerId, "poa_business_month"));
    await shop.deliver(end);
    expect(await shop.subscription()).toMatchObject({ plan: "business", status: "active" });
  });

  it("is not put back by a delivery that asked the provider before the change and wrote after it", async () => {
    const shop = await subscribedShop();
    const early = await shop.event("customer.subscription.updated", {
      object: "subscription",
      customer: shop.customerId,
    });
    let late: Promise<unknown> | undefined;
    // The first batch draws the ticket; before the second, which writes, the subscription ends and is told of.
    const DB = interruptBatch(env.DB, 2, async () => {
      late = shop.deliver(await shop.changeSubscription({ status: "canceled" }));
      await late;
    });
    const slow = await newDelivery(shop, early, DB);
    expect(slow.body).toEqual({ received: true, duplicate: false });
    expect(late).toBeDefined();
    expect(await shop.subscription()).toMatchObject({ plan: "free", status: "cancelled" });
  });

  it("with a price we cannot name keeps what is there", async () => {
    expectErrorLog("billing_price_unknown");
    const shop = await subscribedShop();
    const change = { items: { object: "list", data: [{ price: { lookup_key: null } }] } };
    await shop.deliver(await shop.changeSubscription(change));
    expect(await shop.subscription()).toMatchObject({ plan: "pro", status: "active" });
  });

  it("of another customer of the provider's account is none of ours", async () => {
    const shop = await subscribedShop();
    const foreign = await shop.event("customer.subscription.deleted", {
      object: "subscription",
      customer: "cus_other",
    });
    expect((await shop.deliver(foreign)).body).toEqual({ received: true, duplicate: false });
    expect(await shop.subscription()).toMatchObject({ plan: "pro" });
  });

  it("ends with its customer, after which a new customer can be made", async () => {
    const shop = await subscribedShop();
    await shop.deliver(await shop.deleteCustomer(shop.customerId));
    expect(await shop.subscription()).toMatchObject({ plan: "free" });
    expect((await shop.post("billing/checkout", { plan: "pro" })).status).toBe(201);
    expect(await shop.customers()).toHaveLength(1);
  });

  it("leaves one line in the audit log, however often it is told of", async () => {
    const shop = await newShop();
    const lines = () => countRows("audit_log", "action = 'billing.plan_changed'");
    const before = await lines();
    const { body } = await shop.post("billing/checkout", { plan: "pro" });
    const event = await shop.complete(body.id);
    await Promise.all([shop.deliver(event), shop.deliver(event), shop.deliver(event)]);
    expect(await lines()).toBe(before + 1);
  });
});

async function newDelivery(shop: Shop, event: object, DB: D1Database) {
  const { Stripe } = await import("stripe");
  const raw = JSON.stringify(event);
  const secret = String(shop.vars.STRIPE_WEBHOOK_SECRET);
  const header = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: raw, secret });
  const headers = { "stripe-signature": header };
  return service({ ...shop.vars, DB }).call("POST", "/api/billing/webhook", { raw, headers });
}

describe("tokens that are bought", () => {
  it("are credited when they are paid, and not before", async () => {
    const shop = await newShop();
    const checkout = await startPurchase(shop);
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: 0 });
    const unpaid = await shop.complete(checkout, false);
    await shop.deliver(unpaid);
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: 0 });
    await shop.deliver(await shop.complete(checkout));
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: PACKAGE, planAllowance: 100_000 });
    expect(await auditActions(shop.owner.id)).toEqual(["tokens.purchase_started", "tokens.purchased"]);
  });

  it("are credited once under repeated and parallel deliveries", async () => {
    const shop = await newShop();
    const event = await shop.complete(await startPurchase(shop));
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.deliver(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
    expect((await shop.deliver(event)).body).toEqual({ received: true, duplicate: true });
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: PACKAGE });
  });

  it("are credited once when different events tell of one checkout at once", async () => {
    const shop = await newShop();
    const checkout = await startPurchase(shop);
    const events = [await shop.complete(checkout), await shop.complete(checkout), await shop.complete(checkout)];
    const answers = await Promise.all(events.map((event) => shop.deliver(event)));
    expect(answers.map(({ body }) => body)).toEqual(Array(3).fill({ received: true, duplicate: false }));
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: PACKAGE });
    expect((await auditActions(shop.owner.id)).filter((action) => action === "tokens.purchased")).toHaveLength(1);
  });

  it("add up, and outlast the end of the subscription", async () => {
    const shop = await subscribedShop();
    await shop.deliver(await shop.complete(await startPurchase(shop)));
    await shop.deliver(await shop.complete(await startPurchase(shop, "tokens_5m")));
    await shop.deliver(await shop.changeSubscription({ status: "canceled" }));
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: 6 * PACKAGE, planAllowance: 100_000 });
  });

  it("go back in the measure in which the money does, once, in whatever order it is told", async () => {
    const shop = await newShop();
    const checkout = await startPurchase(shop);
    await shop.deliver(await shop.complete(checkout));
    const part = await shop.refund(checkout, 225);
    const whole = await shop.refund(checkout, 900);
    await shop.refund(checkout, 225);
    await Promise.all([shop.deliver(part), shop.deliver(part)]);
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: 0.75 * PACKAGE });
    await shop.refund(checkout, 900);
    await shop.deliver(whole);
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: 0 });
    await shop.deliver(await shop.refund(checkout, 900));
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: 0 });
  });

  it("go back as whole tokens, whatever part of the price is given back", async () => {
    const shop = await newShop();
    const checkout = await startPurchase(shop);
    await shop.deliver(await shop.complete(checkout));
    await shop.deliver(await shop.refund(checkout, 100));
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: PACKAGE - 111_111 });
  });

  it("are credited without what was given back before the credit was told of", async () => {
    const shop = await newShop();
    const checkout = await startPurchase(shop);
    const paid = await shop.complete(checkout);
    await shop.deliver(await shop.refund(checkout, 450));
    await shop.deliver(paid);
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: PACKAGE / 2 });
  });

  it("are not credited for a checkout that names another service", async () => {
    const shop = await newShop();
    const event = await shop.complete(await startPurchase(shop));
    await env.DB.prepare("UPDATE billing_account SET reference = 'another'").run();
    await shop.deliver(event);
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: 0 });
  });

  it("are credited although the buyer's account is gone", async () => {
    const shop = await newShop();
    const event = await shop.complete(await startPurchase(shop));
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(shop.owner.id).run();
    expect((await shop.deliver(event)).status).toBe(200);
    expect(await countRows("billing_purchases", "tokens = ?", PACKAGE)).toBe(1);
  });
});

describe("a delivery", () => {
  const HOUR_MS = 3_600_000;

  it.each([
    ["signed with another secret", { secret: "whsec_of_somebody_else_123" }],
    ["signed too long ago", { at: Date.now() - HOUR_MS }],
  ])("%s is refused and changes nothing", async (_, options) => {
    const shop = await newShop();
    const event = await shop.complete(await startPurchase(shop));
    expectProblem(await shop.deliver(event, options), 401, "invalid_signature");
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: 0 });
    expect(await countRows("billing_events", "1")).toBe(0);
  });

  it.each([undefined, "", "t=1,v1=00", "nonsense"])("with the signature %j is refused", async (signature) => {
    const shop = await newShop();
    const headers: Record<string, string> = signature === undefined ? {} : { "stripe-signature": signature };
    const raw = '{"id":"evt_1","type":"invoice.paid"}';
    expectProblem(await shop.client.call("POST", "/api/billing/webhook", { raw, headers }), 401, "invalid_signature");
  });

  it("that is signed but makes no sense is refused", async () => {
    const shop = await newShop();
    expectProblem(await newDelivery(shop, { hello: "world" }, env.DB), 422, "validation_failed");
  });

  it("of a kind we do not need is taken and leads to nothing", async () => {
    const shop = await newShop();
    const event = await shop.event("product.created", { id: "prod_1", object: "product" });
    expect((await shop.deliver(event)).body).toEqual({ received: true, duplicate: false });
    expect(await shop.requests()).toEqual([]);
  });

  it("while the provider cannot be asked is not taken, and comes in by the next try", async () => {
    const shop = await newShop();
    const event = await shop.complete(await startPurchase(shop));
    await shop.faults({ kind: "401", path: "/v1/checkout" });
    expectProblem(await shop.deliver(event), 502, "provider_unauthorized");
    await shop.faults();
    expect((await shop.deliver(event)).body).toEqual({ received: true, duplicate: false });
    expect(await shop.balance()).toMatchObject({ purchasedRemaining: PACKAGE });
  });

  it("is 503 without the webhook's secret, and 501 without a provider", async () => {
    const raw = "{}";
    const { client } = await newShop({ STRIPE_WEBHOOK_SECRET: "" });
    expectProblem(await client.call("POST", "/api/billing/webhook", { raw }), 503, "misconfigured");
    expectProblem(
      await service().call("POST", "/api/billing/webhook", { raw }),
      501,
      "billing_provider_not_configured",
    );
  });

  it("is remembered for 90 days", async () => {
    const shop = await newShop();
    await shop.deliver(await shop.event("product.created", { id: "prod_1", object: "product" }));
    const ctx = await shop.context();
    const days = (count: number) => new Date(Date.now() + count * 24 * HOUR_MS);
    await purgeBillingEvents({ ...ctx, now: days(89) });
    expect(await countRows("billing_events", "1")).toBe(1);
    await purgeBillingEvents({ ...ctx, now: days(91) });
    expect(await countRows("billing_events", "1")).toBe(0);
  });
});

describe("what the plan allows", () => {
  const addWebhook = (shop: Shop) => shop.post("webhooks", { url: "https://hooks.example.com/poa", enabled: false });
  const addKey = (shop: Shop) =>
    shop.post("security/api-keys", { name: "Key", scopes: ["tasks:read"], currentPassword: PASSWORD });

  it.each([
    ["webhooks", addWebhook, 2],
    ["API keys", addKey, 3],
  ])("bounds %s, however many are asked for at once", async (_, add, limit) => {
    const shop = await newShop();
    await env.DB.exec("DELETE FROM webhook_endpoints");
    await env.DB.exec("DELETE FROM api_keys");
    const answers = await Promise.all(Array.from({ length: limit + 2 }, () => add(shop)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(limit);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused) {
      expectProblem(answer, 409, "plan_limit_reached");
      expect(answer.body).toMatchObject({ plan: "free", limit });
    }
  });

  it("is shared by all, and whoever meets its end is told of the plan", async () => {
    const shop = await newShop();
    await env.DB.exec("UPDATE billing_account SET plan = 'business', status = 'active'");
    await env.DB.exec("DELETE FROM webhook_endpoints");
    await addWebhook(shop);
    await env.DB.prepare(
      `INSERT INTO webhook_endpoints (user_id, url, event_types, enabled, secret, version, created_at, updated_at)
        SELECT ?, url, event_types, 0, secret, 1, 0, 0 FROM webhook_endpoints, json_each(?)`,
    )
      .bind((await signedInPerson("member")).id, JSON.stringify(Array(49).fill(0)))
      .run();
    const answer = await addWebhook(shop);
    expectProblem(answer, 409, "plan_limit_reached");
    expect(answer.body).toMatchObject({ plan: "business", limit: 50 });
  });

  it("grows with the plan", async () => {
    const shop = await subscribedShop();
    await env.DB.exec("DELETE FROM webhook_endpoints");
    for (let count = 0; count < 3; count++) expect((await addWebhook(shop)).status).toBe(201);
  });
});
