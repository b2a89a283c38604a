import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { changeApiKey, createApiKey } from "../../src/features/api-keys/service.ts";
import type { Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor, type Person, signedInPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { countStatements, interruptBatch } from "../measured.ts";

const PRIVATE = { ACCESS_MODE: "private" } as const;
const closed = (vars: Partial<Env> = {}) => service({ ...PRIVATE, ...vars });

async function newKey({ token }: Person, scopes: Scope[] = ["tasks:read", "tasks:write"]) {
  return createApiKey(await contextFor(token), { name: "automation", scopes, expiresAt: null });
}

const endSessions = ({ id }: Person) => env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(id).run();

async function tasksCalled(title: string): Promise<number> {
  return (await env.DB.prepare("SELECT count(*) AS n FROM tasks WHERE title = ?").bind(title).first<number>("n")) ?? 0;
}

const newTitle = () => `Task ${crypto.randomUUID()}`;

describe("the check of a credential", () => {
  it("travels with a read and with a write, for sessions and API keys", async () => {
    const person = await signedInPerson();
    const { db, taken } = countStatements(env.DB);
    const client = closed({ DB: db });
    const { id, key } = await newKey(person);
    // Otherwise its first use is noted, afterwards.
    await env.DB.prepare("UPDATE api_keys SET last_used_at = ? WHERE id = ?").bind(Date.now(), id).run();
    for (const token of [person.token, key]) {
      for (const path of ["/api/tasks", "/api/tasks?status=todo", "/api/tasks?sort=created"]) {
        expect((await client.get(path, { token })).status).toBe(200);
        expect(taken()).toMatchObject({ roundTrips: 1 });
      }
      const { body } = await client.post("/api/tasks", { title: newTitle() }, { token });
      expect(taken()).toMatchObject({ roundTrips: 1 });
      await client.get(`/api/tasks/${body.id}`, { token });
      await client.patch(`/api/tasks/${body.id}`, { status: "done" }, { token });
      await client.delete(`/api/tasks/${body.id}`, { token });
      expect(taken()).toMatchObject({ roundTrips: 3 });
    }
  });

  it("releases nothing to an ended session, whether the rest of the request is right or wrong", async () => {
    const person = await signedInPerson();
    const client = closed();
    await client.get("/api/tasks", { token: person.token });
    await endSessions(person);
    const { token } = person;
    expectProblem(await client.get("/api/tasks", { token }), 401, "session_revoked");
    expectProblem(await client.get("/api/tasks/999999999", { token }), 401, "session_revoked");
    expectProblem(await client.get("/api/tasks?limit=0", { token }), 401, "session_revoked");
    expectProblem(await client.post("/api/tasks", { title: 7 }, { token }), 401, "session_revoked");
    const title = newTitle();
    expectProblem(await client.post("/api/tasks", { title }, { token }), 401, "session_revoked");
    const headers = { "idempotency-key": crypto.randomUUID() };
    expectProblem(await client.post("/api/tasks", { title }, { token, headers }), 401, "session_revoked");
    expect(await tasksCalled(title)).toBe(0);
  });

  it("undoes a write whose session ends a moment before", async () => {
    const person = await signedInPerson();
    const title = newTitle();
    const DB = interruptBatch(env.DB, 1, () => endSessions(person));
    expectProblem(await closed({ DB }).post("/api/tasks", { title }, { token: person.token }), 401, "session_revoked");
    expect(await tasksCalled(title)).toBe(0);
  });

  it("undoes a write whose API key loses the scope a moment before", async () => {
    const person = await signedInPerson();
    const { id, key } = await newKey(person);
    const ctx = await contextFor(person.token);
    const title = newTitle();
    const DB = interruptBatch(env.DB, 1, () => changeApiKey(ctx, id, { scopes: ["tasks:read"] }, undefined));
    expectProblem(await closed({ DB }).post("/api/tasks", { title }, { token: key }), 403, "insufficient_scope");
    expect(await tasksCalled(title)).toBe(0);
  });

  it("refuses an API key without the scope before any effect", async () => {
    const { key } = await newKey(await signedInPerson(), ["tasks:read"]);
    const title = newTitle();
    expectProblem(await closed().post("/api/tasks", { title }, { token: key }), 403, "insufficient_scope");
    expectProblem(await closed().get("/api/emails", { token: key }), 403, "insufficient_scope");
    expect(await tasksCalled(title)).toBe(0);
  });

  it("finds out that the account has changed, and the request begins again with what is true now", async () => {
    const person = await signedInPerson();
    const { token } = person;
    const client = closed();
    const move = (zone: string) =>
      env.DB.prepare("UPDATE users SET time_zone = ? WHERE id = ?").bind(zone, person.id).run();
    const due = async () => {
      const { status, body } = await client.post(
        "/api/tasks",
        { title: newTitle(), dueText: "2027-01-15 09:00" },
        { token },
      );
      expect(status).toBe(201);
      return body.dueAt;
    };
    expect(await due()).toBe("2027-01-15T09:00:00.000Z");
    await move("Asia/Tokyo");
    expect(await due()).toBe("2027-01-15T00:00:00.000Z");
    await move("America/New_York");
    const before = await client.get("/api/tasks?dueAfter=2027-01-15&dueBefore=2027-01-15&limit=100", { token });
    expect(before.body.data.map(({ dueAt }: { dueAt: string }) => dueAt)).toContain("2027-01-15T09:00:00.000Z");
    expect(await due()).toBe("2027-01-15T14:00:00.000Z");
  });

  it("asks the primary at the same time as a replica", async () => {
    const person = await signedInPerson();
    const { token } = person;
    const headers = { "x-d1-bookmark": "first-unconstrained" };
    const client = closed();
    expect((await client.get("/api/tasks", { token, headers })).headers.get("x-d1-bookmark")).not.toBeNull();
    await endSessions(person);
    expectProblem(await client.get("/api/tasks", { token, headers }), 401, "session_revoked");
  });
});
