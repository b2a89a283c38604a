import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { runSchedule } from "../../src/schedule.ts";
import { contextFor, type Person, setClock, signedInPerson } from "../auth/people.ts";
import { emptyService, expectErrorLog, expectProblem, service } from "../harness.ts";
import { measureRows } from "../measured.ts";
import { mailbox } from "../settings/people.ts";
import { asSystem, happen, newTask, newWebhook, removeWebhooks } from "../webhooks/receiver.ts";

beforeEach(() =>
  env.DB.batch(["users", "jobs", "service_alerts"].map((table) => env.DB.prepare(`DELETE FROM ${table}`))),
);
afterEach(() => void vi.useRealTimers());

const SETUP_TOKEN = "a long and random setup token";
const PRODUCTION = {
  SETUP_TOKEN,
  ALLOW_PRIVATE_HOSTS: "false",
  EMAIL: undefined,
  MAIL_FROM: undefined,
  BOOKINGSVC_BASE_URL: undefined,
};
const broken = { bind: () => broken, run: gone, all: gone, raw: gone };
const DB = { prepare: () => broken, batch: gone } as unknown as Env["DB"];

function gone(): Promise<never> {
  return Promise.reject(new Error("gone"));
}

describe("GET /api/health", () => {
  it("tells strangers only whether all is well, the version and the time", async () => {
    await signedInPerson("owner");
    const client = service(PRODUCTION);
    const { status, body } = await client.get("/api/health");
    expect(status).toBe(200);
    expect(body).toEqual({ status: "ok", version: expect.any(String), time: expect.any(String) });
    const { token } = await signedInPerson("member");
    const degraded = service({ ...PRODUCTION, PASSWORD_PEPPER: undefined, ACCESS_MODE: "opne" });
    for (const options of [{}, { token }]) {
      const answer = await degraded.get("/api/health", options);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...body, status: "degraded", time: expect.any(String) });
    }
  });

  it("says ok while all is well", async () => {
    const { status, body } = await service().get("/api/health");
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "ok", problems: [] });
  });

  it("is degraded while a job has not succeeded for a day, and says no more about it", async () => {
    await signedInPerson("owner");
    await asSystem((ctx) => runSchedule("*/15 * * * *", ctx));
    setClock(Date.now() + 26 * 3_600_000);
    const { status, body } = await service(PRODUCTION).get("/api/health");
    expect({ status, body }).toMatchObject({ status: 200, body: { status: "degraded" } });
    expect(Object.keys(body).sort()).toEqual(["status", "time", "version"]);
    for (const cron of ["* * * * *", "*/5 * * * *", "*/15 * * * *", "17 3 * * *"])
      await asSystem((ctx) => runSchedule(cron, ctx));
    expect((await service(PRODUCTION).get("/api/health")).body.status).toBe("ok");
  });

  it("is degraded if no cron has fired a day after the first account was made, also in the details", async () => {
    await signedInPerson("owner");
    const client = service(PRODUCTION);
    expect((await client.get("/api/health")).body.status).toBe("ok");
    setClock(Date.now() + 25 * 3_600_000);
    const { token } = await signedInPerson("owner");
    expect((await client.get("/api/health")).body.status).toBe("degraded");
    expect((await client.get("/api/health/details", { token })).body).toMatchObject({
      status: "degraded",
      problems: [{ code: "cron_silent", detail: expect.stringContaining("No cron has ever fired") }],
      jobs: [],
    });
    await asSystem((ctx) => runSchedule("*/15 * * * *", ctx));
    expect((await client.get("/api/health")).body.status).toBe("ok");
  });

  it("names what is missing while the service has no account, for whoever sets it up, never a value", async () => {
    const vars = { ...PRODUCTION, JWT_SECRET: undefined, ENCRYPTION_KEY: "short-secret" };
    const { status, body, text } = await service(vars).get("/api/health");
    expect(status).toBe(200);
    expect(body.status).toBe("degraded");
    expect(body.problems).toEqual(
      expect.arrayContaining(["JWT_SECRET is missing", "ENCRYPTION_KEY is shorter than 32 bytes"]),
    );
    expect(text).not.toContain("short-secret");
    const { token } = await signedInPerson();
    expect((await service(vars).get("/api/health")).body).not.toHaveProperty("problems");
    // The endpoints that need the secret name it, and so does local development.
    expectProblem(await service(vars).get("/api/health/details", { token }), 503, "misconfigured");
    expect((await service({ JWT_SECRET: undefined }).get("/api/health")).body.problems).toEqual([
      "JWT_SECRET is missing",
    ]);
  });

  it("names a variable that is not valid", async () => {
    const { body } = await service({ ACCESS_MODE: "opne" }).get("/api/health");
    expect(body.problems).toEqual([expect.stringMatching(/^ACCESS_MODE is not valid/)]);
  });

  it("refuses to send keys in the clear, except for local work", async () => {
    const vars = { BOOKINGSVC_BASE_URL: "http://provider.example/v2" };
    const { body } = await service({ ...vars, ALLOW_PRIVATE_HOSTS: "false", SETUP_TOKEN, EMAIL: undefined }).get(
      "/api/health",
    );
    expect(body.problems).toEqual([expect.stringMatching(/^BOOKINGSVC_BASE_URL is not valid: it must be https/)]);
    expect((await service(vars).get("/api/health")).body.status).toBe("ok");
  });

  it.each([
    ["EMAIL", { MAIL_FROM: "assistant@example.com", EMAIL: undefined }],
    ["MAIL_FROM", { MAIL_FROM: undefined }],
  ])("says that %s is missing where mail is half set up", async (name, vars: Partial<Env>) => {
    const { body } = await service({
      ...vars,
      ALLOW_PRIVATE_HOSTS: "false",
      SETUP_TOKEN,
      BOOKINGSVC_BASE_URL: undefined,
    }).get("/api/health");
    expect(body.problems).toEqual([expect.stringMatching(new RegExp(`^${name} is missing: outgoing email`))]);
  });

  it("says that PUBLIC_URL is missing where mail leaves for real, and only there", async () => {
    const mail = { ...mailbox().vars, SETUP_TOKEN, BOOKINGSVC_BASE_URL: undefined, PUBLIC_URL: undefined };
    const problemsOf = async (vars: Partial<Env>) =>
      (await service({ ...mail, ...vars }).get("/api/health")).body.problems;
    const missing = expect.stringMatching(/^PUBLIC_URL is missing: emails/);
    expect(await problemsOf({ ALLOW_PRIVATE_HOSTS: "false" })).toEqual([missing]);
    expect(await problemsOf({ ALLOW_PRIVATE_HOSTS: "false", PUBLIC_URL: "https://poa.example.com" })).toEqual([]);
    expect(await problemsOf({ PUBLIC_URL: "http://poa.test" })).toEqual([]);
  });

  it("is 503 when the database is gone", async () => {
    expectErrorLog("database_unreachable");
    const { status, body } = await service({ ...PRODUCTION, DB }).get("/api/health");
    expect(status).toBe(503);
    expect(body).toEqual({ status: "degraded", version: expect.any(String), time: expect.any(String) });
  });

  it("is served by the Worker's own entry point", async () => {
    const response = await exports.default.fetch("http://poa.test/api/health");
    expect(response.status).toBe(200);
    await response.text();
  });
});

describe("GET /api/health/details", () => {
  const PATH = "/api/health/details";

  it.each(["open", "private"])("is for the owner alone: in %s mode", async (ACCESS_MODE) => {
    const client = service({ ACCESS_MODE });
    const [owner, member] = [await signedInPerson("owner"), await signedInPerson("member")];
    const keyOf = async ({ token }: Person, scope: "admin" | "tasks:read") => {
      const ctx = await contextFor(token);
      return (await createApiKey(ctx, { name: "monitor", scopes: [scope], expiresAt: null })).key;
    };
    expectProblem(await client.get(PATH), 401, "unauthenticated");
    expectProblem(await client.get(PATH, { token: "forged" }), 401, "unauthenticated");
    expectProblem(await client.get(PATH, { token: member.token }), 403, "forbidden");
    expectProblem(await client.get(PATH, { token: await keyOf(member, "admin") }), 403, "forbidden");
    expectProblem(await client.get(PATH, { token: await keyOf(owner, "tasks:read") }), 403, "insufficient_scope");
    for (const token of [owner.token, await keyOf(owner, "admin")]) {
      expect((await client.get(PATH, { token })).status).toBe(200);
    }
  });

  it("holds no secret and no personal data, also in production", async () => {
    const owner = await signedInPerson("owner");
    const hook = await newWebhook([], owner);
    await hook.behave({ status: 500 });
    await newTask("Call the surgeon");
    const vars = { ...PRODUCTION, STRIPE_SECRET_KEY: "sk_live_do_not_tell", ENCRYPTION_KEY_PREVIOUS: "a weak old key" };
    const { body, text } = await service(vars).get(PATH, { token: owner.token });
    expect(body.checks.secrets.problems).toContain("ENCRYPTION_KEY_PREVIOUS is shorter than 32 bytes");
    expect(body.webhooks.failing).toMatchObject([{ id: hook.id }]);
    const secrets = Object.entries({ ...env, ...vars }).flatMap(([name, value]) =>
      typeof value === "string" && /SECRET|KEY|PEPPER|TOKEN/.test(name) ? [value] : [],
    );
    expect(secrets.length).toBeGreaterThan(4);
    for (const told of [...secrets, hook.secret, hook.url, owner.email, "surgeon"]) expect(text).not.toContain(told);
    await removeWebhooks();
  });

  it("reads few rows, however much is stored and owed", async () => {
    const { id, token } = await signedInPerson("owner");
    await newWebhook(["task.created"], { id, token, email: "", refreshToken: "" });
    await happen(3000);
    const numbers = JSON.stringify(Array.from({ length: 3000 }, (_, number) => number));
    const fill = (statement: string) => env.DB.prepare(`${statement} FROM json_each(?)`).bind(numbers);
    await env.DB.batch([
      fill(`INSERT INTO webhook_messages (id, type, payload, created_at)
        SELECT 'm' || value, 'task.created', '{}', 0`),
      fill(`INSERT INTO webhook_deliveries
        (id, message_id, endpoint_id, type, status, attempts, next_attempt_at, created_at)
        SELECT 'd' || value, 'm' || value, (SELECT id FROM webhook_endpoints), 'task.created', 'pending', 0, 0, 0`),
      fill(`INSERT INTO files_to_delete (key, store, due_at) SELECT 'f' || value, 'kv', 0`),
    ]);
    const { db, taken } = measureRows(env.DB);
    const { body } = await service({ DB: db }).get(PATH, { token });
    expect(body).toMatchObject({ webhooks: { owed: 1000 }, files: { due: 1000 } });
    expect(body.webhooks.detail).toContain("100 deliveries");
    expect(taken().reduce((sum, read) => sum + read, 0)).toBeLessThan(6000);
    await env.DB.batch(["files_to_delete", "webhook_messages"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
    await removeWebhooks();
    await emptyService();
    await service({ DB: db }).get(PATH, { token });
    expect(taken().reduce((sum, read) => sum + read, 0)).toBeLessThan(150);
  });

  it("shows the checks, the settings that are wrong, and every job", async () => {
    const { token } = await signedInPerson("owner");
    await asSystem((ctx) => runSchedule("*/15 * * * *", ctx));
    const { status, body } = await service({ ACCESS_MODE: "opne" }).get(PATH, { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "degraded",
      problems: [{ code: "settings_invalid", detail: expect.stringContaining("ACCESS_MODE is not valid") }],
      checks: {
        database: { ok: true, detail: null, latencyMs: expect.any(Number) },
        kv: { ok: true, detail: null, latencyMs: expect.any(Number) },
        secrets: {
          ok: false,
          detail: expect.stringContaining("ACCESS_MODE"),
          problems: [expect.stringMatching(/^ACCESS_MODE is not valid/)],
        },
      },
      storage: { database: { ok: true, sizeBytes: expect.toSatisfy((size: number) => size > 10_000), usedShare: 0 } },
      webhooks: { ok: true, detail: null, owed: 0, oldestOwedAt: null, failing: [], disabled: [] },
      captions: { ok: true, detail: null, owed: 0, oldestOwedAt: null },
      outgoingEmails: { ok: true, detail: null, failed: 0, lastFailedAt: null, sending: 0 },
      sync: { ok: true, detail: null, connected: false, failingSince: null },
      files: { ok: true, detail: null, due: 0, later: 0 },
    });
    const jobs = new Map<string, object>(body.jobs.map((job: { name: string }) => [job.name, job]));
    expect(jobs.get("syncBookings")).toEqual({
      name: "syncBookings",
      lastStartedAt: expect.any(String),
      lastSucceededAt: expect.any(String),
      lastFailedAt: null,
      lastError: null,
      lastDurationMs: expect.any(Number),
      dueAt: expect.any(String),
      lateSeconds: 0,
      ok: true,
      detail: null,
    });
    // The nightly cron has not run yet, and need not have.
    expect(jobs.get("purgeAuditLog")).toMatchObject({ lastStartedAt: null, lastSucceededAt: null, ok: true });
    expect(jobs.get("deliverWebhooks")).toMatchObject({ ok: true });
  });

  it("says that the file store does not respond", async () => {
    expectErrorLog("files_unreachable");
    const { token } = await signedInPerson("owner");
    const FILES = { head: gone } as unknown as Env["FILES"];
    const { body } = await service({ FILES }).get(PATH, { token });
    expect(body).toMatchObject({
      status: "degraded",
      problems: [{ code: "files_unreachable", subject: null, docs: "docs/operations.md#files_unreachable" }],
      checks: { fileStore: { ok: false, detail: expect.stringContaining("does not respond"), latencyMs: null } },
    });
  });

  it("says that the key-value store does not respond", async () => {
    expectErrorLog("kv_unreachable");
    const { token } = await signedInPerson("owner");
    const KV = { get: gone } as unknown as Env["KV"];
    const { body } = await service({ KV }).get(PATH, { token });
    expect(body).toMatchObject({
      status: "degraded",
      problems: [{ code: "kv_unreachable", subject: null, docs: "docs/operations.md#kv_unreachable" }],
      checks: { kv: { ok: false, detail: expect.stringContaining("does not respond"), latencyMs: null } },
    });
  });
});
