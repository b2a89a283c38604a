import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { countStatements, interruptBatch, measureRows } from "../measured.ts";
import { times } from "../sampled.ts";
import { emptyStream, minute, type ReportFields, rows, send } from "./reports.ts";

beforeEach(emptyStream);

describe("a report", () => {
  it("starts a session, and the status tells it", async () => {
    const { status, body } = await send({
      state: "live",
      externalId: "a",
      title: " Chess ",
      viewers: 12,
      at: minute(5),
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      applied: true,
      changed: true,
      session: {
        platform: "custom",
        externalId: "a",
        title: "Chess",
        state: "live",
        startedAt: minute(5),
        endedAt: null,
      },
      captions: [],
      milestones: [],
    });
    const now = (await service().get("/api/stream/status")).body;
    expect(now).toMatchObject({ state: "live", session: { id: body.session.id }, viewers: 12, peakViewers: 12 });
    expect(Date.parse(now.lastReportAt)).toBeGreaterThan(Date.now() - 60_000);
    expect((await service().get("/api/stats")).body.stream).toEqual({ state: "live" });
    expect((await service().get("/api/stream/status?platform=twitch")).body).toMatchObject({ state: "offline" });
  });

  it("is kept only by its id: one without leaves no row behind", async () => {
    await send({ state: "live", at: minute(0) });
    await send({ viewers: 7, at: minute(1) });
    expect(await rows("SELECT * FROM stream_reports")).toEqual([]);
    await send({ eventId: "e-1", viewers: 9, at: minute(2) });
    expect(await rows("SELECT platform, event_id, at FROM stream_reports")).toEqual([
      { platform: "custom", event_id: "e-1", at: Date.parse(minute(2)) },
    ]);
  });

  it("says offline, scheduled and live, and live before scheduled", async () => {
    const state = async () => [
      (await service().get("/api/stream/status")).body.state,
      (await service().get("/api/stats")).body.stream.state,
    ];
    expect(await state()).toEqual(["offline", "offline"]);
    await send({ platform: "twitch", state: "scheduled", scheduledFor: "2026-12-01T10:00:00Z" });
    expect(await state()).toEqual(["scheduled", "scheduled"]);
    await send({ state: "live" });
    expect(await state()).toEqual(["live", "live"]);
    await send({ state: "ended" });
    expect(await state()).toEqual(["scheduled", "scheduled"]);
  });

  it("tells of all platforms what is newest, and of one only what is its own", async () => {
    const status = async (query = "") => (await service().get(`/api/stream/status${query}`)).body;
    const planned = { state: "scheduled", at: minute(0) };
    await send({ ...planned, scheduledFor: "2026-12-03T10:00:00Z", title: "Later", subscribers: 40 });
    await send({ ...planned, platform: "twitch", scheduledFor: "2026-12-02T10:00:00Z", subscribers: 90 });
    expect((await status()).session).toMatchObject({ platform: "twitch", state: "scheduled" });
    expect(await status("?platform=custom")).toMatchObject({ session: { title: "Later" }, subscribers: 40 });
    await send({ platform: "twitch", state: "live", viewers: 5, at: minute(2) });
    await send({ state: "live", viewers: 3, at: minute(1) });
    expect(await status()).toMatchObject({ session: { platform: "twitch" }, viewers: 5, subscribers: 90 });
    expect(await status("?platform=custom")).toMatchObject({ session: { title: "Later" }, viewers: 3 });

    const none = { subscribers: null, lastReportAt: null, lastCheckedAt: null, checkProblem: null };
    expect(await status("?platform=youtube")).toMatchObject({ state: "offline", session: null, ...none });
    await env.DB.exec(
      "INSERT INTO stream_channels (platform, last_checked_at, check_problem) VALUES ('youtube', 2000, 'quota_exceeded');" +
        "UPDATE stream_channels SET last_checked_at = 1000, check_problem = 'unavailable' WHERE platform = 'twitch'",
    );
    expect(await status()).toMatchObject({
      lastCheckedAt: new Date(2000).toISOString(),
      checkProblem: "quota_exceeded",
    });
    expect(await status("?platform=twitch")).toMatchObject({ checkProblem: "unavailable" });
    expect(await status("?platform=custom")).toMatchObject({ lastCheckedAt: null, checkProblem: null });
  });

  it("keeps the peak, and has no viewers when it has ended", async () => {
    await send({ state: "live", viewers: 5, at: minute(0) });
    await send({ viewers: 40, at: minute(1) });
    await send({ viewers: 8, at: minute(2) });
    const { body } = await send({ state: "ended", viewers: 3, at: minute(3) });
    expect(body.session).toMatchObject({ viewers: 0, peakViewers: 40, durationSeconds: 180 });
    expect((await service().get(`/api/stream/sessions/${body.session.id}`)).body).toEqual(body.session);
  });

  it("with the eventId of an earlier one changes nothing, also after others", async () => {
    const live = { eventId: "e-1", state: "live", externalId: "a", viewers: 5, at: minute(0) };
    const first = await send(live);
    await send({ eventId: "e-2", state: "ended", externalId: "a", at: minute(9) });
    const before = await rows("SELECT * FROM stream_sessions");
    const again = await send({ ...live, viewers: 900, at: minute(10) });
    expect(again.body).toMatchObject({ applied: false, changed: false, captions: [], milestones: [] });
    expect(again.body.session).toMatchObject({ id: first.body.session.id, state: "ended" });
    expect(await rows("SELECT * FROM stream_sessions")).toEqual(before);
  });

  it("that was refused is not remembered and can be sent again", async () => {
    const ended = { eventId: "late", state: "ended", externalId: "a", at: minute(9) };
    expectProblem(await send(ended), 409, "invalid_transition");
    await send({ state: "live", externalId: "a", at: minute(0) });
    expect((await send(ended)).body).toMatchObject({ applied: true, changed: true });
  });

  it("is known by its eventId on its own platform only", async () => {
    await send({ eventId: "both", state: "live" });
    expect((await send({ eventId: "both", platform: "twitch", state: "live" })).body.applied).toBe(true);
  });

  it("that is older moves nothing back and sets nothing back, but may raise the peak", async () => {
    await send({ state: "live", externalId: "a", at: minute(0) });
    await send({ externalId: "a", viewers: 10, title: "New", at: minute(20) });
    const late = await send({ externalId: "a", viewers: 70, title: "Old", at: minute(10) });
    expect(late.body.session).toMatchObject({ viewers: 10, peakViewers: 70, title: "New" });
    await send({ state: "ended", externalId: "a", at: minute(30) });
    const back = await send({ state: "live", externalId: "a", viewers: 90, at: minute(15) });
    expect(back.body).toMatchObject({ applied: false, changed: false, session: { state: "ended", peakViewers: 90 } });
  });

  it("that counted viewers before the stream began is late, and none of its viewers", async () => {
    await send({ state: "live", viewers: 5, at: minute(10) });
    const { body } = await send({ viewers: 500, at: minute(5) });
    expect(body).toMatchObject({ applied: false, changed: false, session: { viewers: 5, peakViewers: 5 } });
  });

  it("that is older does not end a stream that began after it, nor begin one again", async () => {
    await send({ state: "live", at: minute(0) });
    await send({ state: "ended", at: minute(10) });
    expect((await send({ state: "live", at: minute(5) })).body).toMatchObject({ applied: false, changed: false });
    await send({ state: "live", at: minute(20) });
    expect((await send({ state: "ended", at: minute(11) })).body).toMatchObject({ applied: false, changed: false });
    expect((await service().get("/api/stream/status")).body.state).toBe("live");
    expect(await rows("SELECT id FROM stream_sessions")).toHaveLength(2);
  });

  it("from a clock that runs ahead does not make later ones look old", async () => {
    const ahead = new Date(Date.now() + 4 * 60_000).toISOString();
    await send({ state: "live", at: ahead });
    expect((await send({ state: "ended" })).body.changed).toBe(true);
    const future = await send({ state: "live", at: new Date(Date.now() + 3_600_000).toISOString() });
    expectProblem(future, 422, "validation_failed");
    expect(future.body.errors[0].path).toBe("at");
  });

  it("is refused when it breaks a rule", async () => {
    for (const fields of [
      { platform: "vimeo", state: "live" },
      { state: "offline" },
      { viewers: -1 },
      { viewers: 1.5 },
      { subscribers: "many" },
      { eventId: "" },
      { externalId: " " },
      { state: "live", url: "javascript:alert(1)" },
      { state: "live", at: "yesterday" },
    ]) {
      expectProblem(
        await service().post("/api/stream/status", { platform: "custom", ...fields }),
        422,
        "validation_failed",
      );
    }
  });

  it("costs at most two round trips when nothing changes, and one when it is repeated", async () => {
    await send({ state: "live", viewers: 7, subscribers: 12, at: minute(0) });
    const counted = countStatements(env.DB);
    const client = service({ DB: counted.db });
    const same = { eventId: "same", state: "live", viewers: 7, subscribers: 12, at: minute(1) };
    const { body } = await send(same, client);
    expect(body).toMatchObject({ applied: true, changed: false, session: { version: 1 } });
    expect(counted.taken().roundTrips).toBe(2);
    await send(same, client);
    expect(counted.taken().roundTrips).toBe(1);
  });

  it("is decided anew when another one got through between", async () => {
    await send({ state: "live", externalId: "a", at: minute(0) });
    // The second batch of a report is the one that writes.
    const db = interruptBatch(env.DB, 2, () => send({ state: "ended", externalId: "a", at: minute(1) }));
    const { body } = await send({ state: "ended", externalId: "a", at: minute(2) }, service({ DB: db }));
    expect(body).toMatchObject({ applied: true, changed: false, session: { endedAt: minute(1) } });
  });
});

describe("reports at the same time", () => {
  it("that are identical apply once", async () => {
    const report = { eventId: "one", state: "live", externalId: "a", viewers: 3, at: minute(0) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(report)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers.filter(({ body }) => body.applied)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.changed)).toHaveLength(1);
    expect(await rows("SELECT type FROM stream_events")).toEqual([{ type: "session.live" }]);
  });

  it("without any id begin one session, and the highest count is the peak", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send({ state: "live", viewers: index + 1, at: minute(0) })),
    );
    expect(answers.filter(({ body }) => body.changed)).toHaveLength(1);
    const sessions = await rows<{ peak_viewers: number }>("SELECT peak_viewers FROM stream_sessions");
    expect(sessions).toEqual([{ peak_viewers: 20 }]);
  });

  it("plan one stream when none of them names it", async () => {
    await Promise.all(Array.from({ length: 10 }, () => send({ state: "scheduled" })));
    expect(await rows("SELECT id FROM stream_sessions")).toHaveLength(1);
  });

  it("of two streams make one of them live", async () => {
    const answers = await Promise.all(
      ["a", "b"].map((externalId) => send({ state: "live", externalId, at: minute(0) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("any sequence of reports", () => {
  const field = fc.record(
    {
      eventId: fc.constantFrom("e1", "e2", "e3"),
      platform: fc.constantFrom("custom", "twitch"),
      state: fc.constantFrom("scheduled", "live", "ended", "cancelled"),
      externalId: fc.constantFrom("a", "b"),
      viewers: fc.integer({ min: 0, max: 50 }),
      at: fc.integer({ min: 0, max: 9 }).map(minute),
    },
    { requiredKeys: [] },
  );
  const rounds = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 7 });
  const LEGAL = ["scheduled", "live", "scheduled live", "scheduled cancelled", "live ended", "scheduled live ended"];

  it("with repeats, disorder and at the same time, leaves every session on a documented path", async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (sequence) => {
        await emptyStream();
        const client = service();
        for (const round of sequence) {
          const answers = await Promise.all(round.map((report: ReportFields) => send(report, client)));
          for (const { status } of answers) expect([200, 404, 409]).toContain(status);
        }
        await expectDocumentedPaths();
      }),
      { numRuns: times(15) },
    );
  });

  async function expectDocumentedPaths() {
    const events = await rows<{ type: string; data: string }>("SELECT type, data FROM stream_events ORDER BY id");
    const paths = new Map<number, string[]>();
    for (const { type, data } of events) {
      const { sessionId } = JSON.parse(data);
      if (type !== "session.updated") paths.set(sessionId, [...(paths.get(sessionId) ?? []), type.slice(8)]);
    }
    for (const path of paths.values()) expect(LEGAL).toContain(path.join(" "));
    const sessions = await rows<Record<string, number | string | null>>("SELECT * FROM stream_sessions");
    expect(sessions).toHaveLength(paths.size);
    const live = sessions.filter(({ state }) => state === "live").map(({ platform }) => platform);
    expect(new Set(live).size).toBe(live.length);
    for (const session of sessions) {
      expect(paths.get(Number(session.id))?.at(-1)).toBe(session.state);
      expect(session.started_at !== null).toBe(session.state === "live" || session.state === "ended");
      expect(session.ended_at !== null).toBe(session.state === "ended");
      if (session.ended_at !== null)
        expect(Number(session.ended_at)).toBeGreaterThanOrEqual(Number(session.started_at));
      expect(Number(session.peak_viewers)).toBeGreaterThanOrEqual(Number(session.viewers));
    }
    const [totals] = await rows<{ n: number }>(
      "SELECT sum(scheduled + live + ended + cancelled) AS n FROM stream_totals",
    );
    expect(totals?.n).toBe(sessions.length);
  }
});

describe("history", () => {
  it("pages through the sessions, the newest first, and filters", async () => {
    for (let index = 0; index < 5; index++) {
      await send({ state: "live", externalId: `s${index}`, at: minute(index * 10) });
      await send({ state: "ended", externalId: `s${index}`, viewers: index, at: minute(index * 10 + 6) });
    }
    await send({ platform: "twitch", state: "scheduled" });
    const client = service();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor ? `&cursor=${cursor}` : "";
      const { body } = await client.get(`/api/stream/sessions?limit=2&platform=custom&state=ended,live${query}`);
      seen.push(...body.data.map(({ externalId }: { externalId: string }) => externalId));
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen).toEqual(["s4", "s3", "s2", "s1", "s0"]);
    expect((await client.get("/api/stream/sessions?state=scheduled")).body.data).toHaveLength(1);
    expectProblem(await client.get("/api/stream/sessions?state=off"), 422, "validation_failed");
    expectProblem(await client.get("/api/stream/sessions/999999999"), 404, "not_found");
    const { body: stats } = await client.get("/api/stream/stats");
    expect(stats).toMatchObject({
      sessions: { scheduled: 1, live: 0, ended: 5, cancelled: 0 },
      hoursStreamed: 0.5,
      averageHours: 0.1,
      averagePeakViewers: 2,
      best: { externalId: "s4", peakViewers: 4 },
      milestones: { reached: 0, ahead: 6 },
    });
    expect(stats.byPlatform).toContainEqual({ platform: "custom", ended: 5, hoursStreamed: 0.5 });
  });

  it("costs the same after many streams", async () => {
    const fill = (count: number) =>
      env.DB.prepare(
        `INSERT INTO stream_sessions (platform, external_id, state, started_at, ended_at, peak_viewers, state_at,
           reported_at, version, created_at, updated_at)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         SELECT 'custom', 'old' || i, 'ended', i * 1000, i * 1000 + 500, i % 90, i * 1000 + 500, i * 1000, 1, i, i FROM n`,
      )
        .bind(count)
        .run();
    await fill(2000);
    const measured = measureRows(env.DB);
    const client = service({ DB: measured.db });
    const cost = async (work: () => Promise<unknown>) => {
      await work();
      return measured.taken().reduce((sum, read) => sum + read, 0);
    };
    for (const work of [
      () => client.get("/api/stream/status"),
      () => client.get("/api/stream/stats"),
      () => client.get("/api/stream/sessions?limit=10&platform=custom&state=ended"),
      () => send({ state: "live", viewers: 3 }, client),
      () => send({ state: "ended", viewers: 3 }, client),
    ]) {
      expect(await cost(work)).toBeLessThan(200);
    }
  });
});
