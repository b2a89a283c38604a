import { env } from "cloudflare:workers";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { contextFor, insertCheapPerson, PASSWORD, signedInPerson } from "../auth/people.ts";
import { newAccount as newBookingAccount } from "../bookings/account.ts";
import { type Client, expectProblem, service } from "../harness.ts";
import { watchDatabase } from "../measured.ts";
import { codeAt, turnOnTwoFactor } from "../settings/people.ts";
import { connect, forgetCredentials, socialService } from "../stream/social.ts";
import { newWebhook, removeWebhooks } from "../webhooks/receiver.ts";

const NEW = {
  JWT_SECRET: "rotated-jwt-secret-0123456789-abcdefgh",
  PASSWORD_PEPPER: "rotated-pepper-0123456789-abcdefghijkl",
  ENCRYPTION_KEY: "rotated-encryption-key-0123456789-abcd",
};
const PREVIOUS = {
  JWT_SECRET_PREVIOUS: env.JWT_SECRET,
  PASSWORD_PEPPER_PREVIOUS: env.PASSWORD_PEPPER,
  ENCRYPTION_KEY_PREVIOUS: env.ENCRYPTION_KEY,
};
const DURING = { ...NEW, ...PREVIOUS };

async function empty(): Promise<void> {
  await removeWebhooks();
  await forgetCredentials();
  await env.DB.batch(["users", "booking_connection"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  await env.KV.delete("ai-key:openai");
}
beforeAll(empty);
afterAll(empty);

/** For the changes and rotations of AI keys that were noted so far. */
const tenMinutesLater = () => env.DB.prepare("UPDATE audit_log SET at = at - 600000").run();

/** Everything that depends on a secret, made under the old ones. */
async function makeEverything() {
  const owner = await signedInPerson("owner");
  const guarded = await signedInPerson();
  const { secret: totp } = await turnOnTwoFactor(guarded);
  const sleeper = await insertCheapPerson();
  const webhook = await newWebhook([], owner);
  const { body: rotated } = await service().post(`${webhook.at}/rotate-secret`, undefined, { token: owner.token });
  await webhook.know(webhook.secret, rotated.secret);
  const booking = await newBookingAccount();
  const { name } = await connect("discord");
  await service().post("/api/api-keys", { provider: "openai", key: "sk-of-the-owner" }, { token: owner.token });
  // A key that was saved a moment ago would have to wait.
  await tenMinutesLater();
  const key = await createApiKey(await contextFor(owner.token), { name: "ops", scopes: ["admin"], expiresAt: null });
  const { body: feed } = await service().post("/api/calendar/feed", undefined, { token: owner.token });
  const { body: page } = await service().get("/api/settings/security/audit-log?limit=1", { token: owner.token });
  return {
    owner,
    guarded,
    totp,
    sleeper,
    webhook,
    booking,
    streamAccount: name,
    adminKey: key.key,
    link: feed.url.slice("http://poa.test".length),
    cursor: page.nextCursor as string,
  };
}

type Everything = Awaited<ReturnType<typeof makeEverything>>;

function clientWith(vars: Partial<Env>, { booking }: Everything): Client {
  return socialService({ ...booking.vars, ...vars });
}

/** Uses every stored credential of another service, and the feed link. */
async function useEverything(client: Client, made: Everything, token: string): Promise<void> {
  const hook = JSON.stringify({ triggerEvent: "PING", payload: {}, at: crypto.randomUUID() });
  const signature = bytesToHex(hmac(sha256, utf8ToBytes("a webhook secret"), utf8ToBytes(hook)));
  const [me, types, hooked, discord, keys, sent, feed] = await Promise.all([
    client.get("/api/auth/me", { token }),
    client.get("/api/bookingsvc/event-types"),
    client.call("POST", "/api/bookingsvc/webhook", { raw: hook, headers: { "x-cal-signature-256": signature } }),
    client.post("/api/stream/credentials/discord/test"),
    client.get("/api/api-keys", { token }),
    client.post(`${made.webhook.at}/test`, undefined, { token }),
    client.get(made.link),
  ]);
  expect([me, types, hooked, discord, keys, sent, feed].map(({ status }) => status)).toEqual(Array(7).fill(200));
  expect(discord.body).toMatchObject({ ok: true });
  expect(keys.body.data[0]).toMatchObject({ provider: "openai", source: "runtime", configured: true });
  expect(sent.body).toMatchObject({ status: "delivered" });
  const received = await made.webhook.received();
  expect(received.map(({ verifiedWith }) => verifiedWith.length)).toEqual(received.map(() => 2));
}

async function signIn(client: Client, email: string) {
  const { status, body } = await client.post("/api/auth/login", { email, password: PASSWORD });
  expect(status).toBe(200);
  return body;
}

async function signInWithCode(client: Client, { guarded, totp }: Everything): Promise<void> {
  const { challengeToken } = await signIn(client, guarded.email);
  await env.DB.prepare("UPDATE users SET totp_last_step = 0 WHERE id = ?").bind(guarded.id).run();
  const answer = await client.post("/api/auth/login/2fa", { challengeToken, code: await codeAt(totp) });
  expect(answer.status).toBe(200);
}

interface Rotated {
  values: { kind: string; resealed: number; alreadyCurrent: number; waiting: number; unreadable: number }[];
  passwords: { current: number; previous: number; unknown: number };
}

async function rotate(client: Client, token: string): Promise<Rotated> {
  const values: Rotated["values"] = [];
  let after: string | undefined;
  for (;;) {
    const { status, body } = await client.post("/api/service/rotate", { after }, { token });
    expect(status).toBe(200);
    values.push(...body.values);
    if (body.next === null) return { values, passwords: body.passwords };
    after = body.next;
  }
}

const total = ({ values }: Rotated, name: "resealed" | "alreadyCurrent" | "waiting" | "unreadable") =>
  values.reduce((sum, part) => sum + part[name], 0);

describe("rotating all three secrets", () => {
  it("loses nothing under load, and the previous ones can then be removed", async () => {
    const made = await makeEverything();
    const { owner, guarded, sleeper, adminKey, cursor } = made;
    await useEverything(clientWith({}, made), made, owner.token);

    // Both secrets are there: tokens, cursors, codes and passwords of before work while the values are sealed again.
    const during = clientWith(DURING, made);
    const [first, , , owners, , refreshed, listed] = await Promise.all([
      rotate(during, adminKey),
      useEverything(during, made, owner.token),
      useEverything(during, made, owner.token),
      Promise.all([1, 2, 3].map(() => signIn(during, owner.email))),
      signInWithCode(during, made),
      during.post("/api/auth/refresh", { refreshToken: guarded.refreshToken }),
      during.get(`/api/settings/security/audit-log?limit=1&cursor=${cursor}`, { token: owner.token }),
    ]);
    expect([refreshed.status, listed.status]).toEqual([200, 200]);
    expect(total(first, "unreadable")).toBe(0);

    const second = await rotate(during, adminKey);
    expect(second.values.map(({ kind }) => kind)).toEqual([
      "two_factor",
      "webhooks",
      "bookingsvc",
      "stream",
      "ai_keys",
      "mailboxes",
    ]);
    expect([total(second, "resealed"), total(second, "waiting"), total(second, "unreadable")]).toEqual([0, 0, 0]);
    expect(total(second, "alreadyCurrent")).toBe(7);
    expect(second.passwords).toEqual({ current: 2, previous: 1, unknown: 0 });

    // The previous ones are gone. What was issued since the change, and every stored value, still works.
    const after = clientWith(NEW, made);
    await Promise.all([
      useEverything(after, made, owners[0].token),
      useEverything(after, made, owners[2].token),
      signIn(after, owner.email),
      signInWithCode(after, made),
    ]);
    const again = await after.post("/api/auth/refresh", { refreshToken: refreshed.body.refreshToken });
    expect(again.status).toBe(200);
    expectProblem(await after.get("/api/auth/me", { token: owner.token }), 401, "unauthenticated");
    // An account that never signed in since then needs a new password, and the count said so.
    const login = await after.post("/api/auth/login", { email: sleeper.email, password: PASSWORD });
    expectProblem(login, 401, "invalid_credentials");
    expect((await rotate(after, adminKey)).passwords).toEqual({ current: 2, previous: 0, unknown: 1 });
    expect((await signIn(clientWith(DURING, made), sleeper.email)).token).toEqual(expect.any(String));
  });
});

describe("a value of the previous ENCRYPTION_KEY", () => {
  const sealedKey = async () =>
    (await env.DB.prepare("SELECT api_key AS sealed FROM booking_connection").first<{ sealed: string }>())?.sealed ??
    "";

  it("is sealed again by whoever reads it, and by reads at the same time only once", async () => {
    const { vars } = await newBookingAccount();
    const before = await sealedKey();
    const client = service({ ...vars, ...DURING });
    const answers = await Promise.all([1, 2, 3].map(() => client.get("/api/bookingsvc/event-types")));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const after = await sealedKey();
    expect(after.split(".")[1]).not.toBe(before.split(".")[1]);
    expect((await service({ ...vars, ...NEW }).get("/api/bookingsvc/event-types")).status).toBe(200);
    await client.get("/api/bookingsvc/event-types");
    expect(await sealedKey()).toBe(after);
  });

  it("is read even if it cannot be stored again", async () => {
    const { vars } = await newBookingAccount();
    const before = await sealedKey();
    const DB = watchDatabase(env.DB, {
      statement(statement, method: string, args) {
        const { statement: sql } = statement as unknown as { statement: string };
        if (/^update "booking_connection"/.test(sql)) throw new Error("no disk");
        return Reflect.get(statement, method).apply(statement, args);
      },
      batch: (statements, send) => send(statements),
    });
    const answer = await service({ ...vars, ...DURING, DB }).get("/api/bookingsvc/event-types");
    expect(answer.status).toBe(200);
    expect(await sealedKey()).toBe(before);
  });

  it("does not take the place of one that was saved meanwhile", async () => {
    await connect("discord");
    const client = socialService(DURING);
    const reads = [1, 2, 3, 4].map(() => client.post("/api/stream/credentials/discord/test"));
    await connect("discord", client);
    await Promise.all(reads);
    const row = await env.DB.prepare("SELECT version FROM stream_credentials").first<{ version: number }>();
    expect(row?.version).toBeGreaterThan(1);
    const answer = await socialService(NEW).post("/api/stream/credentials/discord/test");
    expect(answer.body).toMatchObject({ ok: true });
  });

  it("is not sealed again in KV right after a change: a read there may be a minute old", async () => {
    const owner = await signedInPerson("owner");
    await tenMinutesLater();
    await service().post("/api/api-keys", { provider: "openai", key: "sk-fresh" }, { token: owner.token });
    const before = await env.KV.get("ai-key:openai");
    const client = service({ ...DURING, OWNER_EMAIL: owner.email });
    const waiting = (await rotate(client, owner.token)).values.find(({ kind }) => kind === "ai_keys");
    expect(waiting).toMatchObject({ resealed: 0, waiting: 1 });
    expect(await env.KV.get("ai-key:openai")).toBe(before);
    await tenMinutesLater();
    const later = (await rotate(client, owner.token)).values.find(({ kind }) => kind === "ai_keys");
    expect(later).toMatchObject({ resealed: 1, waiting: 0 });
  });
});

describe("an AI key that is saved or removed while a rotation runs", () => {
  /** A store that does something before it writes. */
  function interrupted(name: "put" | "delete", before: () => Promise<unknown>): KVNamespace {
    return new Proxy(env.KV, {
      get(target, member) {
        const value = Reflect.get(target, member);
        if (member !== name) return typeof value === "function" ? value.bind(target) : value;
        return async (...args: unknown[]) => {
          await before();
          return Reflect.apply(value, target, args);
        };
      },
    });
  }
  const keyOf = (result: Rotated) => result.values.find(({ kind }) => kind === "ai_keys");

  async function savedKey() {
    const owner = await signedInPerson("owner");
    const vars = { ...DURING, OWNER_EMAIL: owner.email };
    const save = (client: Client, key: string) =>
      client.post("/api/api-keys", { provider: "openai", key }, { token: owner.token });
    await tenMinutesLater();
    await save(service(), "sk-of-before");
    await tenMinutesLater();
    return { owner, vars, save };
  }

  it("is refused while the old one is being written, and the old one never comes back", async () => {
    const { owner, vars, save } = await savedKey();
    const during: Awaited<ReturnType<typeof save>>[] = [];
    const KV = interrupted("put", async () => during.push(await save(service(vars), "sk-of-afterwards")));
    expect(keyOf(await rotate(service({ ...vars, KV }), owner.token))).toMatchObject({ resealed: 1 });
    expect(during).toHaveLength(1);
    for (const answer of during) expectProblem(answer, 503, "unavailable");
    await tenMinutesLater();
    expect((await save(service(vars), "sk-of-afterwards")).status).toBe(200);
  });

  it.each(["put", "delete"] as const)("is not undone by a rotation that runs before its %s has ended", async (name) => {
    const { owner, vars, save } = await savedKey();
    const rotated: Rotated[] = [];
    const KV = interrupted(name, async () => rotated.push(await rotate(service(vars), owner.token)));
    const client = service({ ...vars, KV });
    if (name === "put") await save(client, "sk-of-afterwards");
    else await client.delete("/api/api-keys/openai", { token: owner.token });
    expect(rotated.map(keyOf)).toMatchObject([{ resealed: 0, waiting: 1 }]);
  });
});

describe("POST /api/service/rotate", () => {
  it("is the owner's, and refuses a position that it did not give", async () => {
    const owner = await signedInPerson("owner");
    const member = await signedInPerson();
    const client = service({ OWNER_EMAIL: owner.email });
    expectProblem(await client.post("/api/service/rotate", {}), 401, "unauthenticated");
    expectProblem(await client.post("/api/service/rotate", {}, { token: member.token }), 403, "forbidden");
    for (const after of ["", "nowhere.1", "webhooks", "webhooks.-1", "two_factor.1; DROP"]) {
      const answer = await client.post("/api/service/rotate", { after }, { token: owner.token });
      expectProblem(answer, 422, "validation_failed");
    }
  });

  it("goes through many values in several calls, and forgets none", async () => {
    await env.DB.prepare("DELETE FROM users").run();
    const owner = await signedInPerson("owner");
    const { id } = await newWebhook([], owner);
    await env.DB.prepare(
      `INSERT INTO webhook_endpoints (user_id, url, event_types, enabled, secret, version, created_at, updated_at)
       SELECT user_id, url, event_types, 0, secret, 1, 0, 0 FROM webhook_endpoints, json_each(?) WHERE webhook_endpoints.id = ?`,
    )
      .bind(JSON.stringify(Array(249).fill(0)), id)
      .run();
    const client = service({ ...DURING, OWNER_EMAIL: owner.email });
    const sum = (result: Rotated, name: "resealed" | "alreadyCurrent") =>
      result.values.filter(({ kind }) => kind === "webhooks").reduce((all, part) => all + part[name], 0);
    expect(sum(await rotate(client, owner.token), "resealed")).toBe(250);
    expect(sum(await rotate(client, owner.token), "alreadyCurrent")).toBe(250);
  });
});

describe("a previous secret", () => {
  it("may also be the next one: an instance that learns late of the swap accepts what the others made", async () => {
    const { vars } = await newBookingAccount();
    const { email } = await insertCheapPerson();
    const { JWT_SECRET, PASSWORD_PEPPER, ENCRYPTION_KEY } = NEW;
    const next = { JWT_SECRET_PREVIOUS: JWT_SECRET, PASSWORD_PEPPER_PREVIOUS: PASSWORD_PEPPER };
    const late = service({ ...vars, ...next, ENCRYPTION_KEY_PREVIOUS: ENCRYPTION_KEY });
    const swapped = service({ ...vars, ...DURING });
    expect((await swapped.get("/api/bookingsvc/event-types")).status).toBe(200);
    const { token, refreshToken } = await signIn(swapped, email);
    expect((await late.get("/api/bookingsvc/event-types")).status).toBe(200);
    expect((await late.get("/api/auth/me", { token })).status).toBe(200);
    expect((await late.post("/api/auth/refresh", { refreshToken })).status).toBe(200);
    await signIn(late, email);
    await signIn(swapped, email);
  });

  it("is reported when it is weak or the same as the current one, and not used", async () => {
    const { ENCRYPTION_KEY, PASSWORD_PEPPER } = env;
    const vars = { ENCRYPTION_KEY_PREVIOUS: ENCRYPTION_KEY, PASSWORD_PEPPER_PREVIOUS: "short", ENCRYPTION_KEY };
    const { text } = await service({ ...vars, PASSWORD_PEPPER }).get("/api/health");
    expect(text).toContain("ENCRYPTION_KEY_PREVIOUS is the same as ENCRYPTION_KEY");
    expect(text).toContain("PASSWORD_PEPPER_PREVIOUS is shorter than 32 bytes");
    expect(text).not.toContain(ENCRYPTION_KEY);
    const { email } = await insertCheapPerson();
    await signIn(service(vars), email);
  });

  it("verifies a token, and an unknown one does not", async () => {
    const { token, refreshToken } = await signedInPerson();
    const old = env.JWT_SECRET;
    const rotated = service({ JWT_SECRET: NEW.JWT_SECRET, JWT_SECRET_PREVIOUS: old });
    const twice = service({
      JWT_SECRET: "a third jwt secret 0123456789 abcdefgh",
      JWT_SECRET_PREVIOUS: NEW.JWT_SECRET,
    });
    expect((await rotated.get("/api/auth/me", { token })).status).toBe(200);
    expectProblem(await twice.get("/api/auth/me", { token }), 401, "unauthenticated");
    expectProblem(await twice.post("/api/auth/refresh", { refreshToken }), 401, "unauthenticated");
    expect((await rotated.post("/api/auth/refresh", { refreshToken })).status).toBe(200);
  });
});
