import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { loadTopic } from "../../src/features/stream/captions/topic.ts";
import { writeCaptionsAtOnce } from "../../src/features/stream/captions/write.ts";
import {
  CAPTION_MOVES,
  CAPTION_STATUSES,
  type CaptionStatus,
  canMove,
  EDITABLE_STATUSES,
} from "../../src/lib/caption-kinds.ts";
import { expectProblem, systemCtx } from "../harness.ts";
import { sampled } from "../sampled.ts";
import { api, captionOf, connect, forgetCredentials, newCaption, newSession } from "./social.ts";

const generate = (body: object) => api.post("/api/stream/captions/generate", body);

/** As after a report, when nobody asked for the captions. */
async function writeByService(ids: { kind: "go_live"; sessionId: number }) {
  const ctx = systemCtx();
  return (await writeCaptionsAtOnce(ctx, await loadTopic(ctx, ids), { owesModel: false })).data;
}

beforeEach(forgetCredentials);
afterAll(forgetCredentials);

describe("writing captions", () => {
  it("makes one for each connected platform, in its voice and with the stream's title and link", async () => {
    for (const platform of ["discord", "x", "instagram", "facebook", "webhook"] as const) await connect(platform);
    await connect("youtube");
    const sessionId = await newSession({ title: "Knitting live" });
    const { status, body } = await generate({ kind: "go_live", sessionId });
    expect(status).toBe(200);
    expect(body).toMatchObject({ written: 5, kept: 0 });
    expect(body.data.map(({ platform }: { platform: string }) => platform).sort()).toEqual([
      "discord",
      "facebook",
      "instagram",
      "webhook",
      "x",
    ]);
    for (const caption of body.data) {
      expect(caption).toMatchObject({ kind: "go_live", sessionId, milestoneId: null, status: "pending", attempts: 0 });
      expect(caption.text).toContain("Knitting live");
      expect(caption.text).toContain("https://youtu.be/abc");
      expect(caption.engine.kind).toBe("builtin");
    }
  });

  it("again writes anew what is pending and leaves what has been decided on", async () => {
    const sessionId = await newSession();
    const order = { kind: "end", sessionId, platforms: ["discord", "x", "facebook"] };
    const [discord, x, facebook] = (await generate(order)).body.data;
    await api.post("/api/stream/captions/approve", { captionId: x.id, action: "approve" });
    await api.post("/api/stream/captions/approve", { captionId: facebook.id, action: "skip" });
    await env.DB.prepare("UPDATE stream_sessions SET title = 'Another title' WHERE id = ?").bind(sessionId).run();
    const { body } = await generate(order);
    expect(body).toMatchObject({ written: 1, kept: 2 });
    expect((await captionOf(discord.id)).text).toContain("Another title");
    expect(await captionOf(discord.id)).toMatchObject({ id: discord.id, version: 2 });
    expect((await captionOf(x.id)).text).toBe(x.text);
    expect(await captionOf(facebook.id)).toMatchObject({ text: facebook.text, status: "skipped" });
  });

  it("in parallel makes each once", async () => {
    const sessionId = await newSession();
    const order = { kind: "go_live", sessionId, platforms: ["discord", "x"] } as const;
    await Promise.all([
      ...Array.from({ length: 4 }, () => generate(order)),
      ...Array.from({ length: 4 }, () => writeByService(order)),
    ]);
    expect((await api.get(`/api/stream/captions?sessionId=${sessionId}`)).body.data).toHaveLength(2);
  });

  it("by the service itself leaves a caption that a person has edited", async () => {
    await connect("discord");
    const order = { kind: "go_live", sessionId: await newSession() } as const;
    const [first] = await writeByService(order);
    await api.patch(`/api/stream/captions/${first?.id}`, { text: "My own words" });
    const [again] = await writeByService(order);
    expect(again).toMatchObject({ id: first?.id, text: "My own words", version: 2 });
  });

  it("starts approved where the voice says so", async () => {
    await api.patch("/api/stream/voice/webhook", { autoApprove: true });
    const { body } = await generate({ kind: "go_live", sessionId: await newSession(), platforms: ["webhook", "x"] });
    await api.patch("/api/stream/voice/webhook", { autoApprove: false });
    expect(body.data.map(({ platform, status }: Record<string, string>) => [platform, status]).sort()).toEqual([
      ["webhook", "approved"],
      ["x", "pending"],
    ]);
  });

  it("celebrates a milestone once, whatever session is named", async () => {
    const { id: milestoneId } = (await env.DB.prepare("SELECT id FROM stream_milestones WHERE threshold = 500").first<{
      id: number;
    }>()) ?? { id: 0 };
    const [first, second] = [await newSession(), await newSession()];
    const one = await generate({ kind: "milestone", milestoneId, sessionId: first, platforms: ["x"] });
    expect(one.body.data[0]).toMatchObject({ kind: "milestone", milestoneId, sessionId: first });
    expect(one.body.data[0].text).toContain("500");
    const two = await generate({ kind: "milestone", milestoneId, sessionId: second, platforms: ["x"] });
    expect(two.body.data[0].id).toBe(one.body.data[0].id);
  });

  it("says what is missing", async () => {
    const sessionId = await newSession();
    expectProblem(await generate({ kind: "go_live", sessionId }), 409, "no_platform_connected");
    for (const body of [
      { kind: "go_live", sessionId: 999_999_999, platforms: ["x"] },
      { kind: "milestone", platforms: ["x"] },
      { kind: "milestone", milestoneId: 999_999_999, platforms: ["x"] },
      { kind: "party", sessionId },
      { kind: "go_live", sessionId, platforms: [] },
      { kind: "go_live", sessionId, platforms: ["myspace"] },
    ]) {
      expectProblem(await generate(body), 422, "validation_failed");
    }
  });
});

describe("the caption's states", () => {
  const pairs = CAPTION_STATUSES.flatMap((from) =>
    (["approved", "skipped", "pending"] as const).map((to) => [from, to] as const),
  );
  const ACTIONS = { approved: "approve", skipped: "skip", pending: "restore" };

  it.each(sampled(pairs, 3))("from %s to %s is as the table says", async (from, to) => {
    const captionId = await newCaption("discord", from);
    const answer = await api.post("/api/stream/captions/approve", { captionId, action: ACTIONS[to] });
    if (from === to || canMove(from, to)) {
      expect(answer.status).toBe(200);
      expect(await captionOf(captionId)).toMatchObject({ status: to });
    } else {
      expectProblem(answer, 409, "invalid_transition");
      expect(answer.body).toMatchObject({ from, to, allowed: CAPTION_MOVES[from] });
      expect(await captionOf(captionId)).toMatchObject({ status: from, version: 1 });
    }
  });

  it.each(CAPTION_STATUSES)("%s is dispatched only when approved", async (from) => {
    const { desk } = await connect("webhook");
    const id = await newCaption("webhook", from);
    const { body } = await api.post("/api/stream/captions/dispatch", { captionIds: [id] });
    expect(body.results[0].result).toBe(from === "approved" ? "posted" : "not_posted");
    expect((await desk()).posts).toHaveLength(from === "approved" ? 1 : 0);
    expect(await captionOf(id)).toMatchObject({ status: from === "approved" ? "posted" : from });
  });

  it.each(CAPTION_STATUSES)("%s can be edited, or not, and stays what it is", async (from) => {
    const id = await newCaption("discord", from);
    const answer = await api.patch(`/api/stream/captions/${id}`, { text: "New words" });
    if (EDITABLE_STATUSES.includes(from)) expect(answer.body).toMatchObject({ text: "New words", status: from });
    else expectProblem(answer, 409, "conflict");
    expect(await captionOf(id)).toMatchObject({ status: from });
  });

  it("are the same table in the description", async () => {
    const document = (await api.get("/api-docs")).body;
    const { description } = document.paths["/api/stream/captions/approve"].post;
    for (const [from, to] of Object.entries(CAPTION_MOVES)) {
      expect(description).toContain(`${from} → ${to.join(" | ") || "(final)"}`);
    }
  });

  it("of parallel opposite decisions one is followed by the other, or refused", async () => {
    const captionId = await newCaption("x");
    const answers = await Promise.all(
      ["approve", "skip", "approve", "skip"].map((action) =>
        api.post("/api/stream/captions/approve", { captionId, action }),
      ),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const { status, version } = await captionOf(captionId);
    expect(["approved", "skipped"]).toContain(status);
    expect(version).toBeLessThanOrEqual(3);
  });
});

describe("approving", () => {
  it("takes new words in the same step, and refuses those that do not fit", async () => {
    const captionId = await newCaption("x");
    const tooLong = await api.post("/api/stream/captions/approve", {
      captionId,
      action: "approve",
      text: "你".repeat(141),
    });
    expectProblem(tooLong, 422, "validation_failed");
    expect(tooLong.body.errors[0].path).toBe("text");
    expect(await captionOf(captionId)).toMatchObject({ status: "pending", version: 1 });
    const { body } = await api.post("/api/stream/captions/approve", {
      captionId,
      action: "approve",
      text: "你".repeat(140),
    });
    expect(body).toMatchObject({ status: "approved", text: "你".repeat(140) });
  });

  it("a failed one again clears what went wrong", async () => {
    const captionId = await newCaption("x", "failed");
    await env.DB.prepare("UPDATE captions SET uncertain = 1, error = 'lost', retry_at = 5 WHERE id = ?")
      .bind(captionId)
      .run();
    const { body } = await api.post("/api/stream/captions/approve", { captionId, action: "approve" });
    expect(body).toMatchObject({ status: "approved", uncertain: false, error: null, retryAt: null });
  });

  it("is refused when the caption has changed since it was read", async () => {
    const captionId = await newCaption("x");
    await api.patch(`/api/stream/captions/${captionId}`, { text: "Changed" });
    const headers = { "if-match": '"1"' };
    const stale = await api.post("/api/stream/captions/approve", { captionId, action: "approve" }, { headers });
    expectProblem(stale, 412, "version_conflict");
    expectProblem(
      await api.patch(`/api/stream/captions/${captionId}`, { text: "Mine" }, { headers }),
      412,
      "version_conflict",
    );
    expectProblem(
      await api.post("/api/stream/captions/approve", { captionId: 999_999_999, action: "approve" }),
      404,
      "not_found",
    );
  });

  it("many at once decides those that are pending and names the others", async () => {
    const [a, b, posted] = [await newCaption("x"), await newCaption("x"), await newCaption("x", "posted")];
    const { body } = await api.patch("/api/stream/captions/pending", {
      ids: [a, b, posted, 999_999_999],
      status: "approved",
    });
    expect(body).toEqual({ updated: 2, ids: [a, b], notPending: [posted, 999_999_999] });
    expect(await captionOf(posted)).toMatchObject({ status: "posted", version: 1 });
    const again = await api.patch("/api/stream/captions/pending", { ids: [a, b], status: "skipped" });
    expect(again.body.updated).toBe(0);
    expectProblem(await api.patch("/api/stream/captions/pending", { status: "posted" }), 422, "validation_failed");
  });

  it("all that is pending leaves none", async () => {
    await newCaption("x");
    await newCaption("discord");
    const { body } = await api.patch("/api/stream/captions/pending", { status: "skipped" });
    expect(body.updated).toBeGreaterThanOrEqual(2);
    expect((await api.get("/api/stream/captions/pending")).body.data).toEqual([]);
  });
});

describe("editing", () => {
  it("counts hashtags with the text, and keeps to each platform's limit", async () => {
    const limits = { x: 280, discord: 2000, instagram: 2200, facebook: 63_206 } as const;
    for (const [platform, limit] of Object.entries(limits) as [keyof typeof limits, number][]) {
      const path = `/api/stream/captions/${await newCaption(platform)}`;
      expect((await api.patch(path, { text: "a".repeat(limit) })).status).toBe(200);
      expectProblem(await api.patch(path, { text: "a".repeat(limit + 1) }), 422, "validation_failed");
      expectProblem(await api.patch(path, { hashtags: ["a"] }), 422, "validation_failed");
    }
  });

  it("normalises hashtags, refuses what is none, and needs something to change", async () => {
    const path = `/api/stream/captions/${await newCaption("discord")}`;
    expect((await api.patch(path, { hashtags: ["#Live", "live", "Live coding"] })).body.hashtags).toEqual([
      "Live",
      "Livecoding",
    ]);
    expectProblem(await api.patch(path, { hashtags: ["#!"] }), 422, "validation_failed");
    expectProblem(
      await api.patch(path, { hashtags: Array.from({ length: 31 }, (_, n) => `t${n}`) }),
      422,
      "validation_failed",
    );
    expectProblem(await api.patch(path, { status: "posted" }), 422, "nothing_to_update");
    expectProblem(await api.patch(path, { text: "  " }), 422, "validation_failed");
  });
});

describe("lists", () => {
  it("filter by status, platform and session, and go on page by page", async () => {
    const sessionId = await newSession();
    const platforms = ["discord", "x", "facebook"];
    const { data } = (await generate({ kind: "go_live", sessionId, platforms })).body;
    await api.post("/api/stream/captions/approve", { captionId: data[0].id, action: "approve" });
    const list = async (query: string) =>
      (await api.get(`/api/stream/captions?sessionId=${sessionId}&${query}`)).body.data.map(
        ({ id }: { id: number }) => id,
      );
    expect(await list("status=approved")).toEqual([data[0].id]);
    expect(await list("platform=x,facebook")).toEqual([data[2].id, data[1].id].sort((a, b) => b - a));
    expect(await list("status=posted,failed")).toEqual([]);
    const first = (await api.get(`/api/stream/captions?sessionId=${sessionId}&limit=2`)).body;
    const second = (await api.get(`/api/stream/captions?sessionId=${sessionId}&limit=2&cursor=${first.nextCursor}`))
      .body;
    expect([...first.data, ...second.data]).toHaveLength(3);
    expect(second.nextCursor).toBeNull();
    expectProblem(await api.get("/api/stream/captions?status=lost"), 422, "validation_failed");
    expectProblem(await api.get("/api/stream/captions?cursor=x"), 422, "invalid_cursor");
    expectProblem(await api.get("/api/stream/captions/999999999"), 404, "not_found");
  });

  it("add up by platform and status", async () => {
    const posts = async () => (await api.get("/api/stream/stats")).body.posts;
    const before = (await posts()).instagram?.failed ?? 0;
    await newCaption("instagram", "failed" satisfies CaptionStatus);
    const totals = await posts();
    expect(totals.instagram?.failed).toBe(before + 1);
    const { results } = await env.DB.prepare(
      "SELECT platform, status, count(*) AS count FROM captions GROUP BY platform, status",
    ).all<{ platform: string; status: string; count: number }>();
    for (const { platform, status, count } of results) expect(totals[platform]?.[status]).toBe(count);
  });
});
