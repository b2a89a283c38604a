import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { readCredential } from "../../src/features/auth/authenticate.ts";
import type { Clock } from "../../src/features/live/clock.ts";
import { follow, PACE } from "../../src/features/live/follow.ts";
import { followChanges } from "../../src/features/live/service.ts";
import { followStreamEvents } from "../../src/features/stream/events.ts";
import { contextFor, type Person, signedInPerson } from "../auth/people.ts";
import { service, systemCtx } from "../harness.ts";
import { countStatements, measureRows } from "../measured.ts";
import { listen } from "./listening.ts";

const HOUR_MS = 3_600_000;
const PRIVATE = { ACCESS_MODE: "private" };

/** A clock on which every wait is over at once. */
function quickClock(): Clock & { waits: number[] } {
  let time = Date.now();
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    after(ms, done) {
      const timer = setTimeout(() => {
        waits.push(ms);
        time += ms;
        done();
      }, 0);
      return () => clearTimeout(timer);
    },
  };
}

let person: Person;
beforeEach(async () => {
  person = await signedInPerson();
});

/** What happens in the life of a connection that nobody tells of anything. */
async function idleLife(DB: D1Database, feed: typeof followChanges | typeof followStreamEvents = followChanges) {
  const clock = quickClock();
  const ctx = await contextFor(person.token, { ...PRIVATE, DB });
  const credential = await readCredential(ctx, person.token);
  const started = clock.now();
  const events: string[] = [];
  const follower = { credential, signal: new AbortController().signal };
  for await (const { event } of feed(ctx, undefined, follower, { ...PACE, clock })) events.push(event);
  return { events, lasted: clock.now() - started };
}

describe("an idle live client", () => {
  it.each([
    ["of changes", followChanges, "/api/live", ["ready", "end"]],
    ["of stream events", followStreamEvents, "/api/stream/events", ["ready"]],
  ] as const)("%s makes at most 130 calls to the database in an hour", async (_, feed, path, told) => {
    const counted = countStatements(env.DB);
    const { events, lasted } = await idleLife(counted.db, feed);
    const { roundTrips: looks } = counted.taken();
    expect(events).toEqual(told);

    // And what it takes to connect, for a session that was last seen a while ago: the check, the first look, the note.
    await env.DB.prepare("UPDATE sessions SET last_seen_at = 0 WHERE user_id = ?").bind(person.id).run();
    const listener = await listen(path, { token: person.token, vars: { ...PRIVATE, DB: counted.db } });
    expect(await listener.next()).toMatchObject({ event: "ready" });
    const { roundTrips: toConnect } = counted.taken();
    await listener.leave();

    const connections = HOUR_MS / lasted;
    expect({ connections, looks, toConnect }).toEqual({ connections: 4, looks: 31, toConnect: 3 });
    // The first look is part of both. One of these 31 checked the credential for this test.
    expect(connections * (looks - 1 + toConnect - 1)).toBeLessThanOrEqual(130);
  });

  it("reads one row of the log and two of its credential in a look, however long the log is", async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       INSERT INTO changes (at, type, record_id) SELECT i, 'task.updated', 1 FROM n`,
    ).run();
    const measured = measureRows(env.DB);
    await idleLife(measured.db);
    // The first look also notes that there is a client.
    const [note, ...looks] = measured.taken().sort((a, b) => b - a);
    expect(note).toBeLessThanOrEqual(4);
    expect(Math.max(...looks)).toBeLessThanOrEqual(2);
  });

  it("waits half a minute between looks, and ends before it would have to be waited for", async () => {
    const clock = quickClock();
    const ctx = systemCtx();
    const signal = new AbortController().signal;
    for await (const _ of followChanges(ctx, undefined, { credential: undefined, signal }, { ...PACE, clock }));
    expect(new Set(clock.waits)).toEqual(new Set([30_000]));
    expect(clock.waits).toHaveLength(30);
  });
});

describe("a busy live client", () => {
  it("looks ten times a second at most, and not more often than one request may", async () => {
    const clock = quickClock();
    let looks = 0;
    const feed = {
      async look() {
        looks += 1;
        return { events: [{ event: "n", data: looks }], hasMore: false };
      },
    };
    // Rung between any two looks.
    const ringing = { ...systemCtx(), signal: null };
    const signal = new AbortController().signal;
    const started = clock.now();
    const api = service();
    for await (const { data } of follow(ringing, feed, { credential: undefined, signal }, { ...PACE, clock })) {
      if (typeof data === "number" && data <= 5) await api.post("/api/tasks", { title: "Call the bank" });
      if (data === 6) break;
    }
    expect(clock.now() - started).toBeGreaterThanOrEqual(500);

    looks = 0;
    const endless = {
      async look() {
        looks += 1;
        return { events: [], hasMore: true };
      },
    };
    for await (const _ of follow(systemCtx(), endless, { credential: undefined, signal }, { ...PACE, clock }));
    expect(looks).toBe(900);
  });
});
