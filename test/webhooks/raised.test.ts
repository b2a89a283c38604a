import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { newTenant } from "../ai/tenant.ts";
import { signedInPerson } from "../auth/people.ts";
import { emptyTill } from "../billing/shop.ts";
import { emptyService, service } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { emptyStream, minute, newChannel, send } from "../stream/reports.ts";
import { api, connect, forgetCredentials } from "../stream/social.ts";
import { newWebhook, outboxRows, removeWebhooks } from "./receiver.ts";

/* What streams, tokens and reads raise, from the HTTP call that causes it to the signed message that tells of it. */

type Webhook = Awaited<ReturnType<typeof newWebhook>>;
let webhook: Webhook;

async function clean(): Promise<void> {
  await removeWebhooks();
  await emptyStream();
  await forgetCredentials();
  await env.DB.prepare("DELETE FROM captions").run();
  await emptyTill();
}

beforeEach(async () => {
  await clean();
  webhook = await newWebhook();
});
afterEach(clean);
afterAll(emptyService);

/** Everything that came, once its signature was found to be right. */
async function told(hook: Webhook = webhook) {
  const received = await hook.received();
  for (const { verifiedWith } of received) expect(verifiedWith).toEqual([hook.secret]);
  return received.map(({ body }) => JSON.parse(body));
}

describe("a stream", () => {
  it("is told when it goes live and when it ends, once each, as the API shows it", async () => {
    const { body: live } = await send({ state: "live", externalId: "a", title: "Chess", at: minute(0) });
    await send({ state: "live", externalId: "a", viewers: 12, at: minute(5) });
    const { body: ended } = await send({ state: "ended", externalId: "a", at: minute(9) });
    const events = await told();
    expect(events.map(({ type }) => type)).toEqual(["stream.live", "stream.ended"]);
    expect(events[0].data).toEqual(live.session);
    expect(events[1].data).toEqual(ended.session);
  });

  it("that reaches a milestone tells of it once, however often it is reported", async () => {
    await newChannel();
    await Promise.all(Array.from({ length: 5 }, () => send({ subscribers: 120, at: minute(0) })));
    const [event, ...rest] = await told();
    expect(rest).toEqual([]);
    expect(event).toMatchObject({
      type: "milestone.reached",
      data: { metric: "subscribers", threshold: 100, reached: true, reachedValue: 120 },
    });
  });
});

describe("a caption", () => {
  async function dispatchOn(platform: "discord" | "x") {
    const { body: report } = await send({ state: "live", externalId: platform, title: "Chess", at: minute(0) });
    const order = { kind: "go_live", sessionId: report.session.id, platforms: [platform] };
    const { body } = await api.post("/api/stream/captions/generate", order);
    const captionId = body.data[0].id;
    await api.post("/api/stream/captions/approve", { captionId, action: "approve" });
    await api.post("/api/stream/captions/dispatch", { captionIds: [captionId] });
    return (await api.get(`/api/stream/captions/${captionId}`)).body;
  }

  it("is told when it was posted, with where it stands", async () => {
    await connect("discord");
    const caption = await dispatchOn("discord");
    expect(caption.status).toBe("posted");
    expect((await told()).filter(({ type }) => type.startsWith("caption."))).toEqual([
      { type: "caption.posted", timestamp: expect.any(String), data: caption },
    ]);
  });

  it("is told when it could not be posted, with why", async () => {
    const account = await connect("discord");
    await account.desk({ faults: [{ kind: "404" }] });
    const caption = await dispatchOn("discord");
    expect(caption).toMatchObject({ status: "failed", error: expect.any(String) });
    expect((await told()).filter(({ type }) => type.startsWith("caption."))).toEqual([
      { type: "caption.failed", timestamp: expect.any(String), data: caption },
    ]);
  });
});

describe("a token alert", () => {
  it("is told to the endpoints of its person and to nobody else's, once a month", async () => {
    const [ann, eve] = [await signedInPerson(), await signedInPerson()];
    const [annsHook, evesHook] = [await newWebhook(["tokens.alert"], ann), await newWebhook([], eve)];
    const alert = { unit: "tokens", threshold: 10 };
    const { body: made } = await service().post("/api/settings/tokens/alerts", alert, { token: ann.token });
    const tenant = await newTenant();
    await tenant.says(
      { text: "Hi", usage: { input: 12, output: 3 } },
      { text: "Hi again", usage: { input: 12, output: 3 } },
    );
    for (let call = 0; call < 2; call++) {
      expect((await tenant.client.post("/api/ai/generate", { prompt: "Say hello." })).status).toBe(200);
    }
    const [event, ...rest] = await told(annsHook);
    expect(rest).toEqual([]);
    expect(event).toMatchObject({
      type: "tokens.alert",
      data: { id: made.id, unit: "tokens", threshold: 10, lastFired: { used: 15, limit: null } },
    });
    expect(await told(evesHook)).toEqual([]);
    expect(await told()).toEqual([]);
    expect(await outboxRows()).toEqual([]);
  });
});

describe("a mail that is read for the first time by its analysis", () => {
  const newMail = () => ({
    from: "ann@example.com",
    to: "hello@example.com",
    subject: "Contract",
    body: "Please send the signed contract by Friday.",
    messageId: `<${crypto.randomUUID()}@example.com>`,
  });

  it("is told as analysed right after that read, and not again by the next", async () => {
    const { body } = await service().post("/api/emails", newMail());
    const path = `/api/emails/${body.id}/ai-analysis`;
    const { body: analysis } = await service().get(path);
    const events = await told();
    expect(events.map(({ type }) => type)).toEqual(["email.received", "email.analyzed"]);
    expect(events[1].data.analysis).toEqual(analysis);
    await service().get(path);
    expect(await told()).toHaveLength(2);
  });

  it("costs a service without webhooks nothing more, once that is known", async () => {
    await removeWebhooks();
    const { body } = await service().post("/api/emails", newMail());
    const path = `/api/emails/${body.id}/ai-analysis`;
    await service().get(path);
    const counted = countStatements(env.DB);
    await service({ DB: counted.db }).get(path);
    expect(counted.taken().roundTrips).toBe(1);
  });
});
