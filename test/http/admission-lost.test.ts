import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { sessions } from "../../src/db/schema/auth.ts";
import { newSession } from "../../src/features/auth/sessions/service.ts";
import { signAccessToken } from "../../src/features/auth/sessions/tokens.ts";
import { contextFor, openSession, type Person, signedInPerson } from "../auth/people.ts";
import { expectProblem, service, systemCtx } from "../harness.ts";
import { passOn, watchDatabase } from "../measured.ts";
import { type Attack, clearRows, newKey, read, send, write, written } from "./attack.ts";

beforeEach(clearRows);

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
    const severalWrites: Attack = async (ctx, c) => {
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
      const answer = await send(severalWrites, token, headers, { DB });
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
