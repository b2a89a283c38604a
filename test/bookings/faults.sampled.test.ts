import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/features/bookings/progress.ts";
import { expectProblem } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { rarely, sampled } from "../sampled.ts";
import { newAccount, QUICK, slot } from "./account.ts";

const MANY = 520;
const many = () => Array.from({ length: MANY }, (_, n) => ({ start: slot(n) }));

describe("10. a provider in trouble", () => {
  it.each(sampled(["500", "truncated", "html", "429"] as const))(
    "that recovers from %s within the run costs nothing but time",
    async (kind) => {
      const account = await newAccount();
      await account.book({ start: slot(1) });
      await account.faults({ kind, times: kind === "429" ? 1 : 2 });
      expect(await account.sync()).toMatchObject({ status: "succeeded", created: 1, errors: [] });
    },
  );

  it.each(sampled(["500", "truncated", "html", "timeout"] as const))(
    "that stays in %s on the second page ends the run as partial, and the next goes on",
    async (kind) => {
      const account = await newAccount();
      await account.book(...many());
      await account.faults({ kind, from: 2 });
      const run = await account.sync();
      expect(run).toMatchObject({ status: "partial", created: 250, errors: [expect.stringContaining("provider")] });
      await account.faults();
      await account.requests();
      const next = await account.sync();
      expect(next).toMatchObject({ status: "succeeded", created: MANY - 250 });
      const [first] = await account.requests();
      expect(first?.query).not.toContain("1970");
    },
  );

  it.each([
    ["500", 502, "provider_error"],
    ["html", 502, "provider_error"],
    ["401", 502, "provider_unauthorized"],
  ] as const)(
    "that answers %s from the start makes the call %i %s, and the run is recorded",
    async (kind, status, code) => {
      const account = await newAccount();
      await account.faults({ kind });
      expectProblem(await account.client.post("/api/bookingsvc/sync"), status, code);
      const { body } = await account.client.get("/api/bookingsvc/sync/runs");
      expect(body.data).toMatchObject([{ status: "failed", trigger: "manual", errors: [expect.any(String)] }]);
    },
  );

  it("that hangs is given up after its time, as provider_timeout", async () => {
    const account = await newAccount();
    await account.faults({ kind: "timeout" });
    await expect(
      account.sync({}, { ...QUICK, pace: { ...QUICK.pace, callMs: 100, attempts: 2 } }),
    ).rejects.toMatchObject({
      code: "provider_timeout",
    });
  });

  it("whose pages never end is cut off with a clear error", async () => {
    const account = await newAccount();
    await account.book(...Array.from({ length: 10 }, (_, n) => ({ start: slot(n) })));
    await account.faults({ kind: "endless" });
    const run = await account.sync();
    expect(run).toMatchObject({ status: "partial", created: 10, errors: [expect.stringContaining("the same page")] });
  });

  it("that sends every row twice makes each event once", async () => {
    const account = await newAccount();
    await account.book(...Array.from({ length: 10 }, (_, n) => ({ start: slot(n) })));
    await account.faults({ kind: "duplicates" });
    expect(await account.sync()).toMatchObject({ created: 10 });
    expect(await account.events()).toHaveLength(10);
  });

  it("that sends one row of nonsense loses only that row, and says which", async () => {
    const account = await newAccount();
    const booked = await account.book({ start: slot(1) }, { start: slot(2) }, { start: slot(3) });
    await account.change(booked[1]?.uid ?? "", { end: "not a time" });
    const run = await account.sync();
    expect(run).toMatchObject({ status: "succeeded", created: 2, skipped: expect.any(Number) });
    expect(run.skipped).toBeGreaterThan(0);
    expect(run.errors[0]).toContain(booked[1]?.uid);
  });

  it("that shuts the account out for a minute is not waited for by a person's call", async () => {
    const account = await newAccount();
    await account.book({ start: slot(1) });
    await account.limit(0);
    expectProblem(await account.client.post("/api/bookingsvc/sync"), 502, "provider_error");
    await account.limit(100);
    expect(await account.sync()).toMatchObject({ status: "succeeded", created: 1 });
  });

  it("that takes the key back is told of in the settings", async () => {
    const account = await newAccount();
    await account.revoke();
    await expect(account.sync()).rejects.toMatchObject({ code: "provider_unauthorized" });
    const [row] = (await env.DB.prepare("SELECT status FROM booking_connection").all()).results;
    expect(row).toEqual({ status: "invalid_key" });
  });
});

describe("11. what a run costs", () => {
  it("at most three round trips a page, and only its own row when nothing has changed", async () => {
    const account = await newAccount();
    await account.book(...many());
    const { db, taken } = countStatements(env.DB);
    account.vars.DB = db;
    await account.sync();
    // Three pages by time of change, three by start, and the run's own beginning and end.
    expect(taken().roundTrips).toBeLessThanOrEqual(6 * 3 + 2);
    const before = await account.events();
    await account.sync();
    expect(taken().roundTrips).toBeLessThanOrEqual(3 + 2);
    expect(await account.events()).toEqual(before);
  });

  rarely("fits what an invocation may ask of the database, though every page has changed", async () => {
    const costOf = async (maxPages: number) => {
      const account = await newAccount();
      await account.book(...many());
      const { db, taken } = countStatements(env.DB);
      account.vars.DB = db;
      await account.sync({}, { ...QUICK, maxPages });
      return taken().statements;
    };
    const one = await costOf(1);
    const perPage = (await costOf(2)) - one;
    // A quarter is left for pages that take more, for keeping the lease, and for the cron's other work.
    expect(one + perPage * (LIMITS.maxPages - 1)).toBeLessThan(750);
  });

  rarely("stops cleanly at its limit and goes on in the next run", async () => {
    const account = await newAccount();
    await account.book(...many());
    const first = await account.sync({}, { ...QUICK, maxPages: 1 });
    expect(first).toMatchObject({ status: "partial", created: 250 });
    const second = await account.sync({}, { ...QUICK, maxPages: 1 });
    expect(second).toMatchObject({ status: "partial", created: 249 });
    expect(await account.sync()).toMatchObject({ status: "succeeded", created: MANY - 499 });
  });
});
