import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { drawMilestoneCard } from "../../src/lib/milestone-card.ts";
import { insertCheapPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { emptyStream, minute, newChannel, rows, send } from "./reports.ts";

beforeEach(emptyStream);

const api = service();
const PATH = "/api/stream/milestones";
const create = async (fields: object) => (await api.post(PATH, { metric: "viewers", threshold: 10, ...fields })).body;
const thresholds = (body: { milestones: { threshold: number }[] }) => body.milestones.map(({ threshold }) => threshold);

describe("a milestone", () => {
  it("is there from the start for 100 to 50,000 subscribers", async () => {
    const { body } = await api.get(`${PATH}?metric=subscribers`);
    expect(body.data.map(({ threshold, label }: Record<string, unknown>) => [threshold, label])).toEqual([
      [100, "100 subscribers"],
      [500, "500 subscribers"],
      [1000, "1,000 subscribers"],
      [5000, "5,000 subscribers"],
      [10000, "10,000 subscribers"],
      [50000, "50,000 subscribers"],
    ]);
  });

  it("is set, read, changed and deleted", async () => {
    const { status, body, headers } = await api.post(PATH, {
      metric: "viewers",
      threshold: 25,
      label: " Full   room ",
    });
    expect(status).toBe(201);
    expect(headers.get("etag")).toBe('"1"');
    expect(body).toMatchObject({ label: "Full room", reached: false, reachedAt: null, sessionId: null, version: 1 });
    const changed = await api.patch(
      `${PATH}/${body.id}`,
      { threshold: 30, label: null },
      { headers: { "if-match": '"1"' } },
    );
    expect(changed.body).toMatchObject({ threshold: 30, label: "30 viewers at once", version: 2 });
    expect((await api.get(`${PATH}/${body.id}`)).body).toEqual(changed.body);
    expectProblem(
      await api.patch(`${PATH}/${body.id}`, { label: "x" }, { headers: { "if-match": '"1"' } }),
      412,
      "version_conflict",
    );
    expectProblem(await api.patch(`${PATH}/${body.id}`, {}), 422, "nothing_to_update");
    expect((await api.delete(`${PATH}/${body.id}`)).status).toBe(204);
    expectProblem(await api.get(`${PATH}/${body.id}`), 404, "not_found");
    expectProblem(await api.delete(`${PATH}/${body.id}`), 404, "not_found");
  });

  it("is one of its metric and threshold", async () => {
    expectProblem(await api.post(PATH, { metric: "subscribers", threshold: 1000 }), 409, "milestone_exists");
    const { id } = await create({ metric: "peak_viewers", threshold: 1000 });
    expectProblem(await api.patch(`${PATH}/${id}`, { metric: "subscribers" }), 409, "milestone_exists");
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.post(PATH, { metric: "viewers", threshold: 77 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it("is refused when it breaks a rule", async () => {
    for (const fields of [
      { metric: "likes" },
      { threshold: 0 },
      { threshold: 1.5 },
      { label: "  " },
      { label: "x".repeat(81) },
    ]) {
      expectProblem(await api.post(PATH, { metric: "viewers", threshold: 9, ...fields }), 422, "validation_failed");
    }
  });

  it("is reached by the first report that comes to it, and never again", async () => {
    expect(thresholds((await send({ subscribers: 99 })).body)).toEqual([]);
    const { body } = await send({ subscribers: 100 });
    expect(body.milestones).toMatchObject([
      { threshold: 100, reached: true, reachedValue: 100, platform: "custom", sessionId: null, version: 2 },
    ]);
    expect(thresholds((await send({ subscribers: 90 })).body)).toEqual([]);
    expect(thresholds((await send({ subscribers: 120 })).body)).toEqual([]);
    expect((await api.get(`${PATH}?reached=true`)).body.data).toEqual(body.milestones);
  });

  it("is reached with all others that a jump passes, the smallest first", async () => {
    await newChannel("youtube");
    expect(thresholds((await send({ platform: "youtube", subscribers: 6000 })).body)).toEqual([100, 500, 1000, 5000]);
  });

  it("of viewers and of the peak is reached by a live session only", async () => {
    await create({ threshold: 10 });
    await create({ metric: "peak_viewers", threshold: 12 });
    expect((await send({ viewers: 50 })).body.milestones).toEqual([]);
    const { body } = await send({ state: "live", viewers: 11, at: minute(0) });
    expect(body.milestones).toMatchObject([{ metric: "viewers", sessionId: body.session.id }]);
    // A count that comes late is no count of now, but it was the peak.
    await send({ viewers: 3, at: minute(9) });
    await send({ state: "ended", at: minute(10) });
    const late = await send({ state: "live", viewers: 30, at: minute(5) });
    expect(late.body).toMatchObject({ applied: false, milestones: [{ metric: "peak_viewers", reachedValue: 30 }] });
  });

  it("is reached exactly once under twenty reports at the same time", async () => {
    await newChannel();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => send({ subscribers: 1000 + n, eventId: `n${n}` })),
    );
    const reached = answers.flatMap(({ body }) => thresholds(body));
    expect(reached.sort((a, b) => a - b)).toEqual([100, 500, 1000]);
    const events = await rows<{ type: string }>("SELECT type FROM stream_events");
    expect(events).toEqual(Array(3).fill({ type: "milestone.reached" }));
  });

  it("cannot become another once it is reached, but can be named", async () => {
    await newChannel();
    const { body } = await send({ subscribers: 100 });
    const [{ id }] = body.milestones;
    expectProblem(await api.patch(`${PATH}/${id}`, { threshold: 101 }), 409, "milestone_reached");
    expectProblem(
      await api.patch(`${PATH}/${id}`, { threshold: 101 }, { headers: { "if-match": '"1"' } }),
      412,
      "version_conflict",
    );
    expect((await api.patch(`${PATH}/${id}`, { label: "The first hundred" })).body).toMatchObject({
      label: "The first hundred",
      reached: true,
    });
    expect((await send({ subscribers: 100 })).body.milestones).toEqual([]);
  });

  it("that a report has missed is reached by a check, once", async () => {
    await create({ metric: "viewers", threshold: 15 });
    await create({ metric: "viewers", threshold: 30 });
    await create({ metric: "peak_viewers", threshold: 40 });
    await create({ metric: "subscribers", threshold: 70 });
    await newChannel();
    await send({ state: "live", viewers: 44, subscribers: 77 });
    await send({ viewers: 20 });
    await env.DB.exec("UPDATE stream_milestones SET reached_at = NULL");
    const { body } = await api.post(`${PATH}/check`);
    expect(body.counts).toEqual({ subscribers: 77, viewers: 20, peakViewers: 44 });
    expect(thresholds(body)).toEqual([40, 70, 15]);
    expect(thresholds((await api.post(`${PATH}/check`)).body)).toEqual([]);
  });
});

describe("a milestone that a count has passed before the service knew it", () => {
  const reached = async () =>
    (await api.get(`${PATH}?reached=true`)).body.data.map(
      ({ threshold, passedBefore }: { threshold: number; passedBefore: boolean }) => [threshold, passedBefore],
    );
  const baseline = [100, 500, 1000, 5000, 10_000].map((threshold) => [threshold, true]);
  const silence = async () => {
    expect(await rows("SELECT type FROM stream_events WHERE type = 'milestone.reached'")).toEqual([]);
    expect(await rows("SELECT id FROM captions")).toEqual([]);
    expect(await rows("SELECT id FROM stream_milestones WHERE captions_owed_since IS NOT NULL")).toEqual([]);
  };

  it("is not celebrated by the first count of a channel, and growth from there is, once", async () => {
    const { body } = await send({ subscribers: 12_345 });
    expect(body).toMatchObject({ applied: true, milestones: [], captions: [] });
    expect(await reached()).toEqual(baseline);
    await silence();
    const [first] = (await api.get(`${PATH}?reached=true`)).body.data;
    expect(first).toMatchObject({ reached: true, reachedAt: null, reachedValue: 12_345, platform: "custom" });
    expect(thresholds((await api.post(`${PATH}/check`)).body)).toEqual([]);
    expect(thresholds((await send({ subscribers: 12_345 })).body)).toEqual([]);
    const grown = await Promise.all([50_001, 50_002, 50_003].map((subscribers) => send({ subscribers })));
    expect(grown.flatMap((answer) => thresholds(answer.body))).toEqual([50_000]);
    expect(await reached()).toEqual([...baseline, [50_000, false]]);
  });

  it("is not celebrated by the first count of a second platform either", async () => {
    await newChannel();
    expect(thresholds((await send({ subscribers: 120 })).body)).toEqual([100]);
    expect((await send({ platform: "twitch", subscribers: 12_345 })).body.milestones).toEqual([]);
    expect(thresholds((await send({ subscribers: 20_000 })).body)).toEqual([]);
    expect(thresholds((await send({ platform: "twitch", subscribers: 50_000 })).body)).toEqual([50_000]);
  });

  it("is celebrated by none of the first counts that come at the same time, unless it lies between them", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => send({ subscribers: 12_000 + n, eventId: `first${n}` })),
    );
    expect(answers.flatMap(({ body }) => thresholds(body))).toEqual([]);
    await silence();
  });

  it("waits for a count that is known: a report without one is no baseline", async () => {
    await send({ state: "live", viewers: 3 });
    expect((await send({ subscribers: 700 })).body.milestones).toEqual([]);
    expect(await reached()).toEqual([
      [100, true],
      [500, true],
    ]);
  });

  it("is celebrated for viewers, whose first count is an event", async () => {
    await create({ threshold: 10 });
    await create({ metric: "peak_viewers", threshold: 12 });
    expect(thresholds((await send({ state: "live", viewers: 50, subscribers: 700 })).body)).toEqual([12, 10]);
  });

  it("is passed from the start when it is set or moved below the present count", async () => {
    await send({ state: "live", viewers: 44, subscribers: 77 });
    const passed = { reached: true, reachedAt: null, passedBefore: true };
    expect(await create({ metric: "subscribers", threshold: 77 })).toMatchObject({ ...passed, reachedValue: 77 });
    expect(await create({ metric: "viewers", threshold: 44 })).toMatchObject({ ...passed, reachedValue: 44 });
    expect(await create({ metric: "peak_viewers", threshold: 40 })).toMatchObject({ ...passed, reachedValue: 44 });
    const ahead = await create({ metric: "viewers", threshold: 45 });
    expect(ahead).toMatchObject({ reached: false, reachedAt: null, reachedValue: null, passedBefore: false });
    const named = await api.patch(`${PATH}/${ahead.id}`, { label: "Nearly" });
    expect(named.body).toMatchObject({ reached: false, passedBefore: false });
    expect((await api.patch(`${PATH}/${ahead.id}`, { threshold: 43 })).body).toMatchObject(passed);
    expectProblem(await api.patch(`${PATH}/${ahead.id}`, { threshold: 99 }), 409, "milestone_reached");
    expect((await send({ viewers: 46, subscribers: 78 })).body.milestones).toEqual([]);
    await silence();
    const card = (await api.get(`${PATH}/${ahead.id}/card.svg`)).text;
    expect(card).toContain("MILESTONE REACHED");
    expect(card).not.toMatch(/\b20\d\d</);
  });
});

describe("outbound events", () => {
  it("are written with the change itself, while somebody listens", async () => {
    const outbox = () => rows<{ type: string; record_id: string }>("SELECT type, record_id FROM outbox ORDER BY id");
    await env.DB.exec("DELETE FROM outbox");
    await send({ platform: "twitch", state: "live" });
    expect(await outbox()).toEqual([]);
    const { id: userId } = await insertCheapPerson();
    await env.DB.prepare(
      `INSERT INTO webhook_endpoints (user_id, url, event_types, secret, enabled, version, created_at, updated_at)
       VALUES (?, 'https://hook.example', '[]', 'x', 1, 1, 0, 0)`,
    )
      .bind(userId)
      .run();
    try {
      await newChannel();
      const { body } = await send({ state: "scheduled", externalId: "o" });
      const record_id = String(body.session.id);
      await send({ state: "live", externalId: "o", subscribers: 100 });
      await send({ viewers: 3 });
      await send({ state: "ended", externalId: "o" });
      const [milestone] = await rows<{ id: number }>("SELECT id FROM stream_milestones WHERE reached_at IS NOT NULL");
      expect(await outbox()).toEqual([
        { type: "stream.live", record_id },
        { type: "milestone.reached", record_id: String(milestone?.id) },
        { type: "stream.ended", record_id },
      ]);
    } finally {
      await env.DB.prepare("DELETE FROM webhook_endpoints WHERE user_id = ?").bind(userId).run();
      await env.DB.exec("DELETE FROM outbox");
    }
  });
});

describe("the card", () => {
  it("is a picture of its own, kept for a minute and asked about by its ETag", async () => {
    const { id } = await create({ threshold: 12, label: `<script>"Ada & co"</script>` });
    const { status, headers, text } = await api.get(`${PATH}/${id}/card.svg`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(headers.get("cache-control")).toBe("public, max-age=60");
    expect(text).toContain("&lt;script&gt;&quot;Ada &amp; co&quot;&lt;/script&gt;");
    expect(text).not.toMatch(/<script|<style|<image|<use|style=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    expect(text).toContain("NEXT GOAL");
    const etag = headers.get("etag") ?? "";
    expect((await api.get(`${PATH}/${id}/card.svg`, { headers: { "if-none-match": etag } })).status).toBe(304);
    await send({ state: "live", viewers: 12 });
    const reached = await api.get(`${PATH}/${id}/card.svg`, { headers: { "if-none-match": etag } });
    expect(reached.text).toContain("MILESTONE REACHED");
    expectProblem(await api.get(`${PATH}/999999999/card.svg`), 404, "not_found");
  });

  it("looks the same every time, holds no character that XML forbids, and cuts what does not fit", () => {
    const card = {
      metric: "peak_viewers" as const,
      threshold: 10_000_000_000,
      label: `${"very long words ".repeat(20)}`,
      isReached: true,
      reachedAt: new Date(0),
      current: null,
      channel: `\u0000\uD800 ${"名".repeat(200)} 🎉`,
      seed: 5,
    };
    const picture = drawMilestoneCard(card);
    expect(drawMilestoneCard(card)).toBe(picture);
    expect(picture).not.toContain("\u0000");
    // A half of a pair does not survive the way through UTF-8.
    expect(new TextDecoder().decode(new TextEncoder().encode(picture))).toBe(picture);
    expect(picture).toContain("…");
    expect(picture.match(/名/g)?.length).toBeLessThan(40);
  });
});
