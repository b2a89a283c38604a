import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { loadFiredAlerts } from "../../src/features/ai-models/tokens/alerts.ts";
import { countRows, signedInPerson } from "../auth/people.ts";
import { emptyTill } from "../billing/shop.ts";
import { expectProblem, service, systemCtx } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { BUILTIN, call } from "./recorded.ts";

beforeEach(emptyTill);
afterEach(emptyTill);

const client = service();

async function get(path: string, token: string) {
  return (await client.get(`/api/settings/tokens/${path}`, { token })).body;
}

function outbox() {
  const sent: EmailMessageBuilder[] = [];
  const send = async (mail: EmailMessageBuilder) => ({ messageId: `sent-${sent.push(mail)}` });
  const EMAIL = { send } as unknown as NonNullable<Env["EMAIL"]>;
  return { sent, vars: { EMAIL, MAIL_FROM: "assistant@example.org" } };
}

describe("alerts", () => {
  const add = async (token: string, alert: object) => client.post("/api/settings/tokens/alerts", alert, { token });

  it("can be made, listed, changed with their version, and deleted", async () => {
    const { token } = await signedInPerson("member");
    const made = await add(token, { unit: "percent", threshold: 80 });
    expect(made.status).toBe(201);
    expect(made.headers.get("etag")).toBe('"1"');
    expect(made.body).toMatchObject({
      unit: "percent",
      threshold: 80,
      period: "month",
      enabled: true,
      lastFired: null,
    });
    const path = `/api/settings/tokens/alerts/${made.body.id}`;
    const changed = await client.patch(path, { threshold: 90 }, { token, headers: { "if-match": '"1"' } });
    expect(changed.body).toMatchObject({ threshold: 90, version: 2 });
    expectProblem(
      await client.patch(path, { threshold: 70 }, { token, headers: { "if-match": '"1"' } }),
      412,
      "version_conflict",
    );
    expectProblem(await client.patch(path, {}, { token }), 422, "nothing_to_update");
    expect((await get("alerts", token)).data).toEqual([changed.body]);
    expectProblem(await client.delete(path, { token, headers: { "if-match": '"1"' } }), 412, "version_conflict");
    expect((await client.delete(path, { token })).status).toBe(204);
    expectProblem(await client.delete(path, { token }), 404, "not_found");
  });

  it("changed at once by writers who name no version end as the last of them says", async () => {
    const { token } = await signedInPerson("member");
    const { body } = await add(token, { unit: "tokens", threshold: 10 });
    const path = `/api/settings/tokens/alerts/${body.id}`;
    const answers = await Promise.all(
      [11, 12, 13, 14].map((threshold) => client.patch(path, { threshold }, { token })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const last = answers.find(({ body: alert }) => alert.version === 5);
    expect((await get("alerts", token)).data).toEqual([last?.body]);
  });

  it("are each person's own", async () => {
    const ann = await signedInPerson("member");
    const bob = await signedInPerson("owner");
    const { body } = await add(ann.token, { unit: "tokens", threshold: 10 });
    const path = `/api/settings/tokens/alerts/${body.id}`;
    expect((await get("alerts", bob.token)).data).toEqual([]);
    expectProblem(await client.patch(path, { enabled: false }, { token: bob.token }), 404, "not_found");
    expectProblem(await client.delete(path, { token: bob.token }), 404, "not_found");
  });

  it.each([
    { unit: "percent", threshold: 101 },
    { unit: "percent", threshold: 0 },
    { unit: "tokens", threshold: 1.5 },
    { unit: "euros", threshold: 5 },
    { threshold: 5 },
  ])("refuse %j", async (alert) => {
    expectProblem(await add((await signedInPerson("member")).token, alert), 422, "validation_failed");
  });

  it("refuse a percentage past 100 also when the unit is changed alone", async () => {
    const { token } = await signedInPerson("member");
    const { body } = await add(token, { unit: "tokens", threshold: 5000 });
    const answer = await client.patch(`/api/settings/tokens/alerts/${body.id}`, { unit: "percent" }, { token });
    expectProblem(answer, 422, "validation_failed");
  });

  it("exist once for a threshold, and twenty a person, also when asked for at once", async () => {
    const { token } = await signedInPerson("member");
    const same = await Promise.all([1, 2, 3].map(() => add(token, { unit: "tokens", threshold: 1 })));
    expect(same.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const many = await Promise.all(
      Array.from({ length: 24 }, (_, n) => add(token, { unit: "tokens", threshold: n + 2 })),
    );
    expect(many.filter(({ status }) => status === 201)).toHaveLength(19);
    expectProblem(await add(token, { unit: "tokens", threshold: 99 }), 409, "conflict");
  });

  it("fire once a month, as a mail to their person, right after the call that reaches them", async () => {
    const mail = outbox();
    const person = await signedInPerson("owner");
    await client.put("/api/settings/tokens/budget", { monthlyLimit: 1000 }, { token: person.token });
    await add(person.token, { unit: "percent", threshold: 80 });
    await call(799, { vars: mail.vars });
    expect(mail.sent).toEqual([]);
    await Promise.all(Array.from({ length: 8 }, () => call(10, { vars: mail.vars })));
    expect(mail.sent).toHaveLength(1);
    expect(mail.sent[0]).toMatchObject({ subject: "80% of the month's AI tokens used" });
    expect(JSON.stringify(mail.sent[0]?.to)).toContain(person.email);
    const { data } = await get("alerts", person.token);
    expect(data[0].lastFired).toMatchObject({ used: 809, limit: 1000 });
    expect(data[0].version).toBe(1);
    const next = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 3));
    await call(10, { vars: mail.vars, now: next });
    expect(mail.sent).toHaveLength(1);
    await call(800, { vars: mail.vars, now: next });
    expect(mail.sent).toHaveLength(2);
  });

  it("may fire again in the month when the threshold is moved, and never while they are off", async () => {
    const mail = outbox();
    const { token } = await signedInPerson("member");
    const { body } = await add(token, { unit: "tokens", threshold: 100 });
    const path = `/api/settings/tokens/alerts/${body.id}`;
    await call(150, { vars: mail.vars });
    expect(mail.sent).toMatchObject([{ subject: "100 AI tokens used" }]);
    await client.patch(path, { threshold: 200, enabled: false }, { token });
    await call(100, { vars: mail.vars });
    expect(mail.sent).toHaveLength(1);
    await client.patch(path, { enabled: true }, { token });
    await call(1, { vars: mail.vars });
    expect(mail.sent).toHaveLength(2);
  });

  it("in percent wait for a limit, and take the plan's where the owner has set none", async () => {
    const mail = outbox();
    const { token } = await signedInPerson("member");
    await add(token, { unit: "percent", threshold: 50 });
    await call(60_000, { vars: mail.vars });
    expect(mail.sent).toEqual([]);
    const shopVars = { STRIPE_SECRET_KEY: "sk_test_unused", ...mail.vars };
    await call(1, { vars: shopVars });
    expect(mail.sent).toMatchObject([{ text: expect.stringMatching(/Used this month: 60,001\nLimit: 100,000/) }]);
  });

  it("leave one outbound event, while somebody listens", async () => {
    const person = await signedInPerson("member");
    const events = () => countRows("outbox", "type = 'tokens.alert'");
    const before = await events();
    await add(person.token, { unit: "tokens", threshold: 10 });
    await call(10);
    expect(await events()).toBe(before);
    const { body } = await add(person.token, { unit: "tokens", threshold: 20 });
    await env.DB.prepare(
      "INSERT INTO webhook_endpoints (user_id, url, event_types, secret, enabled, version, created_at, updated_at) VALUES (?, 'https://x.example', '[]', 's', 1, 1, 0, 0)",
    )
      .bind(person.id)
      .run();
    await Promise.all([call(10), call(10), call(10)]);
    await env.DB.prepare("DELETE FROM webhook_endpoints WHERE user_id = ?").bind(person.id).run();
    expect(await events()).toBe(before + 1);
    expect(await countRows("outbox", "type = 'tokens.alert' AND record_id = ?", String(body.id))).toBe(1);
    expect(await loadFiredAlerts(systemCtx(), [body.id, 999_999_999])).toMatchObject([
      { id: body.id, userId: person.id, threshold: 20, lastFired: { used: 20, limit: null } },
    ]);
    await env.DB.prepare("DELETE FROM outbox WHERE type = 'tokens.alert'").run();
  });

  it("cost a call nothing while there are none: one round trip", async () => {
    const counted = countStatements(env.DB);
    await call(10, { vars: { DB: counted.db } });
    expect(counted.taken()).toEqual({ roundTrips: 1, statements: 2 });
    await call(0, { vars: { DB: counted.db }, engine: { ...BUILTIN, fallbackReason: null } });
    expect(counted.taken()).toEqual({ roundTrips: 1, statements: 1 });
  });
});
