import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Context } from "../../src/context.ts";
import { readCredential } from "../../src/features/auth/authenticate.ts";
import { Admission } from "../../src/http/admission/admission.ts";
import { AppError } from "../../src/lib/errors.ts";
import { type Person, setClock, signedInPerson } from "../auth/people.ts";
import { service, systemCtx } from "../harness.ts";
import { interruptBatch } from "../measured.ts";
import { until } from "../until.ts";

/* Handlers that do what no handler should rely on: swallow errors, run parts in parallel, act before they read. */

await env.DB.exec("CREATE TABLE IF NOT EXISTS admission_rows (name TEXT NOT NULL)");
beforeEach(() => env.DB.exec("DELETE FROM admission_rows"));
afterEach(() => void vi.useRealTimers());

const write = (ctx: Context, name: string) => ctx.db.run(sql`INSERT INTO admission_rows VALUES (${name})`);
const read = (ctx: Context) => ctx.db.all<{ name: string }>(sql`SELECT name FROM admission_rows`);
const written = async () =>
  (await env.DB.prepare("SELECT name FROM admission_rows ORDER BY rowid").all<{ name: string }>()).results.map(
    ({ name }) => name,
  );
const zoneOf = ({ actor }: Context) => (actor.kind === "session" ? actor.user.timeZone : null);

const moveTo = ({ id }: Person, zone: string) =>
  env.DB.prepare("UPDATE users SET time_zone = ? WHERE id = ?").bind(zone, id).run();
const endSessions = ({ id }: Person) => env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(id).run();

/** Runs a handler as the router does. */
async function run<Result>({ token }: Person, handler: (ctx: Context) => Promise<Result>): Promise<Result> {
  let ctx = systemCtx();
  const credential = await readCredential(ctx, token);
  const admission = new Admission(ctx, credential, ["tasks:write"], { isReplica: false });
  return admission.run(
    ctx,
    () => handler(ctx),
    (fresh) => {
      ctx = fresh;
    },
  );
}

/** Somebody of whom this isolate knows who they were a moment ago: their time zone was UTC. */
async function knownPerson(): Promise<Person> {
  const person = await signedInPerson();
  await run(person, async (ctx) => void (await read(ctx)));
  return person;
}

describe("a handler that swallows the refusal of its first statement", () => {
  it("writes nothing for an ended session", async () => {
    const person = await knownPerson();
    await endSessions(person);
    const outcome = run(person, async (ctx) => {
      await read(ctx).catch(() => []);
      await write(ctx, "after").catch(() => null);
      return "fine";
    });
    await expect(outcome).rejects.toMatchObject({ code: "session_revoked" });
    expect(await written()).toEqual([]);
  });

  it("writes once, and with the account as it is", async () => {
    const person = await knownPerson();
    await moveTo(person, "Asia/Tokyo");
    await run(person, async (ctx) => {
      const zone = zoneOf(ctx) ?? "";
      await read(ctx).catch(() => []);
      await write(ctx, zone).catch(() => null);
    });
    expect(await written()).toEqual(["Asia/Tokyo"]);
  });
});

describe("a handler that begins again", () => {
  it("leaves nothing behind of the parts of its first run that were still under way", async () => {
    const person = await signedInPerson();
    await run(person, async (ctx) => {
      const slow = async () => {
        await read(ctx);
        await write(ctx, "slow");
      };
      const quick = async () => void zoneOf(ctx);
      await Promise.all([slow(), quick()]);
    });
    await scheduler.wait(20);
    expect(await written()).toEqual(["slow"]);
  });

  it("decides again what it refused because of an account that has changed", async () => {
    const person = await knownPerson();
    await moveTo(person, "Asia/Tokyo");
    const outcome = run(person, async (ctx) => {
      if (zoneOf(ctx) === "UTC") throw new AppError("conflict", "Not in UTC.");
      return zoneOf(ctx);
    });
    expect(await outcome).toBe("Asia/Tokyo");
  });

  it("does not, if a part of it has already written", async () => {
    const person = await signedInPerson();
    const outcome = run(person, async (ctx) => {
      // A statement is sent when it is first awaited.
      const writing = write(ctx, "early").then(() => null);
      zoneOf(ctx);
      await writing;
    });
    await expect(outcome).rejects.toMatchObject({ code: "conflict" });
    expect(await written()).toEqual(["early"]);
  });
});

describe("a request with several writes", () => {
  it("goes on when the account changes between two of them", async () => {
    for (const person of [await signedInPerson(), await knownPerson()]) {
      await run(person, async (ctx) => {
        await write(ctx, "first");
        await moveTo(person, "Asia/Tokyo");
        await write(ctx, "second");
      });
    }
    expect(await written()).toEqual(["first", "second", "first", "second"]);
  });

  it("stops when the session ends between two of them", async () => {
    const person = await signedInPerson();
    const outcome = run(person, async (ctx) => {
      await write(ctx, "first");
      await endSessions(person);
      await write(ctx, "second").catch(() => null);
      await write(ctx, "third").catch(() => null);
    });
    await expect(outcome).rejects.toMatchObject({ code: "session_revoked" });
    expect(await written()).toEqual(["first"]);
  });

  it("may keep the actor from before its first statement", async () => {
    const person = await signedInPerson();
    const id = await run(person, async (ctx) => {
      const { actor } = ctx;
      await write(ctx, "one");
      return actor.kind === "session" ? actor.user.id : null;
    });
    expect(id).toBe(person.id);
    expect(await written()).toEqual(["one"]);
  });
});

it("notes that a session is used even if it only writes", async () => {
  const person = await knownPerson();
  const longAgo = Date.now() - 3_600_000;
  await env.DB.prepare("UPDATE sessions SET last_seen_at = ? WHERE user_id = ?").bind(longAgo, person.id).run();
  const lastSeen = () =>
    env.DB.prepare("SELECT last_seen_at FROM sessions WHERE user_id = ?").bind(person.id).first<number>("last_seen_at");
  await run(person, async (ctx) => void (await write(ctx, "at once")));
  expect(await lastSeen()).toBe(longAgo);
  setClock(Date.now() + 61_000);
  await run(person, async (ctx) => void (await write(ctx, "a minute later")));
  await until(async () => expect(await lastSeen()).toBeGreaterThan(longAgo));
});

it("does nothing irreversible before the credential is checked", async () => {
  const person = await knownPerson();
  await endSessions(person);
  let done = 0;
  const outcome = run(person, (ctx) =>
    ctx.irreversibly(async () => {
      done += 1;
    }),
  );
  await expect(outcome).rejects.toMatchObject({ code: "session_revoked" });
  expect(done).toBe(0);
});

describe("after the handler", () => {
  it("the service's own work does not end with the session", async () => {
    const person = await signedInPerson();
    const later = await run(person, async (ctx) => {
      await write(ctx, "request");
      return { work: () => write(ctx, "deferred") };
    });
    await endSessions(person);
    await later.work();
    expect(await written()).toEqual(["request", "deferred"]);
  });

  it("a write that was made is answered, and its response is kept, although the session has ended", async () => {
    const person = await signedInPerson();
    const { token } = person;
    const headers = { "idempotency-key": crypto.randomUUID() };
    const title = `Task ${crypto.randomUUID()}`;
    const DB = interruptBatch(env.DB, 3, () => endSessions(person));
    const { status } = await service({ ACCESS_MODE: "private", DB }).post("/api/tasks", { title }, { token, headers });
    expect(status).toBe(201);
    const kept = await env.DB.prepare("SELECT status FROM idempotency_keys WHERE key = ?")
      .bind(headers["idempotency-key"])
      .first("status");
    expect(kept).toBe(201);
  });
});
