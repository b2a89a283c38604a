import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { generate, generateEvents } from "../../src/features/ai/generate.ts";
import type { ProviderName } from "../../src/lib/ai-kinds.ts";
import { expectProblem, service, sharedApp, takeLogs } from "../harness.ts";
import { sampled } from "../sampled.ts";
import { until } from "../until.ts";
import { callsSince, eventsOf, lastCallId, newTenant, ownStore } from "./tenant.ts";

const PROVIDERS: ProviderName[] = ["openai", "anthropic", "google", "custom", "workers-ai"];
/** One of each client: the other two are called by that of openai. */
const CLIENTS: ProviderName[] = ["openai", "anthropic", "google"];
const PROMPT = { prompt: "Say hello." };
const EVENTS = { headers: { accept: "text/event-stream" } };
/** Short enough for a test. */
const QUICK = { totalMs: 400, chunkMs: 200 };

/** Until the provider sees that nobody listens any more. */
const hungUp = ({ requests }: Awaited<ReturnType<typeof newTenant>>) =>
  until(async () => expect((await requests())[0]?.hungUp).toBe(true));

describe.each(sampled(PROVIDERS))("text from %s", (provider) => {
  it("comes with what it cost and who made it, and the cost is written down", async () => {
    const tenant = await newTenant(provider);
    await tenant.says({ text: "Good morning", usage: { input: 12, output: 3 } });
    const before = await lastCallId();
    const { status, body } = await tenant.client.post("/api/ai/generate", {
      ...PROMPT,
      system: "Be brief.",
      maxTokens: 50,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      content: "Good morning",
      usage: { inputTokens: 12, outputTokens: 3, totalTokens: 15 },
      engine: { kind: "llm", model: "model_a", provider, fallbackReason: null },
    });
    expect(await callsSince(before)).toMatchObject([
      { task: "generate", model: "model_a", provider, input_tokens: 12, output_tokens: 3, fallback_reason: null },
    ]);
    const [request] = await tenant.requests();
    expect(JSON.stringify(request?.body)).toContain("Be brief.");
  });

  it("comes as a stream of pieces, and says at the end what it cost", async () => {
    const tenant = await newTenant(provider);
    await tenant.says({ text: "Good morning", usage: { input: 12, output: 3 } });
    const before = await lastCallId();
    const answer = await tenant.client.post("/api/ai/generate", PROMPT, EVENTS);
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const events = eventsOf(answer.text);
    const deltas = events.filter(({ event }) => event === "delta").map(({ data }) => data.text);
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe("Good morning");
    expect(events.at(-1)).toMatchObject({
      event: "done",
      data: { usage: { inputTokens: 12, outputTokens: 3, totalTokens: 15 }, engine: { kind: "llm", provider } },
    });
    expect(await callsSince(before)).toMatchObject([{ input_tokens: 12, output_tokens: 3 }]);
  });
});

describe.each(CLIENTS)("text from %s that fails", (provider) => {
  it.each([
    ["401", 502, "provider_unauthorized"],
    ["403", 502, "provider_unauthorized"],
    ["400", 502, "provider_error"],
    ["404", 502, "provider_error"],
  ] as const)("is asked for once when the provider answers %s", async (refuse, status, code) => {
    const tenant = await newTenant(provider);
    await tenant.says({ refuse });
    const answer = await tenant.client.post("/api/ai/generate", PROMPT);
    expectProblem(answer, status, code);
    expect(await tenant.requests()).toHaveLength(1);
  });

  it.each(["500", "529", "429", "429 soon"] as const)("is asked for again after %s", async (refuse) => {
    const tenant = await newTenant(provider);
    await tenant.says({ refuse }, { text: "There it is" });
    const { body, status } = await tenant.client.post("/api/ai/generate", PROMPT);
    expect({ status, content: body.content }).toEqual({ status: 200, content: "There it is" });
    expect(await tenant.requests()).toHaveLength(2);
  });

  it("is asked for twice at most", async () => {
    const tenant = await newTenant(provider);
    await tenant.says({ refuse: "500" });
    expectProblem(await tenant.client.post("/api/ai/generate", PROMPT), 502, "provider_error");
    expect(await tenant.requests()).toHaveLength(2);
  });

  it("is not waited for when the provider asks for much patience, and the client is told how long", async () => {
    const tenant = await newTenant(provider);
    await tenant.says({ refuse: "429 later" });
    const answer = await tenant.client.post("/api/ai/generate", PROMPT);
    expectProblem(answer, 502, "provider_error");
    expect(answer.body.reason).toBe("provider_rate_limited");
    expect(answer.headers.get("retry-after")).toBe("17");
    expect(await tenant.requests()).toHaveLength(1);
  });

  it("stops being waited for after the time limit", async () => {
    const tenant = await newTenant(provider);
    await tenant.says({ hang: true });
    await expect(generate(tenant.context(), PROMPT, QUICK)).rejects.toMatchObject({ code: "provider_timeout" });
    await hungUp(tenant);
  });

  it.each([
    ["cut", "provider_error"],
    ["error", "provider_error"],
    ["silence", "provider_timeout"],
  ] as const)("ends with an error event when a stream breaks by %s", async (breaks, code) => {
    const tenant = await newTenant(provider);
    await tenant.says({ text: "Good morning", breaks });
    const before = await lastCallId();
    // Only silence has to be waited out; what ends by itself may take its time on a busy machine.
    const limits = breaks === "silence" ? QUICK : undefined;
    const events = generateEvents(tenant.context(), PROMPT, new AbortController().signal, limits);
    const seen: string[] = [];
    const failure = await (async () => {
      for await (const { event } of events) seen.push(event);
    })().catch((error) => error);
    expect(failure).toMatchObject({ code });
    expect(new Set(seen)).toEqual(new Set(["delta"]));
    const [call, ...others] = await callsSince(before);
    expect(others).toEqual([]);
    expect(call?.output_tokens).toBeGreaterThan(0);
  });
});

describe("POST /api/ai/generate", () => {
  it("never passes on the provider's words, nor the key", async () => {
    for (const refuse of ["401", "400", "quota", "500"] as const) {
      const tenant = await newTenant();
      takeLogs();
      await tenant.says({ refuse });
      const { text } = await tenant.client.post("/api/ai/generate", PROMPT);
      const { text: streamed } = await tenant.client.post("/api/ai/generate", PROMPT, EVENTS);
      const said = `${text}${streamed}${takeLogs().join("\n")}`;
      expect(said).not.toContain(tenant.key);
      expect(said).not.toContain("org-secret");
    }
  });

  it("does not try again when the quota is used up", async () => {
    const tenant = await newTenant();
    await tenant.says({ refuse: "quota" }, { text: "no" });
    const answer = await tenant.client.post("/api/ai/generate", PROMPT);
    expectProblem(answer, 502, "provider_error");
    expect(answer.body.reason).toBe("provider_quota_exhausted");
    expect(await tenant.requests()).toHaveLength(1);
  });

  it("answers a failure before the first word of a stream with a plain problem", async () => {
    const tenant = await newTenant();
    await tenant.says({ refuse: "401" });
    expectProblem(await tenant.client.post("/api/ai/generate", PROMPT, EVENTS), 502, "provider_unauthorized");
  });

  it("puts a later failure into the stream as a problem document", async () => {
    const tenant = await newTenant("anthropic");
    await tenant.says({ text: "Good morning", breaks: "error" });
    const { text, status } = await tenant.client.post("/api/ai/generate", PROMPT, EVENTS);
    const events = eventsOf(text);
    expect(status).toBe(200);
    expect(events.map(({ event }) => event)).toEqual(["delta", "error"]);
    expect(events[1]?.data).toMatchObject({ status: 502, code: "provider_error", requestId: expect.any(String) });
  });

  it("says how to add a key when there is none and the prompt takes a model", async () => {
    const client = service({ KV: ownStore() });
    const answer = await client.post("/api/ai/generate", { prompt: "Write a sonnet about the sea, in Latin." });
    expectProblem(answer, 503, "model_not_configured");
    expect(answer.body.detail).toContain("POST /api/api-keys");
    const streamed = await client.post(
      "/api/ai/generate",
      { prompt: "Write a sonnet about the sea, in Latin." },
      EVENTS,
    );
    expectProblem(streamed, 503, "model_not_configured");
  });

  it("without a key drafts a mail that both thanks and asks", async () => {
    const { body } = await service({ KV: ownStore() }).post("/api/ai/generate", {
      prompt: "Write an email to Bob thanking him for the report and asking for the invoice",
    });
    expect(body.content).toContain("Thank you for the report.\n\nMay I ask you for the invoice?");
  });

  it("says which key a named model lacks", async () => {
    const tenant = await newTenant();
    const answer = await tenant.client.post("/api/ai/generate", { ...PROMPT, prompt: "A sonnet.", model: "model_b" });
    expectProblem(answer, 503, "model_not_configured");
    expect(answer.body.detail).toContain("anthropic");
  });

  it("uses a named model for one call and leaves the active one alone", async () => {
    const tenant = await newTenant("openai", { MODEL_D: "openai/gpt-other" });
    const { body } = await tenant.client.post("/api/ai/generate", { ...PROMPT, model: "model_d" });
    expect(body.engine).toMatchObject({ model: "model_d", upstreamModel: "gpt-other" });
    const [request] = await tenant.requests();
    expect(request?.body.model).toBe("gpt-other");
  });

  it("tells OpenAI the limit by its new name, and its imitators by the old one", async () => {
    for (const [provider, name] of [
      ["openai", "max_completion_tokens"],
      ["custom", "max_tokens"],
    ] as const) {
      const tenant = await newTenant(provider);
      await tenant.client.post("/api/ai/generate", { ...PROMPT, maxTokens: 77 });
      const [request] = await tenant.requests();
      expect(request?.body[name]).toBe(77);
    }
  });

  it("counts parallel calls exactly", async () => {
    const tenant = await newTenant();
    await tenant.says({ text: "Yes", usage: { input: 7, output: 2 } });
    const before = await lastCallId();
    await Promise.all(Array.from({ length: 12 }, () => tenant.client.post("/api/ai/generate", PROMPT)));
    const calls = await callsSince(before);
    expect(calls).toHaveLength(12);
    expect(calls.reduce((sum, call) => sum + call.input_tokens + call.output_tokens, 0)).toBe(12 * 9);
  });

  it("answers a repeated request with the same Idempotency-Key without asking again", async () => {
    const tenant = await newTenant();
    const options = { headers: { "idempotency-key": crypto.randomUUID() } };
    const first = await tenant.client.post("/api/ai/generate", PROMPT, options);
    const second = await tenant.client.post("/api/ai/generate", PROMPT, options);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await tenant.requests()).toHaveLength(1);
  });

  it("that failed leaves its Idempotency-Key free, though its cost is written down", async () => {
    const tenant = await newTenant();
    await tenant.says({ refuse: "401" }, { text: "Good morning" });
    const before = await lastCallId();
    const options = { headers: { "idempotency-key": crypto.randomUUID() } };
    expectProblem(await tenant.client.post("/api/ai/generate", PROMPT, options), 502, "provider_unauthorized");
    expect(await callsSince(before)).toHaveLength(1);
    expect((await tenant.client.post("/api/ai/generate", PROMPT, options)).body.content).toBe("Good morning");
  });

  it("refuses an Idempotency-Key for a stream, which could not be replayed", async () => {
    const tenant = await newTenant();
    const headers = { ...EVENTS.headers, "idempotency-key": crypto.randomUUID() };
    expectProblem(await tenant.client.post("/api/ai/generate", PROMPT, { headers }), 422, "validation_failed");
    expect(await tenant.requests()).toEqual([]);
  });

  it("hangs up on the provider when the client leaves a stream, and still writes down about what it cost", async () => {
    const tenant = await newTenant();
    await tenant.says({ text: "Good morning to you all", breaks: "silence" });
    const before = await lastCallId();
    const execution = createExecutionContext();
    const request = new Request("http://poa.test/api/ai/generate", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(PROMPT),
    });
    const response = await sharedApp.fetch(request, tenant.client.env, execution);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
    await waitOnExecutionContext(execution);
    await hungUp(tenant);
    const [call, ...others] = await callsSince(before);
    expect(others).toEqual([]);
    // Some 170 characters were asked, and fewer than 23 had come.
    expect(call?.input_tokens).toBeGreaterThan(30);
    expect(call?.input_tokens).toBeLessThan(60);
    expect(call?.output_tokens).toBeGreaterThan(0);
    expect(call?.output_tokens).toBeLessThan(7);
  });

  it("hangs up on the provider when the client leaves a request, which has cost its prompt", async () => {
    const tenant = await newTenant();
    await tenant.says({ hang: true });
    const before = await lastCallId();
    const leaving = new AbortController();
    const work = generate({ ...tenant.context(), signal: leaving.signal }, PROMPT);
    await until(async () => expect(await tenant.requests()).toHaveLength(1));
    leaving.abort();
    await expect(work).rejects.toMatchObject({ code: "unavailable" });
    await hungUp(tenant);
    const [call, ...others] = await callsSince(before);
    expect(others).toEqual([]);
    expect(call?.input_tokens).toBeGreaterThan(30);
    expect(call?.output_tokens).toBe(0);
  });

  it("costs nothing when the provider refuses it, whole or as a stream", async () => {
    const tenant = await newTenant();
    await tenant.says({ refuse: "401" });
    const before = await lastCallId();
    await tenant.client.post("/api/ai/generate", PROMPT);
    await tenant.client.post("/api/ai/generate", PROMPT, EVENTS);
    const nothing = { input_tokens: 0, output_tokens: 0 };
    expect(await callsSince(before)).toMatchObject([nothing, nothing]);
  });

  it.each([
    [{}, "prompt"],
    [{ prompt: " " }, "prompt"],
    [{ prompt: "x", model: "gpt-4" }, "model"],
    [{ prompt: "x", maxTokens: 0 }, "maxTokens"],
    [{ prompt: "x", maxTokens: 32_001 }, "maxTokens"],
    [{ prompt: "x".repeat(100_001) }, "prompt"],
  ])("refuses %j", async (body, path) => {
    const answer = await service().post("/api/ai/generate", body);
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors).toEqual([expect.objectContaining({ path })]);
  });
});
