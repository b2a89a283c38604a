import { beforeEach, describe, expect, it } from "vitest";
import { SESSION_MOVES, SESSION_STATES, type SessionState } from "../../src/lib/stream-session.ts";
import { expectProblem, service } from "../harness.ts";
import { sampled } from "../sampled.ts";
import { emptyStream, minute, rows, send } from "./reports.ts";

beforeEach(emptyStream);

type From = SessionState | "none";

/** Written out by hand, so that a slip in the table of the service does not pass unseen. */
const LEGAL: [From, SessionState][] = [
  ["none", "scheduled"],
  ["none", "live"],
  ["scheduled", "live"],
  ["scheduled", "cancelled"],
  ["live", "ended"],
];
const PATHS: Record<From, SessionState[]> = {
  none: [],
  scheduled: ["scheduled"],
  live: ["live"],
  ended: ["live", "ended"],
  cancelled: ["scheduled", "cancelled"],
};
const FROM = Object.keys(PATHS) as From[];
const PAIRS = FROM.flatMap((from) => SESSION_STATES.map((to) => [from, to] as const));

async function bring(from: From, fields: { externalId?: string }): Promise<number> {
  let version = 0;
  for (const [index, state] of PATHS[from].entries()) {
    const { status, body } = await send({ state, at: minute(index), ...fields });
    expect(status).toBe(200);
    version = body.session.version;
  }
  return version;
}

describe.each([
  ["named by its externalId", { externalId: "stream-1" }],
  ["named by its platform alone", {}],
])("a session %s", (kind, fields) => {
  it.each(sampled(PAIRS, 3))("from %s to %s", async (from, to) => {
    const version = await bring(from, fields);
    const answer = await send({ state: to, at: minute(30), ...fields });
    const isNamed = kind.includes("externalId");
    // Without a name, what is over is over: the next start is another stream.
    const isAnother = !isNamed && (from === "ended" || from === "cancelled") && (to === "scheduled" || to === "live");
    if (LEGAL.some(([a, b]) => a === from && b === to) || isAnother) {
      expect(answer.body).toMatchObject({ applied: true, changed: true, session: { state: to } });
      expect(answer.body.session.version).toBe(isAnother ? 1 : version + 1);
    } else if (from === to) {
      expect(answer.body).toMatchObject({ applied: true, changed: false, session: { state: to, version } });
    } else {
      expectProblem(answer, 409, "invalid_transition");
      const allowed = LEGAL.filter(([a]) => a === from).map(([, b]) => b);
      expect(answer.body).toMatchObject({ from, to, allowed });
      const kept = await rows<{ state: string }>("SELECT state FROM stream_sessions");
      expect(kept.map(({ state }) => state)).toEqual(from === "none" ? [] : [from]);
    }
  });
});

it("the API description prints the table that decides", async () => {
  const { body } = await service().get("/api-docs");
  const { description } = body.paths["/api/stream/status"].post;
  for (const [from, to] of Object.entries(SESSION_MOVES)) expect(description).toContain(`${from} → ${to.join(" | ")}`);
});

describe("a platform", () => {
  it("has one live session: another one's start is refused until that has ended", async () => {
    const first = await send({ state: "live", externalId: "a", at: minute(0) });
    const second = await send({ state: "live", externalId: "b", at: minute(1) });
    expectProblem(second, 409, "stream_already_live");
    expect(second.body).toMatchObject({ liveSessionId: first.body.session.id, liveExternalId: "a" });
    await send({ state: "ended", externalId: "a", at: minute(2) });
    expect((await send({ state: "live", externalId: "b", at: minute(3) })).body.changed).toBe(true);
  });

  it("may have a live session while another platform has one, and plans of its own", async () => {
    await send({ state: "live", externalId: "a" });
    expect((await send({ platform: "twitch", state: "live" })).body.changed).toBe(true);
    expect((await send({ state: "scheduled", externalId: "b" })).body.changed).toBe(true);
    const plan = await send({ state: "live", externalId: "b" });
    expectProblem(plan, 409, "stream_already_live");
  });

  it("goes live with the plan that comes first when no externalId is told", async () => {
    await send({ state: "scheduled", externalId: "later", scheduledFor: "2026-12-02T10:00:00Z" });
    const { body } = await send({ state: "scheduled", externalId: "sooner", scheduledFor: "2026-12-01T10:00:00Z" });
    const live = await send({ state: "live" });
    expect(live.body.session).toMatchObject({ id: body.session.id, externalId: "sooner" });
  });

  it("takes an unknown externalId for that of the open session which has none", async () => {
    const { body } = await send({ state: "live", at: minute(0) });
    const named = await send({ externalId: "abc", viewers: 4, at: minute(1) });
    expect(named.body.session).toMatchObject({ id: body.session.id, externalId: "abc", viewers: 4 });
    const ended = await send({ state: "ended", externalId: "abc", at: minute(2) });
    expect(ended.body.session).toMatchObject({ id: body.session.id, state: "ended", durationSeconds: 120 });
  });

  it("answers 404 to counts of a session that nobody knows", async () => {
    expectProblem(await send({ externalId: "nobody", viewers: 4 }), 404, "not_found");
  });
});
