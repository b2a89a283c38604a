import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { expectErrorLog, service } from "../harness.ts";
import { mailbox } from "../settings/people.ts";

const SETUP_TOKEN = "a long and random setup token";

describe("GET /api/health", () => {
  it("says ok with every check while all is well", async () => {
    const { status, body } = await service().get("/api/health");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "ok",
      checks: { database: { ok: true }, kv: { ok: true }, secrets: { ok: true, problems: [] } },
    });
  });

  it("names a missing and a weak secret without showing it, and stays up", async () => {
    const { status, body, text } = await service({ JWT_SECRET: undefined, ENCRYPTION_KEY: "short-secret" }).get(
      "/api/health",
    );
    expect(status).toBe(200);
    expect(body.status).toBe("degraded");
    expect(body.checks.secrets.problems).toEqual(["JWT_SECRET is missing", "ENCRYPTION_KEY is shorter than 32 bytes"]);
    expect(text).not.toContain("short-secret");
  });

  it("names a variable that is not valid", async () => {
    const { body } = await service({ ACCESS_MODE: "opne" }).get("/api/health");
    expect(body.checks.secrets.problems).toEqual([expect.stringMatching(/^ACCESS_MODE is not valid/)]);
  });

  it("refuses to send keys in the clear, except for local work", async () => {
    const vars = { BOOKINGSVC_BASE_URL: "http://provider.example/v2" };
    const { body } = await service({ ...vars, ALLOW_PRIVATE_HOSTS: "false", SETUP_TOKEN, EMAIL: undefined }).get(
      "/api/health",
    );
    expect(body.checks.secrets.problems).toEqual([
      expect.stringMatching(/^BOOKINGSVC_BASE_URL is not valid: it must be https/),
    ]);
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
    expect(body.checks.secrets.problems).toEqual([
      expect.stringMatching(new RegExp(`^${name} is missing: outgoing email`)),
    ]);
  });

  it("says that PUBLIC_URL is missing where mail leaves for real, and only there", async () => {
    const mail = { ...mailbox().vars, SETUP_TOKEN, BOOKINGSVC_BASE_URL: undefined };
    const problemsOf = async (vars: Partial<Env>) =>
      (await service({ ...mail, ...vars }).get("/api/health")).body.checks.secrets.problems;
    const missing = expect.stringMatching(/^PUBLIC_URL is missing: emails/);
    expect(await problemsOf({ ALLOW_PRIVATE_HOSTS: "false" })).toEqual([missing]);
    expect(await problemsOf({ ALLOW_PRIVATE_HOSTS: "false", PUBLIC_URL: "https://poa.example.com" })).toEqual([]);
    expect(await problemsOf({})).toEqual([]);
  });

  it("is 503 when the database is gone", async () => {
    expectErrorLog("database_unreachable");
    const DB = { prepare: () => broken, batch: () => Promise.reject(new Error("gone")) } as unknown as Env["DB"];
    const broken = { bind: () => broken, run: () => Promise.reject(new Error("gone")) };
    const { status, body } = await service({ DB }).get("/api/health");
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: "degraded", checks: { database: { ok: false, latencyMs: null } } });
  });

  it("is served by the Worker's own entry point", async () => {
    const response = await exports.default.fetch("http://poa.test/api/health");
    expect(response.status).toBe(200);
    await response.text();
  });
});
