import { beforeEach, describe, expect, inject, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { runWithin } from "../../src/features/jobs/run-job.ts";
import { checkConnectedYouTube, checkYouTube, nextQuota } from "../../src/features/stream/youtube.ts";
import { SCHEDULE } from "../../src/schedule.ts";
import type { FakeVideo, YouTubeFault } from "../fakes/social/youtube.ts";
import { service, systemCtx } from "../harness.ts";
import { emptyStream, rows, send } from "./reports.ts";

const url = inject("youtubeUrl");
let apiKey = "";
const channelId = "UCchannel1";

beforeEach(async () => {
  await emptyStream();
  apiKey = `key-${crypto.randomUUID()}`;
  await arrange({ channelId, title: "Analytical Engines", subscribers: 42 });
});

interface Arrangement {
  channelId?: string;
  title?: string;
  subscribers?: number | null;
  videos?: FakeVideo[];
  fault?: YouTubeFault;
}

async function arrange(change: Arrangement): Promise<{ requests: { resource: string }[]; units: number }> {
  const response = await fetch(`${url}/control/${apiKey}`, { method: "POST", body: JSON.stringify(change) });
  return response.json();
}

function context(now = new Date()): Context {
  return { ...systemCtx({ YOUTUBE_API_URL: `${url}/youtube/v3` }), now };
}

const check = (now?: Date, callMs?: number) => checkYouTube(context(now), { apiKey, channelId }, callMs);
const start = Date.now();
const ago = (minutes: number) => new Date(start - minutes * 60_000).toISOString();
const status = async () => (await service().get("/api/stream/status?platform=youtube")).body;

const live: FakeVideo = { id: "vid-1", title: "Live!", state: "live", actualStartTime: ago(7), concurrentViewers: 31 };

describe("the check of YouTube", () => {
  it("is off without a credential", async () => {
    expect(await checkConnectedYouTube(context())).toBeNull();
    expect((await status()).lastCheckedAt).toBeNull();
  });

  it("finds the live stream, with its start, its viewers and the channel's subscribers", async () => {
    await arrange({ videos: [{ id: "old", title: "A film", state: "none" }, live] });
    expect(await check()).toBe("ok");
    const now = await status();
    expect(now).toMatchObject({ state: "live", subscribers: 42, viewers: 31, checkProblem: null });
    expect(now.lastCheckedAt).not.toBeNull();
    expect(now.session).toMatchObject({
      externalId: "vid-1",
      title: "Live!",
      url: "https://www.youtube.com/watch?v=vid-1",
      thumbnailUrl: "https://i.ytimg.com/vi/vid-1/maxresdefault.jpg",
      startedAt: live.actualStartTime,
    });
  });

  it("spends three units, so that a day of quarter-hours costs less than a thousand", async () => {
    await arrange({ videos: [live] });
    await arrange({});
    await check();
    const { requests, units } = await arrange({});
    expect(requests.map(({ resource }) => resource)).toEqual(["channels", "playlistItems", "videos"]);
    expect(units * 96).toBeLessThan(1000);
  });

  it("goes on counting, and ends the session when the video has an end", async () => {
    await arrange({ videos: [live] });
    await check();
    await arrange({ videos: [{ ...live, concurrentViewers: 80 }] });
    await check();
    expect(await status()).toMatchObject({ viewers: 80, peakViewers: 80 });
    // YouTube goes on calling it live for a while after the end.
    await arrange({ videos: [{ ...live, actualEndTime: ago(1) }] });
    await check();
    const [session] = (await service().get("/api/stream/sessions?platform=youtube")).body.data;
    expect(session).toMatchObject({ state: "ended", peakViewers: 80, durationSeconds: 360 });
    await check();
    expect(await rows("SELECT id FROM stream_sessions")).toHaveLength(1);
  });

  it("plans what is upcoming, and moves that very session when it begins", async () => {
    const plan: FakeVideo = {
      id: "vid-2",
      title: "Soon",
      state: "upcoming",
      scheduledStartTime: "2026-12-24T18:00:00Z",
    };
    await arrange({ videos: [plan] });
    await check();
    const { session } = await status();
    expect(session).toMatchObject({ state: "scheduled", scheduledFor: "2026-12-24T18:00:00.000Z" });
    // It may have begun a moment before we were told of the plan.
    await arrange({ videos: [{ ...plan, state: "live", actualStartTime: ago(2) }] });
    await check();
    expect(await status()).toMatchObject({ state: "live", session: { id: session.id } });
  });

  it("stores every one of many plans within a few runs of its budget, and later changes of the last one", async () => {
    const { seconds, statements } = SCHEDULE.crons["*/15 * * * *"]?.checkConnectedYouTube ?? {
      seconds: 0,
      statements: 0,
    };
    const runJob = () =>
      runWithin(context(), { run: (ctx) => checkYouTube(ctx, { apiKey, channelId }), seconds, statements });
    const plans = Array.from({ length: 15 }, (_, n): FakeVideo => {
      return { id: `plan-${n}`, title: `Plan ${n}`, state: "upcoming", scheduledStartTime: ago(-60 * (n + 1)) };
    });
    await arrange({ videos: plans });
    for (let run = 0; run < 3; run++) await runJob();
    expect(await rows("SELECT id FROM stream_sessions WHERE state = 'scheduled'")).toHaveLength(15);
    await arrange({ videos: plans.map((plan) => (plan.id === "plan-14" ? { ...plan, title: "Moved" } : plan)) });
    await runJob();
    expect(await rows("SELECT title FROM stream_sessions WHERE external_id = 'plan-14'")).toEqual([{ title: "Moved" }]);
  });

  it("ends one stream and begins the next in the same run", async () => {
    await arrange({ videos: [live] });
    await check();
    const next: FakeVideo = { id: "vid-3", title: "Next", state: "live", actualStartTime: ago(1) };
    await arrange({ videos: [next, { ...live, state: "none", actualEndTime: ago(3) }] });
    await check();
    expect((await status()).session.externalId).toBe("vid-3");
  });

  it("takes up a stream that began while another was on, once that is over", async () => {
    await arrange({ videos: [live] });
    await check();
    const next: FakeVideo = {
      id: "vid-6",
      title: "Next",
      state: "live",
      actualStartTime: ago(5),
      concurrentViewers: 3,
    };
    await arrange({ videos: [next, live] });
    await check();
    expect((await status()).session.externalId).toBe("vid-1");
    await arrange({ videos: [next, { ...live, state: "none", actualEndTime: ago(2) }] });
    await check();
    expect(await status()).toMatchObject({ viewers: 3, session: { externalId: "vid-6", startedAt: ago(2) } });
  });

  it("takes it up as well when somebody else reported the end of the other", async () => {
    await arrange({ videos: [live] });
    await check();
    await send({ platform: "youtube", state: "ended", externalId: "vid-1", at: ago(2) });
    const next: FakeVideo = { id: "vid-6", title: "Next", state: "live", actualStartTime: ago(5) };
    await arrange({ videos: [next, { ...live, state: "none", actualEndTime: ago(2) }] });
    await check();
    expect((await status()).session.externalId).toBe("vid-6");
  });

  it("does not begin again a stream without a name that was reported as ended", async () => {
    await send({ platform: "youtube", state: "live", at: ago(6) });
    await send({ platform: "youtube", state: "ended", at: ago(1) });
    await arrange({ videos: [live] });
    await check();
    expect((await status()).state).toBe("offline");
  });

  it("sees a plan that came and went between two looks, and one that was deleted", async () => {
    const plan: FakeVideo = { id: "vid-4", title: "Short", state: "upcoming", scheduledStartTime: ago(-5) };
    const other: FakeVideo = { id: "vid-5", title: "Gone", state: "upcoming", scheduledStartTime: ago(-9) };
    await arrange({ videos: [plan, other] });
    await check();
    await arrange({ videos: [{ ...plan, state: "none", actualStartTime: ago(4), actualEndTime: ago(2) }] });
    await check();
    const { data } = (await service().get("/api/stream/sessions?platform=youtube")).body;
    const states = data.map(({ externalId, state }: { externalId: string; state: string }) => [externalId, state]);
    expect(Object.fromEntries(states)).toEqual({ "vid-4": "ended", "vid-5": "cancelled" });
    // Nobody is called to a stream that is over.
    expect(await rows("SELECT id FROM stream_sessions WHERE state = 'live'")).toEqual([]);
  });

  it("follows a known video that is not among the uploads", async () => {
    await send({ platform: "youtube", state: "live", externalId: "hidden", at: ago(9) });
    await arrange({ videos: [{ ...live, id: "hidden", unlisted: true, concurrentViewers: 9 }] });
    await check();
    expect(await status()).toMatchObject({ viewers: 9, session: { externalId: "hidden" } });
  });

  it("gives the stream that an encoder reported without a name its name", async () => {
    const { body } = await send({ platform: "youtube", state: "live", at: ago(3) });
    await arrange({ videos: [live] });
    await check();
    expect((await status()).session).toMatchObject({ id: body.session.id, externalId: "vid-1", viewers: 31 });
  });

  it("does not begin again what somebody has reported as ended while YouTube lags behind", async () => {
    await arrange({ videos: [live] });
    await check();
    await send({ platform: "youtube", state: "ended", externalId: "vid-1" });
    await check();
    expect((await status()).state).toBe("offline");
  });

  it("says nothing of subscribers that a channel hides", async () => {
    await arrange({ subscribers: null });
    expect(await check()).toBe("ok");
    expect((await status()).subscribers).toBeNull();
  });
});

describe("YouTube in trouble", () => {
  it.each([
    ["keyInvalid", "key_refused"],
    ["accessNotConfigured", "key_refused"],
    ["500", "unavailable"],
    ["html", "unavailable"],
    ["hang", "timeout"],
  ] as const)("%s is told as %s, and changes no session", async (fault, problem) => {
    await arrange({ videos: [live] });
    await check();
    await arrange({ fault });
    // Only silence has to be waited out; an answer may take its time on a busy machine.
    expect(await check(new Date(), fault === "hang" ? 200 : undefined)).toBe(problem);
    expect(await status()).toMatchObject({ state: "live", checkProblem: problem });
    await arrange({ fault: null });
    expect(await check()).toBe("ok");
    expect((await status()).checkProblem).toBeNull();
  });

  it("is not asked again on the day its quota is spent, which ends at midnight in California", async () => {
    const noon = new Date("2026-07-10T19:00:00Z");
    expect(nextQuota(noon).toISOString()).toBe("2026-07-11T07:00:00.000Z");
    expect(nextQuota(new Date("2026-01-10T08:00:00Z")).toISOString()).toBe("2026-01-11T08:00:00.000Z");
    await arrange({ fault: "quotaExceeded" });
    expect(await check(noon)).toBe("quota_exceeded");
    await arrange({ fault: null });
    expect(await check(new Date("2026-07-11T06:59:00Z"))).toBeNull();
    expect((await arrange({})).requests).toEqual([]);
    expect((await status()).checkProblem).toBe("quota_exceeded");
    expect(await check(new Date("2026-07-11T07:00:00Z"))).toBe("ok");
  });

  it("answers for a channel that is not there", async () => {
    expect(await checkYouTube(context(), { apiKey, channelId: "UCnobody" })).toBe("channel_not_found");
  });
});

describe("the first subscriber count of a newly connected channel", () => {
  const reached = () =>
    rows("SELECT threshold FROM stream_milestones WHERE reached_at IS NOT NULL AND NOT passed_before");
  const celebrated = () => rows<{ type: string }>("SELECT type FROM stream_events WHERE type = 'milestone.reached'");

  it("is the baseline: milestones of the past are not celebrated, those of the future are", async () => {
    await arrange({ subscribers: 12_345 });
    await check();
    expect(await celebrated()).toEqual([]);
    await arrange({ subscribers: 50_001 });
    await check();
    await check();
    expect(await reached()).toEqual([{ threshold: 50_000 }]);
    expect(await celebrated()).toHaveLength(1);
  });

  it("is the baseline of every other channel that is connected in its place", async () => {
    await arrange({ subscribers: 42 });
    await check();
    await arrange({ channelId: "UCother", subscribers: 60_000 });
    const other = () => checkYouTube(context(), { apiKey, channelId: "UCother" });
    // A check that fails says nothing of the new channel.
    await arrange({ fault: "500" });
    await other();
    await arrange({ fault: null });
    await other();
    await other();
    expect(await celebrated()).toEqual([]);
    expect((await status()).subscribers).toBe(60_000);
    await arrange({ channelId, subscribers: 50 });
    await check();
    expect((await status()).subscribers).toBe(50);
  });

  it("is the baseline although automations had reported the count of another channel", async () => {
    await send({ platform: "youtube", subscribers: 90 });
    await arrange({ subscribers: 12_345 });
    await check();
    expect(await celebrated()).toEqual([]);
  });
});
