import { afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { ownStore } from "../ai/tenant.ts";
import { contextFor, signedInPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";

const PATH = "/api/api-keys/local-servers";
const ADDRESSES = {
  ollama: "http://127.0.0.1:11434",
  "lm-studio": "http://127.0.0.1:1234",
  "llama-cpp": "http://127.0.0.1:8080",
};
const NOBODY = "http://127.0.0.1:9";

let token: string;
beforeAll(async () => {
  ({ token } = await signedInPerson("owner"));
});
afterEach(() => vi.restoreAllMocks());

/** Has fakes listen at the usual addresses: the path of each at the fake server. Returns what was asked. */
function running(paths: Partial<Record<keyof typeof ADDRESSES, string>>) {
  const real = globalThis.fetch;
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const url = String(input);
    asked.push(url);
    const found = Object.entries(ADDRESSES).find(([, address]) => url.startsWith(`${address}/`));
    if (!found) throw new Error(`nobody may ask ${url}`);
    const path = paths[found[0] as keyof typeof ADDRESSES];
    return real(path === undefined ? NOBODY : `${inject("modelsUrl")}${path}${url.slice(found[1].length)}`, init);
  });
  return asked;
}

const find = (vars: Partial<Env> = {}, by = token) =>
  service({ KV: ownStore(), ...vars }).post(PATH, undefined, { token: by });

describe("the model servers of this computer", () => {
  it("are found with their models, at their usual addresses and nowhere else", async () => {
    const asked = running({ ollama: "/openai", "llama-cpp": "/other/mixed" });
    const { status, body } = await find();
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { server: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["llama-served", "llama-other"] },
      // Each once, without one for embeddings, without names that could not be saved, and without what is no model.
      { server: "llama-cpp", baseUrl: "http://127.0.0.1:8080/v1", models: ["qwen3:8b", "gpt-oss:20b"] },
    ]);
    expect(asked.sort()).toEqual(
      Object.values(ADDRESSES)
        .map((address) => `${address}/v1/models`)
        .sort(),
    );
  });

  it("are none when nothing listens", async () => {
    running({});
    expect((await find()).body).toEqual({ data: [] });
  });

  it.each([
    "refuses",
    "redirects",
    "shows_a_page",
    "has_other_json",
    "is_silent",
    "hangs_up",
    "says_too_much",
    "never_stops",
    "trickles",
  ])("do not include a program on such a port that %s, which keeps no other from being found", async (kind) => {
    running({ ollama: `/other/${kind}`, "lm-studio": "/openai" });
    expect((await find()).body.data).toMatchObject([{ server: "lm-studio" }]);
  });

  it("list a hundred models each at most", async () => {
    running({ ollama: "/other/many" });
    expect((await find()).body.data[0].models).toHaveLength(100);
  });

  it("are asked by no service in production, which has no such endpoint", async () => {
    const asked = running({ ollama: "/openai" });
    const production = { ALLOW_PRIVATE_HOSTS: "false", ACCESS_MODE: "private" };
    expectProblem(await find(production), 404, "not_found");
    expect(asked).toEqual([]);
    const keys = async (vars: Partial<Env>) =>
      (await service({ KV: ownStore(), ...vars }).get("/api/api-keys", { token })).body.findsLocalServers;
    expect([await keys(production), await keys({})]).toEqual([false, true]);
  });

  it("are found for the owner only", async () => {
    const asked = running({ ollama: "/openai" });
    const { key } = await createApiKey(await contextFor(token), {
      name: "a program",
      scopes: ["ai:use", "tasks:write"],
      expiresAt: null,
    });
    expectProblem(await find({}, key), 403, "insufficient_scope");
    expectProblem(await find({}, (await signedInPerson()).token), 403, "forbidden");
    expectProblem(await service({ KV: ownStore() }).post(PATH), 401, "unauthenticated");
    expect(asked).toEqual([]);
  });

  it("are asked for nothing by reading keys and models", async () => {
    const asked = running({ ollama: "/openai" });
    const client = service({ KV: ownStore() });
    await Promise.all(["/api/api-keys", "/api/ai/models", "/api/ai-model"].map((path) => client.get(path, { token })));
    expect(asked).toEqual([]);
  });

  it("are used once one is saved as it was found and its model is selected, without a key", async () => {
    running({ ollama: "/openai" });
    const client = service({ KV: ownStore() });
    const [{ baseUrl, models }] = (await client.post(PATH, undefined, { token })).body.data;
    const saved = { provider: "custom", baseUrl, model: "model_d", upstreamModel: models[1] };
    expect((await client.post("/api/api-keys", saved, { token })).status).toBe(201);
    const chat = await client.post("/api/ai/chat", { message: "Who are you?" }, { token });
    expect(chat.body).toMatchObject({
      reply: "Hello world",
      engine: { kind: "llm", model: "model_d", provider: "custom", upstreamModel: "llama-other" },
    });
  });
});
