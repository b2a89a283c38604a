import { beforeEach, describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { expectErrorLog, expectProblem, takeLogs } from "../harness.ts";
import { newFolder, newNote, sample, send } from "./client.ts";

const client = sample();

/** What the service logged since the test began, each line parsed: a line that is not JSON fails here. */
function logged(): Record<string, unknown>[] {
  return takeLogs().map((line) => JSON.parse(line));
}

beforeEach(() => void takeLogs());

describe("an unexpected failure", () => {
  it("is 500 with generic text, and its cause is in the log under the same request id", async () => {
    expectErrorLog("request_failed");
    const answer = await client.post("/api/notes/failures", { how: "code", value: "x" });
    expectProblem(answer, 500, "internal");
    expect(answer.text).not.toMatch(/mistake|TypeError|\.ts\b/);
    const entry = logged().find(({ event }) => event === "request_failed");
    expect(entry).toMatchObject({
      level: "error",
      requestId: answer.body.requestId,
      error: "TypeError",
      message: "A mistake in the code",
    });
    expect(entry?.stack).toMatch(/\bat /);
  });

  /** Breaks a statement with a value bound to it, and looks for the value in the log and in the answer. */
  async function expectNoValueLogged(how: string, cause: RegExp): Promise<void> {
    expectErrorLog("request_failed");
    // One word, so that a search takes it for the name of a column and complains of it by name.
    const value = `marker${crypto.randomUUID().replaceAll("-", "")}`;
    const answer = await client.post("/api/notes/failures", { how, value });
    expectProblem(answer, 500, "internal");
    const lines = takeLogs().join("\n");
    expect(lines).toMatch(cause);
    expect(lines).not.toContain(value);
    expect(answer.text).not.toMatch(/marker|SQLITE|D1_|sample_notes/);
  }

  it.each([
    ["unique", /UNIQUE constraint failed: sample_notes\.folder/],
    ["batch", /UNIQUE constraint failed: sample_notes\.folder/],
    ["type", /D1_TYPE_ERROR/],
  ])("of the database (%s) is logged with its cause and without the bound values", expectNoValueLogged);

  it("of a full-text search is logged with its cause and without the bound values", () =>
    expectNoValueLogged("search", /SQLITE_ERROR/));

  it("of reading JSON is logged without a piece of the text", () =>
    expectNoValueLogged("json", /, … is not valid JSON/));

  it("of the database as a whole is 500 as well", async () => {
    expectErrorLog("request_failed");
    const broken = { prepare: () => broken, bind: () => broken, all: () => Promise.reject(new Error("D1 is down")) };
    const answer = await sample({ DB: broken as unknown as Env["DB"] }).get("/api/notes/1");
    expectProblem(answer, 500, "internal");
    expect(answer.text).not.toContain("D1 is down");
    expect(takeLogs().join("\n")).toContain("D1 is down");
  });
});

describe("a problem document", () => {
  it("has the members of RFC 9457 and ours, and nothing else", async () => {
    const answer = await client.get("/api/notes/999999999");
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.body).toEqual({
      type: "urn:poa:problem:not_found",
      title: "The record does not exist",
      status: 404,
      detail: "There is no note 999999999.",
      code: "not_found",
      requestId: answer.headers.get("x-request-id"),
    });
  });

  it("carries the details of the rule that was broken, which never replace the standard's members", async () => {
    const { id } = await newNote(client);
    const answer = await client.patch(`/api/notes/${id}`, { title: "locked" });
    expectProblem(answer, 409, "conflict");
    expect(answer.body).toMatchObject({ allowed: ["read"], status: 409, detail: "The note is locked." });
  });

  it("keeps a long list of offences whole and its detail short", async () => {
    const tags = Array.from({ length: 200 }, () => "x");
    const answer = await client.post("/api/notes", { folder: "f", title: "t", tags });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors).toHaveLength(200);
    expect(answer.body.detail.length).toBeLessThanOrEqual(1000);
  });

  it("does not repeat the value that was refused", async () => {
    const { text } = await client.post("/api/notes", {
      folder: "f",
      title: { password: "hunter2-hunter2" },
      stars: "hunter3",
    });
    expect(text).not.toMatch(/hunter/);
  });
});

describe("the log", () => {
  it("has one line for a change or a failure: method, path, status, time and who", async () => {
    const note = { folder: newFolder(), title: "Logged" };
    await client.post("/api/notes?notify=true", note, { token: "owner", headers: { "x-request-id": "trace-12345" } });
    expect(logged()).toEqual([
      {
        level: "info",
        event: "request",
        requestId: "trace-12345",
        method: "POST",
        path: "/api/notes",
        status: 201,
        ms: expect.any(Number),
        actor: "session",
      },
    ]);
  });

  it("leaves reads that went well to the platform's own record", async () => {
    await client.get("/api/notes?folder=x");
    expect(logged()).toEqual([]);
  });

  it.each([
    ["a refusal", "/api/notes?limit=0&token=query-secret-1", {}, 422],
    ["an unknown parameter", "/api/notes/999999999?token=query-secret-1", {}, 422],
    ["a wrong method", "/api/notes?token=query-secret-1", { method: "PUT" }, 405],
    ["a missing credential", "/api/notes/who/user?token=query-secret-1", {}, 401],
    ["a failure", "/api/notes/who/user?token=query-secret-1", { headers: { authorization: "Bearer broken" } }, 500],
  ])("holds no query string of %s", async (_, path, init, status) => {
    if (status === 500) expectErrorLog("request_failed");
    expect((await send(path, init)).status).toBe(status);
    const lines = takeLogs();
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).not.toMatch(/query-secret|token=/);
  });

  it("holds no credential and no body", async () => {
    const token = `credential-${crypto.randomUUID()}`;
    const title = `body-${crypto.randomUUID()}`;
    await client.post("/api/notes", { folder: newFolder(), title, stars: 99 }, { token });
    const valid = "key:tasks:write";
    await client.post("/api/notes", { folder: newFolder(), title }, { token: valid });
    await client.call("POST", "/api/notes", {
      raw: `{"title": "${title}`,
      headers: { "content-type": "application/json" },
    });
    const lines = takeLogs().join("\n");
    expect(lines).toContain('"status":201');
    expect(lines).not.toContain(token);
    expect(lines).not.toContain(valid);
    expect(lines).not.toContain(title);
  });

  it("stays one line whatever the path and the request id hold", async () => {
    await send("/api/notes/a%0Ab%22%7D", { headers: { "x-request-id": '"}{"level":"error"' } });
    const lines = takeLogs();
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain("\n");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ event: "request", status: 422 });
  });

  it("tells of every kind of answer, a preflight and a large body too", async () => {
    await send("/api/notes", { method: "OPTIONS" });
    await send("/api/notes", { method: "POST", headers: { "content-length": "2000000" }, body: "{}" });
    expect(logged().map(({ status }) => status)).toEqual([204, 413]);
  });
});
