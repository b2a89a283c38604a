import { env } from "cloudflare:workers";
import { z } from "@hono/zod-openapi";
import { sql } from "drizzle-orm";
import type { Context as HonoContext } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import type { Context } from "../../src/context.ts";
import { sessions } from "../../src/db/schema/auth.ts";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { readCredential } from "../../src/features/auth/authenticate.ts";
import { newSession } from "../../src/features/auth/sessions/service.ts";
import { signAccessToken } from "../../src/features/auth/sessions/tokens.ts";
import { type AppEnv, contextOf } from "../../src/http/app-env.ts";
import { data } from "../../src/http/guards.ts";
import { route } from "../../src/http/route.ts";
import { createRouter } from "../../src/http/router.ts";
import { createServer } from "../../src/http/server.ts";
import type { Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor, openSession, type Person, signedInPerson } from "../auth/people.ts";
import { invited, mailbox } from "../calendar/responding.ts";
import { emptyService, expectProblem, service, systemCtx } from "../harness.ts";
import { interruptBatch, passOn, watchDatabase } from "../measured.ts";

/* Handlers that a careless developer could write, behind the real check of sessions and API keys, through HTTP. */

await env.DB.exec("CREATE TABLE IF NOT EXISTS attack_rows (name TEXT NOT NULL)");
beforeEach(() => env.DB.exec("DELETE FROM attack_rows"));

const Done = z.object({ value: z.string() }).openapi("AttackDone", { example: { value: "done" } });
type Attack = (ctx: Context, c: HonoContext<AppEnv>) => Promise<string>;
let attack: Attack = async () => "nothing";

const router = createRouter();
router.openapi(
  route("post", "/api/attack", {
    operationId: "attack",
    summary: "Run the handler of a test",
    guard: data("tasks:write"),
    returns: { 200: Done },
    errors: ["conflict", "unavailable"],
    idempotent: true,
  }),
  async (c) => c.json({ value: await attack(contextOf(c), c) }, 200),
);
const app = createServer({
  version: "1.2.3",
  readCredential,
  reauthenticate: async () => {},
  features: [{ tag: "Attacks", routes: router }],
  tags: [{ name: "Attacks", description: "Attacks, for the tests." }],
});

const closed = (vars: Partial<Env> = {}) => service({ ACCESS_MODE: "private", ...vars }, app);

/** Sends a request whose handler this is. */
function send(handler: Attack, token: string, headers: Record<string, string> = {}, vars: Partial<Env> = {}) {
  attack = handler;
  return closed(vars).post("/api/attack", undefined, { token, headers });
}

const write = (db: Context["db"], name: string) => db.run(sql`INSERT INTO attack_rows VALUES (${name})`);
const read = ({ db }: Context) => db.all<{ name: string }>(sql`SELECT name FROM attack_rows`);
const written = async () =>
  (await env.DB.prepare("SELECT name FROM attack_rows ORDER BY rowid").all<{ name: string }>()).results.map(
    ({ name }) => name,
  );
const zoneOf = ({ actor }: Context) => ("user" in actor ? actor.user.timeZone : "");
const endSessions = ({ id }: Pick<Person, "id">) =>
  env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(id).run();
const moveTo = ({ id }: Person, zone: string) =>
  env.DB.prepare("UPDATE users SET time_zone = ? WHERE id = ?").bind(zone, id).run();

async function newKey({ token }: Pick<Person, "token">, scopes: Scope[]) {
  return createApiKey(await contextFor(token), { name: "automation", scopes, expiresAt: null });
}

/** Somebody whom this isolate took for an account in UTC a moment ago. */
async function knownPerson(): Promise<Person> {
  const person = await signedInPerson();
  await send(async (ctx) => `${(await read(ctx)).length}`, person.token);
  return person;
}

describe("a session that ends while its request runs", () => {
  it("leaves no part of the refused handler able to write, not even after the response", async () => {
    const person = await signedInPerson();
    let late = Promise.resolve();
    const answer = await send(async (ctx) => {
      await read(ctx);
      await endSessions(person);
      late = scheduler.wait(30).then(async () => void (await write(ctx.db, "late")));
      late.catch(() => {});
      await write(ctx.db, "refused");
      return "done";
    }, person.token);
    expectProblem(answer, 401, "session_revoked");
    await expect(late).rejects.toThrow();
    expect(await written()).toEqual([]);
  });

  it("still has recorded what its request cost", async () => {
    const person = await signedInPerson();
    const answer = await send(async (ctx) => {
      await read(ctx);
      await endSessions(person);
      await write(ctx.bookkeeping, "cost");
      await write(ctx.db, "refused");
      return "done";
    }, person.token);
    expectProblem(answer, 401, "session_revoked");
    expect(await written()).toEqual(["cost"]);
  });

  it("gets the response to what was done, although a part that nobody waits for is refused", async () => {
    const person = await signedInPerson();
    // The third batch is that of the part; in the fourth one the response is kept for the key.
    const ending = interruptBatch(env.DB, 3, () => endSessions(person));
    const DB = interruptBatch(ending, 4, () => scheduler.wait(100));
    const answer = await send(
      async (ctx, c) => {
        await write(ctx.db, "done");
        c.header("ETag", '"7"');
        ctx.defer(write(ctx.db, "refused").catch(() => {}));
        return "done";
      },
      person.token,
      { "idempotency-key": crypto.randomUUID() },
      { DB },
    );
    expect(answer.status).toBe(200);
    expect(await written()).toEqual(["done"]);
  });

  it("frees its Idempotency-Key if nothing was written", async () => {
    const person = await signedInPerson();
    const headers = { "idempotency-key": crypto.randomUUID() };
    const refused = await send(
      async (ctx) => {
        await endSessions(person);
        await write(ctx.db, "refused");
        return "done";
      },
      person.token,
      headers,
    );
    expectProblem(refused, 401, "session_revoked");
    const { token } = await openSession(person.id);
    const again = async (ctx: Context) => {
      await write(ctx.db, "again");
      return "done";
    };
    expect((await send(again, token, headers)).status).toBe(200);
    expect(await written()).toEqual(["again"]);
  });

  it("keeps the note that the organizer was told, so that nobody is told twice", async () => {
    await emptyService();
    const person = await signedInPerson("owner");
    const sending = async () => {
      await endSessions(person);
      return { messageId: "<x@mail.test>" };
    };
    const { api, sent } = mailbox(sending, { ACCESS_MODE: "private" });
    const { id } = await invited();
    const respond = (token: string) =>
      api.post(`/api/calendar/events/${id}/respond`, { response: "accepted" }, { token });
    const first = await respond(person.token);
    expect(first).toMatchObject({ status: 200, body: { notified: true } });
    const told = await env.DB.prepare(
      "SELECT json_extract(invitation, '$.told.state') AS state FROM events",
    ).first<string>("state");
    expect(told).toBe("sent");
    expect((await respond((await openSession(person.id)).token)).status).toBe(200);
    expect(sent).toHaveLength(1);
  });
});

describe("bookkeeping", () => {
  it("is not written for a session that has ended before", async () => {
    for (const person of [await knownPerson(), await signedInPerson()]) {
      await endSessions(person);
      const answer = await send(async (ctx) => {
        await write(ctx.bookkeeping, "cost").catch(() => {});
        return "done";
      }, person.token);
      expectProblem(answer, 401, "session_revoked");
    }
    expect(await written()).toEqual([]);
  });

  it("is written once when the handler begins again", async () => {
    const person = await knownPerson();
    await moveTo(person, "Asia/Tokyo");
    const answer = await send(async (ctx) => {
      const zone = zoneOf(ctx);
      await write(ctx.bookkeeping, zone);
      return zone;
    }, person.token);
    expect(answer).toMatchObject({ status: 200, body: { value: "Asia/Tokyo" } });
    expect(await written()).toEqual(["Asia/Tokyo"]);
  });
});

describe("a handler that begins again", () => {
  it("does what cannot be undone, once", async () => {
    const withKey: Record<string, string> = { "idempotency-key": crypto.randomUUID() };
    for (const headers of [{}, withKey]) {
      const person = await knownPerson();
      await moveTo(person, "Asia/Tokyo");
      const sent: string[] = [];
      const answer = await send(
        async (ctx) => {
          const zone = zoneOf(ctx);
          return ctx.irreversibly(async () => {
            sent.push(zone);
            return zone;
          });
        },
        person.token,
        headers,
      );
      expect(answer.status).toBe(200);
      expect(sent).toEqual(["Asia/Tokyo"]);
    }
  });

  it("does not begin again while a refusal is looked into", async () => {
    const person = await signedInPerson();
    const { id, key } = await newKey(person, ["tasks:write"]);
    const setScopes = (scopes: string) =>
      env.DB.prepare("UPDATE api_keys SET scopes = ? WHERE id = ?").bind(scopes, id).run();
    let runs = 0;
    // The scope is gone for the write, and back when the service asks why the write was refused.
    const DB = watchDatabase(env.DB, {
      async statement(statement, method, args) {
        await setScopes('["tasks:write"]');
        await scheduler.wait(20);
        return passOn(statement, method, args);
      },
      async batch(statements, send) {
        if (runs > 0) await setScopes('["emails:read"]');
        return send(statements);
      },
    });
    const answer = await send(
      async (ctx) => {
        await read(ctx);
        runs += 1;
        let isDone = false;
        const look = async () => {
          while (!isDone) {
            zoneOf(ctx);
            await scheduler.wait(0);
          }
        };
        const refused = write(ctx.db, "refused").finally(() => {
          isDone = true;
        });
        await Promise.all([refused, look()]);
        return "done";
      },
      key,
      {},
      { DB },
    );
    expectProblem(answer, 503, "unavailable");
    expect(runs).toBe(1);
    expect(await written()).toEqual([]);
  });
});

describe("a refusal", () => {
  const real = service({ ACCESS_MODE: "private" });
  const namesOf = ({ headers }: { headers: Headers }) => [...headers.keys()].sort();

  it("says nothing about the database, whatever the request would have found", async () => {
    const person = await signedInPerson();
    const { token } = person;
    const { body: task } = await real.post("/api/tasks", { title: "Secret" }, { token });
    const { body: event } = await real.post(
      "/api/calendar/events",
      { title: "Secret", start: "2051-01-01T10:00:00Z" },
      { token },
    );
    const key = { "idempotency-key": crypto.randomUUID() };
    await real.post("/api/tasks", { title: "Once" }, { token, headers: key });
    await endSessions(person);
    const answers = [
      await real.get("/api/tasks", { token }),
      await real.get("/api/tasks", { token, headers: { "x-d1-bookmark": "first-primary" } }),
      await real.get("/api/tasks", { token, headers: { "x-d1-bookmark": "first-unconstrained" } }),
      await real.get(`/api/tasks/${task.id}`, { token }),
      await real.get(`/api/tasks/${task.id}`, { token, headers: { "if-none-match": '"1"' } }),
      await real.get("/api/tasks/999999999", { token }),
      await real.post("/api/tasks", { title: "Once" }, { token, headers: key }),
      await real.post("/api/tasks", { title: "Other" }, { token, headers: key }),
      await real.post("/api/tasks", { title: "New" }, { token }),
      await real.post("/api/tasks", { title: 7 }, { token }),
      await real.post("/api/tasks", { title: "New", emailId: 999999999 }, { token }),
      await real.patch(`/api/tasks/${task.id}`, { status: "done" }, { token, headers: { "if-match": '"99"' } }),
      await real.patch(`/api/tasks/${task.id}`, {}, { token }),
      await real.patch("/api/tasks/999999999", { status: "done" }, { token }),
      await real.delete(`/api/calendar/events/${event.id}`, { token }),
      await real.patch(`/api/calendar/events/${event.id}`, { start: "2051-01-02" }, { token }),
    ];
    const { requestId: _, ...expected } = answers[0]?.body ?? {};
    for (const answer of answers) {
      expectProblem(answer, 401, "session_revoked");
      expect(answer.body).toMatchObject(expected);
      expect(Object.keys(answer.body)).toEqual(Object.keys(answers[0]?.body));
      expect(namesOf(answer)).toEqual(namesOf(answers[0] ?? answer));
      expect(answer.headers.get("x-d1-bookmark")).toBeNull();
    }
  });

  it("of a scope does not say how far the database is, either", async () => {
    const { token } = await signedInPerson();
    const { key } = await newKey({ token }, ["tasks:read"]);
    const answer = await real.post("/api/tasks", { title: "New" }, { token: key });
    expectProblem(answer, 403, "insufficient_scope");
    expect(answer.headers.get("x-d1-bookmark")).toBeNull();
    expect((await real.get("/api/tasks/999999999", { token: key })).status).toBe(404);
  });
});

describe("a credential that is lost", () => {
  const real = service({ ACCESS_MODE: "private" });
  const ended = (table: "sessions" | "api_keys", id: number) =>
    env.DB.prepare(`UPDATE ${table} SET expires_at = 1 WHERE user_id = ?`).bind(id).run();
  const LOSSES: [string, "session" | "key", 401 | 403, (person: Person) => Promise<unknown>][] = [
    ["the session has expired", "session", 401, ({ id }) => ended("sessions", id)],
    ["the account was deleted", "session", 401, ({ id }) => env.DB.exec(`DELETE FROM users WHERE id = ${id}`)],
    ["the key's account was deleted", "key", 401, ({ id }) => env.DB.exec(`DELETE FROM users WHERE id = ${id}`)],
    ["the key has expired", "key", 401, ({ id }) => ended("api_keys", id)],
    ["the key was revoked", "key", 401, ({ id }) => env.DB.exec(`DELETE FROM api_keys WHERE user_id = ${id}`)],
    [
      "the key was rotated",
      "key",
      401,
      ({ id }) => env.DB.exec(`UPDATE api_keys SET key_hash = hex(randomblob(32)) WHERE user_id = ${id}`),
    ],
    [
      "the key has lost its scopes",
      "key",
      403,
      ({ id }) => env.DB.exec(`UPDATE api_keys SET scopes = '["emails:read"]' WHERE user_id = ${id}`),
    ],
  ];

  it.each(LOSSES)("neither reads nor writes a moment later: %s", async (_, kind, status, lose) => {
    const other = await signedInPerson();
    const { body: task } = await real.post("/api/tasks", { title: "Theirs" }, { token: other.token });
    for (const isKnown of [true, false]) {
      const person = await signedInPerson();
      const { key } = await newKey(person, ["tasks:read", "tasks:write"]);
      const token = kind === "key" ? key : person.token;
      if (isKnown) expect((await real.get(`/api/tasks/${task.id}`, { token })).status).toBe(200);
      await lose(person);
      const path = `/api/tasks/${task.id}`;
      const answers = [
        await real.get("/api/tasks", { token }),
        await real.get(path, { token }),
        await real.patch(path, { status: "done" }, { token }),
        await real.delete(path, { token }),
        await real.post("/api/tasks", { title: `Lost ${person.id}` }, { token }),
        await real.post(
          "/api/tasks",
          { title: `Lost ${person.id}` },
          { token, headers: { "idempotency-key": crypto.randomUUID() } },
        ),
      ];
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
      const lost = await env.DB.prepare("SELECT count(*) AS n FROM tasks WHERE title = ?").bind(`Lost ${person.id}`);
      expect(await lost.first("n")).toBe(0);
    }
    expect((await real.get(`/api/tasks/${task.id}`, { token: other.token })).body).toMatchObject({ status: "todo" });
  });

  it("is not accepted with the signature of a secret that the service no longer has", async () => {
    const { id } = await signedInPerson();
    const forger = systemCtx({ JWT_SECRET: "a secret that somebody has stolen long ago" });
    const { row } = newSession(forger);
    await forger.db.insert(sessions).values({ ...row, userId: id });
    const token = await signAccessToken(forger, id, row.id);
    expectProblem(await real.get("/api/tasks", { token }), 401, "unauthenticated");
    expectProblem(await real.post("/api/tasks", { title: "Forged" }, { token }), 401, "unauthenticated");
  });

  it("writes nothing after that, in a hundred interleavings of requests with several writes", async () => {
    const person = await signedInPerson();
    attack = async (ctx, c) => {
      const name = c.req.header("x-name") ?? "";
      await Promise.all([
        write(ctx.db, name),
        read(ctx).then(() => write(ctx.db, name)),
        write(ctx.db, name).then(() => write(ctx.db, name)),
      ]);
      await write(ctx.db, name);
      return name;
    };
    const race = async (round: number) => {
      const { token } = await openSession(person.id);
      const { session } = assertSession(await contextFor(token));
      const end = () =>
        env.DB.batch([
          env.DB.prepare("DELETE FROM sessions WHERE id = ?").bind(session.id),
          env.DB.prepare("INSERT INTO attack_rows VALUES (?)").bind(`end of ${session.id}`),
        ]);
      // The session ends beside one of the first batches, ahead of it or at the same time, or after all of them.
      let ending: Promise<unknown> | undefined;
      let batches = 0;
      const DB = watchDatabase(env.DB, {
        statement: passOn,
        async batch(statements, send) {
          batches += 1;
          if (batches === 1 + (round % 8)) ending = end();
          if (round % 3 === 0) await ending;
          return send(statements);
        },
      });
      const headers = { "x-name": session.id };
      const answer = await closed({ DB }).post("/api/attack", undefined, { token, headers });
      await (ending ?? end());
      return { id: session.id, status: answer.status };
    };
    const outcomes: { id: string; status: number }[] = [];
    for (let round = 0; round < 100; round += 5) {
      outcomes.push(...(await Promise.all(Array.from({ length: 5 }, (_, each) => race(round + each)))));
    }
    const rows = await written();
    for (const { id, status } of outcomes) {
      const writes = rows.flatMap((name, at) => (name === id ? [at] : []));
      expect(Math.max(-1, ...writes)).toBeLessThan(rows.indexOf(`end of ${id}`));
      expect([status, writes.length]).toEqual(status === 200 ? [200, 5] : [401, expect.any(Number)]);
    }
    const refused = outcomes.filter(({ status }) => status === 401).length;
    expect([refused > 20, refused < 80]).toEqual([true, true]);
  });
});

function assertSession({ actor }: Context) {
  if (actor.kind !== "session") throw new Error("not a session");
  return actor;
}
