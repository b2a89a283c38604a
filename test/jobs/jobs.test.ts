import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { AppError } from "../../src/lib/errors.ts";
import { AT_ONCE, INVOCATION, SCHEDULE } from "../../src/schedule.ts";
import { setClock } from "../auth/people.ts";
import { expectErrorLog, takeLogs } from "../harness.ts";
import { until } from "../until.ts";
import { cleanUp, failing, HOUR_MS, job, oneCron, run, startOver, stateOf, wait, well } from "./schedules.ts";

beforeEach(startOver);
afterEach(cleanUp);

describe("the schedule", () => {
  it.each(Object.keys(SCHEDULE.crons))("fits the budgets of %s into one invocation", (cron) => {
    const jobs = Object.values(SCHEDULE.crons[cron] ?? {});
    const last = Object.values(SCHEDULE.last);
    const sum = (list: readonly number[]) => list.reduce((total, each) => total + each, 0);
    // As the jobs are taken: each by the worker that is free first.
    const ends: number[] = Array(AT_ONCE).fill(0);
    for (const { seconds } of jobs) {
      const next = ends.indexOf(Math.min(...ends));
      ends[next] = (ends[next] ?? 0) + seconds;
    }
    expect(Math.max(...ends) + sum(last.map(({ seconds }) => seconds))).toBeLessThanOrEqual(INVOCATION.seconds);
    // Two statements of the schedule itself, and one for the result of each job.
    const own = 2 + jobs.length + last.length;
    expect(own + sum([...jobs, ...last].map(({ statements }) => statements))).toBeLessThanOrEqual(
      INVOCATION.statements,
    );
  });

  it("has a minute cron that fits into one invocation and leaves the rest of the minute to others", () => {
    for (const { statements, seconds } of Object.values(SCHEDULE.frequent).flatMap((jobs) => Object.values(jobs))) {
      expect(statements).toBeLessThanOrEqual(INVOCATION.statements);
      expect(seconds).toBeLessThanOrEqual(INVOCATION.seconds);
    }
  });

  it("names no job twice", () => {
    const names = [...Object.values(SCHEDULE.crons), SCHEDULE.last, ...Object.values(SCHEDULE.frequent)].flatMap(
      (jobs) => Object.keys(jobs),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it("runs a few jobs at a time, and the last ones when all others have ended", async () => {
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const slow = (name: string) =>
      job(async () => {
        running += 1;
        most = Math.max(most, running);
        await wait(20);
        running -= 1;
        order.push(name);
      });
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    await run(oneCron(Object.fromEntries(names.map((name) => [name, slow(name)])), { deliver: slow("deliver") }));
    expect(most).toBe(AT_ONCE);
    expect(order.toSorted()).toEqual([...names, "deliver"].toSorted());
    expect(order.at(-1)).toBe("deliver");
  });
});

describe("the time budget of a job", () => {
  it("cuts off a job that never ends, and the others run all the same", async () => {
    expectErrorLog("job_failed");
    const endless = job(() => new Promise(() => {}), { seconds: 0.1 });
    await run(oneCron({ endless, a: well, b: well, c: well, d: well }, { deliver: well }));
    for (const name of ["a", "b", "c", "d", "deliver"])
      expect(await stateOf(name)).toMatchObject({ lastFailedAt: null });
    expect(await stateOf("endless")).toMatchObject({
      lastSucceededAt: null,
      lastError: expect.stringContaining("0.1 seconds, its time budget"),
    });
  });

  it("ends a job for good: what is cut off can no longer write", async () => {
    expectErrorLog("job_failed");
    let refused: unknown;
    const straggler = job(
      async ({ db }) => {
        await wait(200);
        refused = await db.run(sql`DELETE FROM users`).then(
          () => null,
          (error) => error,
        );
      },
      { seconds: 0.1 },
    );
    await run(oneCron({ straggler }));
    await until(() => expect(refused).toBeDefined());
    expect(refused).not.toBeNull();
    expect(await stateOf("straggler")).toMatchObject({ lastSucceededAt: null });
  });

  it("asks a job to stop first: one that does has succeeded", async () => {
    const pages = job(
      async ({ signal }) => {
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      },
      { seconds: 0.5 },
    );
    await run(oneCron({ pages }));
    expect(await stateOf("pages")).toMatchObject({ lastFailedAt: null, lastSucceededAt: expect.any(String) });
  });
});

describe("the statement budget of a job", () => {
  const select = ({ db }: Context) => db.run(sql`SELECT 1`);

  it("cuts off a job that goes on, and counts every statement of a batch", async () => {
    expectErrorLog("job_failed");
    let sent = 0;
    const greedy = job(
      async (ctx) => {
        for (;;) {
          await select(ctx);
          sent += 1;
        }
      },
      { statements: 10 },
    );
    const batches = job(
      async ({ db }) => {
        const statement = () => db.select({ one: sql`1` }).from(sql`(SELECT 1)`);
        await db.batch([statement(), statement(), statement(), statement()]);
        await db.batch([statement(), statement()]);
      },
      { statements: 5 },
    );
    await run(oneCron({ greedy, batches, modest: job(select) }));
    expect(sent).toBe(10);
    for (const name of ["greedy", "batches"]) {
      expect(await stateOf(name)).toMatchObject({ lastError: expect.stringContaining("statements, its budget") });
    }
    expect(await stateOf("modest")).toMatchObject({ lastFailedAt: null });
  });

  it("asks a job to stop first, with enough left to store where it stopped", async () => {
    let sent = 0;
    const pages = job(
      async (ctx) => {
        for (; !ctx.signal?.aborted; sent++) await select(ctx);
        await select(ctx);
      },
      { statements: 10 },
    );
    await run(oneCron({ pages }));
    expect(sent).toBe(8);
    expect(await stateOf("pages")).toMatchObject({ lastFailedAt: null });
  });
});

describe("what is stored of a job", () => {
  it("is its last start, success, failure, error and duration", async () => {
    setClock(new Date("2026-11-20T10:00:00Z"));
    await run(oneCron({ sync: well }));
    const first = await stateOf("sync");
    expect(first).toMatchObject({
      lastStartedAt: "2026-11-20T10:00:00.000Z",
      lastFailedAt: null,
      lastError: null,
      ok: true,
    });
    setClock(new Date("2026-11-20T10:15:00Z"));
    expectErrorLog("job_failed");
    await run(oneCron({ sync: failing }));
    expect(await stateOf("sync")).toEqual({
      name: "sync",
      lastStartedAt: "2026-11-20T10:15:00.000Z",
      lastSucceededAt: first?.lastSucceededAt,
      lastFailedAt: "2026-11-20T10:15:00.000Z",
      lastError: "Error: no luck",
      lastDurationMs: expect.any(Number),
      dueAt: "2026-11-21T10:00:00.000Z",
      lateSeconds: 0,
      ok: true,
      detail: null,
    });
  });

  it("holds no data of a person", async () => {
    expectErrorLog("job_failed");
    const secret = "ann.private@example.com";
    const broken = job(({ db }) => db.run(sql`SELECT ${secret} FROM no_such_table`));
    const refused = job(async () => {
      throw new AppError("provider_error", `No mail for ${secret}.`);
    });
    const quoting = job(async () => {
      throw new Error(`The event "Talk with Ann Private" at https://hooks.example.com/private is not valid`);
    });
    await run(oneCron({ broken, refused, quoting }));
    for (const name of ["broken", "refused", "quoting"]) {
      const state = await stateOf(name);
      expect(state?.lastError).toMatch(/./);
      expect(JSON.stringify(state)).not.toMatch(/private/i);
    }
  });

  it("says that a Worker died during it", async () => {
    setClock(Date.now());
    const died = { ...oneCron({}), crons: { often: { sync: well }, seldom: {} } };
    await run(died);
    setClock(Date.now() + HOUR_MS);
    // As a Worker leaves it that dies after the start.
    await env.DB.prepare("UPDATE jobs SET last_started_at = ? WHERE name = 'sync'").bind(Date.now()).run();
    setClock(Date.now() + HOUR_MS / 4);
    await run(died);
    expect(await stateOf("sync")).toMatchObject({
      lastError: expect.stringContaining("Worker stopped"),
      lastFailedAt: expect.any(String),
      ok: true,
    });
  });

  it("is also one line of the log, with what the run used and did", async () => {
    takeLogs();
    expectErrorLog("job_failed");
    const busy = job(async ({ db }) => {
      await db.run(sql`SELECT 1`);
      return { deleted: 12, first: "ann@example.com" };
    });
    const broken = job(async ({ db }) => {
      await db.run(sql`SELECT 1`);
      throw new Error("no luck");
    });
    await run(oneCron({ busy, broken, well }));
    const lines = takeLogs().map((line) => JSON.parse(line));
    const about = (name: string) => lines.filter((line) => line.job === name);
    const used = { ms: expect.any(Number), requestId: expect.any(String) };
    expect(about("busy")).toEqual([
      { level: "info", event: "job_done", job: "busy", statements: 1, deleted: 12, ...used },
    ]);
    expect(about("well")).toEqual([{ level: "info", event: "job_done", job: "well", statements: 0, ...used }]);
    expect(about("broken")).toMatchObject([{ level: "error", event: "job_failed", statements: 1, ...used }]);
  });

  it("goes when the job is no longer in the schedule", async () => {
    await run(oneCron({ old: well, kept: well }));
    await run(oneCron({ kept: well }));
    expect(await stateOf("old")).toBeUndefined();
    expect(await stateOf("kept")).toBeDefined();
  });

  it("costs one statement at the start and one for each result, and its failure stops no job", async () => {
    expectErrorLog("schedule_step_failed");
    // The job that looks at the others.
    expectErrorLog("job_failed");
    await env.DB.exec("ALTER TABLE jobs RENAME TO jobs_gone");
    let hasRun = false;
    try {
      await run(
        oneCron({
          still: job(async () => {
            hasRun = true;
          }),
        }),
      );
    } finally {
      await env.DB.exec("ALTER TABLE jobs_gone RENAME TO jobs");
    }
    expect(hasRun).toBe(true);
  });
});
