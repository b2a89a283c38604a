import { describe, expect, it } from "vitest";
import { newTenant, ownStore } from "../ai/tenant.ts";
import { expectProblem, service } from "../harness.ts";

const PATH = "/api/workflow/model-info";
/** Whichever model another test has chosen, this is behind it. */
const all = (model: string) => ({ MODEL_A: model, MODEL_B: model, MODEL_C: model, MODEL_D: model });

describe("GET /api/workflow/model-info", () => {
  it("tells the active model, and that the built-in engine answers while nothing has a key", async () => {
    const { body } = await service({ KV: ownStore(), ...all("google/gemini-x") }).get(PATH);
    expect(body).toEqual({
      model: expect.stringMatching(/^model_[a-d]$/),
      provider: "google",
      upstreamModel: "gemini-x",
      available: false,
      engine: { kind: "builtin", model: null, provider: null, upstreamModel: null, fallbackReason: null },
    });
  });

  it("tells that the model answers once its provider has a key", async () => {
    const { client } = await newTenant("anthropic", all("anthropic/claude-x"));
    const { body } = await client.get(PATH);
    expect(body).toMatchObject({ provider: "anthropic", upstreamModel: "claude-x", available: true });
    expect(body.engine).toEqual({
      kind: "llm",
      model: body.model,
      provider: "anthropic",
      upstreamModel: "claude-x",
      fallbackReason: null,
    });
  });

  it("is closed to strangers when the service is private", async () => {
    expectProblem(await service({ ACCESS_MODE: "private" }).get(PATH), 401, "unauthenticated");
  });
});
