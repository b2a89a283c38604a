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
  well,
} from "./schedules.ts";

beforeEach(startOver);
afterEach(cleanUp);

describe("the owner is told when a job has not succeeded for a day", () => {
  beforeEach(() => setClock(Date.now()));
  const pass = (ms: number) => setClock(Date.now() + ms);

  it("once for each outage: again only after it has succeeded", async () => {
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
    expect(alerts()).toEqual(["The job sync is failing"]);
    expect(mail.sent[0]).toMatchObject({ text: expect.stringContaining("Last error: Error: no luck") });
    expect(await stateOf("sync")).toMatchObject({ healthy: false });
    await run(oneCron({ sync: well, other: well }));
    expect(await stateOf("sync")).toMatchObject({ healthy: true });
    pass(23 * HOUR_MS);
    await run(oneCron({ sync: failing, other: well }));
    expect(alerts()).toHaveLength(1);
    pass(2 * HOUR_MS);
    await run(oneCron({ sync: failing, other: well }));
    expect(alerts()).toHaveLength(2);
  });

  it("also when it has never succeeded since it first ran", async () => {
    expectErrorLog("job_failed");
    await run(oneCron({ sync: failing }));
    pass(DAY_MS + 1000);
    await run(oneCron({ sync: failing }));
    expect(alerts()).toEqual(["The job sync is failing"]);
    expect(mail.sent[0]).toMatchObject({ text: expect.stringContaining("never succeeded") });
  });

  it("also when its cron does not fire any more, or never did: the other cron notices", async () => {
    const both: Schedule = { crons: { often: { sync: well }, seldom: { purge: well, audit: well } }, last: {} };
    await run(both, "often");
    await run(both, "seldom");
    await env.DB.exec("DELETE FROM jobs WHERE name = 'audit'");
    await run(both, "often");
    pass(DAY_MS + 1000);
    await run(both, "often");
    expect(alerts()).toEqual(["2 jobs are failing"]);
    await run(both, "seldom");
    expect(await stateOf("audit")).toMatchObject({ healthy: true });
  });

  it("not for a nightly job whose next run is on its way", async () => {
    const nightly: Schedule = { crons: { "17 3 * * *": { purge: well }, often: { sync: well } }, last: {} };
    await run(nightly, "17 3 * * *");
    pass(DAY_MS + HOUR_MS / 4);
    await run(nightly, "often");
    expect(alerts()).toEqual([]);
    pass(HOUR_MS);
    await run(nightly, "often");
    expect(alerts()).toEqual(["The job purge is failing"]);
  });

  it("once by two crons that run at the same time", async () => {
    const both: Schedule = { crons: { often: { a: failing }, seldom: { b: failing } }, last: { deliver: well } };
    expectErrorLog("job_failed");
    await run(both, "often");
    await run(both, "seldom");
    pass(DAY_MS + 1000);
    await Promise.all([run(both, "often"), run(both, "seldom"), run(both, "often"), run(both, "seldom")]);
    const told = mail.sent.map(({ text }) => text).join();
    expect(told.match(/^- a\./gm)).toHaveLength(1);
    expect(told.match(/^- b\./gm)).toHaveLength(1);
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

  it("by a signed service.alert to their webhooks and nobody else's, in the same run, once", async () => {
    expectErrorLog("job_failed");
    const [own, other] = [await newWebhook(["service.alert"], owner), await newWebhook(["service.alert"])];
    const { deliverWebhooks } = SCHEDULE.last;
    if (!deliverWebhooks) throw new Error("no such job");
    // The receiver refuses signatures of another time than its own, so the job ages and not the clock.
    vi.useRealTimers();
    const age = () => env.DB.exec("UPDATE jobs SET due_at = due_at - 90000000 WHERE name = 'sync'");
    const schedule = oneCron({ sync: failing }, { deliverWebhooks });
    await run(schedule);
    await age();
    await run(schedule);
    await run(schedule);
    const received = await own.received();
    expect(received.map(({ verifiedWith }) => verifiedWith)).toEqual([[own.secret]]);
    expect(await own.events()).toMatchObject([
      {
        type: "service.alert",
        data: {
          kind: "job_overdue",
          userId: owner.id,
          job: { name: "sync", healthy: false, lastError: "Error: no luck" },
        },
      },
    ]);
    expect(await other.received()).toEqual([]);
    await run(oneCron({ sync: well }, { deliverWebhooks }));
    await age();
    await run(schedule);
    expect(await own.received()).toHaveLength(2);
  });
});
