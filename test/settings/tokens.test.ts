import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { requireBudget } from "../../src/features/ai-models/tokens/budget.ts";
import { purgeOldCalls } from "../../src/features/ai-models/tokens/usage.ts";
import { auditActions, countRows, signedInPerson } from "../auth/people.ts";
import { emptyTill, newShop, subscribedShop } from "../billing/shop.ts";
import { expectProblem, service, systemCtx } from "../harness.ts";
import { countStatements, measureRows } from "../measured.ts";
import { BUILTIN, call, ENGINE } from "./recorded.ts";

beforeEach(emptyTill);
afterEach(emptyTill);

const client = service();
const DAY_MS = 86_400_000;

async function get(path: string, token: string) {
  return (await client.get(`/api/settings/tokens/${path}`, { token })).body;
}

describe("the figures", () => {
  it("equal the recorded calls exactly, however many are recorded at once", async () => {
    const { token } = await signedInPerson("member");
    await Promise.all(Array.from({ length: 60 }, (_, n) => call(100 + n, n % 3 === 0 ? { task: "generate" } : {})));
    const total = 60 * 100 + (59 * 60) / 2;
    expect(await get("balance", token)).toMatchObject({ used: total, limit: null, remaining: null, exhausted: false });
    const usage = await get("usage?period=7d", token);
    expect(usage.totals).toMatchObject({ calls: 60, totalTokens: total });
    expect((await get("usage/by-model", token)).data).toMatchObject([
      { model: "model_a", calls: 60, totalTokens: total },
    ]);
    const recorded = await env.DB.prepare("SELECT sum(input_tokens + output_tokens) AS n FROM ai_calls").first("n");
    expect(recorded).toBe(total);
  });

  it("show every day of the period, also those without a call", async () => {
    const { token } = await signedInPerson("member");
    await call(400, { now: new Date(Date.now() - 2 * DAY_MS) });
    await call(999, { now: new Date(Date.now() - 8 * DAY_MS) });
    await call(0, { engine: { ...BUILTIN, fallbackReason: "timeout" } });
    for (const [period, days] of [
      ["7d", 7],
      ["30d", 30],
      ["90d", 90],
    ] as const) {
      const { series, totals, from, until } = await get(`usage?period=${period}`, token);
      expect(series).toHaveLength(days);
      expect(series.map(({ date }: { date: string }) => date)).toEqual(
        Array.from({ length: days }, (_, n) =>
          new Date(Date.now() - (days - 1 - n) * DAY_MS).toISOString().slice(0, 10),
        ),
      );
      expect([series[0].date, series.at(-1).date]).toEqual([from, until]);
      expect(series.at(-3)).toMatchObject({ calls: 1, totalTokens: 400 });
      expect(series.at(-2)).toMatchObject({ calls: 0, totalTokens: 0 });
      expect(series.at(-1)).toMatchObject({ calls: 1, fallbacks: 1, totalTokens: 0 });
      expect(totals.totalTokens).toBe(days === 7 ? 400 : 1399);
    }
    expectProblem(await client.get("/api/settings/tokens/usage?period=1y", { token }), 422, "validation_failed");
  });

  it("list the models that were used, most tokens first, the built-in engine among them", async () => {
    const { token } = await signedInPerson("member");
    await call(100);
    await call(5000, { engine: { ...ENGINE, model: "model_c" } });
    await call(0, { engine: { ...BUILTIN, fallbackReason: null } });
    const { data, totals } = await get("usage/by-model?period=7d", token);
    expect(data.map(({ model }: { model: string }) => model)).toEqual(["model_c", "model_a", "builtin"]);
    expect(totals).toMatchObject({ calls: 3, fallbacks: 0, totalTokens: 5100 });
  });

  it("read few rows at any number of calls", async () => {
    const { token } = await signedInPerson("member");
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       INSERT INTO ai_calls (at, task, model, input_tokens, output_tokens, duration_ms)
       SELECT ?1 - i * 1000000, 'chat', 'model_a', 10, 1, 5 FROM n`,
    )
      .bind(Date.now())
      .run();
    const measured = measureRows(env.DB);
    const counted = countStatements(env.DB);
    for (const [path, most] of [
      ["balance", 20],
      ["usage?period=30d", 100],
      ["history?limit=10&model=model_a", 40],
      ["history?limit=10&task=chat", 40],
    ] as const) {
      await service({ DB: measured.db }).get(`/api/settings/tokens/${path}`, { token });
      expect(
        measured.taken().reduce((sum, read) => sum + read, 0),
        path,
      ).toBeLessThan(most);
      await service({ DB: counted.db }).get(`/api/settings/tokens/${path}`, { token });
      expect(counted.taken().roundTrips, path).toBe(2);
    }
  });
});

describe("GET /api/settings/tokens/history", () => {
  it("pages through the calls, newest first, and filters", async () => {
    const { token } = await signedInPerson("member");
    const at = (hours: number) => new Date(Date.UTC(2026, 0, 5, hours));
    for (let hour = 0; hour < 5; hour++) await call(100 + hour, { now: at(hour), task: hour % 2 ? "detect" : "chat" });
    await call(7, { now: at(9), engine: { ...ENGINE, model: "model_b" } });
    const tokensOf = (body: { data: { totalTokens: number }[] }) => body.data.map(({ totalTokens }) => totalTokens);
    const first = await get("history?limit=4", token);
    const second = await get(`history?limit=4&cursor=${first.nextCursor}`, token);
    expect([...tokensOf(first), ...tokensOf(second)]).toEqual([7, 104, 103, 102, 101, 100]);
    expect(second.nextCursor).toBeNull();
    expect(tokensOf(await get("history?model=model_b", token))).toEqual([7]);
    expect(tokensOf(await get("history?task=detect", token))).toEqual([103, 101]);
    const window = `from=${at(1).toISOString()}&until=${at(3).toISOString()}`;
    expect(tokensOf(await get(`history?${window}`, token))).toEqual([102, 101]);
    expect(first.data[0]).toMatchObject({ model: "model_b", userId: null, provider: "openai", fallbackReason: null });
  });
});

describe("calls of more than a year ago", () => {
  it("go by night, and the sums of their days stay", async () => {
    await call(100, { now: new Date(Date.now() - 401 * DAY_MS) });
    await call(200, { now: new Date(Date.now() - 399 * DAY_MS) });
    await purgeOldCalls(systemCtx());
    expect(await countRows("ai_calls", "1")).toBe(1);
    expect(await countRows("ai_usage", "1")).toBe(1);
    expect(await countRows("ai_usage_days", "1")).toBe(2);
  });
});

describe("the budget", () => {
  const put = (token: string, monthlyLimit: unknown) =>
    client.put("/api/settings/tokens/budget", { monthlyLimit }, { token });

  it("is the owner's to set, and takes effect at once", async () => {
    const owner = await signedInPerson("owner");
    const member = await signedInPerson("member");
    expectProblem(await put(member.token, 1000), 403, "forbidden");
    expect((await put(owner.token, 1000)).body).toMatchObject({ limit: 1000, used: 0, remaining: 1000 });
    await call(999);
    await requireBudget(systemCtx());
    await call(1);
    await expect(requireBudget(systemCtx())).rejects.toMatchObject({ code: "token_budget_exhausted" });
    expect(await get("balance", member.token)).toMatchObject({ used: 1000, remaining: 0, exhausted: true });
    expect((await put(owner.token, 1001)).body).toMatchObject({ remaining: 1 });
    await requireBudget(systemCtx());
    expect((await put(owner.token, null)).body).toMatchObject({ limit: null, remaining: null });
    expect(await auditActions(owner.id)).toEqual(Array(3).fill("tokens.budget_changed"));
  });

  it.each([-1, 1.5, "many", 1e13])("refuses %j", async (limit) => {
    const { token } = await signedInPerson("owner");
    expectProblem(await put(token, limit), 422, "validation_failed");
  });

  it("says when it starts again: with the next month of UTC", async () => {
    const { token } = await signedInPerson("owner");
    await put(token, 0);
    const now = new Date();
    const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    const error = await requireBudget({ ...systemCtx(), now }).catch((reason) => reason);
    expect(error).toMatchObject({ status: 429, extras: { details: { limit: 0, resetsAt: end.toISOString() } } });
    expect(error.extras.retryAfter).toBeCloseTo((end.getTime() - now.getTime()) / 1000, 3);
    expect((await get("balance", token)).resetsAt).toBe(end.toISOString());
  });

  it("counts each month by itself", async () => {
    const { token } = await signedInPerson("owner");
    await put(token, 100);
    const next = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1));
    await call(100, { now: new Date(next.getTime() - 1) });
    await expect(requireBudget({ ...systemCtx(), now: new Date(next.getTime() - 1) })).rejects.toThrow();
    await requireBudget({ ...systemCtx(), now: next });
  });

  it("is checked in one round trip that reads few rows", async () => {
    const counted = countStatements(env.DB);
    await requireBudget(systemCtx({ DB: counted.db }));
    expect(counted.taken().roundTrips).toBe(1);
    const measured = measureRows(env.DB);
    await requireBudget(systemCtx({ DB: measured.db }));
    expect(measured.taken().reduce((sum, read) => sum + read, 0)).toBeLessThan(8);
  });
});

describe("the plan's tokens", () => {
  const FREE = 100_000;

  it("end a month's calls where none were bought", async () => {
    const { vars, ...shop } = await newShop();
    await call(FREE - 1, { vars });
    await requireBudget(systemCtx(vars));
    await call(1, { vars });
    const error = await requireBudget(systemCtx(vars)).catch((reason) => reason);
    expect(error).toMatchObject({ code: "token_budget_exhausted", extras: { details: { planAllowance: FREE } } });
    expect(await shop.balance()).toMatchObject({ remaining: 0, exhausted: true, planAllowance: FREE });
  });

  it("are followed by those bought, drawn on exactly under parallel calls", async () => {
    const { vars, ...shop } = await newShop();
    const { body } = await shop.post("tokens/purchase", { package: "tokens_1m" });
    await shop.deliver(await shop.complete(body.id));
    await Promise.all(Array.from({ length: 30 }, () => call(7_000, { vars })));
    const used = 30 * 7_000;
    const purchasedRemaining = 1_000_000 - (used - FREE);
    expect(await shop.balance()).toMatchObject({ used, purchasedRemaining, remaining: purchasedRemaining });
    // What was drawn stays drawn: the next month begins with its own allowance and the rest of what was bought.
    const next = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1));
    await call(FREE + 1, { vars, now: next });
    expect(await shop.balance()).toMatchObject({ used, purchasedRemaining: purchasedRemaining - 1 });
  });

  it("grow with the plan, at once", async () => {
    const shop = await subscribedShop();
    await call(FREE, { vars: shop.vars });
    await requireBudget(systemCtx(shop.vars));
    expect(await shop.balance()).toMatchObject({ planAllowance: 2_000_000, remaining: 1_900_000 });
  });

  it("and those bought do not lift the owner's own budget", async () => {
    const { vars, ...shop } = await newShop();
    const { body } = await shop.post("tokens/purchase", { package: "tokens_1m" });
    await shop.deliver(await shop.complete(body.id));
    await client.put("/api/settings/tokens/budget", { monthlyLimit: 50 }, { token: shop.owner.token });
    await call(50, { vars });
    const error = await requireBudget(systemCtx(vars)).catch((reason) => reason);
    expect(error).toMatchObject({ code: "token_budget_exhausted", extras: { details: { limit: 50 } } });
  });
});
