import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { encryptFields } from "../../src/features/stream/credentials/encrypted.ts";
import { expectErrorLog, expectProblem, systemCtx } from "../harness.ts";
import { sampled } from "../sampled.ts";
import { api, captionOf, connect, forgetCredentials, newCaption, SECRET, socialService, urls } from "./social.ts";

beforeEach(forgetCredentials);
afterAll(forgetCredentials);

const PATH = "/api/stream/credentials";
const dispatch = async (...captionIds: number[]) =>
  (await api.post("/api/stream/captions/dispatch", { captionIds })).body;

/** Puts fields into a saved credential that no check has seen, as an older version might have saved them. */
async function overwrite(platform: "x" | "facebook" | "instagram" | "webhook", fields: Record<string, string>) {
  const row = await env.DB.prepare("SELECT version FROM stream_credentials WHERE platform = ?")
    .bind(platform)
    .first<{ version: number }>();
  const sealed = await encryptFields(systemCtx(), platform, row?.version ?? 0, fields);
  await env.DB.prepare("UPDATE stream_credentials SET sealed = ? WHERE platform = ?").bind(sealed, platform).run();
}

const base64 = (bytes: number) => btoa("x".repeat(bytes));

describe("the secret of a webhook credential is checked when it is saved", () => {
  const url = "https://a.example.com/x";
  const malformed = [
    "whsec_AAAAA=",
    "whsec_AA=",
    "whsec_====",
    "whsec_not base64 at all, but long enough to be one",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS-_",
    `whsec_${base64(24)}=`,
    `whsec_${base64(23)}`,
    `whsec_${base64(65)}`,
    `whsec_whsec_${base64(32)}`,
  ];

  it.each(malformed)("%s is refused, and nothing is saved", async (secret) => {
    const answer = await api.post(PATH, { platform: "webhook", url, secret });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors).toEqual([{ path: "secret", message: expect.stringContaining("base64 of 24 to 64") }]);
    await connect("webhook");
    expectProblem(await api.patch(`${PATH}/webhook`, { secret }), 422, "validation_failed");
    const id = await newCaption("webhook", "approved");
    expect(await dispatch(id)).toMatchObject({ posted: 1 });
  });

  it.each([SECRET, `whsec_${base64(24)}`, `whsec_${base64(64)}`, `whsec_${base64(25).replace(/=+$/, "")}`, "any text"])(
    "%s is accepted, and signs",
    async (secret) => {
      const { desk } = await connect("webhook");
      expect((await api.patch(`${PATH}/webhook`, { secret })).status).toBe(200);
      const id = await newCaption("webhook", "approved");
      expect(await dispatch(id)).toMatchObject({ posted: 1 });
      expect((await desk()).seen.at(-1)?.headers["webhook-signature"]).toMatch(/^v1,\S{44}$/);
    },
  );
});

describe("a post that fails before anything is sent has failed, and is not uncertain", () => {
  const failed = { status: "failed", uncertain: false, error: expect.stringContaining("Nothing was posted") };

  it("with a malformed secret of a webhook that was saved unchecked", async () => {
    const { desk, name } = await connect("webhook");
    await overwrite("webhook", { url: `${urls.receiver}/hook/${name}`, secret: "whsec_AAAAA=" });
    const id = await newCaption("webhook", "approved");
    expect(await dispatch(id)).toMatchObject({ failed: 1, results: [{ result: "failed", uncertain: false }] });
    expect(await captionOf(id)).toMatchObject(failed);
    expect((await desk()).seen).toEqual([]);
    const tested = await api.post(`${PATH}/webhook/test`);
    expect(tested.body).toMatchObject({ ok: false, error: expect.stringContaining("base64") });
    // Once the secret is right, the same caption can be approved again.
    await api.patch(`${PATH}/webhook`, { secret: SECRET });
    await api.post("/api/stream/captions/approve", { captionId: id, action: "approve" });
    expect(await dispatch(id)).toMatchObject({ posted: 1 });
  });

  it.each([
    ["x", { accessToken: "two\nlines" }],
    ["facebook", { pageId: "1", accessToken: "two\nlines" }],
    ["instagram", { accountId: "1", accessToken: "two\nlines" }],
  ] as const)("with a token of %s that no request can carry", async (platform, fields) => {
    const { desk } = await connect(platform);
    await overwrite(platform, fields);
    const id = await newCaption(platform, "approved");
    expect(await dispatch(id)).toMatchObject({ failed: 1, results: [{ result: "failed", uncertain: false }] });
    expect(await captionOf(id)).toMatchObject(failed);
    expect((await desk()).posts).toEqual([]);
    expect((await api.post(`${PATH}/${platform}/test`)).body).toMatchObject({ ok: false });
  });

  it.each(sampled(["discord", "x", "facebook", "instagram", "webhook"] as const))(
    "with an error of the service itself on the way to %s",
    async (platform) => {
      expectErrorLog("caption_post_failed");
      const { desk } = await connect(platform);
      const id = await newCaption(platform, "approved");
      await env.DB.prepare("UPDATE captions SET hashtags = '{}' WHERE id = ?").bind(id).run();
      const { results } = await dispatch(id);
      expect(results).toMatchObject([{ result: "failed", uncertain: false }]);
      await env.DB.prepare("UPDATE captions SET hashtags = '[]' WHERE id = ?").bind(id).run();
      expect(await captionOf(id)).toMatchObject(failed);
      expect((await desk()).posts).toEqual([]);
    },
  );
});

describe("a credential that cannot be decrypted stops only its own captions", () => {
  it("which stay approved, while the others are posted", async () => {
    const { desk } = await connect("discord");
    await connect("facebook");
    await env.DB.exec("UPDATE stream_credentials SET version = version + 1 WHERE platform = 'facebook'");
    const [broken, fine] = [await newCaption("facebook", "approved"), await newCaption("discord", "approved")];
    const { results, posted, notPosted } = await dispatch(broken, fine);
    expect({ posted, notPosted }).toEqual({ posted: 1, notPosted: 1 });
    expect(results[0]).toMatchObject({ result: "not_posted", error: expect.stringContaining("Save it again") });
    expect((await desk()).posts).toHaveLength(1);
    expect(await captionOf(broken)).toMatchObject({ status: "approved", attempts: 0 });
    await connect("facebook");
    expect(await dispatch(broken)).toMatchObject({ posted: 1 });
  });

  it("but a service without ENCRYPTION_KEY says so", async () => {
    await connect("discord");
    const id = await newCaption("discord", "approved");
    const without = socialService({ ENCRYPTION_KEY: undefined });
    expectProblem(await without.post("/api/stream/captions/dispatch", { captionIds: [id] }), 503, "misconfigured");
    expect(await captionOf(id)).toMatchObject({ status: "approved" });
  });
});
