import { afterEach, describe, expect, it } from "vitest";
import { createStripeProvider } from "../../src/providers/billing/stripe.ts";
import { auditActions, signedInPerson } from "../auth/people.ts";
import { expectProblem, takeLogs } from "../harness.ts";
import { emptyTill, newShop, subscribedShop } from "./shop.ts";

afterEach(emptyTill);

describe("POST /api/settings/billing/checkout", () => {
  it("answers with the provider's page, for the service as one customer, and changes nothing yet", async () => {
    const shop = await newShop({ PUBLIC_URL: "https://assistant.example" });
    const { status, body } = await shop.post("billing/checkout", { plan: "pro", interval: "year" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^cs_/),
      url: expect.stringContaining("https://checkout.example/"),
    });
    const [session] = await shop.sessions();
    expect(session).toMatchObject({
      mode: "subscription",
      client_reference_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      metadata: { plan: "pro", interval: "year" },
      amount_total: 19_000,
      success_url: "https://assistant.example/docs?checkout=done",
      cancel_url: "https://assistant.example/docs?checkout=cancelled",
    });
    expect(await shop.customers()).toMatchObject([{ id: session?.customer, email: shop.owner.email }]);
    expect(await shop.subscription()).toMatchObject({ provider: "stripe", plan: "free", status: "active" });
    expect(await auditActions(shop.owner.id)).toContain("billing.checkout_started");
  });

  it("makes one customer however many checkouts begin at once", async () => {
    const shop = await newShop();
    const answers = await Promise.all(Array.from({ length: 6 }, () => shop.post("billing/checkout", { plan: "pro" })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(await shop.customers()).toHaveLength(1);
    expect(new Set((await shop.sessions()).map(({ customer }) => customer)).size).toBe(1);
  });

  it("with the same Idempotency-Key begins one checkout and shows it again", async () => {
    const shop = await newShop();
    const send = () => shop.post("billing/checkout", { plan: "pro" }, { "idempotency-key": "order-1" });
    const first = await send();
    const second = await send();
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await shop.sessions()).toHaveLength(1);
  });

  it("that failed at the provider may be asked for again with the same Idempotency-Key", async () => {
    const shop = await newShop();
    await shop.faults({ kind: "500", times: 2, path: "/v1/checkout" });
    const send = () => shop.post("billing/checkout", { plan: "pro" }, { "idempotency-key": "order-2" });
    expectProblem(await send(), 502, "provider_error");
    expect((await send()).status).toBe(201);
    expect(await shop.customers()).toHaveLength(1);
  });

  it("is the owner's alone: a member may look, not buy", async () => {
    const shop = await newShop();
    const { token } = await signedInPerson("member");
    for (const [path, body] of [
      ["billing/checkout", { plan: "pro" }],
      ["billing/portal", undefined],
      ["tokens/purchase", { package: "tokens_1m" }],
    ] as const) {
      expectProblem(await shop.client.post(`/api/settings/${path}`, body, { token }), 403, "forbidden");
    }
    expect((await shop.client.get("/api/settings/billing/plans", { token })).status).toBe(200);
    expect(await shop.sessions()).toEqual([]);
  });

  it("is refused where a subscription is in force, and open again when it has ended", async () => {
    const shop = await subscribedShop();
    expectProblem(await shop.post("billing/checkout", { plan: "business" }), 409, "already_subscribed");
    await shop.deliver(await shop.changeSubscription({ status: "canceled" }));
    expect((await shop.post("billing/checkout", { plan: "business" })).status).toBe(201);
  });

  it("names the price that the provider's account lacks", async () => {
    const shop = await newShop();
    await shop.sell("poa_pro_month");
    const answer = await shop.post("billing/checkout", { plan: "business" });
    expectProblem(answer, 502, "provider_not_found");
    expect(answer.body.detail).toContain("poa_business_month");
  });

  it.each([{ plan: "free" }, { plan: "self_hosted" }, { plan: "pro", interval: "week" }, {}])(
    "refuses %j",
    async (body) => {
      expectProblem(await (await newShop()).post("billing/checkout", body), 422, "validation_failed");
    },
  );
});

describe("POST /api/settings/billing/portal", () => {
  it("answers with the provider's page once there is a customer", async () => {
    const shop = await newShop();
    expectProblem(await shop.post("billing/portal"), 409, "conflict");
    await shop.post("billing/checkout", { plan: "pro" });
    const { status, body } = await shop.post("billing/portal");
    expect(status).toBe(201);
    expect(body.url).toMatch(/^https:\/\/billing\.example\//);
    expect(await auditActions(shop.owner.id)).toContain("billing.portal_opened");
  });
});

describe("plans, cards and invoices", () => {
  it("shows the provider's prices, and asks for them once in a while only", async () => {
    const shop = await newShop();
    const { body } = await shop.get("billing/plans");
    expect(body.data).toMatchObject([
      { id: "free", current: true, prices: [], limits: { aiTokensPerMonth: 100_000 } },
      {
        id: "pro",
        current: false,
        prices: [{ interval: "month", amount: 1900, currency: "eur" }, { interval: "year" }],
      },
      { id: "business" },
    ]);
    expect((await shop.get("tokens/packages")).body.data[0]).toEqual({
      id: "tokens_1m",
      name: "1 million tokens",
      tokens: 1_000_000,
      available: true,
      amount: 900,
      currency: "eur",
    });
    expect((await shop.requests()).filter(({ path }) => path === "/v1/prices")).toHaveLength(1);
  });

  it("lists cards with the preferred one, and no more of their number than its end", async () => {
    const shop = await subscribedShop();
    const card = await shop.card(shop.customerId);
    expect((await shop.get("billing/payment-methods")).body).toEqual({
      data: [
        {
          id: card.id,
          type: "card",
          card: { brand: "visa", last4: "4242", expMonth: 8, expYear: 2030 },
          isDefault: true,
        },
      ],
      nextCursor: null,
    });
    const second = await shop.card(shop.customerId);
    const first = (await shop.get("billing/payment-methods?limit=1")).body;
    expect(first.data).toMatchObject([{ id: card.id }]);
    const next = (await shop.get(`billing/payment-methods?limit=1&cursor=${first.nextCursor}`)).body;
    expect(next).toMatchObject({ data: [{ id: second.id }], nextCursor: null });
    expectProblem(await shop.get(`billing/invoices?cursor=${first.nextCursor}`), 422, "invalid_cursor");
  });

  it("pages through all invoices, newest first, and reads one", async () => {
    const shop = await subscribedShop();
    for (let n = 0; n < 4; n++) await shop.invoice(shop.customerId);
    const numbers: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body }: { body: { data: { number: string }[]; nextCursor: string | null } } = await shop.get(
        `billing/invoices?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      numbers.push(...body.data.map(({ number }) => number));
      cursor = body.nextCursor;
    }
    expect(numbers).toEqual(["POA-0005", "POA-0004", "POA-0003", "POA-0002", "POA-0001"]);
    const { body: list } = await shop.get("billing/invoices?limit=1");
    const { body } = await shop.get(`billing/invoices/${list.data[0].id}`);
    expect(body).toEqual({ ...list.data[0], lines: [{ description: "poa_pro_month", amount: 1900, quantity: 1 }] });
    expectProblem(await shop.get("billing/invoices/in_unknown"), 404, "not_found");
    expectProblem(await shop.get("billing/invoices?cursor=made-up"), 422, "invalid_cursor");
  });

  it("never shows another customer's invoice of the same provider account", async () => {
    const shop = await subscribedShop();
    const foreign = await shop.invoice("cus_of_somebody_else");
    expectProblem(await shop.get(`billing/invoices/${foreign.id}`), 404, "not_found");
    expect((await shop.get("billing/invoices")).body.data).toHaveLength(1);
  });
});

describe("a provider in trouble", () => {
  it.each([
    ["401", 502, "provider_unauthorized"],
    ["402", 502, "provider_error"],
    ["429", 502, "provider_error"],
    ["500", 502, "provider_error"],
    ["html", 502, "provider_error"],
    ["redirect", 502, "provider_error"],
  ] as const)("that answers %s makes a %i, and tells nothing of the key", async (kind, status, code) => {
    const shop = await newShop();
    await shop.faults({ kind });
    takeLogs();
    const answer = await shop.post("billing/checkout", { plan: "pro" });
    expectProblem(answer, status, code);
    const told = answer.text + takeLogs().join("\n");
    expect(told).toContain("billing_provider_failed");
    expect(told).not.toContain(shop.key);
    expect(told).not.toContain("Invalid API Key");
    expect(await shop.sessions()).toEqual([]);
  });

  it("that fails once is asked again with the same idempotency key, and charged nothing twice", async () => {
    const shop = await newShop();
    await shop.faults({ kind: "500", times: 1, path: "/v1/checkout" });
    expect((await shop.post("billing/checkout", { plan: "pro" })).status).toBe(201);
    const tries = (await shop.requests()).filter(({ path }) => path === "/v1/checkout/sessions");
    expect(tries).toHaveLength(2);
    expect(tries[0]?.idempotencyKey).toBe(tries[1]?.idempotencyKey);
    expect(await shop.sessions()).toHaveLength(1);
  });

  it("that does not answer is given up after a bounded time", async () => {
    const shop = await newShop();
    await shop.faults({ kind: "hang" });
    const provider = createStripeProvider(String(shop.vars.STRIPE_API_URL), shop.key, { timeoutMs: 150, retries: 1 });
    await expect(provider.prices(["poa_pro_month"])).rejects.toMatchObject({ code: "provider_timeout" });
  });

  it("that cannot be reached is a 502", async () => {
    const shop = await newShop({ STRIPE_API_URL: "http://127.0.0.1:9" });
    expectProblem(await shop.get("billing/plans"), 502, "provider_error");
  });
});
