import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordCall } from "../../src/features/ai-models/tokens/usage.ts";
import { contextFor, signedInPerson } from "../auth/people.ts";
import { emptyTill, newShop } from "../billing/shop.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { countStatements, measureRows } from "../measured.ts";

beforeEach(emptyTill);
afterEach(emptyTill);

const ENGINE = { kind: "llm", model: "model_a", provider: "openai", upstreamModel: "m", fallbackReason: null } as const;

describe("without a billing provider", () => {
  it("the plan is self_hosted, without limits", async () => {
    const { token } = await signedInPerson("member");
    expect((await service().get("/api/settings/billing/subscription", { token })).body).toEqual({
      provider: "none",
      plan: "self_hosted",
      planName: "Self-hosted",
      status: "active",
      interval: null,
      currentPeriodStart: null,
      currentPeriodEnd: null,
      trialEndsAt: null,
      cancelAtPeriodEnd: false,
      limits: { aiTokensPerMonth: null, webhooks: null, apiKeys: null },
      updatedAt: null,
    });
    expect((await service().get("/api/settings/billing/plans", { token })).body.data).toMatchObject([
      { id: "self_hosted", current: true, prices: [] },
    ]);
  });

  it("nothing is listed, and nothing can be bought", async () => {
    const { token } = await signedInPerson("owner");
    const client = service();
    expect((await client.get("/api/settings/billing/invoices", { token })).body).toEqual({
      data: [],
      nextCursor: null,
    });
    expect((await client.get("/api/settings/billing/payment-methods", { token })).body).toEqual({
      data: [],
      nextCursor: null,
    });
    expectProblem(await client.get("/api/settings/billing/invoices/in_1", { token }), 404, "not_found");
    const { body } = await client.get("/api/settings/tokens/packages", { token });
    expect(body.data.map(({ available }: { available: boolean }) => available)).toEqual([false, false, false]);
    for (const [path, order] of [
      ["billing/checkout", { plan: "pro" }],
      ["billing/portal", undefined],
      ["tokens/purchase", { package: "tokens_1m" }],
    ] as const) {
      const answer = await client.post(`/api/settings/${path}`, order, { token });
      expectProblem(answer, 501, "billing_provider_not_configured");
    }
  });

  it("a subscription from before the provider was taken away no longer counts", async () => {
    const { token } = await signedInPerson("owner");
    await env.DB.prepare("UPDATE billing_account SET plan = 'pro', status = 'active', purchased_tokens = 5").run();
    expect((await service().get("/api/settings/billing/subscription", { token })).body).toMatchObject({
      plan: "self_hosted",
      interval: null,
      limits: { webhooks: null },
    });
    expect((await service().get("/api/settings/tokens/balance", { token })).body).toMatchObject({
      planAllowance: null,
      purchasedRemaining: 0,
      remaining: null,
    });
  });
});

describe("with a provider's key alone", () => {
  it("the health check names the webhook secret that is missing", async () => {
    const { body } = await service({ STRIPE_SECRET_KEY: "sk_test_1" }).get("/api/health");
    expect(body.status).toBe("degraded");
    expect(body.problems.join()).toContain("STRIPE_WEBHOOK_SECRET");
  });

  it("it is never sent in the clear, unless private hosts are allowed", async () => {
    const vars = {
      STRIPE_SECRET_KEY: "sk_test_1",
      STRIPE_WEBHOOK_SECRET: "whsec_1",
      STRIPE_API_URL: "http://x.example",
    };
    const { token } = await signedInPerson("owner");
    const { body } = await service({ ...vars, ALLOW_PRIVATE_HOSTS: "false" }).get("/api/health/details", { token });
    expect(body.checks.secrets.problems.join()).toContain("STRIPE_API_URL");
  });
});

describe("GET /api/settings/billing/usage", () => {
  it("counts what is there, and what the month's AI calls cost", async () => {
    await emptyService();
    const person = await signedInPerson("owner");
    const client = service();
    const read = async () => (await client.get("/api/settings/billing/usage", { token: person.token })).body;
    const before = await read();
    await client.post("/api/tasks", { title: "One" });
    await client.post("/api/tasks", { title: "Two", status: "done" });
    await client.post("/api/emails", { from: "ann@example.org", to: ["me@example.org"], subject: "Hi", body: "Hello" });
    await client.post("/api/calendar/events", { title: "Lunch", start: "2027-01-04T12:00:00Z" });
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO api_keys (user_id, name, key_hash, scopes, created_at) VALUES (?, 'k', ?, '[]', 0)",
      ).bind(person.id, crypto.randomUUID()),
      env.DB.prepare(
        "INSERT INTO webhook_endpoints (user_id, url, event_types, secret, enabled, version, created_at, updated_at) VALUES (?, 'https://x.example', '[]', 's', 0, 1, 0, 0)",
      ).bind(person.id),
    ]);
    const call = { task: "chat", engine: ENGINE, inputTokens: 700, outputTokens: 50, durationMs: 5 } as const;
    await recordCall(await contextFor(person.token), call);
    const after = await read();
    const grown = (name: string) => after[name].used - before[name].used;
    expect({ emails: grown("emails"), tasks: grown("tasks"), events: grown("events") }).toEqual({
      emails: 1,
      tasks: 2,
      events: 1,
    });
    expect({ apiKeys: grown("apiKeys"), webhooks: grown("webhooks") }).toEqual({ apiKeys: 1, webhooks: 1 });
    expect(after).toMatchObject({ aiTokens: { used: 750, limit: null }, aiCalls: { used: 1, limit: null } });
    // With the person go their keys and webhooks.
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(person.id).run();
    const { token } = await signedInPerson("member");
    const { body } = await client.get("/api/settings/billing/usage", { token });
    expect(body).toMatchObject({ apiKeys: before.apiKeys, webhooks: before.webhooks });
  });

  it("stands beside the plan's limits", async () => {
    const shop = await newShop();
    expect((await shop.get("billing/usage")).body).toMatchObject({
      plan: "free",
      aiTokens: { used: 0, limit: 100_000 },
      apiKeys: { limit: 3 },
      webhooks: { limit: 2 },
      emails: { limit: null },
    });
  });

  it("takes one round trip beside the session's check, and few rows", async () => {
    const { token } = await signedInPerson("member");
    const counted = countStatements(env.DB);
    await service({ DB: counted.db }).get("/api/settings/billing/usage", { token });
    expect(counted.taken().roundTrips).toBe(2);
    const rows = measureRows(env.DB);
    await service({ DB: rows.db }).get("/api/settings/billing/usage", { token });
    expect(rows.taken().reduce((sum, read) => sum + read, 0)).toBeLessThan(60);
  });
});
