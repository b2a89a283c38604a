import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it } from "vitest";
import { auditActions, countRows, openSession } from "../auth/people.ts";
import { type Answer, expectProblem, service } from "../harness.ts";
import { connected, oauth } from "../mcp/connecting.ts";
import {
  codeAt,
  expireReauthentication,
  mailbox,
  newSubscription,
  PASSWORD,
  type Person,
  signedInPerson,
  turnOnTwoFactor,
} from "./people.ts";

const mail = mailbox();
const client = service(mail.vars);
const SECURITY = "/api/settings/security";
const WRONG = "not the password";

type Send = (person: Person, proof: object) => Promise<Answer>;

/** Those that ask for the password however recently it was confirmed. */
const ALWAYS: Record<string, Send> = {
  "deleting the account": ({ token, email }, proof) =>
    client.call("DELETE", "/api/settings/account", { token, body: { confirm: email, ...proof } }),
};

const WEBHOOK = { url: "https://hooks.example.com/poa" };
const changeWebhook =
  (method: "PATCH" | "POST", verb: string, changes: object): Send =>
  async ({ id, token }, proof) => {
    const path = await webhookOf(id);
    return client.call(method, `${path}${verb}`, { token, body: { ...changes, ...proof } });
  };

/** A webhook that is there already. */
async function webhookOf(userId: number): Promise<string> {
  const other = await openSession(userId);
  const { body } = await client.post("/api/settings/webhooks", WEBHOOK, { token: other.token });
  return `/api/settings/webhooks/${body.id}`;
}

/** The owner's: `send` as the owner. */
const asOwner =
  (send: Send): Send =>
  async (person, proof) => {
    await env.DB.prepare("UPDATE users SET role = 'owner' WHERE id = ?").bind(person.id).run();
    return send(person, proof);
  };

const changeOf =
  (path: (person: Person) => Promise<string>, changes: object): Send =>
  async (person, proof) => {
    const address = await path(person);
    return client.call("PATCH", address, { token: person.token, body: { ...changes, ...proof } });
  };

async function offWebhookOf({ id }: Person): Promise<string> {
  const path = await webhookOf(id);
  await env.DB.prepare("UPDATE webhook_endpoints SET enabled = 0 WHERE user_id = ?").bind(id).run();
  return path;
}

async function identityOf({ id }: Pick<Person, "id">, fields: object = {}): Promise<string> {
  const { token } = await openSession(id);
  const { body } = await client.post("/api/settings/identities", { name: "Desk", ...fields }, { token });
  return `/api/settings/identities/${body.id}`;
}

async function connectionOf(person: Person, proposals = "every_write"): Promise<string> {
  await connected(oauth(), { person, proposals });
  const { body } = await client.get(`${SECURITY}/connections`, { token: person.token });
  return `${SECURITY}/connections/${body.data[0].id}`;
}

const REPLY_TO = "mallory@evil.example";
const AI_KEY = { provider: "custom", key: "sk-proof-0123456789", baseUrl: "https://llm.evil.example/v1" };
const CAPTIONS = { platform: "webhook", url: "https://captions.evil.example/in" };
const identity =
  (fields: object): Send =>
  ({ token }, proof) =>
    client.post("/api/settings/identities", { name: "Desk", ...fields, ...proof }, { token });
// What is left behind would be called by the jobs of later files.
afterAll(async () => {
  await env.DB.exec("DELETE FROM stream_credentials");
  await env.DB.exec("DELETE FROM booking_connection");
  await env.KV.delete("ai-key:custom");
});

/** Those that a session may do without a proof for 15 minutes after it has given one. */
const RECENT: Record<string, Send> = {
  "creating an API key": ({ token }, proof) =>
    client.post(`${SECURITY}/api-keys`, { name: "robot", scopes: ["tasks:read"], ...proof }, { token }),
  "changing the email address": ({ token, id }, proof) =>
    client.post("/api/settings/profile/email", { email: `new-${id}@example.org`, ...proof }, { token }),
  "adding a webhook": ({ token }, proof) => client.post("/api/settings/webhooks", { ...WEBHOOK, ...proof }, { token }),
  "changing the address of a webhook": changeWebhook("PATCH", "", { url: "https://hooks.example.org/other" }),
  "rotating the secret of a webhook": changeWebhook("POST", "/rotate-secret", {}),
  "adding a push device": async ({ token, id }, proof) =>
    client.post("/api/settings/notifications/push", { ...(await newSubscription(`d${id}`)), ...proof }, { token }),
  "setting up two-factor authentication": ({ token }, proof) => client.post(`${SECURITY}/2fa/setup`, proof, { token }),
  "saving an AI key": asOwner(({ token }, proof) => client.post("/api/api-keys", { ...AI_KEY, ...proof }, { token })),
  "connecting the booking provider": asOwner(({ token }, proof) =>
    client.post("/api/bookingsvc/settings", { apiKey: "cal_proof", ...proof }, { token }),
  ),
  "sending captions to an address": ({ token }, proof) =>
    client.post("/api/stream/credentials", { ...CAPTIONS, ...proof }, { token }),
  "sending captions to another address": async ({ token, id }, proof) => {
    const other = await openSession(id);
    await client.post("/api/stream/credentials", CAPTIONS, { token: other.token });
    const body = { url: "https://captions.evil.example/other", ...proof };
    return client.patch("/api/stream/credentials/webhook", body, { token });
  },
  "an identity with a reply address": identity({ replyTo: REPLY_TO }),
  "an identity with an address": identity({ address: "assistant@example.org" }),
  "another reply address of an identity": changeOf(identityOf, { replyTo: { name: "", email: REPLY_TO } }),
  "another address of an identity": changeOf(identityOf, { address: "assistant@example.org" }),
  "turning a webhook on": changeOf(offWebhookOf, { enabled: true }),
  "letting an agent add without asking": changeOf(connectionOf, { proposals: "changes" }),
  "letting an agent change without asking": changeOf((person) => connectionOf(person, "changes"), {
    proposals: "never",
  }),
  "making a calendar link": ({ token }, proof) => client.post("/api/calendar/feed", proof, { token }),
  "rotating an API key": async ({ token, id }, proof) => {
    const order = { name: "robot", scopes: ["tasks:read"] };
    const other = await openSession(id);
    const { body } = await client.post(`${SECURITY}/api-keys`, order, { token: other.token });
    return client.post(`${SECURITY}/api-keys/${body.id}/rotate`, proof, { token });
  },
};

/** What a refused request must leave as it was. */
async function effects({ id }: Person): Promise<unknown> {
  const rows = (table: string, where: string) => countRows(table, where, id);
  const done = (await auditActions(id)).filter((action) => !action.startsWith("session."));
  return [await rows("users", "id = ?"), await rows("mail_tokens", "user_id = ?"), done];
}

describe("a proof that is given must be right, however fresh the session", () => {
  it.each(Object.entries({ ...ALWAYS, ...RECENT }))(
    "%s with a wrong password does nothing, and counts",
    async (_, send) => {
      const person = await signedInPerson();
      expectProblem(await send(person, { currentPassword: WRONG }), 403, "reauthentication_required");
      const failed = (await auditActions(person.id)).filter((action) => action === "session.proof_failed");
      expect(failed).toHaveLength(1);
      expect(await countRows("login_failures", "email = ? AND network LIKE 'session:%'", person.email)).toBe(1);
      expect(await countRows("users", "id = ? AND totp_secret IS NULL", person.id)).toBe(1);
      expect(await countRows("api_keys", "user_id = ? AND rotated_at IS NOT NULL", person.id)).toBe(0);
    },
  );

  it("a code is wrong, too, where two-factor authentication is off", async () => {
    const { token } = await signedInPerson();
    const answer = await client.post(`${SECURITY}/2fa/setup`, { code: "123456" }, { token });
    expectProblem(answer, 403, "reauthentication_required");
  });

  it("each part that is given is checked with two-factor authentication on, and a code works once", async () => {
    const person = await signedInPerson();
    const { token } = person;
    const { secret } = await turnOnTwoFactor(person);
    const replace = (proof: object) => client.post(`${SECURITY}/2fa/backup-codes`, proof, { token });
    const code = await codeAt(secret);
    for (const wrong of [
      { currentPassword: WRONG },
      { code: "000000" },
      { currentPassword: PASSWORD, code: "000000" },
      { currentPassword: WRONG, code },
    ]) {
      expectProblem(await replace(wrong), 403, "reauthentication_required");
    }
    expect((await replace({})).status).toBe(200);
    expect((await replace({ currentPassword: PASSWORD })).status).toBe(200);
    expect((await replace({ code })).status).toBe(200);
    expectProblem(await replace({ code }), 403, "reauthentication_required");
  });

  it("many wrong ones at once lock the session, and ten at most learn that they were wrong", async () => {
    const person = await signedInPerson();
    const guesses = Array.from({ length: 14 }, (_, n) =>
      client.post(`${SECURITY}/2fa/setup`, { currentPassword: `guess ${n}` }, { token: person.token }),
    );
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });
});

describe("the password is asked for unless it was confirmed in this session within 15 minutes", () => {
  it.each(Object.entries(RECENT))("%s", async (_, send) => {
    const person = await signedInPerson();
    const { email, id } = person;
    const { token } = (await client.post("/api/auth/login", { email, password: PASSWORD })).body;
    const fresh = { ...person, token };
    const refused = await send(fresh, {});
    // A sign-in proves who somebody is, not that they are still there.
    expectProblem(refused, 403, "reauthentication_required");
    expect(refused.body.needs).toEqual(["currentPassword"]);
    expect(await countRows("sessions", "user_id = ? AND proved_at IS NULL", id)).toBe(1);
    const confirmed = await client.post(`${SECURITY}/confirm`, { currentPassword: PASSWORD }, { token });
    expect(confirmed.status).toBe(200);
    expect(Date.parse(confirmed.body.provedUntil) - Date.now()).toBeGreaterThan(14 * 60_000);
    await expireReauthentication(id, 14);
    const done = await send(fresh, {});
    expect(done.status, done.text).toBeLessThan(300);
    await expireReauthentication(id, 2);
    expectProblem(await send(fresh, {}), 403, "reauthentication_required");
  });

  it.each(Object.entries({ ...ALWAYS, ...RECENT }))(
    "%s asks for nothing if it can never be accepted",
    async (_, send) => {
      const person = await signedInPerson();
      const { token } = (await client.post("/api/auth/login", { email: person.email, password: PASSWORD })).body;
      const refused = await send({ ...person, token }, { noSuchThing: 1 });
      expectProblem(refused, 422, "validation_failed");
      expect(refused.body.errors).toEqual([{ path: "noSuchThing", message: "is not a member of this request" }]);
    },
  );

  it("a parameter that is unknown is refused before it is asked for, with all that is wrong with the body", async () => {
    const { email } = await signedInPerson();
    const { token } = (await client.post("/api/auth/login", { email, password: PASSWORD })).body;
    const refused = await client.post("/api/settings/webhooks?noSuchThing=1", { adress: WEBHOOK.url }, { token });
    expectProblem(refused, 422, "validation_failed");
    const paths = refused.body.errors.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(["adress", "noSuchThing", "url"]);
  });

  it("confirming it is refused when it is wrong, counts, and needs the code with two-factor authentication on", async () => {
    const person = await signedInPerson();
    const { token } = person;
    const confirm = (proof: object) => client.post(`${SECURITY}/confirm`, proof, { token });
    expectProblem(await confirm({ currentPassword: WRONG }), 403, "reauthentication_required");
    expect(await countRows("login_failures", "email = ? AND network LIKE 'session:%'", person.email)).toBe(1);
    expectProblem(await confirm({}), 403, "reauthentication_required");
    const { secret } = await turnOnTwoFactor(person);
    expect((await confirm({ currentPassword: PASSWORD })).body.needs).toEqual(["currentPassword", "code"]);
    expect((await confirm({ currentPassword: PASSWORD, code: await codeAt(secret) })).status).toBe(200);
  });

  it("nothing else about a webhook asks for it, nor does its own address sent back", async () => {
    const person = await signedInPerson();
    const path = await webhookOf(person.id);
    await expireReauthentication(person.id);
    for (const changes of [{ enabled: false }, { description: "Mine" }, { ...WEBHOOK, eventTypes: ["task.created"] }]) {
      expect((await client.patch(path, changes, { token: person.token })).status).toBe(200);
    }
    const sneaked = { description: "Mine", url: "https://evil.example/hook" };
    expectProblem(await client.patch(path, sneaked, { token: person.token }), 403, "reauthentication_required");
    expect((await client.get(path, { token: person.token })).body.url).toBe(WEBHOOK.url);
  });

  it("nothing else about an identity asks for it, nor do its own addresses sent back", async () => {
    const person = await signedInPerson();
    const { token } = person;
    const replyTo = { name: "Front desk", email: "desk@example.com" };
    const path = await identityOf(person, { replyTo, address: "assistant@example.org" });
    await expireReauthentication(person.id);
    const { body: list } = await client.get("/api/settings/identities", { token });
    for (const changes of [
      list.data[0],
      { replyTo: replyTo.email, signature: "Ada" },
      { name: "Ada", isDefault: true },
      { replyTo: null, address: null },
    ]) {
      const answer = await client.patch(path, changes, { token });
      expect(answer.status, answer.text).toBe(200);
    }
    expect((await identity({ signature: "Ada" })(person, {})).status).toBe(201);
    for (const changes of [{ replyTo }, { replyTo: ` ${replyTo.email}` }, { address: "assistant@example.org" }]) {
      expectProblem(await client.patch(path, changes, { token }), 403, "reauthentication_required");
    }
  });

  it("nor does a rule under which as much of an agent's work waits, or more", async () => {
    const person = await signedInPerson();
    const path = await connectionOf(person, "never");
    await expireReauthentication(person.id);
    for (const proposals of ["never", "changes", "every_write"]) {
      expect((await client.patch(path, { proposals }, { token: person.token })).status).toBe(200);
    }
    const wider = await client.patch(path, { proposals: "changes" }, { token: person.token });
    expectProblem(wider, 403, "reauthentication_required");
    const unknown = await client.patch(`${SECURITY}/connections/none`, { proposals: "never" }, { token: person.token });
    expectProblem(unknown, 404, "not_found");
  });

  it("nor is an API key asked, which was made with it, and a password that it sends is not left unread", async () => {
    const person = await signedInPerson("owner");
    const order = { name: "robot", scopes: ["admin"] };
    const { key } = (await client.post(`${SECURITY}/api-keys`, order, { token: person.token })).body;
    await expireReauthentication(person.id);
    expect((await client.post("/api/api-keys", AI_KEY, { token: key })).status).toBeLessThan(300);
    expect((await client.post("/api/stream/credentials", CAPTIONS, { token: key })).status).toBeLessThan(300);
    const refused = await client.post("/api/api-keys", { ...AI_KEY, currentPassword: PASSWORD }, { token: key });
    expectProblem(refused, 422, "validation_failed");
    expect(refused.body.errors).toEqual([{ path: "currentPassword", message: "is for sessions only; leave it out" }]);
  });

  it("nor does a browser that shows, by what only it knows, that it is a device already", async () => {
    const person = await signedInPerson();
    const { token } = person;
    const push = (body: object) => client.post("/api/settings/notifications/push", body, { token });
    const first = await newSubscription(`a${person.id}`);
    const { body: device } = await push(first);
    await expireReauthentication(person.id);
    expect((await push(first)).body.id).toBe(device.id);
    const next = await newSubscription(`b${person.id}`);
    const { auth } = first.keys;
    for (const replaces of [
      { endpoint: first.endpoint, auth: next.keys.auth },
      { endpoint: next.endpoint, auth },
    ]) {
      expect((await push({ ...next, replaces })).status).toBe(403);
    }
    expect((await push({ ...next, replaces: { endpoint: first.endpoint, auth: "" } })).status).toBe(422);
    const other = await signedInPerson();
    const stolen = { ...next, replaces: { endpoint: first.endpoint, auth } };
    await expireReauthentication(other.id);
    const refused = await client.post("/api/settings/notifications/push", stolen, { token: other.token });
    expectProblem(refused, 403, "reauthentication_required");
    expect((await push(stolen)).status).toBe(200);
    const rows = await client.get("/api/settings/notifications/push", { token });
    expect(rows.body.data).toHaveLength(1);
  });
});

describe("the person is told", () => {
  it("of a new webhook, its new address and a new device, by name", async () => {
    const person = await signedInPerson();
    const { token, email } = person;
    const { body } = await client.post("/api/settings/webhooks", WEBHOOK, { token });
    const path = `/api/settings/webhooks/${body.id}`;
    await client.patch(path, { ...WEBHOOK, description: "same address" }, { token });
    await client.patch(path, { url: "https://hooks.example.org/other" }, { token });
    const device = await newSubscription(`t${person.id}`);
    await client.post("/api/settings/notifications/push", { ...device, name: "Old phone" }, { token });
    await client.post("/api/settings/notifications/push", { ...device, name: "Old phone" }, { token });
    expect(mail.subjectsTo(email)).toEqual([
      "A webhook was added",
      "The address of a webhook was changed",
      "A device was added for your reminders",
    ]);
    const texts = mail.sent.filter(({ to }) => to[0]?.email === email).map(({ text }) => text);
    expect(texts[0]).toContain("hooks.example.com");
    expect(texts[1]).toContain("hooks.example.org");
    expect(texts[2]).toContain("Old phone");
  });

  it("where data goes from now on, with the host of an AI key and of captions, the address of replies, and the name of an agent", async () => {
    const person = await signedInPerson("owner");
    const { token, email } = person;
    const connection = await connectionOf(person);
    const path = await identityOf(person);
    const before = mail.subjectsTo(email).length;
    await client.post("/api/api-keys", AI_KEY, { token });
    await client.post("/api/stream/credentials", CAPTIONS, { token });
    await client.patch(path, { replyTo: REPLY_TO }, { token });
    await client.patch(path, { replyTo: REPLY_TO, signature: "Ada" }, { token });
    await client.patch(connection, { proposals: "never" }, { token });
    await client.patch(connection, { proposals: "changes" }, { token });
    await client.post("/api/bookingsvc/settings", { apiKey: "cal_proof" }, { token });
    expect(mail.subjectsTo(email).slice(before)).toEqual([
      "A key for the AI provider custom was saved",
      "The address for captions was set",
      "The address of a sender identity was set",
      "An agent may now make more changes without asking",
      "The booking provider was connected",
    ]);
    const texts = mail.sent.filter(({ to }) => to[0]?.email === email).map(({ text }) => text);
    for (const word of ["llm.evil.example", "captions.evil.example", REPLY_TO, "Desk"]) {
      expect(texts.join("\n")).toContain(word);
    }
    expect(texts.join("\n")).not.toContain(AI_KEY.key);
  });
});

describe("the password is always asked for", () => {
  it.each(Object.entries(ALWAYS))("%s needs it right after it was confirmed", async (_, send) => {
    const person = await signedInPerson();
    const before = await effects(person);
    const refused = await send(person, {});
    expectProblem(refused, 403, "reauthentication_required");
    expect(refused.body.needs).toEqual(["currentPassword"]);
    expect(await effects(person)).toEqual(before);
    expect((await send(person, { currentPassword: PASSWORD })).status).toBeLessThan(300);
    expect(await effects(person)).not.toEqual(before);
  });

  it.each(Object.entries(ALWAYS))("%s needs a code as well with two-factor authentication on", async (_, send) => {
    const person = await signedInPerson();
    const { secret } = await turnOnTwoFactor(person);
    const before = await effects(person);
    for (const proof of [{ currentPassword: PASSWORD }, { code: await codeAt(secret) }]) {
      const refused = await send(person, proof);
      expectProblem(refused, 403, "reauthentication_required");
      expect(refused.body.needs).toEqual(["currentPassword", "code"]);
    }
    expect(await effects(person)).toEqual(before);
    expect((await send(person, { currentPassword: PASSWORD, code: await codeAt(secret) })).status).toBeLessThan(300);
  });

  it("the API reference says so", async () => {
    const { paths, components } = (await client.get("/api-docs")).body;
    const flat = (schema: { $ref?: string; allOf?: object[]; required?: string[] }): string[] => [
      ...(schema.$ref ? flat(components.schemas[schema.$ref.split("/").at(-1) ?? ""]) : []),
      ...(schema.allOf ?? []).flatMap(flat),
      ...(schema.required ?? []),
    ];
    for (const operation of [paths["/api/settings/account"].delete, paths["/api/settings/security/confirm"].post]) {
      expect(operation.description).toContain("even right after signing in");
      expect(flat(operation.requestBody.content["application/json"].schema)).toContain("currentPassword");
    }
  });
});
