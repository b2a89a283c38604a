import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, inject, it } from "vitest";
import { writeMissedCaptions } from "../../src/features/stream/automatic-captions.ts";
import { runSchedule } from "../../src/schedule.ts";
import { newTenant } from "../ai/tenant.ts";
import { service, systemCtx } from "../harness.ts";
import { deliverQueue } from "../queued.ts";
import { emptyStream, minute, newChannel, rows, send } from "./reports.ts";
import { api, credentialFor, newAccount } from "./social.ts";

/* Reports and captions together: what is reported is announced on every platform that is connected, once. */

const url = inject("youtubeUrl");

// A credential left behind would make the jobs of later files call a platform that is not there.
afterAll(emptyStream);

beforeEach(async () => {
  await emptyStream();
  for (const platform of ["discord", "webhook"] as const) {
    expect((await api.post("/api/stream/credentials", credentialFor[platform](newAccount()))).status).toBe(201);
  }
});

const context = (minutes = 0) => ({
  ...systemCtx({ YOUTUBE_API_URL: `${url}/youtube/v3` }),
  now: new Date(Date.now() + minutes * 60_000),
});

const kept = () =>
  rows<{ kind: string; platform: string }>("SELECT kind, platform FROM captions ORDER BY kind, platform");
const both = (kind: string) => ["discord", "webhook"].map((platform) => ({ kind, platform }));

describe("what is reported", () => {
  it("is announced once: going live, ending, and each milestone", async () => {
    await newChannel();
    const live = { eventId: "l", state: "live", externalId: "a", title: "Chess", subscribers: 100, at: minute(0) };
    const { body } = await send(live);
    expect(body.captions).toHaveLength(4);
    expect(body.captions.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      "go_live",
      "go_live",
      "milestone",
      "milestone",
    ]);
    expect((await send(live)).body.captions).toEqual([]);
    expect((await send({ ...live, eventId: "m" })).body.captions).toEqual([]);
    const ended = await send({ state: "ended", externalId: "a", at: minute(9) });
    expect(ended.body.captions).toMatchObject([{ kind: "end", sessionId: body.session.id }, { kind: "end" }]);
    expect(await kept()).toEqual([...both("end"), ...both("go_live"), ...both("milestone")]);
  });

  it("is announced by the built-in writer at once, then by the model, and past the rate of one client not by it: no report is refused", async () => {
    let left = 1;
    const limiter: RateLimit = { limit: async () => ({ success: left-- > 0 }) };
    const tenant = await newTenant("openai", { RATE_LIMITER_EXPENSIVE: limiter });
    const captions = ["discord", "webhook"].map((platform) => ({ platform, text: `On ${platform} now`, hashtags: [] }));
    await tenant.says({ json: { captions } });
    const live = await send({ state: "live", externalId: "a", at: minute(0) }, tenant.client);
    const waiting = { kind: "builtin", fallbackReason: "model_pending" };
    expect(live.body.captions).toMatchObject([
      { engine: waiting, version: 1 },
      { engine: waiting, status: "pending" },
    ]);
    const ended = await send({ state: "ended", externalId: "a", at: minute(9) }, tenant.client);
    expect(ended.body).toMatchObject({
      changed: true,
      captions: [{ engine: { kind: "builtin", fallbackReason: null } }, {}],
    });
    expect(await tenant.requests()).toEqual([]);
    await deliverQueue({ vars: tenant.vars });
    expect(await tenant.requests()).toHaveLength(1);
    const { body } = await api.get(`/api/stream/captions?sessionId=${live.body.session.id}`);
    expect(body.data.map((caption: { kind: string; text: string }) => [caption.kind, caption.text])).toMatchObject([
      ["end", expect.stringContaining("Thank")],
      ["end", expect.any(String)],
      ["go_live", "On webhook now"],
      ["go_live", "On discord now"],
    ]);
  });

  it("twenty times at the same time is announced once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send({ state: "live", externalId: "a", viewers: index, at: minute(0) })),
    );
    expect(answers.flatMap(({ body }) => body.captions)).toHaveLength(2);
    expect(await kept()).toEqual(both("go_live"));
  });

  it("is announced by the cron when the request died before it could, and not a second time", async () => {
    await send({ state: "live", externalId: "a" });
    await env.DB.batch([
      env.DB.prepare("DELETE FROM captions"),
      env.DB.prepare("UPDATE stream_sessions SET captions_owed_since = ?").bind(Date.now()),
    ]);
    await writeMissedCaptions(context(10));
    await writeMissedCaptions(context(20));
    expect(await kept()).toEqual(both("go_live"));
  });

  it("by YouTube itself, once its credential is saved, is announced like any other", async () => {
    const apiKey = `key-${crypto.randomUUID()}`;
    const startedAt = new Date(Date.now() - 60_000).toISOString();
    const videos = [{ id: "yt-1", title: "Live!", state: "live", actualStartTime: startedAt, concurrentViewers: 5 }];
    await fetch(`${url}/control/${apiKey}`, { method: "POST", body: JSON.stringify({ channelId: "UCx", videos }) });
    await api.post("/api/stream/credentials", { platform: "youtube", apiKey, channelId: "UCx" });
    await runSchedule("*/15 * * * *", context());
    await runSchedule("*/15 * * * *", context());
    const { body } = await service().get("/api/stream/status");
    expect(body).toMatchObject({ state: "live", viewers: 5, checkProblem: null, session: { externalId: "yt-1" } });
    expect(await kept()).toEqual(both("go_live"));
    expect((await service().get("/api/stream/stats")).body.posts).toMatchObject({ discord: { pending: 1 } });
    await api.delete("/api/stream/credentials/youtube");
  });
});
