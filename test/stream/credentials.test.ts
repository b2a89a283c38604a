import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { personalData } from "../../src/features/stream/captions/personal-data.ts";
import { credentialOf } from "../../src/features/stream/credentials/service.ts";
import { CREDENTIAL_PLATFORMS } from "../../src/lib/caption-kinds.ts";
import { expectProblem, service, systemCtx } from "../harness.ts";
import {
  api,
  arrangeYouTube,
  connect,
  credentialFor,
  forgetCredentials,
  newAccount,
  newSession,
  socialService,
  urls,
} from "./social.ts";

beforeEach(forgetCredentials);
afterAll(forgetCredentials);

/** What each platform answers to a credential it does not take. */
const REFUSALS = [
  ["discord", "404"],
  ["webhook", "410"],
  ["x", "403"],
  ["facebook", "400"],
  ["instagram", "400"],
] as const;

const save = (body: object) => api.post("/api/stream/credentials", body);
const statusOf = async (platform: string) =>
  (await api.get("/api/stream/credentials")).body.data.find((each: { platform: string }) => each.platform === platform);

describe("a credential", () => {
  it.each(CREDENTIAL_PLATFORMS)("for %s is saved, tried, replaced and forgotten, and never shown", async (platform) => {
    const name = newAccount();
    if (platform === "youtube") await arrangeYouTube(name, {});
    const body = credentialFor[platform](name);
    const answers = [await save(body), await api.post(`/api/stream/credentials/${platform}/test`)];
    expect(answers[0]).toMatchObject({
      status: 201,
      body: { platform, configured: true, status: "unverified", account: null },
    });
    expect(answers[1]?.body).toMatchObject({ ok: true, error: null, credential: { status: "connected" } });
    expect(answers[1]?.body.credential.account).toBeTruthy();
    answers.push(await save(body), await api.get("/api/stream/credentials"));
    expect(answers[2]).toMatchObject({ status: 200, body: { status: "unverified" } });
    for (const { text } of answers) {
      expect(text).not.toContain(name);
      for (const [field, value] of Object.entries(body)) if (field !== "platform") expect(text).not.toContain(value);
    }
    const row = await env.DB.prepare("SELECT * FROM stream_credentials WHERE platform = ?").bind(platform).first();
    expect(JSON.stringify(row)).not.toContain(name);
    expect((await api.delete(`/api/stream/credentials/${platform}`)).status).toBe(204);
    expect(await statusOf(platform)).toMatchObject({ configured: false, status: null });
    expectProblem(await api.delete(`/api/stream/credentials/${platform}`), 404, "not_found");
    expectProblem(await api.post(`/api/stream/credentials/${platform}/test`), 404, "not_found");
    expectProblem(await api.patch(`/api/stream/credentials/${platform}`, { ...body }), 404, "not_found");
  });

  it.each(REFUSALS)(
    "for %s that the platform refuses is invalid; trouble leaves it as it was",
    async (platform, refusal) => {
      const { desk } = await connect(platform);
      await desk({ faults: [{ kind: "500", times: 1 }] });
      const troubled = (await api.post(`/api/stream/credentials/${platform}/test`)).body;
      expect(troubled).toMatchObject({ ok: false, credential: { status: "unverified", checkedAt: null } });
      expect(troubled.error).toBeTruthy();
      await desk({ faults: [{ kind: refusal, times: 9 }] });
      const refused = (await api.post(`/api/stream/credentials/${platform}/test`)).body;
      expect(refused).toMatchObject({ ok: false, credential: { status: "invalid" } });
    },
  );

  it("for YouTube is invalid when the key or the channel is not known; trouble leaves it as it was", async () => {
    const { name } = await connect("youtube");
    const tried = async () => (await api.post("/api/stream/credentials/youtube/test")).body;
    for (const fault of ["500", "quotaExceeded", "html"] as const) {
      await arrangeYouTube(name, { fault });
      expect(await tried()).toMatchObject({ ok: false, credential: { status: "unverified" } });
    }
    await arrangeYouTube(name, { fault: "keyInvalid" });
    expect(await tried()).toMatchObject({ ok: false, credential: { status: "invalid" } });
    await arrangeYouTube(name, { fault: null });
    await api.patch("/api/stream/credentials/youtube", { channelId: "UCother" });
    expect(await tried()).toMatchObject({ ok: false, error: "YouTube does not know this channel." });
  });

  it("is changed field by field, and has to be tried again", async () => {
    const { name } = await connect("x");
    await api.post("/api/stream/credentials/x/test");
    const { body } = await api.patch("/api/stream/credentials/x", { accessToken: "another.a1" });
    expect(body).toMatchObject({ platform: "x", status: "unverified", account: null });
    expect(await credentialOf(systemCtx(), "x")).toEqual({
      accessToken: "another.a1",
      refreshToken: `${name}.r1`,
      clientId: "client-1",
    });
    expectProblem(await api.patch("/api/stream/credentials/x", {}), 422, "nothing_to_update");
    const foreign = await api.patch("/api/stream/credentials/x", { accessToken: "another.a2", pageId: "1" });
    expectProblem(foreign, 422, "validation_failed");
    expect(foreign.body.errors).toEqual([{ path: "pageId", message: expect.stringContaining("not a field of") }]);
    expect(await credentialOf(systemCtx(), "youtube")).toBeNull();
  });

  it("keeps every change of parallel writers", async () => {
    await connect("x");
    const fields = { accessToken: "p.a9", refreshToken: "p.r9", clientId: "p-client", clientSecret: "p-secret" };
    await Promise.all(
      Object.entries(fields).map(([field, value]) => api.patch("/api/stream/credentials/x", { [field]: value })),
    );
    expect(await credentialOf(systemCtx(), "x")).toEqual(fields);
  });

  it("does not open in another platform's place, for another version, or with another key", async () => {
    const { name } = await connect("facebook");
    await connect("instagram");
    const before = await env.DB.prepare("SELECT sealed FROM stream_credentials WHERE platform = 'facebook'").first<{
      sealed: string;
    }>();
    await env.DB.prepare("UPDATE stream_credentials SET sealed = ? WHERE platform = 'instagram'")
      .bind(before?.sealed)
      .run();
    await expect(credentialOf(systemCtx(), "instagram")).rejects.toMatchObject({ code: "misconfigured" });
    await api.patch("/api/stream/credentials/facebook", { accessToken: "newer.token" });
    await env.DB.prepare("UPDATE stream_credentials SET sealed = ? WHERE platform = 'facebook'")
      .bind(before?.sealed)
      .run();
    await expect(credentialOf(systemCtx(), "facebook")).rejects.toMatchObject({ code: "misconfigured" });
    await connect("facebook");
    const other = socialService({ ENCRYPTION_KEY: "another-key-0123456789-abcdefghijklmnop" });
    const answer = await other.post("/api/stream/credentials/facebook/test");
    expectProblem(answer, 503, "misconfigured");
    expect(answer.text).not.toContain(name);
  });

  it("of an unknown platform, with a field missing, or of the wrong form is refused", async () => {
    for (const body of [
      { platform: "myspace", token: "x" },
      { platform: "x" },
      { platform: "facebook", accessToken: "x" },
      { platform: "facebook", accessToken: "x", pageId: "../../me" },
      { platform: "instagram", accessToken: "x", accountId: "a/b" },
      { platform: "youtube", apiKey: "", channelId: "UC1" },
      { platform: "x", accessToken: "two words" },
      { platform: "youtube", apiKey: "line\nbreak", channelId: "UC1" },
      { platform: "webhook", url: "not a url" },
      { platform: "webhook", url: "https://a.example/x", secret: "short" },
    ]) {
      expectProblem(await save(body), 422, "validation_failed");
    }
    expect(
      (await api.get("/api/stream/credentials")).body.data.every((each: { configured: boolean }) => !each.configured),
    ).toBe(true);
  });

  it("names only addresses outside, and for Discord only Discord's, unless private hosts are allowed", async () => {
    const strict = service({ ALLOW_PRIVATE_HOSTS: "false" });
    const url = (address: string) => strict.post("/api/stream/credentials", { platform: "webhook", url: address });
    for (const address of [
      "http://a.example.com/x",
      "https://127.0.0.1/x",
      "https://[::1]/",
      "https://router.local/x",
      "https://u:p@a.example.com/",
    ]) {
      expectProblem(await url(address), 422, "validation_failed");
    }
    expect((await url("https://hooks.example.com/x")).status).toBe(201);
    const discord = (webhookUrl: string) => strict.post("/api/stream/credentials", { platform: "discord", webhookUrl });
    expectProblem(
      await discord("https://hooks.example.com/api/webhooks/123456/abcdef-ABCDEF_1"),
      422,
      "validation_failed",
    );
    expect((await discord("https://discord.com/api/webhooks/123456/abcdef-ABCDEF_1")).status).toBe(201);
    expectProblem(
      await strict.patch("/api/stream/credentials/webhook", { url: "http://10.0.0.1" }),
      422,
      "validation_failed",
    );
  });

  it("that was saved while private hosts were allowed is not called once they are not", async () => {
    const { desk } = await connect("webhook");
    const { body } = await api.post("/api/stream/captions/generate", {
      kind: "go_live",
      sessionId: await newSession(),
      platforms: ["webhook"],
    });
    const captionId = body.data[0].id;
    await api.post("/api/stream/captions/approve", { captionId, action: "approve" });
    const strict = socialService({ ALLOW_PRIVATE_HOSTS: "false" });
    const { results } = (await strict.post("/api/stream/captions/dispatch", { captionIds: [captionId] })).body;
    expect(results[0]).toMatchObject({ result: "failed", uncertain: false });
    const tried = await strict.post("/api/stream/credentials/webhook/test");
    expect(tried.body).toMatchObject({ ok: false, credential: { status: "invalid" } });
    expect((await desk()).seen).toEqual([]);
    expect(urls.receiver).toContain("127.0.0.1");
  });
});

describe("the voice", () => {
  it("has a default for each platform, and changes field by field", async () => {
    const { data } = (await api.get("/api/stream/voice")).body;
    expect(data.map(({ platform }: { platform: string }) => platform)).toEqual([
      "discord",
      "x",
      "instagram",
      "facebook",
      "webhook",
    ]);
    const { tone, version } = data[3];
    const { status, body, headers } = await api.patch("/api/stream/voice/facebook", {
      callToAction: "Subscribe!",
      hashtags: ["#Live", "live"],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ tone, callToAction: "Subscribe!", hashtags: ["Live"], version: version + 1 });
    expect(headers.get("etag")).toBe(`"${version + 1}"`);
    const stale = await api.patch(
      "/api/stream/voice/facebook",
      { tone: "hype" },
      { headers: { "if-match": `"${version}"` } },
    );
    expectProblem(stale, 412, "version_conflict");
    await api.patch("/api/stream/voice/facebook", { callToAction: "", hashtags: [] });
  });

  it("refuses what it does not know", async () => {
    for (const body of [
      { tone: "sad" },
      { format: "html" },
      { hashtags: ["!"] },
      { autoApprove: "yes" },
      { customPrompt: "x".repeat(2001) },
    ]) {
      expectProblem(await api.patch("/api/stream/voice/x", body), 422, "validation_failed");
    }
    expectProblem(await api.patch("/api/stream/voice/x", {}), 422, "nothing_to_update");
    expectProblem(await api.patch("/api/stream/voice/youtube", { tone: "hype" }), 422, "validation_failed");
  });

  it("is heard in the captions", async () => {
    await api.patch("/api/stream/voice/x", {
      tone: "professional",
      customPrompt: "No emoji",
      hashtags: ["rust"],
      callToAction: "Follow for more.",
    });
    const { body } = await api.post("/api/stream/captions/generate", {
      kind: "go_live",
      sessionId: await newSession(),
      platforms: ["x"],
    });
    await api.patch("/api/stream/voice/x", { tone: "hype", customPrompt: "", hashtags: [], callToAction: "" });
    expect(body.data[0].text).toContain("Follow for more.");
    expect(body.data[0].text).not.toMatch(/\p{Extended_Pictographic}/u);
    expect(body.data[0].hashtags).toEqual(["rust"]);
  });
});

describe("what is kept", () => {
  it("goes into the export without any secret, and can be erased back to the start", async () => {
    const { name } = await connect("discord");
    const ctx = systemCtx();
    const first = (await api.get("/api/stream/voice")).body.data;
    const exported: Record<string, unknown[]> = {};
    for (const { name: part, pages } of personalData) {
      for await (const page of pages?.(ctx) ?? []) exported[part] = [...(exported[part] ?? []), ...page];
    }
    expect(exported.streamCredentials).toMatchObject([{ platform: "discord", configured: true }]);
    expect(exported.streamVoices).toHaveLength(5);
    expect(JSON.stringify(exported)).not.toMatch(new RegExp(`${name}|sealed|v2\\.`));
    await api.patch("/api/stream/voice/x", { tone: "professional" });
    for (const part of personalData) await part.erase?.(ctx);
    const voices = (await api.get("/api/stream/voice")).body.data;
    expect(voices.map(({ tone, format }: Record<string, string>) => [tone, format])).toEqual(
      first.map(({ tone, format }: Record<string, string>) => [tone, format]),
    );
    expect((await api.get("/api/stream/captions")).body.data).toEqual([]);
    expect((await api.get("/api/stream/stats")).body.posts).toEqual({});
    expect(await statusOf("discord")).toMatchObject({ configured: false });
  });
});
