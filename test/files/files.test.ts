import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { deleteFiles } from "../../src/features/files/service.ts";
import { runSchedule } from "../../src/schedule.ts";
import { countRows, PASSWORD, type Person, setClock } from "../auth/people.ts";
import { expectErrorLog, expectProblem, service } from "../harness.ts";
import { interruptBatch, watchDatabase } from "../measured.ts";
import { signedInPerson } from "../settings/people.ts";
import { asSystem } from "../webhooks/receiver.ts";

const PATH = "/api/settings/profile/avatar";
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HOUR_MS = 3_600_000;

let person: Person;
beforeEach(async () => {
  await env.DB.exec("DELETE FROM files_to_delete");
  person = await signedInPerson();
});
afterEach(() => void vi.useRealTimers());

/** A store of which some members fail. */
function failing(...names: (keyof KVNamespace)[]): Pick<Env, "KV"> {
  const fail = () => Promise.reject(new Error("the store is down"));
  const KV = new Proxy(env.KV, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (names.some((each) => each === name)) return fail;
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { KV };
}

const upload = (vars: Partial<Env> = {}, headers = {}) =>
  service(vars).post(PATH, undefined, {
    token: person.token,
    raw: PNG,
    headers: { "content-type": "image/png", ...headers },
  });
const remove = (vars: Partial<Env> = {}) => {
  const raw = JSON.stringify({ confirm: person.email, currentPassword: PASSWORD });
  const headers = { "content-type": "application/json" };
  return service(vars).delete("/api/settings/account", { token: person.token, raw, headers });
};
const stored = async () => (await env.KV.list({ prefix: `avatar:${person.id}:` })).keys.length;
const noted = () => countRows("files_to_delete", "1");
const cron = (vars: Partial<Env> = {}) => asSystem((ctx) => runSchedule("*/15 * * * *", ctx), vars);

describe("an uploaded avatar", () => {
  it("is kept, and nothing is noted for deletion", async () => {
    expect((await upload()).status).toBe(200);
    expect({ stored: await stored(), noted: await noted() }).toEqual({ stored: 1, noted: 0 });
    setClock(Date.now() + 2 * HOUR_MS);
    await cron();
    expect(await stored()).toBe(1);
  });

  it.each([
    ["replaced", () => upload(failing("delete"))],
    [
      "replaced by a link",
      () => service(failing("delete")).post(PATH, { url: "https://example.com/a.png" }, { token: person.token }),
    ],
    ["removed", () => service(failing("delete")).delete(PATH, { token: person.token })],
    ["deleted with the account", () => remove(failing("delete"))],
  ])("that is %s goes at the next cron when the store is down, and the request works all the same", async (_, act) => {
    await upload();
    const before = await stored();
    const { status } = await act();
    expect([200, 204]).toContain(status);
    expect(await noted()).toBe(1);
    expectErrorLog("job_failed");
    await cron(failing("delete"));
    expect(await noted()).toBe(1);
    await cron();
    expect(await noted()).toBe(0);
    expect(await stored()).toBe(
      (await countRows("profiles", "user_id = ? AND avatar ->> 'kind' = 'image'", person.id)) * before,
    );
  });

  it("goes with the account when every call to the store fails", async () => {
    await upload();
    expect((await remove(failing("get", "put", "list", "delete"))).status).toBe(204);
    expect(await stored()).toBe(1);
    await cron();
    expect({ stored: await stored(), noted: await noted() }).toEqual({ stored: 0, noted: 0 });
  });

  it("goes at once while the store works", async () => {
    await upload();
    expect((await remove()).status).toBe(204);
    expect({ stored: await stored(), noted: await noted() }).toEqual({ stored: 0, noted: 0 });
  });

  it("whose request is cut off between the store and the database leaves nothing behind", async () => {
    // The Worker dies: neither the batch that refers to the file nor anything after it runs.
    const dead = new Error("the Worker died");
    const DB = new Proxy(env.DB, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (name === "batch") return () => Promise.reject(dead);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    expectErrorLog("request_failed");
    expect((await upload({ DB, ...failing("delete") })).status).toBe(500);
    expect(await stored()).toBe(1);
    await env.DB.prepare("UPDATE files_to_delete SET due_at = ?")
      .bind(Date.now() + HOUR_MS)
      .run();
    await cron();
    expect(await stored()).toBe(1);
    setClock(Date.now() + HOUR_MS + 1000);
    await cron();
    expect({ stored: await stored(), noted: await noted() }).toEqual({ stored: 0, noted: 0 });
  });

  it("stays if it was stored but the database's confirmation was lost", async () => {
    const DB = watchDatabase(env.DB, {
      statement: (statement, method: string, args) => Reflect.get(statement, method).apply(statement, args),
      async batch(statements, send) {
        await send(statements);
        throw new Error("the connection was lost");
      },
    });
    expectErrorLog("request_failed");
    expect((await upload({ DB })).status).toBe(500);
    await cron();
    expect({ stored: await stored(), noted: await noted() }).toEqual({ stored: 1, noted: 0 });
    expect((await service().get(PATH, { token: person.token })).status).toBe(200);
  });

  it("that is refused because the profile has changed is deleted again", async () => {
    expectProblem(await upload({}, { "if-match": '"99"' }), 412, "version_conflict");
    expect({ stored: await stored(), noted: await noted() }).toEqual({ stored: 0, noted: 0 });
  });

  it("that the store does not accept is a clear error, and nothing is changed", async () => {
    expectErrorLog("avatar_not_stored");
    expectProblem(await upload(failing("put")), 503, "unavailable");
    expect(await noted()).toBe(0);
    expectProblem(await service().get(PATH, { token: person.token }), 404, "not_found");
  });

  it("that takes longer than its hour is refused instead of being shown and then deleted", async () => {
    const late = interruptBatch(env.DB, 1, () => env.DB.prepare("UPDATE files_to_delete SET due_at = 1").run());
    expectProblem(await upload({ DB: late }), 503, "unavailable");
    expect({ stored: await stored(), noted: await noted() }).toEqual({ stored: 0, noted: 0 });
  });

  it("is one for each person after uploads at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload()));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await cron();
    expect({ stored: await stored(), noted: await noted() }).toEqual({ stored: 1, noted: 0 });
    expect((await service().get(PATH, { token: person.token })).status).toBe(200);
  });
});

describe("deleting the last account", () => {
  it("empties the store too: at once, or at the next cron when the store is down", async () => {
    await env.DB.exec("DELETE FROM users");
    person = await signedInPerson("owner");
    await upload();
    await env.KV.put("ai-key:openai", "sealed");
    expect((await remove(failing("get", "put", "list", "delete"))).status).toBe(204);
    expect((await env.KV.list()).keys).toHaveLength(2);
    await cron();
    expect((await env.KV.list()).keys).toEqual([]);
  });

  it("does not delete an AI key that the next owner saves meanwhile", async () => {
    await env.DB.exec("DELETE FROM users");
    person = await signedInPerson("owner");
    await remove(failing("delete"));
    person = await signedInPerson("owner");
    const saved = await service().post(
      "/api/api-keys",
      { provider: "openai", key: "sk-0123456789" },
      { token: person.token },
    );
    expect(saved.status).toBe(201);
    await cron();
    expect((await env.KV.list({ prefix: "ai-key:" })).keys).toHaveLength(1);
  });
});

it("a key that is being deleted cannot be saved until it is gone, so that the new one is not deleted", async () => {
  await env.DB.exec("DELETE FROM users");
  person = await signedInPerson("owner");
  await env.KV.put("ai-key:openai", "sealed");
  await remove(failing("delete"));
  person = await signedInPerson("owner");
  const body = { provider: "openai", key: "sk-0123456789" };
  const save = () => service().post("/api/api-keys", body, { token: person.token });
  const during: Awaited<ReturnType<typeof save>>[] = [];
  const KV = new Proxy(env.KV, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (name !== "delete") return typeof member === "function" ? member.bind(target) : member;
      return async (key: string) => {
        if (key === "ai-key:openai") during.push(await save());
        return target.delete(key);
      };
    },
  });
  await asSystem(deleteFiles, { KV });
  expect(during).toHaveLength(1);
  for (const answer of during) expectProblem(answer, 503, "unavailable");
  expect((await save()).status).toBe(201);
  await cron();
  expect((await env.KV.list({ prefix: "ai-key:" })).keys).toHaveLength(1);
});

it("many files are deleted round by round, until the job is asked to stop", async () => {
  const keys = Array.from({ length: 120 }, (_, n) => `avatar:0:${n}`);
  await env.DB.prepare("INSERT INTO files_to_delete (key, store, due_at) SELECT value, 'kv', 0 FROM json_each(?)")
    .bind(JSON.stringify(keys))
    .run();
  await asSystem((ctx) => deleteFiles({ ...ctx, signal: AbortSignal.abort() }));
  expect(await noted()).toBe(120);
  await asSystem(deleteFiles);
  expect(await noted()).toBe(0);
});
