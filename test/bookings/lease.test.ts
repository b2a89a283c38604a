import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import worker from "../../src/index.ts";
import { expectProblem } from "../harness.ts";
import { newAccount, QUICK, slot } from "./account.ts";

describe("one sync at a time", () => {
  it("lets one of five parallel runs through and tells the others", async () => {
    const account = await newAccount();
    await account.book(...Array.from({ length: 20 }, (_, n) => ({ start: slot(n) })));
    const answers = await Promise.all(Array.from({ length: 5 }, () => account.client.post("/api/bookingsvc/sync")));
    const ran = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ body }) => body.code === "sync_in_progress");
    expect(ran.length).toBeGreaterThanOrEqual(1);
    expect(ran.length + refused.length).toBe(5);
    expect(ran.reduce((sum, { body }) => sum + body.created, 0)).toBe(20);
    expect(await account.events()).toHaveLength(20);
  });

  it("is 409 while another run holds the lease", async () => {
    const account = await newAccount();
    await holdLease(Date.now() + 60_000);
    expectProblem(await account.client.post("/api/bookingsvc/sync"), 409, "sync_in_progress");
  });

  it("goes on when the run before died, and says so of that run", async () => {
    const account = await newAccount();
    await account.book({ start: slot(1) });
    await holdLease(Date.now() - 1);
    expect(await account.sync()).toMatchObject({ status: "succeeded", created: 1 });
    const { body } = await account.client.get("/api/bookingsvc/sync/runs");
    expect(body.data.find(({ runId }: { runId: string }) => runId === "dead")).toMatchObject({
      status: "failed",
      errors: [expect.stringContaining("interrupted")],
    });
  });

  it("frees the lease when a run fails", async () => {
    const account = await newAccount();
    await account.faults({ kind: "500" });
    await expect(account.sync()).rejects.toMatchObject({ code: "provider_error" });
    await account.faults();
    expect(await account.sync()).toMatchObject({ status: "succeeded" });
  });
});

describe("a key that can no longer be read", () => {
  it("fails the run at once and leaves no lease behind", async () => {
    const account = await newAccount();
    await env.DB.prepare("UPDATE booking_connection SET api_key = 'v2.x.y.z'").run();
    expectProblem(await account.client.post("/api/bookingsvc/sync"), 503, "misconfigured");
    expectProblem(await account.client.post("/api/bookingsvc/sync"), 503, "misconfigured");
    const { body } = await account.client.get("/api/bookingsvc/sync/runs");
    expect(body.data).toMatchObject([{ status: "failed" }, { status: "failed" }]);
  });
});

describe("the cron", () => {
  const run = async (cron: string, vars: object) => {
    const execution = createExecutionContext();
    await worker.scheduled(createScheduledController({ cron }), { ...env, ...vars }, execution);
    await waitOnExecutionContext(execution);
  };

  it("runs the same sync every quarter of an hour, and a full one at night", async () => {
    const account = await newAccount();
    await account.book({ start: slot(1) });
    await account.sync({}, QUICK);
    await account.book({ start: slot(2) });
    await run("*/15 * * * *", account.vars);
    await run("17 3 * * *", account.vars);
    expect(await account.events()).toHaveLength(2);
    const { body } = await account.client.get("/api/bookingsvc/sync/runs");
    expect(body.data.slice(0, 2)).toMatchObject([
      { trigger: "cron", mode: "full" },
      { trigger: "cron", mode: "incremental", created: 1 },
    ]);
  });

  it("does nothing, and records nothing, while no provider is connected", async () => {
    const account = await newAccount();
    await env.DB.prepare("DELETE FROM booking_connection").run();
    await run("*/15 * * * *", account.vars);
    const { body } = await account.client.get("/api/bookingsvc/sync/runs");
    expect(body.data).toEqual([]);
  });
});

async function holdLease(until: number): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO sync_runs (id, "trigger", mode, status, lease_until, started_at) VALUES ('dead', 'cron', 'full', 'running', ?, ?)`,
  )
    .bind(until, Date.now() - 600_000)
    .run();
}
