import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeModels, type SeenRequest } from "../fakes/llm/server.ts";
import { close, listen } from "../fakes/server.ts";
import { createFakeStripe } from "../fakes/stripe/server.ts";
import { until } from "../until.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

/* Calls every provider from the upload itself, since most of the other tests run the source. */

const PROVIDERS = [
  { model: "model_a", provider: "openai", path: "/openai/v1" },
  { model: "model_b", provider: "anthropic", path: "/anthropic/v1" },
  { model: "model_c", provider: "google", path: "/google/v1beta" },
  { model: "model_d", provider: "custom", path: "/openai/v1" },
] as const;

let worker: RunningWorker;
const fake = createFakeModels();
const stripe = createFakeStripe();
let fakeUrl: string;
let token: string;

beforeAll(async () => {
  fakeUrl = await listen(fake);
  worker = await startWorker({
    JWT_SECRET: "test-only-jwt-secret-0123456789-abcdef",
    PASSWORD_PEPPER: "test-only-pepper-0123456789-abcdefghij",
    ENCRYPTION_KEY: "test-only-encryption-key-0123456789-abc",
    ALLOW_PRIVATE_HOSTS: "true",
    MODEL_D: "custom/llama-x",
    STRIPE_SECRET_KEY: "sk_test_0123456789abcdef",
    STRIPE_WEBHOOK_SECRET: "whsec_0123456789abcdef",
    STRIPE_API_URL: await listen(stripe),
  });
  await worker.migrate();
  const account = { email: "ada@example.com", password: "correct horse battery staple", name: "Ada" };
  token = (await (await send("/api/auth/register", account)).json()).token;
  for (const { provider, path } of PROVIDERS) {
    const { password: currentPassword } = account;
    const key = { provider, key: `key-${provider}`, baseUrl: fakeUrl + path, currentPassword };
    const answer = await send("/api/api-keys", key);
    expect(answer.status).toBe(201);
  }
});
afterAll(async () => {
  await worker?.stop();
  close(fake);
  close(stripe);
});

interface Answer {
  status: number;
  body: ReadableStream<Uint8Array> | null;
  headers: Headers;
  text(): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects of it
  json(): Promise<any>;
}

function send(path: string, body: object, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Answer> {
  return fetch(new URL(path, worker.url), {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }), ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

const script = (provider: string, ...turns: object[]) =>
  fetch(`${fakeUrl}/control/key-${provider}/script`, { method: "POST", body: JSON.stringify(turns) });

describe.each(PROVIDERS)("the upload with a model of $provider", ({ model, provider }) => {
  it("writes text, whole and as a stream", async () => {
    await script(provider, { text: "Dear Ann, thank you." });
    const whole = await send("/api/ai/generate", { prompt: "Thank Ann.", model });
    expect(await whole.json()).toMatchObject({ content: "Dear Ann, thank you.", engine: { kind: "llm", provider } });
    const stream = await send("/api/ai/generate", { prompt: "Thank Ann.", model }, { accept: "text/event-stream" });
    const events = await stream.text();
    expect([...events.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join("")).toBe("Dear Ann, thank you.");
    expect(events).toMatch(/event: done\n/);
  });

  it("uses tools, and answers in a form", async () => {
    expect((await send("/api/ai-model", { model })).status).toBe(200);
    await script(provider, { tools: [{ name: "create_task", input: { title: provider } }] }, { text: "On your list." });
    const chat = await send("/api/ai/chat", { message: "please see to it" });
    expect(await chat.json()).toMatchObject({
      reply: "On your list.",
      actions: [{ tool: "create_task", result: { title: provider } }],
      engine: { kind: "llm", provider },
    });
    await script(provider, { json: { subject: "Re: Lunch", response: "Hello Bob,\n\nyes, gladly.\n\nAda" } });
    const reply = await send("/api/workflow/email-response", {
      content: "Lunch on Friday? Bob",
      instructions: "accept",
    });
    expect(await reply.json()).toMatchObject({ response: expect.stringContaining("gladly"), engine: { kind: "llm" } });
  });

  it("says when its key is refused, when it is to slow down, and when it is cut off", async () => {
    await script(provider, { refuse: "401" });
    const refused = await send("/api/ai/generate", { prompt: "Thank Ann.", model });
    expect([refused.status, (await refused.json()).code]).toEqual([502, "provider_unauthorized"]);
    await script(provider, { refuse: "429 later" });
    const slow = await send("/api/ai/generate", { prompt: "Thank Ann.", model }, { accept: "text/event-stream" });
    expect([slow.status, slow.headers.get("retry-after")]).toEqual([502, "17"]);
    await script(provider, { text: "Good morning", breaks: "cut" });
    const cut = await send("/api/ai/generate", { prompt: "Thank Ann.", model }, { accept: "text/event-stream" });
    expect(await cut.text()).toMatch(/event: error\ndata: .*provider_error/);
  });
});

/*
 * Only a real connection can be hung up on. The runtime drops such a request, and what it cost must be
 * written down all the same.
 */
describe("a client that leaves a stream", () => {
  it("makes the upload hang up on the model, and the call is written down", async () => {
    const calls = async () => {
      const stats = (await (await fetch(new URL("/api/stats", worker.url))).json()) as { ai: { calls: number } };
      return stats.ai.calls;
    };
    const before = await calls();
    await script("openai", { text: "Once upon a time", breaks: "silence" });
    const leaving = new AbortController();
    const stream = { accept: "text/event-stream" };
    const response = await send("/api/ai/generate", { prompt: "A story", model: "model_a" }, stream, leaving.signal);
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toContain("Once");
    leaving.abort();
    const last = async () => {
      const asked = await fetch(`${fakeUrl}/control/key-openai/requests`, { method: "POST", body: "{}" });
      return ((await asked.json()) as SeenRequest[]).at(-1);
    };
    await until(async () => expect(await last()).toMatchObject({ hungUp: true }));
    await until(async () => expect(await calls()).toBe(before + 1));
  });
});

describe("the upload with Stripe", () => {
  it("knows the prices, opens a checkout, and lists what was paid", async () => {
    const get = (path: string) => fetch(new URL(path, worker.url), { headers: { authorization: `Bearer ${token}` } });
    const plans = await (await get("/api/settings/billing/plans")).json();
    expect(plans).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ id: "pro" })]) });
    const checkout = await send("/api/settings/billing/checkout", { plan: "pro" });
    expect(await checkout.json()).toMatchObject({ url: expect.stringMatching(/^http/) });
    for (const list of ["invoices", "payment-methods"]) {
      expect((await get(`/api/settings/billing/${list}`)).status).toBe(200);
    }
    expect((await send("/api/settings/billing/portal", {})).status).toBe(201);
  });
});
