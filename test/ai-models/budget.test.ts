import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { ask } from "../../src/features/ai-models/ask.ts";
import { callsSince, eventsOf, lastCallId, newTenant } from "../ai/tenant.ts";
import { emptyTill } from "../billing/shop.ts";
import { expectProblem } from "../harness.ts";

beforeEach(emptyTill);
afterEach(emptyTill);

const PROMPT = { prompt: "Write a poem about the sea." };
/** What the fake's answer costs unless it is told otherwise. */
const A_CALL = 13;

const setLimit = (tokens: number) =>
  env.DB.prepare("UPDATE token_budget SET monthly_limit = ? WHERE id = 1").bind(tokens).run();

/** A service whose month has just this many calls in it. */
async function tenantWith(calls: number) {
  await setLimit(calls * A_CALL);
  return newTenant();
}

describe("a budget that is used up", () => {
  it("ends generated text with when it goes on, and the provider is not called", async () => {
    const { client, requests } = await tenantWith(1);
    expect((await client.post("/api/ai/generate", PROMPT)).status).toBe(200);
    for (const accept of ["application/json", "text/event-stream"]) {
      const refused = await client.post("/api/ai/generate", PROMPT, { headers: { accept } });
      expectProblem(refused, 429, "token_budget_exhausted");
      const wait = Number(refused.headers.get("retry-after"));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(31 * 86_400);
    }
    expect(await requests()).toHaveLength(1);
  });

  it("leaves a typed question to the built-in engine", async () => {
    const { context, says, requests } = await tenantWith(1);
    await says({ json: { colour: "blue" } });
    const question = {
      task: "caption" as const,
      instructions: "Name the colour.",
      prompt: "The sea is blue.",
      schema: z.object({ colour: z.string() }),
      check: (answer: { colour: string }) => answer,
      builtin: () => ({ colour: "unknown" }),
    };
    expect((await ask(context(), question)).engine.kind).toBe("llm");
    const before = await lastCallId();
    expect(await ask(context(), question)).toMatchObject({
      answer: { colour: "unknown" },
      engine: { kind: "builtin", fallbackReason: "token_budget_exhausted" },
    });
    expect(await requests()).toHaveLength(1);
    expect(await callsSince(before)).toMatchObject([{ model: "builtin", fallback_reason: "token_budget_exhausted" }]);
  });

  it("leaves the chat to the built-in engine, whole and as events", async () => {
    const { client, requests } = await tenantWith(0);
    const message = "add a task to buy milk";
    const engine = { kind: "builtin", fallbackReason: "token_budget_exhausted" };
    const whole = await client.post("/api/ai/chat", { message });
    expect(whole.body).toMatchObject({ actions: [{ tool: "create_task" }], engine });
    const stream = await client.post("/api/ai/chat", { message }, { headers: { accept: "text/event-stream" } });
    expect(eventsOf(stream.text).at(-1)).toMatchObject({ event: "done", data: { engine } });
    expect(await requests()).toEqual([]);
  });
});

describe("a budget under parallel calls", () => {
  it("is overrun by no more than what is on its way, and each call is counted once", async () => {
    const { client, requests } = await tenantWith(3);
    const round = () => Promise.all(Array.from({ length: 6 }, () => client.post("/api/ai/generate", PROMPT)));
    const before = await lastCallId();
    const statuses = [...(await round()), ...(await round())].map(({ status }) => status);
    const answered = statuses.filter((status) => status === 200).length;
    expect(answered).toBeGreaterThanOrEqual(3);
    expect(answered).toBeLessThanOrEqual(3 + 5);
    expect(statuses.slice(6)).toEqual(Array.from({ length: 6 }, () => 429));
    expect(await requests()).toHaveLength(answered);
    const used = await env.DB.prepare("SELECT sum(input_tokens + output_tokens) AS n FROM ai_usage_months").first("n");
    expect(used).toBe(answered * A_CALL);
    expect(await callsSince(before)).toHaveLength(answered);
  });
});
