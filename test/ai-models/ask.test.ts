import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ask, type Question } from "../../src/features/ai-models/ask.ts";
import { newTenant } from "../ai/tenant.ts";
import { expectErrorLog, takeLogs } from "../harness.ts";

const QUESTION: Question<{ colour: string }> = {
  task: "caption",
  instructions: "Name the colour.",
  prompt: "The sea is blue.",
  schema: z.object({ colour: z.string() }),
  check: (answer) => answer,
  builtin: () => ({ colour: "unknown" }),
};

describe("a typed question", () => {
  it("gets the model's answer, checked", async () => {
    const tenant = await newTenant();
    await tenant.says({ json: { colour: " blue " } });
    const question = { ...QUESTION, check: ({ colour }: { colour: string }) => ({ colour: colour.trim() }) };
    const { answer, engine } = await ask(tenant.context(), question);
    expect({ answer, kind: engine.kind }).toEqual({ answer: { colour: "blue" }, kind: "llm" });
  });

  it("gets the built-in engine's when the check refuses the answer, or trips over it", async () => {
    expectErrorLog("model_answer_not_checked");
    const tenant = await newTenant();
    await tenant.says({ json: { colour: "a secret colour" } });
    takeLogs();
    const refusals = [
      () => null,
      () => {
        throw new Error("a secret colour");
      },
    ];
    for (const check of refusals) {
      const { answer, engine } = await ask(tenant.context(), { ...QUESTION, check });
      expect({ answer, reason: engine.fallbackReason }).toEqual({
        answer: { colour: "unknown" },
        reason: "invalid_output",
      });
    }
    expect(takeLogs().join("\n")).not.toContain("secret");
  });

  it("gets the built-in engine's when the model does not answer in time", async () => {
    const tenant = await newTenant();
    await tenant.says({ hang: true });
    const limits = { totalMs: 200, chunkMs: 200 };
    const { engine } = await ask(tenant.context(), { ...QUESTION, limits });
    expect(engine).toMatchObject({ kind: "builtin", fallbackReason: "provider_timeout" });
  });

  it("is not asked of a model when there is nothing to interpret", async () => {
    const tenant = await newTenant();
    const { engine } = await ask(tenant.context(), { ...QUESTION, needsNoModel: true });
    expect(engine).toMatchObject({ kind: "builtin", fallbackReason: null });
    expect(await tenant.requests()).toHaveLength(0);
  });

  it("can name its model", async () => {
    const tenant = await newTenant("openai", { MODEL_C: "openai/gpt-c" });
    await tenant.says({ json: { colour: "blue" } });
    const { engine } = await ask(tenant.context(), { ...QUESTION, model: "model_c" });
    expect(engine).toMatchObject({ kind: "llm", model: "model_c", upstreamModel: "gpt-c" });
  });
});
