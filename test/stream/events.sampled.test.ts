import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { PACE, type Pace } from "../../src/features/live/follow.ts";
import { followStreamEvents, purgeStreamEvents } from "../../src/features/stream/events.ts";
import { expectProblem, service, sharedApp, systemCtx } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { rarely } from "../sampled.ts";
import { until } from "../until.ts";
import { emptyStream, minute, newChannel, rows, send } from "./reports.ts";

beforeEach(emptyStream);

const PATH = "/api/stream/events";
const QUICK: Pace = { ...PACE, lookMs: 20, gapMs: 0, maxLooks: 10_000 };

const stoppedBy = (signal: AbortSignal) => ({ credential: undefined, signal });
const forever = stoppedBy(new AbortController().signal);

function context(db: D1Database = env.DB) {
  return systemCtx({ DB: db });
}

async function live(count: number) {
  for (let viewers = 1; viewers <= count; viewers++) await send({ state: "live", viewers, at: minute(viewers) });
}

describe("the log", () => {
  it("tells in order what happened, and no more than that", async () => {
    await newChannel();
    await send({ state: "scheduled", externalId: "a", at: minute(0) });
    await send({ state: "live", externalId: "a", viewers: 3, subscribers: 100, at: minute(1) });
    await send({ viewers: 3, at: minute(2) });
    await send({ viewers: 9, at: minute(3) });
    await send({ state: "ended", externalId: "a", at: minute(4) });
    const { body } = await service().get(PATH);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual([
      "session.scheduled",
      "session.live",
      "milestone.reached",
      "session.updated",
      "session.ended",
    ]);
    expect(body.data[3].data).toMatchObject({ platform: "custom", externalId: "a", viewers: 9, peakViewers: 9 });
    expect(body.data[2].data).toMatchObject({ metric: "subscribers", threshold: 100, value: 100 });
  });

  it("is read on from an event, and page by page", async () => {
    await live(7);
    const client = service();
    const all = (await client.get(PATH)).body.data;
    expect(all).toHaveLength(7);
    expect((await client.get(`${PATH}?after=${all[3].id}`)).body.data).toEqual(all.slice(4));
    const page = (await client.get(`${PATH}?limit=5`)).body;
    const rest = (await client.get(`${PATH}?limit=5&cursor=${page.nextCursor}`)).body;
    expect([...page.data, ...rest.data]).toEqual(all);
    expect(rest.nextCursor).toBeNull();
    expectProblem(await client.get(`${PATH}?after=x`), 422, "validation_failed");
    expectProblem(await client.get(`${PATH}?cursor=x`), 422, "invalid_cursor");
  });

  it("forgets what is older than thirty days", async () => {
    await live(2);
    await env.DB.exec("UPDATE stream_events SET at = 0 WHERE id = (SELECT min(id) FROM stream_events)");
    await purgeStreamEvents(context());
    expect(await rows("SELECT id FROM stream_events")).toHaveLength(1);
  });
});

describe("the live feed", () => {
  /** Reads so many events after the first `ready`, then goes away, as a client would. */
  async function take(count: number, after?: number): Promise<number[]> {
    const leaving = new AbortController();
    const ids: number[] = [];
    for await (const { event, id } of followStreamEvents(context(), after, stoppedBy(leaving.signal), QUICK)) {
      if (event !== "ready") ids.push(Number(id));
      if (ids.length >= count) break;
    }
    return ids;
  }

  rarely("resumed again and again while things happen misses nothing and sees nothing twice", async () => {
    const writing = live(30);
    const seen: number[] = [];
    for (const count of [1, 7, 3, 9, 2, 8]) seen.push(...(await take(count, seen.at(-1) ?? 0)));
    await writing;
    const all = await rows<{ id: number }>("SELECT id FROM stream_events ORDER BY id");
    expect(seen).toEqual(all.map(({ id }) => id));
    expect(seen).toHaveLength(30);
  });

  it("tells where it stands, so that a client cut off before anything happened resumes, too", async () => {
    await live(2);
    const feed = followStreamEvents(context(), undefined, forever, QUICK);
    const ready = (await feed.next()).value;
    await feed.return(undefined);
    expect(ready).toMatchObject({ event: "ready", data: { after: Number(ready?.id) } });
    await send({ state: "ended" });
    expect(await take(1, Number(ready?.id))).toEqual([Number(ready?.id) + 1]);
  });

  it("carries more than one look's worth of events at once", async () => {
    await env.DB.prepare(
      `INSERT INTO stream_events (type, at, data)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250) SELECT 'session.updated', 0, '{}' FROM n`,
    ).run();
    expect(await take(250, 0)).toHaveLength(250);
  });

  it("stops looking when the client has gone, and when its life is over", async () => {
    const counted = countStatements(env.DB);
    const leaving = new AbortController();
    const feed = followStreamEvents(context(counted.db), 0, stoppedBy(leaving.signal), QUICK);
    await feed.next();
    const waiting = feed.next();
    counted.taken();
    await until(() => expect(counted.taken().roundTrips).toBeGreaterThan(0));
    leaving.abort();
    expect((await waiting).done).toBe(true);
    counted.taken();

    const ended: string[] = [];
    for await (const { event } of followStreamEvents(context(), 0, forever, {
      ...QUICK,
      lifeMs: 30,
    }))
      ended.push(event);
    for await (const { event } of followStreamEvents(context(counted.db), 0, forever, {
      ...QUICK,
      maxLooks: 3,
    }))
      ended.push(event);
    expect(ended).toEqual(["ready", "ready"]);
    expect(counted.taken().roundTrips).toBe(3);
  });

  it("is served as text/event-stream from Last-Event-ID on, the header before the query", async () => {
    await live(3);
    const [first, second, third] = await rows<{ id: number }>("SELECT id FROM stream_events ORDER BY id");
    const app = sharedApp;
    const open = async (path: string, headers: Record<string, string>) => {
      const request = new Request(`http://poa.test${path}`, { headers: { accept: "text/event-stream", ...headers } });
      const response = await app.fetch(request, env, createExecutionContext());
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      expect(response.headers.get("cache-control")).toBe("no-store");
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      return async (count: number) => {
        let text = "";
        while (text.split("\n\n").length <= count) text += (await reader?.read())?.value ?? "";
        await reader?.cancel();
        return text;
      };
    };
    const text = await (await open(`${PATH}?lastEventId=0`, { "last-event-id": String(first?.id) }))(3);
    expect(text.match(/^id: \d+$/gm)).toEqual([first, second, third].map((row) => `id: ${row?.id}`));
    expect(text).toContain("event: ready\n");
    expect(text).toContain("event: session.updated\ndata: {");
    const queried = await (await open(`${PATH}?lastEventId=${second?.id}`, {}))(2);
    expect(queried.match(/^id: \d+$/gm)).toEqual([second, third].map((row) => `id: ${row?.id}`));
  });
});
