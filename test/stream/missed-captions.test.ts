import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { writeMissedCaptions } from "../../src/features/stream/automatic-captions.ts";
import { personalData } from "../../src/features/stream/personal-data.ts";
import { purgeStreamReports } from "../../src/features/stream/report.ts";
import { cancelOverdueSessions } from "../../src/features/stream/sessions.ts";
import { runSchedule } from "../../src/schedule.ts";
import { service, systemCtx, takeLogs } from "../harness.ts";
import { emptyStream, newChannel, rows, send } from "./reports.ts";
import { credentialFor, newAccount } from "./social.ts";

beforeEach(emptyStream);

const HOUR_MS = 3_600_000;

function context(hoursFromNow = 0) {
  const now = new Date(Date.now() + hoursFromNow * HOUR_MS);
  return { ...systemCtx(), now };
}

const owed = () =>
  rows(
    `SELECT id FROM stream_sessions WHERE captions_owed_since IS NOT NULL
     UNION ALL SELECT id FROM stream_milestones WHERE captions_owed_since IS NOT NULL`,
  );

/** As a request leaves it that died between the change and its captions. */
const dieBeforeCaptions = (at: number) =>
  env.DB.batch([
    env.DB.prepare("UPDATE stream_sessions SET captions_owed_since = ?").bind(at),
    env.DB.prepare("UPDATE stream_milestones SET captions_owed_since = ? WHERE reached_at IS NOT NULL").bind(at),
  ]);

describe("captions", () => {
  it("are owed by a change only until they are written", async () => {
    await newChannel();
    await send({ state: "live", subscribers: 100 });
    expect(await owed()).toEqual([]);
  });

  it("that a dead request left owed are written by the cron", async () => {
    await newChannel();
    await send({ state: "live", subscribers: 100 });
    await dieBeforeCaptions(Date.now());
    expect(await owed()).toHaveLength(2);
    await writeMissedCaptions(context());
    expect(await owed()).toEqual([]);
  });

  it("are not written a day late, and no longer owed then", async () => {
    await service().post("/api/stream/credentials", credentialFor.discord(newAccount()));
    await send({ state: "live" });
    await env.DB.prepare("DELETE FROM captions").run();
    await dieBeforeCaptions(Date.now() - 25 * HOUR_MS);
    await writeMissedCaptions(context());
    expect(await owed()).toEqual([]);
    expect(await rows("SELECT id FROM captions")).toEqual([]);
  });
});

describe("the cron", () => {
  it("cancels plans that are two days overdue, and tells it", async () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
    await send({ state: "scheduled", externalId: "missed", scheduledFor: inHours(-49) });
    await send({ state: "scheduled", externalId: "late", scheduledFor: inHours(-40) });
    await send({ platform: "twitch", state: "scheduled" });
    expect(await cancelOverdueSessions(context())).toBe(1);
    const { data } = (await service().get("/api/stream/sessions?state=cancelled")).body;
    expect(data).toMatchObject([{ externalId: "missed", version: 2 }]);
    expect((await rows<{ type: string }>("SELECT type FROM stream_events")).at(-1)?.type).toBe("session.cancelled");
  });

  it("forgets the ids of reports after thirty days", async () => {
    await send({ state: "live", eventId: "once" });
    expect(await purgeStreamReports(context(29 * 24))).toBe(0);
    expect(await purgeStreamReports(context(31 * 24))).toBe(1);
  });

  it("runs its jobs for streams without a fault", async () => {
    takeLogs();
    for (const cron of ["*/15 * * * *", "17 3 * * *"]) await runSchedule(cron, context());
    expect(takeLogs().filter((line) => line.includes("job_failed"))).toEqual([]);
  });
});

describe("what is kept of streams", () => {
  it("can be taken along, and is erased but for the milestones of the first day", async () => {
    await send({ state: "live", externalId: "mine", subscribers: 600 });
    const ctx = context();
    const taken: Record<string, unknown[]> = {};
    for (const part of personalData) {
      for await (const page of part.pages?.(ctx) ?? []) taken[part.name] = [...(taken[part.name] ?? []), ...page];
    }
    expect(taken).toMatchObject({
      streamSessions: [{ externalId: "mine" }],
      streamMilestones: [{ threshold: 100, reached: true }, { threshold: 500, reached: true }, {}, {}, {}, {}],
      streamChannels: [{ platform: "custom", subscribers: 600 }],
    });
    for (const part of personalData) await part.erase?.(ctx);
    const { body } = await service().get("/api/stream/milestones");
    expect(body.data.map(({ threshold }: { threshold: number }) => threshold)).toEqual([
      100, 500, 1000, 5000, 10000, 50000,
    ]);
    expect(await rows("SELECT id FROM stream_milestones WHERE reached_at IS NOT NULL")).toEqual([]);
    for (const table of ["sessions", "reports", "events", "channels"])
      expect(await rows(`SELECT 1 FROM stream_${table}`)).toEqual([]);
    expect((await service().get("/api/stream/stats")).body.sessions).toEqual({
      scheduled: 0,
      live: 0,
      ended: 0,
      cancelled: 0,
    });
  });
});
