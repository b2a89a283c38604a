import { env } from "cloudflare:workers";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { connected, oauth } from "../mcp/connecting.ts";
import { codeAt, mailbox, newSubscription, turnOnTwoFactor } from "../settings/people.ts";
import { auditActions, countRows, openSession, PASSWORD, type Person, signedInPerson } from "./people.ts";

/* What a change or a reset of the password ends, and what the first holder of an address leaves to its real one. */

const client = service();
const NEW_PASSWORD = "a brand new passphrase";
const SECURITY = "/api/settings/security";
const PUSH = "/api/settings/notifications/push";

const change = ({ token }: Person, revokeOthers: boolean) =>
  client.post(
    `${SECURITY}/password`,
    { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, revokeOthers },
    { token },
  );

async function reset({ email }: Person) {
  const mail = mailbox();
  const told = service(mail.vars);
  await told.post("/api/auth/password/forgot", { email });
  const [asked] = mail.sent;
  const answer = await told.post("/api/auth/password/reset", { token: mail.token(), password: NEW_PASSWORD });
  expect(answer.status, answer.text).toBe(204);
  return { asked: asked?.text ?? "", told: mail.sent.at(-1)?.text ?? "" };
}

const verify = ({ id }: Person) => env.DB.prepare("UPDATE users SET email_verified_at = 1 WHERE id = ?").bind(id).run();

const subscribe = async (token: string, name: string) =>
  client.post(PUSH, { ...(await newSubscription(crypto.randomUUID())), name }, { token });

const devices = async (token: string): Promise<string[]> =>
  (await client.get(PUSH, { token })).body.data.map(({ name }: { name: string }) => name);

describe("a push device", () => {
  it("ends with the session that added it, however that ends", async () => {
    const person = await signedInPerson();
    const { id, token } = person;
    await subscribe(token, "mine");
    const other = async (name: string) => {
      const session = await openSession(id);
      await subscribe(session.token, name);
      expect(await devices(token)).toContain(name);
      return session;
    };
    await client.post("/api/auth/logout", undefined, { token: (await other("signed out")).token });
    expect(await devices(token)).toEqual(["mine"]);
    await other("ended");
    await client.delete(`${SECURITY}/sessions`, { token });
    expect(await devices(token)).toEqual(["mine"]);
    await other("password changed");
    await change(person, true);
    expect(await devices(token)).toEqual(["mine"]);
  });

  it("is in the audit log as deleted only if it was", async () => {
    const { id, token } = await signedInPerson();
    const { body } = await subscribe(token, "phone");
    expectProblem(await client.delete(`${PUSH}/999999`, { token }), 404, "not_found");
    expect(await auditActions(id)).not.toContain("push.unsubscribed");
    expect((await client.delete(`${PUSH}/${body.id}`, { token })).status).toBe(204);
    expect(await auditActions(id)).toContain("push.unsubscribed");
  });
});

describe("a reset of the password", () => {
  it("ends sessions, agents, webhooks and devices of a verified account, says which, and keeps the rest", async () => {
    const server = oauth();
    const { person } = await connected(server);
    const { id, token, email } = person;
    await verify(person);
    await subscribe(token, "Old phone");
    await client.post("/api/settings/webhooks", { url: "https://hooks.example.com/poa" }, { token });
    await client.post(`${SECURITY}/api-keys`, { name: "robot", scopes: ["tasks:read"] }, { token });
    const { secret } = await turnOnTwoFactor(person);
    const { told } = await reset(person);
    for (const table of ["sessions", "push_subscriptions", "webhook_endpoints", "oauth_grants"]) {
      expect(await countRows(table, "user_id = ?", id), table).toBe(0);
    }
    for (const name of ['"Desk"', "hooks.example.com", '"Old phone"', "API keys still work"])
      expect(told).toContain(name);
    expect(await countRows("api_keys", "user_id = ?", id)).toBe(1);
    const { body } = await client.post("/api/auth/login", { email, password: NEW_PASSWORD });
    expect(body.twoFactorRequired).toBe(true);
    const code = await codeAt(secret);
    expect(
      (await client.post("/api/auth/login/2fa", { ...body, twoFactorRequired: undefined, expiresIn: undefined, code }))
        .status,
    ).toBe(200);
  });

  it("of an unverified account leaves nothing of its first holder: not one row that refers to them", async () => {
    const squatter = await signedInPerson();
    const { id, token, email } = squatter;
    await client.post(`${SECURITY}/api-keys`, { name: "robot", scopes: ["tasks:read"] }, { token });
    await client.post("/api/settings/webhooks", { url: "https://evil.example.com/hook" }, { token });
    await subscribe(token, "squatter");
    const identity = { name: "Me", address: "me@example.com", replyTo: "attacker@evil.example", isDefault: true };
    await client.post("/api/emails/identities", identity, { token });
    await client.patch("/api/settings/profile", { bio: "left by the squatter" }, { token });
    await client.post("/api/ai/chat", { message: "remind me to leave" }, { token });
    await turnOnTwoFactor(squatter);
    // A row in every table that refers to an account, whatever it is for: also those of features to come.
    expect(REFERRING.length).toBeGreaterThan(15);
    for (const table of REFERRING) await fill(table, id);
    const { asked, told } = await reset(squatter);
    expect(asked).toContain("never verified");
    expect(told).toContain("never been verified");
    const left: Record<string, number> = {};
    for (const { name, column } of REFERRING) {
      const rows = await countRows(name, `${column} = ?`, id);
      if (rows > 0) left[name] = rows;
    }
    // The log of what happened stays, and a profile and preferences are there again, as for a new account.
    expect(left).toEqual({ audit_log: expect.any(Number), profiles: 1, notification_preferences: 1 });
    expect(await auditActions(id)).toEqual(expect.arrayContaining(["api_key.created", "password.reset"]));
    const { body } = await client.post("/api/auth/login", { email, password: NEW_PASSWORD });
    expect(body.user).toMatchObject({ id, email });
    const { body: profile } = await client.get("/api/settings/profile", { token: body.token });
    expect([profile.bio, profile.emailVerified ?? true]).toEqual([null, true]);
  });

  it("keeps the role and the other accounts, and leaves no account that stood in meanwhile", async () => {
    const owner = await signedInPerson("owner");
    const people = await countRows("users", "1");
    await reset(owner);
    expect(await countRows("users", "1")).toBe(people);
    expect(await countRows("users", "id = ? AND role = 'owner' AND email_verified_at IS NOT NULL", owner.id)).toBe(1);
    expect(await countRows("users", "email NOT LIKE '%@%'")).toBe(0);
  });
});

describe("what an old password has begun", () => {
  const ENDS: Record<string, (person: Person) => Promise<unknown>> = {
    "a change of it": (person) => change(person, true),
    "a change of it that keeps the other sessions": (person) => change(person, false),
    "a reset": reset,
  };

  describe.each(Object.entries(ENDS))("ends with %s:", (name, happen) => {
    const keepsSessions = name.includes("keeps");

    it("a sign-in that waits for its code", async () => {
      const person = await signedInPerson();
      await verify(person);
      const { secret } = await turnOnTwoFactor(person);
      const { body } = await client.post("/api/auth/login", { email: person.email, password: PASSWORD });
      await happen(person);
      const input = { challengeToken: body.challengeToken, code: await codeAt(secret) };
      expectProblem(await client.post("/api/auth/login/2fa", input), 401, "challenge_expired");
    });

    it("the links of a reset and of a new address", async () => {
      const person = await signedInPerson();
      await verify(person);
      const mail = mailbox();
      const sender = service(mail.vars);
      const input = { email: `new-${person.id}@example.org` };
      await sender.post("/api/settings/profile/email", input, { token: person.token });
      const confirm = mail.token();
      await env.DB.prepare("UPDATE mail_tokens SET created_at = 0 WHERE user_id = ?").bind(person.id).run();
      await happen(person);
      expect(await countRows("mail_tokens", "user_id = ? AND expires_at > ?", person.id, Date.now())).toBe(0);
      const { token } = await openSession(person.id);
      expectProblem(
        await client.post("/api/settings/profile/email/confirm", { token: confirm }, { token }),
        422,
        "invalid_token",
      );
    });

    it("the confirmation of another session", async () => {
      const person = await signedInPerson();
      const other = await openSession(person.id);
      await happen(person);
      const order = { name: "robot", scopes: ["tasks:read"] };
      const answer = await client.post(`${SECURITY}/api-keys`, order, { token: other.token });
      expect([answer.status, answer.body.code]).toEqual(
        keepsSessions ? [403, "reauthentication_required"] : [401, "session_revoked"],
      );
    });

    it("the standing of a known device", async () => {
      const person = await signedInPerson();
      const { body } = await client.post("/api/auth/login", { email: person.email, password: PASSWORD });
      await happen(person);
      const device = { email: person.email, password: "wrong", deviceToken: body.deviceToken };
      await client.post("/api/auth/login", device);
      expect(await countRows("login_failures", "email = ? AND network LIKE 'device:%'", person.email)).toBe(0);
    });

    it.skipIf(keepsSessions)(
      "other sessions with their refresh tokens, and the addresses of pictures they opened",
      async () => {
        const person = await signedInPerson();
        const other = await openSession(person.id);
        const picture = await pictureOf(other.token);
        expect((await client.get(picture)).status).toBe(200);
        await happen(person);
        const { status } = await client.post("/api/auth/refresh", { refreshToken: other.refreshToken });
        expect(status).toBe(401);
        expectProblem(await client.get(picture), 401, "unauthenticated");
      },
    );
  });
});

/** The signed address of a picture within an email that somebody has opened. */
async function pictureOf(token: string): Promise<string> {
  const png = { filename: "a.png", contentType: "image/png", content: btoa("\x89PNG\r\n\x1a\n"), contentId: "logo@x" };
  const html = '<p><img src="cid:logo@x"></p>';
  const { id } = await storedMail(html, png);
  const { text } = await client.get(`/api/emails/${id}/frame`, { token });
  const [, address = ""] = /src="http:\/\/poa\.test([^"]+)"/.exec(text) ?? [];
  return address.replaceAll("&amp;", "&");
}

async function storedMail(html: string, picture: { contentId: string }): Promise<{ id: number }> {
  const { deliver } = await import("../emails/deliver.ts");
  const { base64, head, join, noise, part } = await import("../emails/corpus/build.ts");
  const to = `pic-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const raw = join(
    head("Picture", "Content-Type: multipart/related; boundary=b\n"),
    "\n",
    part("Content-Type: text/html; charset=utf-8", html),
    part(
      `Content-Type: image/png\nContent-ID: <${picture.contentId}>\nContent-Disposition: inline\nContent-Transfer-Encoding: base64`,
      base64(noise(300, 5)),
    ),
    "--b--\n",
  );
  expect(await deliver(raw, { to })).toBeNull();
  return (await client.get(`/api/emails?tag=${to.split("@")[0]}`)).body.data[0];
}

/** Every table with a column that refers to an account, by its declaration. */
const SCHEMA = import.meta.glob<Record<string, unknown>>("../../src/db/schema/*.ts", { eager: true });
const TABLES = Object.values(SCHEMA).flatMap((file) => Object.values(file).filter((each) => is(each, SQLiteTable)));
const REFERRING = TABLES.flatMap((table) => {
  const { name, columns, foreignKeys } = getTableConfig(table as SQLiteTable);
  const keys = foreignKeys.map((key) => {
    const { columns: own, foreignTable } = key.reference();
    return { from: own[0]?.name ?? "", to: getTableConfig(foreignTable).name };
  });
  return keys.filter(({ to }) => to === "users").map(({ from: column }) => ({ name, column, columns, keys }));
}).sort((a, b) => a.name.localeCompare(b.name));

/** Puts a row of the account into a table, with something in every column that needs it. */
async function fill({ name: table, column, columns, keys }: (typeof REFERRING)[number], userId: number): Promise<void> {
  if ((await countRows(table, `${column} = ?`, userId)) > 0) return;
  const values = new Map<string, string | number>([[column, userId]]);
  for (const { name, primary, notNull, hasDefault, dataType } of columns) {
    const parent = keys.find(({ from }) => from === name)?.to;
    if (values.has(name) || hasDefault || !(notNull || (primary && dataType === "string"))) continue;
    if (parent)
      values.set(
        name,
        (await env.DB.prepare(`SELECT id FROM ${parent} WHERE user_id = ?`).bind(userId).first("id")) ?? 0,
      );
    else if (dataType === "string" || dataType === "json") values.set(name, primary ? crypto.randomUUID() : "[]");
    else if (!primary) values.set(name, 1);
  }
  const marks = [...values].map(() => "?").join();
  await env.DB.prepare(`INSERT INTO ${table} (${[...values.keys()].join()}) VALUES (${marks})`)
    .bind(...values.values())
    .run();
}
