import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type ModelCall, type OpenModel, openModel, runText, streamText } from "../../src/features/ai-models/model.ts";
import type { ProviderName } from "../../src/lib/ai-kinds.ts";
import { callsSince, lastCallId, newTenant } from "../ai/tenant.ts";
import { service } from "../harness.ts";

const WIRES: ProviderName[] = ["openai", "anthropic", "google", "custom"];

type Tenant = Awaited<ReturnType<typeof newTenant>>;

async function opened(tenant: Tenant): Promise<OpenModel> {
  const model = await openModel(tenant.context());
  if ("unavailable" in model) throw new Error(model.detail);
  return model;
}

/** Two rounds: the model asks for the time, and then tells it. */
function clockCall(asked: unknown[]) {
  const clock = {
    description: "Tells the time",
    inputSchema: z.object({ zone: z.string() }),
    execute: async (input: { zone: string }) => {
      asked.push(input);
      return { time: "12:00" };
    },
  };
  return {
    task: "chat",
    instructions: "Help.",
    messages: [{ role: "user", content: "What time is it?" }],
    tools: { clock },
    maxSteps: 4,
  } satisfies ModelCall<{ clock: typeof clock }>;
}

const SCRIPT = [
  { tools: [{ name: "clock", input: { zone: "UTC" } }], usage: { input: 20, output: 5 } },
  { text: "It is noon.", usage: { input: 30, output: 6 } },
];

describe.each(WIRES)("a round of tools with %s", (provider) => {
  it("runs them, gives the model what they say, and counts every round in one record", async () => {
    const tenant = await newTenant(provider);
    await tenant.says(...SCRIPT);
    const before = await lastCallId();
    const asked: unknown[] = [];
    const { text, usage, messages } = await runText(tenant.context(), await opened(tenant), clockCall(asked));
    expect(asked).toEqual([{ zone: "UTC" }]);
    expect({ text, usage }).toEqual({ text: "It is noon.", usage: { inputTokens: 50, outputTokens: 11 } });
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
    expect(JSON.stringify((await tenant.requests())[1]?.body)).toContain("12:00");
    expect(await callsSince(before)).toMatchObject([{ task: "chat", input_tokens: 50, output_tokens: 11 }]);
  });

  it("streams: the call, its result, the words", async () => {
    const tenant = await newTenant(provider);
    await tenant.says(...SCRIPT);
    const kinds: string[] = [];
    let text = "";
    for await (const part of streamText(tenant.context(), await opened(tenant), clockCall([]))) {
      if (part.type === "tool-call" || part.type === "tool-result") kinds.push(part.type);
      if (part.type === "text-delta") text += part.text;
    }
    expect(kinds).toEqual(["tool-call", "tool-result"]);
    expect(text).toBe("It is noon.");
  });

  it("ends after the last round that is allowed", async () => {
    const tenant = await newTenant(provider);
    await tenant.says(SCRIPT[0] ?? {});
    await runText(tenant.context(), await opened(tenant), { ...clockCall([]), maxSteps: 3 });
    expect(await tenant.requests()).toHaveLength(3);
  });

  it("that breaks off counts the rounds that were had", async () => {
    const tenant = await newTenant(provider);
    await tenant.says(SCRIPT[0] ?? {}, { refuse: "401" });
    const before = await lastCallId();
    const work = runText(tenant.context(), await opened(tenant), clockCall([]));
    await expect(work).rejects.toMatchObject({ code: "provider_unauthorized" });
    expect(await callsSince(before)).toMatchObject([{ input_tokens: 20, output_tokens: 5 }]);
  });
});

describe("Workers AI by its binding", () => {
  /** What the platform's binding answers, as far as text goes. */
  const binding = (run: (model: string, input: unknown) => unknown) => ({ run }) as unknown as Ai;

  it("needs no key, and answers as the others do", async () => {
    const models: string[] = [];
    const AI = binding((model) => {
      models.push(model);
      return { response: "Hello from the edge", usage: { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 } };
    });
    const { body } = await service({ AI }).post("/api/ai/generate", { prompt: "Hello", model: "model_d" });
    expect(body).toMatchObject({
      content: "Hello from the edge",
      usage: { inputTokens: 8, outputTokens: 5 },
      engine: { kind: "llm", model: "model_d", provider: "workers-ai" },
    });
    expect(models).toEqual(["@cf/openai/gpt-oss-120b"]);
  });

  it("that fails is a provider in trouble", async () => {
    const AI = binding(() => Promise.reject(new Error("InferenceUpstreamError: 3040: secret detail")));
    const { status, body, text } = await service({ AI }).post("/api/ai/generate", {
      prompt: "Hello",
      model: "model_d",
    });
    expect({ status, code: body.code }).toEqual({ status: 502, code: "provider_error" });
    expect(text).not.toContain("secret");
  });
});
