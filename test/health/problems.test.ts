import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { newAccount } from "../bookings/account.ts";
import { storeMail } from "../emails/new-mail.ts";
import { emptyService, expectErrorLog, service } from "../harness.ts";
import { watchDatabase } from "../measured.ts";
import { emptyStream, send } from "../stream/reports.ts";
import { happen, newTask, newWebhook, removeWebhooks } from "../webhooks/receiver.ts";
import { age, HOUR_MS, MINUTE_MS, newOperator, type Operator } from "./operator.ts";

/* Each problem as it happens: the owner sees it, is told once by email and once by webhook, and is told when it is over. */

let op: Operator;
beforeEach(async () => {
  op = await newOperator();
});
afterEach(removeWebhooks);
afterAll(async () => {
  await emptyService();
  await emptyStream();
});

/** Expects that a problem of this code is told once, and once more when `repair` has ended it. */
async function expectTold(code: string, title: string, repair: () => Promise<unknown>, vars: Partial<Env> = {}) {
  expect(await op.problems(vars)).toContain(code);
  expect((await op.details(vars)).status).toBe("degraded");
  await op.watch(vars);
  await op.watch(vars);
  expect(op.subjects().filter((subject) => subject.includes(title))).toEqual([title]);
  expect((await service().get("/api/health")).body.status).toBe("degraded");
  await repair();
  await op.cron();
  await op.cron();
  await op.cron();
  expect(op.subjects().filter((subject) => subject.includes(title))).toEqual([title, `Resolved: ${title}`]);
  expect((await op.events()).filter((event) => event.startsWith(code)).map((event) => event.split(" ").at(-1))).toEqual(
    ["open", "resolved"],
  );
  expect(await op.details()).toMatchObject({ status: "ok", problems: [] });
  expect((await service().get("/api/health")).body.status).toBe("ok");
}

describe("the owner sees and is told of", () => {
  it("events that nobody delivers", async () => {
    await newWebhook(["task.created"]);
    await happen(3);
    await env.DB.prepare("UPDATE outbox SET at = ?").bind(Date.now()).run();
    expect(await op.details()).toMatchObject({ status: "ok", webhooks: { ok: true, owed: 3 } });
    await age("outbox", "at", 31 * MINUTE_MS);
    const { webhooks, problems } = await op.details();
    expect(webhooks).toMatchObject({ ok: false, owed: 3, oldestOwedAt: problems[0].since });
    expect(webhooks.detail).toContain("events that are not yet turned into deliveries");
    await expectTold("deliveries_overdue", "Webhook deliveries are overdue", async () => {});
  });

  it("deliveries that nobody makes, of a first or a later attempt, but not those that wait for their retry", async () => {
    const hook = await newWebhook(["task.created"]);
    await hook.behave({ status: 500 });
    await newTask();
    // It works again, as other deliveries have shown.
    await hook.behave({ status: 200 });
    await env.DB.prepare("UPDATE webhook_endpoints SET failing_since = NULL").run();
    await age("webhook_deliveries", "created_at", 2 * HOUR_MS);
    const retryAt = (ms: number) =>
      env.DB.prepare("UPDATE webhook_deliveries SET next_attempt_at = ?")
        .bind(Date.now() + ms)
        .run();
    await retryAt(HOUR_MS);
    expect(await op.details()).toMatchObject({ status: "ok", webhooks: { owed: 1 } });
    await retryAt(-MINUTE_MS);
    expect(await op.problems()).toEqual([]);
    await env.DB.prepare("UPDATE webhook_deliveries SET attempts = 0, last_attempt_at = NULL").run();
    const { webhooks } = await op.details();
    expect(webhooks.detail).toMatch(/^Overdue for webhooks that work, since .*: 1 delivery\. They are still owed\.$/);
    await env.DB.prepare("UPDATE webhook_deliveries SET attempts = 1, last_attempt_at = ?")
      .bind(Date.now() - 7 * HOUR_MS)
      .run();
    await expectTold("deliveries_overdue", "Webhook deliveries are overdue", async () => {});
    expect(await hook.received()).toHaveLength(2);
  });

  it("a webhook that fails for an hour, and no deliveries that wait for it", async () => {
    const hook = await newWebhook(["task.created"]);
    await hook.behave({ status: 500 });
    await newTask();
    const { status, webhooks } = await op.details();
    expect({ status, webhooks }).toMatchObject({ status: "ok", webhooks: { ok: true, failing: [{ id: hook.id }] } });
    await age("webhook_endpoints", "failing_since", 61 * MINUTE_MS);
    await age("webhook_deliveries", "created_at", 61 * MINUTE_MS);
    expect((await op.details()).problems).toMatchObject([{ code: "webhook_failing", subject: String(hook.id) }]);
    await expectTold("webhook_failing", `Webhook ${hook.id} is failing`, async () => {
      await hook.behave({ status: 200 });
      await newTask();
    });
  });

  it("a webhook that was disabled, as information: its person was told of that", async () => {
    const hook = await newWebhook(["task.created"]);
    await hook.behave({ status: 410 });
    await newTask();
    expect(await op.details()).toMatchObject({ status: "ok", webhooks: { disabled: [hook.id], failing: [] } });
  });

  it("captions that are not written", async () => {
    const { body } = await send({ state: "live", externalId: "late", title: "Chess" });
    const owe = (ms: number) =>
      env.DB.prepare("UPDATE stream_sessions SET captions_owed_since = ? WHERE id = ?")
        .bind(Date.now() - ms, body.session.id)
        .run();
    await owe(20 * MINUTE_MS);
    expect(await op.details()).toMatchObject({ status: "ok", captions: { ok: true, owed: 1 } });
    // After a day nobody writes them any more.
    await owe(25 * HOUR_MS);
    expect(await op.details()).toMatchObject({ status: "ok", captions: { owed: 0 } });
    await owe(40 * MINUTE_MS);
    await expectTold("captions_overdue", "Captions are overdue", async () => {});
  });

  it("analyses that nobody makes", async () => {
    const email = await storeMail(service(), "contract", { body: "Please send it by Friday." });
    const owe = (ms: number) =>
      env.DB.prepare("UPDATE emails SET analysis_due_at = ?, analysis_attempts = 0 WHERE id = ?")
        .bind(Date.now() - ms, email.id)
        .run();
    await owe(20 * MINUTE_MS);
    expect(await op.details()).toMatchObject({ status: "ok", analyses: { ok: true, owed: 1 } });
    await owe(40 * MINUTE_MS);
    // The cron makes it.
    await expectTold("analyses_overdue", "Analyses of emails are overdue", async () => {});
    expect(await op.details()).toMatchObject({ analyses: { owed: 0, firstDueAt: null } });
  });

  it("a booking sync that fails for six hours, and not of its jobs", async () => {
    const account = await newAccount();
    await account.faults({ kind: "401" });
    expectErrorLog("job_failed");
    op.configure(account.vars);
    await op.cron();
    const { sync } = await op.details();
    expect(sync).toMatchObject({ ok: true, connected: true, lastRun: { status: "failed" } });
    expect(sync.failingSince).not.toBeNull();
    await age("booking_connection", "outage_reported_at", 7 * HOUR_MS);
    await age("jobs", "due_at", 26 * HOUR_MS);
    await env.DB.prepare("UPDATE jobs SET due_at = ? WHERE name NOT IN ('syncBookings', 'syncAllBookings')")
      .bind(Date.now() + HOUR_MS)
      .run();
    expect((await op.details()).sync).toMatchObject({ ok: false, detail: expect.stringContaining("Last error:") });
    expect(await op.problems()).toEqual(["sync_failing"]);
    await expectTold("sync_failing", "The booking sync has been failing for hours", async () => {
      await account.faults();
      // As when the nightly job has run.
      await env.DB.prepare("UPDATE jobs SET due_at = ?")
        .bind(Date.now() + HOUR_MS)
        .run();
    });
  });

  it("an email that was refused, until it is sent again", async () => {
    const refuse = async () => {
      throw Object.assign(new Error("the sender is not verified"), { code: "E_SENDER_NOT_VERIFIED" });
    };
    const EMAIL = { send: refuse } as unknown as Env["EMAIL"];
    const email = await storeMail(service(), "unsent");
    expectErrorLog("mail_not_sent");
    const reply = (vars: Partial<Env>) => service(vars).post(`/api/emails/${email.id}/reply`, { body: "Yes." });
    expect((await reply({ EMAIL, MAIL_FROM: "me@example.com" })).status).toBe(502);
    expect((await op.details()).outgoingEmails).toMatchObject({ ok: false, failed: 1, sending: 0 });
    await expectTold("email_failed", "An email could not be sent", () => reply(op.mail.vars));
  });

  it("an email whose sending was cut off, until it is deleted", async () => {
    const email = await storeMail(service(), "cut off");
    await service(op.mail.vars).post(`/api/emails/${email.id}/reply`, { body: "Yes." });
    op.mail.sent.length = 0;
    // As a Worker leaves it that dies while it sends.
    await env.DB.prepare("UPDATE emails SET delivery = 'sending', updated_at = ? WHERE direction = 'outbound'")
      .bind(Date.now() - 11 * MINUTE_MS)
      .run();
    expect((await op.details()).outgoingEmails).toMatchObject({ ok: true, failed: 0, sending: 1 });
    await op.cron();
    const sent = await env.DB.prepare("SELECT id FROM emails WHERE delivery = 'failed'").first<{ id: number }>();
    expect(op.mail.sent[0]?.text).toContain(`the latest is email ${sent?.id}`);
    await expectTold("email_failed", "An email could not be sent", () => service().delete(`/api/emails/${sent?.id}`));
  });

  it("a database of 80 % of its limit", async () => {
    const sized = (size: number): Partial<Env> => ({
      DB: watchDatabase(env.DB, {
        statement: (statement, method, args) => Reflect.apply(Reflect.get(statement, method), statement, args),
        batch: async (statements, pass) =>
          (await pass(statements)).map((result) => ({ ...result, meta: { ...result.meta, size_after: size } })),
      }),
    });
    const gib = 1024 ** 3;
    const bytes = 8_700_000_000;
    expect((await op.details(sized(Math.round(7.9 * gib)))).storage.database).toMatchObject({
      ok: true,
      usedShare: 0.79,
    });
    const large = sized(bytes);
    expect((await op.details(large)).storage.database).toMatchObject({
      ok: false,
      sizeBytes: bytes,
      limitBytes: 10 * gib,
      usedShare: 0.81,
      detail: expect.stringContaining("8.1 GB, 81 %"),
    });
    await expectTold("database_large", "The database is nearly full", async () => {}, large);
    const full = await op.details(sized(Math.round(9.9 * gib)));
    expect(full.problems.map(({ code }: { code: string }) => code)).toEqual(["database_large", "database_full"]);
    expect(full.problems[1]).toMatchObject({ docs: "docs/operations.md#database_full" });
    expect(full.problems[1].detail).toContain("reading and deleting work");
  });

  it("a scheduled email that nobody sends", async () => {
    const sendAt = new Date(Date.now() + 60_000).toISOString();
    const api = service(op.mail.vars);
    const { body } = await api.post("/api/emails/send", { to: "a@example.com", subject: "Late", body: "x", sendAt });
    await env.DB.prepare("UPDATE emails SET send_at = ? WHERE id = ?")
      .bind(Date.now() - HOUR_MS, body.id)
      .run();
    const { outgoingEmails, problems } = await op.details();
    expect(outgoingEmails).toMatchObject({ ok: false, overdue: 1 });
    expect(problems).toMatchObject([
      { code: "emails_overdue", detail: expect.stringContaining("1 scheduled email has not left") },
    ]);
  });

  it("a setting that is not valid, by its name", async () => {
    const vars = { MODEL_A: "nonsense" };
    expect((await op.details(vars)).problems[0]).toMatchObject({
      code: "settings_invalid",
      detail: "Settings are missing or invalid: MODEL_A is not valid: is not provider/model.",
    });
    await expectTold("settings_invalid", "Settings are missing or invalid", async () => {}, vars);
  });
});

describe("files that are to be deleted", () => {
  it("are counted, and not well once their job is overdue", async () => {
    const add = env.DB.prepare("INSERT INTO files_to_delete (key, store, due_at) VALUES (?, 'kv', ?)");
    await env.DB.batch([add.bind("a", 0), add.bind("b", 0), add.bind("c", Date.now() + HOUR_MS)]);
    expect((await op.details()).files).toEqual({ ok: true, detail: null, due: 2, later: 1 });
    await op.cron();
    expect((await op.details()).files).toMatchObject({ ok: true, due: 0, later: 1 });
    await env.DB.batch([add.bind("d", 0), env.DB.prepare("UPDATE jobs SET due_at = 1 WHERE name = 'deleteFiles'")]);
    const { files, problems } = await op.details();
    expect(files).toMatchObject({ ok: false, due: 1, detail: expect.stringContaining("deleteFiles") });
    expect(problems).toMatchObject([{ code: "job_overdue", subject: "deleteFiles" }]);
  });
});
