import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { newTenant, ownStore } from "../ai/tenant.ts";
import { auditActions, signedInPerson } from "../auth/people.ts";
import { type Client, expectErrorLog, expectProblem, service, takeLogs } from "../harness.ts";

let ownerId: number;
let token: string;

beforeAll(async () => {
  ({ id: ownerId, token } = await signedInPerson("owner"));
});

/** The owner at a service with a key store of its own. */
function owner(vars: Partial<Env> = {}) {
  const client: Client = service({ KV: ownStore(), ...vars });
  return {
    client,
    list: async () => (await client.get("/api/api-keys", { token })).body.data,
    save: (body: object) => client.post("/api/api-keys", body, { token }),
    remove: (keyId: string) => client.delete(`/api/api-keys/${keyId}`, { token }),
  };
}

const newKey = () => `sk-${crypto.randomUUID()}`;

describe("the AI keys", () => {
  it("are listed by provider, with where they come from and nothing of the key", async () => {
    const { list, save } = owner({ ANTHROPIC_API_KEY: "environment-secret" });
    const key = newKey();
    expect((await save({ provider: "openai", key })).status).toBe(201);
    const data = await list();
    expect(data).toMatchObject([
      { keyId: "openai", provider: "openai", configured: true, source: "runtime", baseUrl: null },
      { keyId: "anthropic", configured: true, source: "environment", updatedAt: null },
      { keyId: "google", configured: false, source: "none" },
      { keyId: "workers-ai", configured: false, source: "none" },
      { keyId: "custom", configured: false, source: "none" },
    ]);
    expect(JSON.stringify(data)).not.toContain(key.slice(0, 8));
    expect(JSON.stringify(data)).not.toContain("environment-secret");
  });

  it("answer 201 when new, 200 when replaced, and take effect on the next request", async () => {
    const base = inject("modelsUrl");
    const tenants = await Promise.all([newTenant(), newTenant()]);
    const { save, client } = owner({ MODEL_A: "openai/gpt-x" });
    for (const [index, tenant] of tenants.entries()) {
      await tenant.says({ text: `I am ${index}` });
      const { status } = await save({ provider: "openai", key: tenant.key, baseUrl: `${base}/openai/v1/` });
      expect(status).toBe(index === 0 ? 201 : 200);
      const { body } = await client.post("/api/ai/generate", { prompt: "Who are you?" });
      expect(body.content).toBe(`I am ${index}`);
    }
  });

  it("give way to the environment's when removed, and removing again is 404", async () => {
    const { save, remove, list } = owner({ OPENAI_API_KEY: "environment-secret" });
    await save({ provider: "openai", key: newKey() });
    const removed = await remove("openai");
    expect({ status: removed.status, text: removed.text }).toEqual({ status: 204, text: "" });
    expect((await list())[0]).toMatchObject({ source: "environment", configured: true });
    expectProblem(await remove("openai"), 404, "not_found");
    expectProblem(await remove("mistral"), 422, "validation_failed");
  });

  it("are gone for the next request once removed", async () => {
    const base = inject("modelsUrl");
    const tenant = await newTenant();
    const { save, remove, client } = owner({ MODEL_A: "openai/gpt-x" });
    await save({ provider: "openai", key: tenant.key, baseUrl: `${base}/openai/v1` });
    expect((await client.post("/api/ai/generate", { prompt: "A sonnet in Latin." })).status).toBe(200);
    await remove("openai");
    const answer = await client.post("/api/ai/generate", { prompt: "A sonnet in Latin." });
    expectProblem(answer, 503, "model_not_configured");
  });

  it("lie encrypted, and only under the provider they were given for", async () => {
    const KV = ownStore();
    const { save, list } = owner({ KV });
    const key = newKey();
    await save({ provider: "openai", key });
    const sealed = (await KV.get("ai-key:openai")) ?? "";
    expect(sealed).toMatch(/^v2\./);
    expect(sealed).not.toContain(key);
    await KV.put("ai-key:google", sealed);
    expect((await list())[2]).toMatchObject({ provider: "google", configured: false, source: "none" });
  });

  it("that another secret sealed are as good as none", async () => {
    const KV = ownStore();
    await owner({ KV }).save({ provider: "openai", key: newKey() });
    const other = owner({ KV, ENCRYPTION_KEY: "another-encryption-key-0123456789-abc" });
    expect((await other.list())[0]).toMatchObject({ configured: false, source: "none" });
    const { data } = (await other.client.get("/api/ai/models")).body;
    expect(data[0]).toMatchObject({ model: "model_a", available: false });
    const answer = await other.client.post("/api/ai/generate", { prompt: "A sonnet.", model: "model_a" });
    expectProblem(answer, 503, "model_not_configured");
  });

  it("are never in the log or the answers, and their changes are in the audit log", async () => {
    takeLogs();
    const { save, remove } = owner();
    const key = newKey();
    const before = (await auditActions(ownerId)).length;
    const answers = [
      await save({ provider: "openai", key }),
      await save({ provider: "openai", key: `${key} and a space` }),
      await save({ provider: "custom", key }),
      await remove("openai"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 422, 422, 204]);
    for (const { text } of answers) expect(text).not.toContain(key);
    expect(takeLogs().join("\n")).not.toContain(key);
    expect((await auditActions(ownerId)).slice(before)).toEqual(["ai_key.saved", "ai_key.removed"]);
  });

  it.each([
    [{}, ["provider"]],
    [{ provider: "openai" }, ["key"]],
    [{ provider: "openai", key: "sk-0123456789", model: "model_a" }, ["upstreamModel"]],
    [{ provider: "openai", key: "sk-0123456789", upstreamModel: "gpt-y" }, ["model"]],
    [{ provider: "custom", baseUrl: "https://llm.example.com", model: "model_e" }, ["model"]],
    [{ provider: "custom", baseUrl: "https://llm.example.com", upstreamModel: "two words" }, ["upstreamModel"]],
    [{ provider: "custom" }, ["baseUrl"]],
    [{ provider: "mistral", key: "sk-0123456789" }, ["provider"]],
    [{ provider: "openai", key: "short" }, ["key"]],
    [{ provider: "openai", key: "k".repeat(1001) }, ["key"]],
    [{ provider: "openai", key: "sk-01234\u000056789" }, ["key"]],
    [{ provider: "openai", key: "sk-schlüssel" }, ["key"]],
    [{ provider: "custom", key: "sk-0123456789" }, ["baseUrl"]],
    [{ provider: "workers-ai", key: "sk-0123456789" }, ["baseUrl"]],
    [{ provider: "custom", key: "sk-0123456789", baseUrl: "ftp://llm.example.com" }, ["baseUrl"]],
    [{ provider: "custom", key: "sk-0123456789", baseUrl: "https://a:b@llm.example.com" }, ["baseUrl"]],
  ])("are refused as %j", async (body, paths) => {
    const answer = await owner().save(body);
    expectProblem(answer, 422, "validation_failed");
    expect([...new Set(answer.body.errors.map(({ path }: { path: string }) => path))]).toEqual(paths);
  });

  it.each(["http://llm.example.com/v1", "https://127.0.0.1/v1", "https://[::1]/v1", "https://localhost/v1"])(
    "never go to %s in a real deployment",
    async (baseUrl) => {
      const { save } = owner({ ALLOW_PRIVATE_HOSTS: "false" });
      const answer = await save({ provider: "custom", key: newKey(), baseUrl });
      expectProblem(answer, 422, "validation_failed");
    },
  );

  it("saved for a private address are not used once such addresses are forbidden", async () => {
    const tenant = await newTenant("openai", { ALLOW_PRIVATE_HOSTS: "false" });
    expectProblem(await tenant.client.post("/api/ai/generate", { prompt: "A sonnet." }), 503, "model_not_configured");
    expect(await tenant.requests()).toHaveLength(0);
  });

  it("stay one key when saved many times at once", async () => {
    const { save, list } = owner();
    const answers = await Promise.all(Array.from({ length: 8 }, () => save({ provider: "google", key: newKey() })));
    for (const { status } of answers) expect([200, 201]).toContain(status);
    expect((await list())[2]).toMatchObject({ configured: true, source: "runtime" });
  });

  it("that the store does not take are told to be tried again", async () => {
    expectErrorLog("ai_key_not_written");
    const KV = ownStore();
    const stubborn = { get: KV.get, put: () => Promise.reject(new Error("429")) } as unknown as KVNamespace;
    const answer = await owner({ KV: stubborn }).save({ provider: "openai", key: newKey() });
    expectProblem(answer, 503, "unavailable");
    expect(answer.headers.get("retry-after")).toBe("1");
  });
});

describe("a custom provider", () => {
  const baseUrl = `${inject("modelsUrl")}/openai/v1`;
  afterEach(() => env.DB.exec("UPDATE model_state SET model = 'model_a', updated_at = NULL"));

  it("answers as soon as its address is saved, without a key, and no longer once it is deleted", async () => {
    const { client, save, remove, list } = owner();
    const { data: before } = (await client.get("/api/ai/models")).body;
    const saved = await save({ provider: "custom", baseUrl });
    expect(saved.status).toBe(201);
    expect(saved.body).toMatchObject({ configured: true, baseUrl, model: "model_d", upstreamModel: "llama-served" });
    expect((await list()).at(-1)).toEqual(saved.body);
    const served = { model: "model_d", provider: "custom", upstreamModel: "llama-served", available: true };
    expect((await client.get("/api/ai-model")).body).toMatchObject(served);
    const generated = await client.post("/api/ai/generate", { prompt: "Who are you?" });
    expect(generated.body).toMatchObject({
      content: "Hello world",
      engine: { kind: "llm", model: "model_d", provider: "custom", upstreamModel: "llama-served" },
    });
    const chat = await client.post("/api/ai/chat", { message: "Who are you?" }, { token });
    expect(chat.body).toMatchObject({ reply: "Hello world", engine: { kind: "llm", provider: "custom" } });
    expect((await remove("custom")).status).toBe(204);
    expect((await client.get("/api/ai/models")).body.data).toEqual(before);
    expectProblem(await client.post("/api/ai/generate", { prompt: "A sonnet in Latin." }), 503, "model_not_configured");
  });

  it("takes the place of the model it is saved for, which is then selected like any other", async () => {
    const tenant = await newTenant();
    const { client, save } = owner({ OPENAI_API_KEY: "environment-secret" });
    const custom = { provider: "custom", key: tenant.key, baseUrl, model: "model_b", upstreamModel: "llama3:70b" };
    expect((await save(custom)).body).toMatchObject({ model: "model_b", upstreamModel: "llama3:70b" });
    expect((await client.get("/api/ai-model")).body).toMatchObject({ model: "model_a", provider: "openai" });
    const selected = await client.post("/api/ai-model", { model: "model_b" });
    expect(selected.body).toMatchObject({ provider: "custom", upstreamModel: "llama3:70b", available: true });
    await tenant.says({ text: "A llama." });
    const { body } = await client.post("/api/ai/generate", { prompt: "Who are you?" });
    expect(body).toMatchObject({ content: "A llama.", engine: { model: "model_b", upstreamModel: "llama3:70b" } });
    expect((await tenant.requests()).at(-1)?.body).toMatchObject({ model: "llama3:70b" });
  });

  it("leaves the models alone that variables name for it", async () => {
    const { client, save } = owner({ MODEL_A: "custom/llama-x" });
    expect((await save({ provider: "custom", baseUrl })).body).toMatchObject({ model: null, upstreamModel: null });
    const { data } = (await client.get("/api/ai/models")).body;
    expect(data[0]).toMatchObject({ provider: "custom", upstreamModel: "llama-x", available: true, active: true });
    expect(data[3]).toMatchObject({ provider: "workers-ai" });
  });

  it("is asked for its default model when it lists none", async () => {
    const saved = await owner().save({ provider: "custom", baseUrl: `${inject("modelsUrl")}/nowhere` });
    expect(saved.body).toMatchObject({ model: "model_d", upstreamModel: "default" });
  });
});

describe("the model of a key", () => {
  it("replaces the configured one at every provider, the newer key first", async () => {
    const { client, save } = owner();
    const openai = { provider: "openai", key: newKey(), model: "model_a", upstreamModel: "gpt-y" };
    await save(openai);
    expect((await client.get("/api/ai/models")).body.data[0]).toMatchObject({
      provider: "openai",
      upstreamModel: "gpt-y",
    });
    await save({ provider: "google", key: newKey(), model: "model_a", upstreamModel: "gemini-y" });
    expect((await client.get("/api/ai/models")).body.data[0]).toMatchObject({ provider: "google" });
    await save(openai);
    expect((await client.get("/api/ai/models")).body.data[0]).toMatchObject({ provider: "openai" });
  });
});
