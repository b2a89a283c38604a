import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { newTenant, ownStore } from "../ai/tenant.ts";
import { expectProblem, service } from "../harness.ts";

afterEach(() => env.DB.exec("UPDATE model_state SET model = 'model_a', updated_at = NULL"));

describe("GET /api/ai/models", () => {
  it("lists four models of four providers, and says of each what it lacks", async () => {
    const { body } = await service({ KV: ownStore() }).get("/api/ai/models");
    expect(body.data.map(({ model }: { model: string }) => model)).toEqual([
      "model_a",
      "model_b",
      "model_c",
      "model_d",
    ]);
    expect(new Set(body.data.map(({ provider }: { provider: string }) => provider)).size).toBe(4);
    for (const { available, unavailableReason } of body.data) {
      expect(available).toBe(false);
      expect(unavailableReason).toMatch(/POST \/api\/api-keys/);
    }
  });

  it("shows the models a deployment names", async () => {
    const client = service({ KV: ownStore(), MODEL_B: "custom/llama3:70b", OPENAI_API_KEY: "sk-environment" });
    const { body } = await client.get("/api/ai/models");
    expect(body.data[0]).toMatchObject({ provider: "openai", available: true, active: true, unavailableReason: null });
    expect(body.data[1]).toMatchObject({ provider: "custom", upstreamModel: "llama3:70b", available: false });
  });

  it("ignores a name it cannot read, and health says so", async () => {
    const client = service({ KV: ownStore(), MODEL_A: "llama3" });
    const { body } = await client.get("/api/ai/models");
    expect(body.data[0].provider).toBe("openai");
  });
});

describe("the active model", () => {
  it("is the first that can be used, until one is chosen", async () => {
    const without = service({ KV: ownStore() });
    expect((await without.get("/api/ai-model")).body).toMatchObject({
      model: "model_a",
      available: false,
      updatedAt: null,
    });
    const withGoogle = service({ KV: ownStore(), GOOGLE_API_KEY: "environment-key" });
    expect((await withGoogle.get("/api/ai-model")).body).toMatchObject({ model: "model_c", available: true });
  });

  it("is the one chosen, also for those who come later, whether it has a key or not", async () => {
    const client = service({ KV: ownStore(), GOOGLE_API_KEY: "environment-key" });
    const { status, body } = await client.post("/api/ai-model", { model: "model_b" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ model: "model_b", provider: "anthropic", available: false });
    expect(body.updatedAt).toMatch(/^\d{4}-/);
    expect((await client.get("/api/ai-model")).body).toEqual(body);
    const { body: list } = await client.get("/api/ai/models");
    expect(list.data.filter(({ active }: { active: boolean }) => active)).toMatchObject([{ model: "model_b" }]);
  });

  it("answers the calls that name none", async () => {
    const tenant = await newTenant("openai", { MODEL_B: "openai/gpt-b" });
    await tenant.client.post("/api/ai-model", { model: "model_b" });
    const { body } = await tenant.client.post("/api/ai/generate", { prompt: "Hello" });
    expect(body.engine).toMatchObject({ model: "model_b", upstreamModel: "gpt-b" });
  });

  it("is one of those asked for at once", async () => {
    const client = service({ KV: ownStore() });
    const names = ["model_a", "model_b", "model_c", "model_d"];
    const answers = await Promise.all(names.map((model) => client.post("/api/ai-model", { model })));
    expect(answers.map(({ body }) => body.model)).toEqual(names);
    expect(names).toContain((await client.get("/api/ai-model")).body.model);
  });

  it.each([{}, { model: "gpt-4" }, { model: null }])("cannot be %j", async (body) => {
    expectProblem(await service().post("/api/ai-model", body), 422, "validation_failed");
  });
});

describe("what AI costs", () => {
  it("shows in the statistics, by model, with the fallbacks", async () => {
    const tenant = await newTenant();
    const before = (await tenant.client.get("/api/stats")).body.ai;
    await tenant.says({ text: "Yes" });
    await tenant.client.post("/api/ai/generate", { prompt: "Hello" });
    await tenant.says({ refuse: "401" });
    await tenant.client.post("/api/calendar/detect", { text: "Shall we meet tomorrow at 3pm?" });
    const { ai } = (await tenant.client.get("/api/stats")).body;
    expect({
      calls: ai.calls - before.calls,
      fallbacks: ai.fallbacks - before.fallbacks,
      model: ai.byModel.model_a - (before.byModel.model_a ?? 0),
      builtin: ai.byModel.builtin - (before.byModel.builtin ?? 0),
    }).toEqual({ calls: 3, fallbacks: 1, model: 2, builtin: 1 });
  });
});
