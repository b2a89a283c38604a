import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { openSession, signedInPerson } from "../auth/people.ts";
import { invited, mailbox } from "../calendar/responding.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { interruptBatch, passOn, watchDatabase } from "../measured.ts";
import { clearRows, endSessions, knownPerson, moveTo, newKey, read, send, write, written, zoneOf } from "./attack.ts";

beforeEach(clearRows);

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
