import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { newTenant } from "../ai/tenant.ts";
import { connect, forgetCredentials, newSession } from "./social.ts";

beforeEach(forgetCredentials);
afterAll(forgetCredentials);

const LINK = "https://youtu.be/abc";
const caption = (platform: string, text: string) => ({ platform, text, hashtags: ["knitting"] });

async function liveWith(captions: ReturnType<typeof caption>[]) {
  for (const platform of ["discord", "x"] as const) await connect(platform);
  const sessionId = await newSession({ title: "Knitting live" });
  const tenant = await newTenant();
  await tenant.says({ json: { captions } });
  const { body } = await tenant.client.post("/api/stream/captions/generate", { kind: "go_live", sessionId });
  return { body, tenant, sessionId };
}

describe("captions by a model", () => {
  it("are its words, within each platform's limits, from one call", async () => {
    const { body, tenant, sessionId } = await liveWith([
      caption("discord", "We knit a scarf tonight, come and sit with us!"),
      caption("x", `Needles out: ${"we knit, ".repeat(24)}${LINK}`),
    ]);
    expect(body).toMatchObject({ written: 2, kept: 0 });
    for (const { text, engine } of body.data) {
      expect(text).toContain(LINK);
      expect(engine).toMatchObject({ kind: "llm", model: "model_a", fallbackReason: null });
    }
    const texts = Object.fromEntries(
      body.data.map((each: { platform: string; text: string }) => [each.platform, each.text]),
    );
    expect(texts.discord).toContain("We knit a scarf tonight");
    expect(texts.x).toContain("Needles out");
    expect(await tenant.requests()).toHaveLength(1);
    const kept = await env.DB.prepare("SELECT status FROM captions WHERE session_id = ?").bind(sessionId).all();
    expect(kept.results).toEqual([{ status: "pending" }, { status: "pending" }]);
  });

  it.each([
    ["are too long", [caption("discord", "Come in"), caption("x", "we knit ".repeat(60))]],
    ["leave a platform out", [caption("discord", "Come in")]],
    ["lead elsewhere", [caption("discord", "Come in"), caption("x", "Win at https://evil.example/now")]],
  ])("are written by the built-in engine when the model's %s", async (_, captions) => {
    const { body } = await liveWith(captions);
    expect(body.written).toBe(2);
    for (const { text, engine } of body.data) {
      expect(text).toContain("Knitting live");
      expect(text).toContain(LINK);
      expect(text).not.toContain("evil");
      expect(engine).toMatchObject({ kind: "builtin", fallbackReason: "invalid_output" });
    }
  });
});
