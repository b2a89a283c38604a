import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SCHEDULE, type Schedule } from "../../src/schedule.ts";
import { setClock } from "../auth/people.ts";
import { expectErrorLog } from "../harness.ts";
import { newWebhook } from "../webhooks/receiver.ts";
import {
  alerts,
  cleanUp,
  DAY_MS,
  failing,
  HOUR_MS,
  mail,
  oneCron,
  owner,
  run,
  startOver,
  stateOf,
  watch,
  well,
} from "./schedules.ts";

beforeEach(startOver);
afterEach(cleanUp);

describe("the owner is told when a job has not succeeded for a day", () => {
  beforeEach(() => setClock(Date.now()));
  const pass = (ms: number) => setClock(Date.now() + ms);

  it("once for each outage, and once when it is over", async () => {
    expectErrorLog("job_failed");
    await run(oneCron({ sync: well, other: well }));
    pass(23 * HOUR_MS);
    await run(oneCron({ sync: failing, other: well }));
    expect(alerts()).toEqual([]);
    pass(2 * HOUR_MS);
    await run(oneCron({ sync: failing, other: well }));
    await run(oneCron({ sync: failing, other: well }));
    pass(3 * DAY_MS);
    await run(oneCron({ sync: failing, other: well }));
    expect(alerts()).toEqual(["The job sync is overdue"]);
    expect(mail.sent[0]).toMatchObject({ text: expect.stringContaining("Last error: Error: no luck") });
    expect(await stateOf("sync")).toMatchObject({
      ok: false,
      lateSeconds: (3 * DAY_MS + HOUR_MS) / 1000,
      detail: expect.stringContaining("Last error: Error: no luck"),
    });
    await run(oneCron({ sync: well, other: well }));
    await run(oneCron({ sync: well, other: well }));
    expect(alerts()).toEqual(["The job sync is overdue", "Resolved: The job sync is overdue"]);
    expect(await stateOf("sync")).toMatchObject({ ok: true, lateSeconds: 0, detail: null });
    pass(23 * HOUR_MS);
    await run(oneCron({ sync: failing, other: well }));
    expect(alerts()).toHaveLength(2);
    pass(2 * HOUR_MS);
    await run(oneCron({ sync: failing, other: well }));
    expect(alerts()).toHaveLength(3);
  });

  it("also when it has never succeeded since it first ran", async () => {
    expectErrorLog("job_failed");
    await run(oneCron({ sync: failing }));
    pass(DAY_MS + 1000);
    await run(oneCron({ sync: failing }));
    expect(alerts()).toEqual(["The job sync is overdue"]);
    expect(mail.sent[0]).toMatchObject({ text: expect.stringContaining("never succeeded") });
  });

  it("also when its cron does not fire any more, or never did: the other cron notices", async () => {
    const both: Schedule = {
      frequent: {},
      crons: { often: { sync: well }, seldom: { purge: well, audit: well } },
      last: watch,
    };
    await run(both, "often");
    await run(both, "seldom");
    await env.DB.exec("DELETE FROM jobs WHERE name = 'audit'");
    await run(both, "often");
    pass(DAY_MS + 1000);
    await run(both, "often");
    expect(alerts()).toEqual(["2 problems with your assistant"]);
    await run(both, "seldom");
    expect(await stateOf("audit")).toMatchObject({ ok: true });
    expect(alerts()).toEqual(["2 problems with your assistant", "2 problems resolved"]);
  });

  it("not for a nightly job whose next run is on its way", async () => {
    const nightly: Schedule = {
      frequent: {},
      crons: { "17 3 * * *": { purge: well }, often: { sync: well } },
      last: watch,
    };
    await run(nightly, "17 3 * * *");
    pass(DAY_MS + HOUR_MS / 4);
    await run(nightly, "often");
    expect(alerts()).toEqual([]);
    pass(HOUR_MS);
    await run(nightly, "often");
    expect(alerts()).toEqual(["The job purge is overdue"]);
  });

  it("once by two crons that run at the same time", async () => {
    const both: Schedule = { frequent: {}, crons: { often: { a: failing }, seldom: { b: failing } }, last: watch };
    expectErrorLog("job_failed");
    await run(both, "often");
    await run(both, "seldom");
    pass(DAY_MS + 1000);
    await Promise.all([run(both, "often"), run(both, "seldom"), run(both, "often"), run(both, "seldom")]);
    const told = mail.sent.map(({ text }) => text).join();
    expect(told.match(/^- The job a /gm)).toHaveLength(1);
    expect(told.match(/^- The job b /gm)).toHaveLength(1);
  });

  it("once there is an owner", async () => {
    expectErrorLog("job_failed");
    await run(oneCron({ sync: failing }));
    pass(DAY_MS + 1000);
    await run(oneCron({ sync: failing }), "often", { OWNER_EMAIL: "nobody@example.com" });
    expect(mail.sent).toEqual([]);
    await run(oneCron({ sync: failing }));
    expect(alerts()).toHaveLength(1);
  });

  it("by a signed service.alert to their webhooks and nobody else's, in the same run, once for each state", async () => {
    expectErrorLog("job_failed");
    const [own, other] = [await newWebhook(["service.alert"], owner), await newWebhook(["service.alert"])];
    const { deliverWebhooks } = SCHEDULE.last;
    if (!deliverWebhooks) throw new Error("no such job");
    // The receiver refuses signatures of another time than its own, so the job ages and not the clock.
    vi.useRealTimers();
    const schedule = oneCron({ sync: failing }, { deliverWebhooks });
    await run(schedule);
    await env.DB.exec("UPDATE jobs SET due_at = due_at - 90000000 WHERE name = 'sync'");
    await run(schedule);
    await run(schedule);
    await run(oneCron({ sync: well }, { deliverWebhooks }));
    await run(oneCron({ sync: well }, { deliverWebhooks }));
    const received = await own.received();
    expect(received.map(({ verifiedWith }) => verifiedWith)).toEqual([[own.secret], [own.secret]]);
    const [opened, resolved] = await own.events();
    expect(opened).toMatchObject({
      type: "service.alert",
      data: {
        code: "job_overdue",
        subject: "sync",
        status: "open",
        detail: "The job sync has never succeeded. Last error: Error: no luck",
        since: expect.any(String),
        docs: "docs/operations.md#job_overdue",
        userId: owner.id,
      },
    });
    const { id, since } = opened.data;
    expect(resolved.data).toMatchObject({ id, since, code: "job_overdue", subject: "sync", status: "resolved" });
    expect(await other.received()).toEqual([]);
  });
});
