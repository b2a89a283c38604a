import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { expectProblem } from "../harness.ts";
import { newAccount } from "./account.ts";

const PATH = "/api/bookingsvc/settings";

/** The owner's token and an account of the fake provider that is not connected yet. */
async function freshOwner() {
  const account = await newAccount();
  await env.DB.batch(["DELETE FROM booking_connection", "DELETE FROM users"].map((sql) => env.DB.prepare(sql)));
  const { token } = await signedInPerson("owner");
  return { account, token, client: account.client, key: account.key };
}

describe("the booking provider's settings", () => {
  let owner: Awaited<ReturnType<typeof freshOwner>>;
  beforeEach(async () => {
    owner = await freshOwner();
  });

  it("say that nothing is configured at first, and refuse to sync", async () => {
    const { client, token } = owner;
    const { body } = await client.get(PATH, { token });
    expect(body).toMatchObject({ status: "not_configured", account: null, webhookConfigured: false, lastSync: null });
    expectProblem(await client.post("/api/bookingsvc/sync"), 409, "bookingsvc_not_configured");
    expectProblem(await client.get("/api/bookingsvc/event-types"), 409, "bookingsvc_not_configured");
  });

  it("take a key that the provider accepts, and never show it", async () => {
    const { client, token, key } = owner;
    const saved = await client.post(PATH, { apiKey: key, webhookSecret: "a webhook secret" }, { token });
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject({
      status: "connected",
      account: { email: "jane@example.com", name: "Jane Roe", timeZone: "Europe/Paris" },
      webhookConfigured: true,
    });
    const stored = await env.DB.prepare("SELECT * FROM booking_connection").first();
    for (const text of [saved.text, (await client.get(PATH, { token })).text, JSON.stringify(stored)]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain("a webhook secret");
    }
  });

  it("store the account's time zone only if it is a real one", async () => {
    const { client, token, key } = owner;
    const me = { status: "success", data: { email: "jane@example.com", timeZone: "Mars/Olympus" } };
    const fetching = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(me));
    const saved = await client.post(PATH, { apiKey: key }, { token });
    fetching.mockRestore();
    expect(saved.body.account).toMatchObject({ email: "jane@example.com", timeZone: "UTC" });
  });

  it("refuse a key that the provider refuses, and keep the one before", async () => {
    const { client, token, key } = owner;
    await client.post(PATH, { apiKey: key }, { token });
    expectProblem(await client.post(PATH, { apiKey: "cal_wrong" }, { token }), 422, "invalid_api_key");
    expect((await client.get(PATH, { token })).body.status).toBe("connected");
    expect((await client.post("/api/bookingsvc/sync")).status).toBe(200);
  });

  it("save a key as unverified while the provider cannot be reached", async () => {
    const { account, client, token, key } = owner;
    await account.faults({ kind: "500" });
    const { status, body } = await client.post(PATH, { apiKey: key }, { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "unverified", account: null });
    await account.faults();
    await client.post("/api/bookingsvc/sync");
    expect((await client.get(PATH, { token })).body.status).toBe("connected");
  });

  it("forget the key, and keep what was synced", async () => {
    const { account, client, token, key } = owner;
    await account.book({ start: new Date(Date.now() + 3_600_000) });
    await client.post(PATH, { apiKey: key }, { token });
    await client.post("/api/bookingsvc/sync");
    expect((await client.delete(PATH, { token })).status).toBe(204);
    expect((await client.get(PATH, { token })).body.status).toBe("not_configured");
    expect(await account.events()).toHaveLength(1);
  });

  it("belong to the owner", async () => {
    const { client } = owner;
    const member = await signedInPerson();
    for (const method of ["GET", "POST", "DELETE"]) {
      expectProblem(await client.call(method, PATH), 401, "unauthenticated");
      expectProblem(await client.call(method, PATH, { token: member.token }), 403, "forbidden");
    }
  });

  it("want a key", async () => {
    const { client, token } = owner;
    expectProblem(await client.post(PATH, {}, { token }), 422, "validation_failed");
  });
});

describe("GET /api/bookingsvc/event-types", () => {
  it("lists what the provider has, asked for in its own version of the wire", async () => {
    const account = await newAccount();
    const { body } = await account.client.get("/api/bookingsvc/event-types");
    expect(body.data).toHaveLength(3);
    expect(body.data[0]).toMatchObject({ id: 782986, slug: "30min", durationMinutes: 30, hidden: false });
  });
});

describe("GET /api/bookingsvc/sync/runs", () => {
  it("pages through the runs, newest first", async () => {
    const account = await newAccount();
    for (let n = 0; n < 3; n++) await account.sync();
    const first = await account.client.get("/api/bookingsvc/sync/runs?limit=2");
    const second = await account.client.get(`/api/bookingsvc/sync/runs?limit=2&cursor=${first.body.nextCursor}`);
    const runs = [...first.body.data, ...second.body.data];
    expect(runs).toHaveLength(3);
    expect(second.body.nextCursor).toBeNull();
    expect(runs.at(-1)).toMatchObject({ mode: "full", status: "succeeded" });
    expect(runs[0]).toMatchObject({ mode: "incremental" });
  });
});
