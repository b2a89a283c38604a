import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { purgeAlerts } from "../../src/features/alerts/service.ts";
import { countRows, setClock } from "../auth/people.ts";
import { emptyService, expectErrorLog, takeLogs } from "../harness.ts";
import { rarely } from "../sampled.ts";
import { asSystem, newTask, newWebhook, removeWebhooks } from "../webhooks/receiver.ts";
import { age, HOUR_MS, MINUTE_MS, newOperator, type Operator } from "./operator.ts";

/* What the owner can rely on: told at least once, not again and again. */

let op: Operator;
beforeEach(async () => {
  op = await newOperator();
});
afterEach(async () => {
  vi.useRealTimers();
  await removeWebhooks();
});
afterAll(emptyService);

/** Moves the clock, without a webhook whose events nobody would deliver meanwhile. */
async function startClock(): Promise<void> {
  await removeWebhooks();
  setClock(Date.now());
}

/** A setting that is not valid: a problem that comes and goes as a test likes. */
const BROKEN = { MODEL_A: "nonsense" };
const TITLE = "Settings are missing or invalid";

/** A mail binding that fails as long as it is told to. */
function unreliableMail(error: Error) {
  let tries = 0;
  let isUp = false;
  const EMAIL = {
    send: async (message: never) => {
      tries += 1;
      if (!isUp) throw error;
      return op.mail.vars.EMAIL?.send(message);
    },
  } as unknown as Env["EMAIL"];
  const repair = () => {
    isUp = true;
  };
  return { EMAIL, tries: () => tries, repair };
}

const refusal = Object.assign(new Error("not allowed"), { code: "E_SENDER_NOT_VERIFIED" });
const lost = new Error("the connection was lost");

describe("the email about a problem", () => {
  it("is sent again until the email service has taken it, and then no more", async () => {
    expectErrorLog("mail_not_sent");
    expectErrorLog("notification_failed");
    const { EMAIL, tries, repair } = unreliableMail(refusal);
    await startClock();
    await op.watch({ ...BROKEN, EMAIL });
    await op.watch({ ...BROKEN, EMAIL });
    // Not at once: two crons at the same time send one email.
    expect(tries()).toBe(1);
    repair();
    setClock(Date.now() + 15 * MINUTE_MS);
    await op.watch({ ...BROKEN, EMAIL });
    expect(op.subjects()).toEqual([TITLE]);
    for (let hour = 0; hour < 48; hour += 6) {
      setClock(Date.now() + 6 * HOUR_MS);
      await op.watch({ ...BROKEN, EMAIL });
    }
    expect(op.subjects()).toEqual([TITLE]);
    expect(tries()).toBe(2);
  });

  rarely("is tried a few times a day where nobody knows whether it left", async () => {
    expectErrorLog("mail_not_sent");
    expectErrorLog("notification_failed");
    const { EMAIL, tries } = unreliableMail(lost);
    await startClock();
    for (let quarter = 0; quarter < 96; quarter++) {
      await op.watch({ ...BROKEN, EMAIL });
      setClock(Date.now() + 15 * MINUTE_MS);
    }
    expect(tries()).toBeGreaterThan(5);
    expect(tries()).toBeLessThan(10);
  });

  it("is sent by the next cron if a Worker died while it sent", async () => {
    await op.watch(BROKEN);
    op.mail.sent.length = 0;
    // As it is left between the claim and the note that the email was sent.
    await env.DB.prepare("UPDATE service_alerts SET tell_at = ?, tries = 1")
      .bind(Date.now() + 10 * MINUTE_MS)
      .run();
    await op.watch(BROKEN);
    expect(op.subjects()).toEqual([]);
    setClock(Date.now() + 15 * MINUTE_MS);
    await op.watch(BROKEN);
    await op.watch(BROKEN);
    expect(op.subjects()).toEqual([TITLE]);
  });

  it("says that it is over, also if the owner could not be told that it began", async () => {
    expectErrorLog("mail_not_sent");
    expectErrorLog("notification_failed");
    const { EMAIL } = unreliableMail(refusal);
    await op.watch({ ...BROKEN, EMAIL });
    await op.watch();
    expect(op.subjects()).toEqual([`Resolved: ${TITLE}`]);
    expect(op.mail.sent[0]?.text).toContain("It was: Settings are missing or invalid: MODEL_A");
  });

  it("names what to do, and where to look", async () => {
    await op.watch({ ...BROKEN, PUBLIC_URL: "https://poa.example.com" });
    const text = op.mail.sent[0]?.text ?? "";
    expect(text).toContain("- Settings are missing or invalid: MODEL_A is not valid: is not provider/model.");
    expect(text).toMatch(/Since \w+day \d+ \w+ \d{4}, \d\d:\d\d\./);
    expect(text).toContain("What to do: docs/operations.md#settings_invalid");
    expect(text).toContain("https://poa.example.com/docs#/Operations/getHealthDetails");
  });

  it("waits for outgoing email to be set up; what is over by then is no news", async () => {
    const without = {
      EMAIL: undefined,
      MAIL_FROM: undefined,
      ALLOW_PRIVATE_HOSTS: "false",
      SETUP_TOKEN: "x".repeat(9),
    };
    takeLogs();
    await op.watch({ ...BROKEN, ...without });
    const alerts = () => countRows("service_alerts", "resolved_at IS NULL");
    const open = await alerts();
    expect(open).toBeGreaterThan(0);
    expect(takeLogs().filter((line) => line.includes('"event":"service_alert"'))).toHaveLength(open);
    await op.watch(BROKEN);
    expect(op.subjects()).toEqual([expect.stringContaining(TITLE)]);
    op.mail.sent.length = 0;
    await age("service_alerts", "opened_at", 7 * HOUR_MS);
    await op.watch();
    await age("service_alerts", "opened_at", 7 * HOUR_MS);
    op.mail.sent.length = 0;
    await op.watch({ ...BROKEN, ...without });
    await op.watch({ ...without, BOOKINGSVC_BASE_URL: undefined, SETUP_TOKEN: "a long and random setup token" });
    await op.watch();
    expect(op.subjects()).toEqual([]);
  });
});

describe("a problem that comes and goes", () => {
  it("is told at most once in six hours", async () => {
    await startClock();
    for (let quarter = 0; quarter < 24; quarter++) {
      await op.watch(quarter % 2 === 0 ? BROKEN : {});
      setClock(Date.now() + 15 * MINUTE_MS);
    }
    expect(op.subjects()).toEqual([TITLE, `Resolved: ${TITLE}`]);
    // It is shown all the same.
    expect(await op.problems(BROKEN)).toEqual(["settings_invalid"]);
    await op.watch(BROKEN);
    expect(op.subjects()).toHaveLength(3);
  });

  it("is told once, of crons at the same time", async () => {
    await Promise.all([op.watch(BROKEN), op.watch(BROKEN), op.watch(BROKEN)]);
    expect(op.subjects()).toEqual([TITLE]);
    await Promise.all([op.watch(), op.watch(), op.watch()]);
    expect(op.subjects()).toEqual([TITLE, `Resolved: ${TITLE}`]);
    await op.cron();
    expect(await op.events()).toEqual(["settings_invalid open", "settings_invalid resolved"]);
  });
});

describe("a dead webhook", () => {
  it("is told once, although the alert about it goes to it, too, and fails", async () => {
    const dead = await newWebhook([], op.owner);
    await dead.behave({ status: 500 });
    await newTask();
    await age("webhook_endpoints", "failing_since", 61 * MINUTE_MS);
    for (let run = 0; run < 4; run++) {
      await op.cron();
      // Its retries are due, and the events about it get old.
      await env.DB.prepare(
        `UPDATE webhook_deliveries SET next_attempt_at = ?1, created_at = created_at - ?2
         WHERE status = 'pending' AND endpoint_id = ?3`,
      )
        .bind(Date.now() - HOUR_MS, HOUR_MS, dead.id)
        .run();
    }
    expect(op.subjects()).toEqual([`Webhook ${dead.id} is failing`]);
    expect(await op.events()).toEqual([`webhook_failing ${dead.id} open`]);
    expect(await countRows("webhook_deliveries", "type = 'service.alert' AND endpoint_id = ?", dead.id)).toBe(1);
    expect(await op.problems()).toEqual(["webhook_failing"]);
  });
});

it("alerts that are over are deleted after 90 days", async () => {
  await op.watch(BROKEN);
  const purgeIn = (days: number) =>
    asSystem((ctx) => purgeAlerts({ ...ctx, now: new Date(Date.now() + days * 24 * HOUR_MS) }));
  expect(await purgeIn(1000)).toBe(0);
  await op.watch();
  expect(await purgeIn(89)).toBe(0);
  expect(await purgeIn(91)).toBe(1);
});
