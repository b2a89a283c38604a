import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { dispatchCaptions, failAbandonedPosts } from "../../src/features/stream/captions/dispatch.ts";
import { loadCaptions } from "../../src/features/stream/captions/service.ts";
import { CAPTION_STATUSES, type CaptionStatus, canMove } from "../../src/lib/caption-kinds.ts";
import { insertCheapPerson } from "../auth/people.ts";
import { expectErrorLog, systemCtx, takeLogs } from "../harness.ts";
import { watchDatabase } from "../measured.ts";
import { sampled, times } from "../sampled.ts";
import { api, captionOf, connect, forgetCredentials, newCaption, newSession, QUICK, urls } from "./social.ts";

const dispatch = async (captionIds: number[]) => (await api.post("/api/stream/captions/dispatch", { captionIds })).body;
/** With waits that a test can bear. */
const quickly = (captionIds: number[]) =>
  dispatchCaptions(systemCtx({ X_API_URL: urls.x, GRAPH_API_URL: urls.graph }), { captionIds }, QUICK);

beforeEach(forgetCredentials);
afterAll(forgetCredentials);

const PLATFORMS = ["discord", "x", "instagram", "facebook", "webhook"] as const;

describe("a dispatch", () => {
  it.each(sampled(PLATFORMS))("posts an approved caption to %s, with its hashtags", async (platform) => {
    const { desk } = await connect(platform);
    const id = await newCaption(platform, "approved");
    await api.patch(`/api/stream/captions/${id}`, { hashtags: ["live"] });
    const { text } = await captionOf(id);
    const answer = await dispatch([id]);
    expect(answer).toMatchObject({ posted: 1, failed: 0, notPosted: 0, more: false });
    expect((await desk()).posts).toEqual([`${text}\n\n#live`]);
    const caption = await captionOf(id);
    expect(caption).toMatchObject({ status: "posted", attempts: 1, error: null, uncertain: false });
    expect(caption.postedAt).not.toBeNull();
    expect(caption.postUrl).toBe(answer.results[0].postUrl);
    if (platform !== "webhook") expect(caption.postUrl).toMatch(/^https:\/\//);
  });

  it("posts every approved caption when none is named", async () => {
    const { desk } = await connect("webhook");
    const ids = [await newCaption("webhook", "approved"), await newCaption("webhook", "approved")];
    const pending = await newCaption("webhook");
    const { body } = await api.post("/api/stream/captions/dispatch", {});
    const posted = body.results.filter(({ result }: { result: string }) => result === "posted");
    expect(posted.map(({ captionId }: { captionId: number }) => captionId)).toEqual(expect.arrayContaining(ids));
    expect(await captionOf(pending)).toMatchObject({ status: "pending" });
    expect((await desk()).posts.length).toBe(posted.length);
  });

  it("in parallel with others posts each caption once", async () => {
    const { desk } = await connect("discord");
    const ids = await Promise.all([1, 2, 3].map(() => newCaption("discord", "approved")));
    const answers = await Promise.all(Array.from({ length: 6 }, () => dispatch(ids)));
    expect(answers.reduce((sum, { posted }) => sum + posted, 0)).toBe(3);
    expect((await desk()).posts).toHaveLength(3);
    for (const id of ids) expect(await captionOf(id)).toMatchObject({ status: "posted", attempts: 1 });
  });

  it("finishes every other post when one meets an error of the database", async () => {
    const { desk } = await connect("webhook");
    const ids = await Promise.all([1, 2, 3, 4, 5, 6].map(() => newCaption("webhook", "approved")));
    let claims = 0;
    expectErrorLog("deferred_work_failed");
    const DB = watchDatabase(env.DB, {
      statement(statement, method: string, args) {
        const { statement: sql } = statement as unknown as { statement: string };
        if (/^update "captions" set "status"/.test(sql) && ++claims === 1) throw new Error("no disk");
        return Reflect.get(statement, method).apply(statement, args);
      },
      batch: (statements, send) => send(statements),
    });
    await expect(dispatchCaptions(systemCtx({ DB }), { captionIds: ids }, QUICK)).rejects.toThrow();
    const states = await Promise.all(ids.map(async (id) => (await captionOf(id)).status));
    expect(states.toSorted()).toEqual(["approved", ...Array(5).fill("posted")]);
    expect((await desk()).posts).toHaveLength(5);
  });

  it("leaves a caption approved while its platform is not connected", async () => {
    const id = await newCaption("facebook", "approved");
    const { results } = await dispatch([id, 999_999_999]);
    expect(results[0]).toMatchObject({ captionId: id, result: "not_posted" });
    expect(results[0].error).toMatch(/credential/);
    expect(results[1]).toMatchObject({ captionId: 999_999_999, platform: null, result: "not_posted" });
    expect(await captionOf(id)).toMatchObject({ status: "approved", attempts: 0, version: 1 });
  });

  it("repeated with the same Idempotency-Key answers the same and posts nothing more", async () => {
    const { desk } = await connect("webhook");
    const id = await newCaption("webhook", "approved");
    const options = { headers: { "idempotency-key": `dispatch-${id}` } };
    const send = () => api.post("/api/stream/captions/dispatch", { captionIds: [id] }, options);
    const first = await send();
    expect((await send()).body).toEqual(first.body);
    expect((await desk()).posts).toHaveLength(1);
  });

  it("marks a credential that the platform refuses", async () => {
    const { desk } = await connect("discord");
    await desk({ state: { gone: true } });
    const { results } = await dispatch([await newCaption("discord", "approved")]);
    expect(results[0]).toMatchObject({ result: "failed", uncertain: false });
    const { data } = (await api.get("/api/stream/credentials")).body;
    expect(data.find(({ platform }: { platform: string }) => platform === "discord").status).toBe("invalid");
  });

  it("says when the platform takes posts again", async () => {
    const { desk } = await connect("discord");
    await desk({ faults: [{ kind: "429", retryAfter: 600, times: 9 }] });
    const id = await newCaption("discord", "approved");
    const { results } = await dispatch([id]);
    expect(results[0]).toMatchObject({ result: "failed", uncertain: false });
    const { retryAt } = await captionOf(id);
    expect(Date.parse(retryAt)).toBeGreaterThan(Date.now() + 500_000);
    expect(results[0].retryAt).toBe(retryAt);
  });

  it("keeps secrets out of answers and logs, also when a platform repeats them", async () => {
    takeLogs();
    for (const platform of PLATFORMS) {
      const { name, desk } = await connect(platform);
      await desk({ faults: [{ kind: "echo", times: 9 }] });
      const id = await newCaption(platform, "approved");
      const answer = JSON.stringify(await dispatch([id])) + JSON.stringify(await captionOf(id));
      expect(answer).not.toContain(name);
    }
    const logs = takeLogs().join("\n");
    expect(logs).not.toMatch(/\bacc-\d+-|whsec_/);
  });
});

describe("a post whose answer never came", () => {
  it.each(sampled(PLATFORMS))(
    "to %s is failed and uncertain, and goes again only when a person approves it",
    async (platform) => {
      const { desk } = await connect(platform);
      const faults = [{ kind: "late" as const, on: platform === "instagram" ? "media_publish" : "" }];
      await desk({ faults, state: { behind: true } });
      const id = await newCaption(platform, "approved");
      const { text } = await captionOf(id);
      const copies = async () => (await desk()).posts.filter((post) => post === text).length;
      expect((await quickly([id])).results[0]).toMatchObject({ result: "failed", uncertain: true });
      expect(await captionOf(id)).toMatchObject({ status: "failed", uncertain: true, attempts: 1 });
      await Promise.all([quickly([id]), dispatch([id]), api.post("/api/stream/captions/dispatch", {})]);
      await failAbandonedPosts(systemCtx());
      expect(await copies()).toBe(1);
      const again = `Again, on purpose ${id}`;
      await api.post("/api/stream/captions/approve", { captionId: id, action: "approve", text: again });
      expect((await quickly([id])).posted).toBe(1);
      expect((await desk()).posts).toContain(again);
      expect(await copies()).toBe(1);
      expect(await captionOf(id)).toMatchObject({ status: "posted", uncertain: false, attempts: 2 });
    },
  );
});

describe("a dispatch that died", () => {
  const claimedAgo = (id: number, minutes: number) =>
    env.DB.prepare("UPDATE captions SET claimed_at = ? WHERE id = ?")
      .bind(Date.now() - minutes * 60_000, id)
      .run();

  it("leaves its caption uncertain after a while, and nobody posts it by itself", async () => {
    const { desk } = await connect("webhook");
    const [dead, alive] = [await newCaption("webhook", "posting"), await newCaption("webhook", "posting")];
    await claimedAgo(dead, 6);
    await claimedAgo(alive, 1);
    await failAbandonedPosts(systemCtx());
    expect(await captionOf(dead)).toMatchObject({ status: "failed", uncertain: true });
    expect(await captionOf(alive)).toMatchObject({ status: "posting" });
    await dispatch([dead, alive]);
    expect((await desk()).posts).toEqual([]);
  });

  it("is also noticed by the next dispatch", async () => {
    const id = await newCaption("webhook", "posting");
    await claimedAgo(id, 6);
    const { results } = await dispatch([id]);
    expect(results[0]).toMatchObject({ result: "not_posted" });
    expect(await captionOf(id)).toMatchObject({ status: "failed", uncertain: true });
  });
});

describe("an expired token of X", () => {
  it("is renewed once, however many posts need it, and the new tokens are kept", async () => {
    const { desk } = await connect("x");
    await desk({ state: { expired: 1 } });
    const sessions = await Promise.all([1, 2, 3, 4].map((n) => newSession({ title: `Part ${n}` })));
    const ids: number[] = [];
    for (const sessionId of sessions) {
      const { body } = await api.post("/api/stream/captions/generate", {
        kind: "go_live",
        sessionId,
        platforms: ["x"],
      });
      ids.push(body.data[0].id);
    }
    await api.patch("/api/stream/captions/pending", { ids, status: "approved" });
    const answers = await Promise.all([dispatch(ids), dispatch(ids)]);
    expect(answers.reduce((sum, { posted }) => sum + posted, 0)).toBe(4);
    const { seen, posts, state } = await desk();
    expect(posts).toHaveLength(4);
    expect(seen.filter(({ path }) => path === "/2/oauth2/token")).toHaveLength(1);
    expect(state).toMatchObject({ generation: 2 });
    const { body } = await api.post("/api/stream/credentials/x/test");
    expect(body).toMatchObject({ ok: true, credential: { status: "connected", account: "@ada_live" } });
  });

  it("that cannot be renewed fails with certainty and marks the credential", async () => {
    const { desk } = await connect("x");
    await desk({ state: { expired: 1, dead: true } });
    const id = await newCaption("x", "approved");
    expect((await dispatch([id])).results[0]).toMatchObject({ result: "failed", uncertain: false });
    expect((await api.post("/api/stream/credentials/x/test")).body).toMatchObject({
      ok: false,
      credential: { status: "invalid" },
    });
  });

  it("stays for another try when X cannot be asked", async () => {
    const { desk } = await connect("x");
    await desk({ state: { expired: 1 }, faults: [{ kind: "500", on: "oauth2" }] });
    const id = await newCaption("x", "approved");
    expect((await dispatch([id])).results[0]).toMatchObject({ result: "failed", uncertain: false });
    await api.post("/api/stream/captions/approve", { captionId: id, action: "approve" });
    expect((await dispatch([id])).posted).toBe(1);
  });
});

describe("outbound events", () => {
  it("are written with the change while somebody listens: caption.posted and caption.failed", async () => {
    const { id: userId } = await insertCheapPerson();
    const told = async (id: number) =>
      (
        await env.DB.prepare("SELECT type FROM outbox WHERE record_id = ? AND type LIKE 'caption.%'")
          .bind(String(id))
          .all<{ type: string }>()
      ).results.map(({ type }) => type);
    const { desk } = await connect("webhook");
    const unheard = await newCaption("webhook", "approved");
    await env.DB.prepare("DELETE FROM webhook_endpoints").run();
    await dispatch([unheard]);
    expect(await told(unheard)).toEqual([]);
    const { meta } = await env.DB.prepare(
      "INSERT INTO webhook_endpoints (user_id, url, event_types, secret, enabled, version, created_at, updated_at) VALUES (?, 'https://a.example', '[]', 'x', 1, 1, 0, 0)",
    )
      .bind(userId)
      .run();
    try {
      const [good, bad] = [await newCaption("webhook", "approved"), await newCaption("webhook", "approved")];
      await dispatch([good]);
      await desk({ faults: [{ kind: "400" }] });
      await dispatch([bad]);
      expect(await told(good)).toEqual(["caption.posted"]);
      expect(await told(bad)).toEqual(["caption.failed"]);
      const loaded = await loadCaptions(systemCtx(), [good, bad, 999_999_999]);
      expect(loaded.map(({ id, status }) => [id, status]).sort()).toEqual(
        [
          [good, "posted"],
          [bad, "failed"],
        ].sort(),
      );
    } finally {
      await env.DB.prepare("DELETE FROM webhook_endpoints WHERE id = ?").bind(meta.last_row_id).run();
    }
  });
});

it("what became of a caption is in the stream's log", async () => {
  await connect("webhook");
  const id = await newCaption("webhook", "approved");
  await dispatch([id]);
  const row = await env.DB.prepare("SELECT type, data FROM stream_events ORDER BY id DESC LIMIT 1").first<{
    type: string;
    data: string;
  }>();
  expect(row?.type).toBe("caption.posted");
  expect(JSON.parse(row?.data ?? "")).toMatchObject({ captionId: id, platform: "webhook", uncertain: false });
});

describe("whatever people and dispatches do at the same time", () => {
  type Act = "approve" | "skip" | "restore" | "edit" | "dispatch" | "lose";

  /** All states a caption can be in after any number of legal moves. */
  const reachable = (from: CaptionStatus): Set<CaptionStatus> => {
    const found = new Set([from]);
    for (const status of found) for (const next of CAPTION_STATUSES) if (canMove(status, next)) found.add(next);
    return found;
  };

  it("a caption is posted at most once for each time a person approved it, and never leaves its table", async () => {
    const { desk } = await connect("webhook");
    const act = fc.constantFrom<Act>("approve", "skip", "restore", "edit", "dispatch", "dispatch", "dispatch", "lose");
    const round = fc.array(act, { minLength: 2, maxLength: 5 });
    // Most begin approved: before that there is nothing to race for.
    const start = fc.constantFrom<Act[]>(["approve"], ["approve"], ["edit"]);
    const rounds = fc
      .tuple(start, fc.array(round, { minLength: 1, maxLength: 4 }))
      .map(([one, more]) => [one, ...more]);
    await fc.assert(
      fc.asyncProperty(rounds, async (acts) => {
        const id = await newCaption("webhook");
        await desk({ posts: [], seen: [], faults: [] });
        let approvals = 0;
        let status: CaptionStatus = "pending";
        for (const together of acts) {
          await Promise.all(
            together.map(async (act, index) => {
              if (act === "dispatch") return void (await quickly([id]));
              if (act === "lose") return void (await desk({ faults: [{ kind: "500" }] }));
              if (act === "edit")
                return void (await api.patch(`/api/stream/captions/${id}`, { text: `Words ${index}` }));
              const answer = await api.post("/api/stream/captions/approve", { captionId: id, action: act });
              if (act === "approve" && answer.status === 200) approvals += 1;
            }),
          );
          const caption = await captionOf(id);
          expect(reachable(status).has(caption.status), `${status} → ${caption.status}`).toBe(true);
          expect(caption.status).not.toBe("posting");
          status = caption.status;
          const { posts, seen } = await desk();
          expect(posts.length).toBeLessThanOrEqual(1);
          expect(seen.length).toBe(caption.attempts);
          expect(seen.length).toBeLessThanOrEqual(approvals);
          expect(status === "posted").toBe(posts.length === 1);
        }
      }),
      { numRuns: times(10) },
    );
  });
});
