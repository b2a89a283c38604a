import { env } from "cloudflare:workers";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { passOn, watchDatabase } from "../measured.ts";
import { type Account, newAccount, slot } from "./account.ts";

const SECRET = "a webhook secret";
const sign = (body: string, secret = SECRET) => bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(body)));

function deliver(account: Account, payload: object, signature?: string) {
  const raw = JSON.stringify({ triggerEvent: "BOOKING_CREATED", createdAt: "2026-11-15T10:00:00Z", payload });
  const headers = { "content-type": "application/json", "x-cal-signature-256": signature ?? sign(raw) };
  return account.client.call("POST", "/api/bookingsvc/webhook", { raw, headers });
}

describe("POST /api/bookingsvc/webhook", () => {
  it("fetches the booking it names and believes the provider, not the delivery", async () => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(1) });
    const answer = await deliver(account, { uid: booking?.uid, title: "What the delivery says", status: "CANCELLED" });
    expect(answer.body).toEqual({ received: true, duplicate: false });
    expect(await account.events()).toMatchObject([
      { bookingId: booking?.uid, title: booking?.title, status: "confirmed" },
    ]);
    const { body } = await account.client.get("/api/bookingsvc/sync/runs");
    expect(body.data).toMatchObject([{ trigger: "webhook", status: "succeeded", created: 1 }]);
  });

  it("brings both ends of a reschedule", async () => {
    const account = await newAccount();
    const [first] = await account.book({ start: slot(1) });
    await account.sync();
    const second = await account.reschedule(first?.uid ?? "", slot(5));
    await deliver(account, { uid: second.uid, rescheduleUid: first?.uid });
    const events = await account.events();
    expect(events.map(({ status }: { status: string }) => status)).toEqual(["cancelled", "confirmed"]);
    expect(events[1].rescheduledFromId).toBe(events[0].id);
  });

  it("ignores a repeated delivery", async () => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(1) });
    const answers = await Promise.all([1, 2, 3].map(() => deliver(account, { uid: booking?.uid })));
    expect(answers.map(({ body }) => body.duplicate).sort()).toEqual([false, true, true]);
    expect(await account.events()).toHaveLength(1);
  });

  it("before the sync, or after it, changes nothing more", async () => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(1) });
    await deliver(account, { uid: booking?.uid });
    expect(await account.sync()).toMatchObject({ created: 0, updated: 0 });
    await deliver(account, { uid: booking?.uid, again: true });
    const { body } = await account.client.get("/api/bookingsvc/sync/runs?limit=1");
    expect(body.data).toMatchObject([{ trigger: "webhook", created: 0, updated: 0, unchanged: 1 }]);
  });

  it.each([
    ["none", ""],
    ["the words of a sender without a secret", "no-secret-provided"],
    ["another secret's", sign("x", "another secret")],
    ["a prefixed one", `sha256=${sign("x")}`],
  ])("refuses a signature that is %s", async (_, signature) => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(1) });
    expectProblem(await deliver(account, { uid: booking?.uid }, signature), 401, "invalid_signature");
    expect(await account.events()).toEqual([]);
  });

  it("takes a delivery that names no booking, or one that is gone, without harm", async () => {
    const account = await newAccount();
    expect((await deliver(account, {})).status).toBe(200);
    expect((await deliver(account, { uid: "gone" })).status).toBe(200);
    expect(await account.events()).toEqual([]);
  });

  it("leaves no trace of a booking that was asked for when the connection ended", async () => {
    const account = await newAccount();
    const isDelivered = async () => (await env.DB.prepare("SELECT 1 FROM booking_deliveries").first()) !== null;
    await env.DB.prepare("DELETE FROM booking_deliveries").run();
    let hasEnded = false;
    const end = async () => {
      if (hasEnded || !(await isDelivered())) return;
      hasEnded = true;
      await env.DB.prepare("DELETE FROM booking_connection").run();
    };
    const DB = watchDatabase(env.DB, {
      async statement(...call) {
        await end();
        return passOn(...call);
      },
      async batch(statements, send) {
        await end();
        return send(statements);
      },
    });
    account.vars.DB = DB;
    await deliver({ ...account, client: service(account.vars) }, { uid: "of-nobody" });
    expect(hasEnded).toBe(true);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM sync_runs").first()).toEqual({ n: 0 });
  });
});
