import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { auditActions, countRows, openSession, setClock, signedInPerson } from "../auth/people.ts";
import { codeAt, expireReauthentication, mailbox, PASSWORD, turnOnTwoFactor } from "../settings/people.ts";
import { connected, hiddenIn, oauth, paramsOf, REDIRECT } from "./connecting.ts";

afterEach(() => void vi.useRealTimers());

const server = oauth();
const NEW_PASSWORD = "a brand new passphrase";
const SECURITY = "/api/settings/security";
type Person = Awaited<ReturnType<typeof signedInPerson>>;

const cookieOf = ({ refreshToken }: Pick<Person, "refreshToken">) => ({ cookie: `__Host-Http-poa=${refreshToken}` });

const change = ({ token }: Pick<Person, "token">, revokeOthers: boolean) =>
  server.client.post(
    `${SECURITY}/password`,
    { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, revokeOthers },
    { token },
  );

async function reset({ email }: Pick<Person, "email">) {
  const mail = mailbox();
  await oauth(mail.vars).client.post("/api/auth/password/forgot", { email });
  const answer = await server.client.post("/api/auth/password/reset", { token: mail.token(), password: NEW_PASSWORD });
  expect(answer.status).toBe(204);
}

/** What can happen to an account between two requests of somebody who knew its password. */
const CHANGES: Record<string, (person: Person) => Promise<unknown>> = {
  "a change of the password": (person) => change(person, true),
  "a change of the password that keeps the other sessions": (person) => change(person, false),
  "a reset of the password": reset,
  "the end of all other sessions": ({ token }) => server.client.delete(`${SECURITY}/sessions`, { token }),
};

describe("a page that waits for consent", () => {
  it.each(Object.entries(CHANGES))("is worth nothing after %s, however often it is shown again", async (_, happen) => {
    const person = await signedInPerson();
    const address = await server.address(await server.register());
    const page = await server.signIn(address, person);
    await happen(person);
    // No scope: the page is shown again.
    const ticket = hiddenIn(page.text, "ticket");
    const fields = { step: "consent", ticket, decision: "allow", proposals: "never" };
    const again = await server.form(address, fields);
    const renewed = hiddenIn(again.text, "ticket") || ticket;
    for (const each of [ticket, renewed]) {
      const answer = await server.form(address, { ...fields, ticket: each, scope: "emails:read" });
      expect([answer.status, answer.headers.get("location")]).toEqual([401, null]);
    }
    expect(await countRows("oauth_codes", "user_id = ?", person.id)).toBe(0);
  });

  it.each(Object.entries(CHANGES))("of a console is worth nothing after %s", async (name, happen) => {
    const person = await signedInPerson();
    const thief = await openSession(person.id);
    const address = await server.address(await server.register());
    const page = await server.client.get(address, { headers: cookieOf(thief) });
    await happen(person);
    const answer = await server.decide(address, page, [["password", PASSWORD]]);
    expect(answer.status, name).toBe(401);
  });

  it("keeps its first time when it is shown again, and is over after ten minutes", async () => {
    const person = await signedInPerson();
    const address = await server.address(await server.register());
    const start = Date.now();
    let page = await server.signIn(address, person);
    for (const minutes of [4, 8]) {
      setClock(start + minutes * 60_000);
      const ticket = hiddenIn(page.text, "ticket");
      page = await server.form(address, { step: "consent", ticket, decision: "allow", proposals: "never" });
      expect([page.status, hiddenIn(page.text, "ticket")]).toEqual([422, ticket]);
    }
    setClock(start + 11 * 60_000);
    expect((await server.decide(address, page)).status).toBe(401);
  });

  it("ends with the sign-in that it belongs to, which is listed among the sessions until then", async () => {
    const person = await signedInPerson();
    const address = await server.address(await server.register());
    const page = await server.signIn(address, person);
    const { data } = (await server.client.get(`${SECURITY}/sessions`, { token: person.token })).body;
    const [other] = data.filter(({ current }: { current: boolean }) => !current);
    await server.client.delete(`${SECURITY}/sessions/${other.id}`, { token: person.token });
    expect((await server.decide(address, page)).status).toBe(401);
  });

  it("is worth nothing once two-factor authentication was turned on", async () => {
    const person = await signedInPerson();
    const address = await server.address(await server.register());
    const pages = [
      await server.signIn(address, person),
      await server.client.get(address, { headers: cookieOf(person) }),
    ];
    await turnOnTwoFactor(person);
    for (const page of pages) expect((await server.decide(address, page)).status).toBe(401);
  });

  it("leaves no session when the person declines or the agent gets its tokens", async () => {
    const { person } = await connected(server);
    const address = await server.address(await server.register());
    await server.decide(address, await server.signIn(address, person), [["decision", "deny"]]);
    expect(await countRows("sessions", "user_id = ?", person.id)).toBe(1);
  });
});

describe("a code", () => {
  it.each(Object.entries(CHANGES))("is worth nothing after %s", async (_, happen) => {
    const person = await signedInPerson();
    const id = await server.register();
    const address = await server.address(id);
    const { code = "" } = paramsOf(await server.decide(address, await server.signIn(address, person)));
    await happen(person);
    const { status, body } = await server.exchange(id, code);
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
    expect(await countRows("oauth_grants", "user_id = ?", person.id)).toBe(0);
  });

  it("is worth nothing after its console signed out", async () => {
    const person = await signedInPerson();
    const id = await server.register();
    const address = await server.address(id);
    const page = await server.client.get(address, { headers: cookieOf(person) });
    const { code = "" } = paramsOf(await server.decide(address, page));
    await server.client.post("/api/auth/logout", undefined, { token: person.token });
    expect((await server.exchange(id, code)).body.error).toBe("invalid_grant");
  });
});

describe("consent in a signed-in console", () => {
  it("asks for the password, unless that was confirmed in this session within 15 minutes", async () => {
    const person = await signedInPerson();
    await env.DB.prepare("UPDATE sessions SET proved_at = NULL WHERE user_id = ?").bind(person.id).run();
    const address = await server.address(await server.register());
    const page = await server.client.get(address, { headers: cookieOf(person) });
    expect(page.text).toContain('name="password"');
    expect(page.text).not.toContain('name="code"');
    const missing = await server.decide(address, page);
    expect([missing.status, missing.text.includes("Enter your password.")]).toEqual([403, true]);
    const chosen: [string, string][] = [
      ["scope", "tasks:read"],
      ["proposals", "changes"],
      ["password", "not the password"],
    ];
    const wrong = await server.decide(address, page, chosen);
    expect(wrong.status).toBe(403);
    // What was chosen is still chosen, and the ticket is the same.
    expect(wrong.text.match(/name="scope" value="[^"]+" checked/g)).toEqual([
      'name="scope" value="tasks:read" checked',
    ]);
    expect(wrong.text).toContain('value="changes" checked');
    expect(hiddenIn(wrong.text, "ticket")).toBe(hiddenIn(page.text, "ticket"));
    expect(await auditActions(person.id)).toContain("session.proof_failed");
    expect(paramsOf(await server.decide(address, page, [["password", PASSWORD]])).code).toBeTruthy();
    const next = await server.client.get(address, { headers: cookieOf(person) });
    expect(next.text).not.toContain('name="password"');
    expect(paramsOf(await server.decide(address, next)).code).toBeTruthy();
    await expireReauthentication(person.id);
    expect((await server.decide(address, next)).status).toBe(403);
  });

  it("asks for a code, too, with two-factor authentication on, and locks after ten wrong guesses", async () => {
    const person = await signedInPerson();
    const { secret } = await turnOnTwoFactor(person);
    await expireReauthentication(person.id);
    const address = await server.address(await server.register());
    const page = await server.client.get(address, { headers: cookieOf(person) });
    expect(page.text).toContain('name="code"');
    expect((await server.decide(address, page, [["password", PASSWORD]])).status).toBe(403);
    const proof: [string, string][] = [
      ["password", PASSWORD],
      ["code", await codeAt(secret)],
    ];
    expect(paramsOf(await server.decide(address, page, proof)).code).toBeTruthy();
    for (let n = 0; n < 10; n += 1) await server.decide(address, page, [["password", `guess ${n}`]]);
    expect((await server.decide(address, page, [["password", `guess`]])).status).toBe(429);
  });

  it("is answered to no other origin", async () => {
    const address = await server.address(await server.register());
    const { headers } = await server.client.get(address, { headers: { origin: "https://evil.example" } });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("an old cookie of the console", () => {
  const rotated = async (seconds: number) => {
    const person = await signedInPerson();
    const headers = { ...cookieOf(person), "sec-fetch-site": "same-origin", "x-poa-console": "1" };
    const fresh = await server.client.post("/api/auth/session/refresh", undefined, { headers });
    expect(fresh.status).toBe(200);
    await env.DB.prepare("UPDATE sessions SET rotated_at = rotated_at - ? WHERE user_id = ?")
      .bind(seconds * 1000, person.id)
      .run();
    return { person, token: fresh.body.token as string };
  };

  it("is accepted for ten seconds, because another tab may have refreshed", async () => {
    const { person, token } = await rotated(8);
    const address = await server.address(await server.register());
    const page = await server.client.get(address, { headers: cookieOf(person) });
    expect(page.text).toContain('name="ticket"');
    expect((await server.client.get("/api/auth/me", { token })).status).toBe(200);
  });

  it.each(["consent", "frame"])("ends the session after that, at the %s, and the person is told", async (where) => {
    const { person, token } = await rotated(12);
    const mail = mailbox();
    const told = oauth(mail.vars).client;
    const path = where === "frame" ? "/api/emails/1/frame" : await server.address(await server.register());
    const headers = { ...cookieOf(person), "sec-fetch-site": "same-origin" };
    const answer = await told.get(path, { headers });
    expect(answer.text).not.toContain('name="ticket"');
    if (where === "frame") expect([answer.status, answer.body.code]).toEqual([401, "refresh_reused"]);
    expect((await server.client.get("/api/auth/me", { token })).status).toBe(401);
    expect(await auditActions(person.id)).toContain("session.refresh_reused");
    expect(mail.subjectsTo(person.email).join()).toContain("refresh token was used twice");
  });
});

describe("a client", () => {
  it.each([
    "https://a;sandbox/cb",
    "https://a,b/cb",
    "https://a'b.example/cb",
    "https://a_b.example/cb",
    "intent:scan",
    "ms-msdt:/id",
    "search-ms:query=x",
    "jar:https://a.example/x",
    "x-apple.systempreferences:com.apple",
    "shell:startup",
    "ms-settings:x",
    "view-source:https://a.example",
    "unknown://callback",
  ])("cannot be called back at %s", async (uri) => {
    const { status, body } = await server.client.post("/oauth/register", { redirect_uris: [uri] });
    expect([status, body.error]).toEqual([400, "invalid_redirect_uri"]);
  });

  it.each([
    "https://bücher.example/cb",
    "https://sub.agent-1.example:8443/cb",
    "http://[::1]:9/cb",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "vscode://vendor.extension/cb",
    "com.example.app:/oauth",
  ])("can be called back at %s", async (uri) => {
    expect((await server.client.post("/oauth/register", { redirect_uris: [uri] })).status).toBe(201);
  });

  it("is stored in 2 KB, registered or described by itself", async () => {
    const uris = [1, 2, 3].map((n) => `https://agent.example/${"x".repeat(900)}${n}`);
    const { status, body } = await server.client.post("/oauth/register", { redirect_uris: uris });
    expect([status, body.error]).toEqual([400, "invalid_client_metadata"]);
    const id = "https://large.example/client.json";
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ client_id: id, redirect_uris: uris }));
    const page = await oauth({ ALLOW_PRIVATE_HOSTS: "false" }).client.get(await server.address(id));
    vi.restoreAllMocks();
    expect(page.status).toBe(400);
    expect(await countRows("oauth_clients", "id = ?", id)).toBe(0);
  });

  it("that nobody uses is forgotten once there are a thousand newer ones, and one in use is not", async () => {
    const { clientId: used } = await connected(server);
    const unused = await server.register();
    await env.DB.prepare("UPDATE oauth_clients SET created_at = 1 WHERE id IN (?, ?)").bind(used, unused).run();
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO oauth_clients SELECT 'flood-' || i, 'Flood', '[]', i + 1, 0 FROM n`,
    ).run();
    await server.register({ redirect_uris: [REDIRECT] });
    const left = (id: string) => countRows("oauth_clients", "id = ?", id);
    expect([await left(used), await left(unused), await left("flood-1000")]).toEqual([1, 0, 1]);
    const unusedOnes = "NOT EXISTS (SELECT 1 FROM oauth_grants WHERE client_id = oauth_clients.id)";
    expect(await countRows("oauth_clients", unusedOnes)).toBe(1000);
    await env.DB.prepare("DELETE FROM oauth_clients WHERE id LIKE 'flood-%'").run();
  });

  it("gives back its own tokens only", async () => {
    const { clientId, access, refresh, person } = await connected(server);
    const other = await server.register();
    for (const token of [access, refresh]) {
      const { status, body } = await server.form("/oauth/revoke", { token, client_id: other });
      expect([status, body.error]).toEqual([400, "invalid_grant"]);
    }
    const alive = () => countRows("oauth_grants", "user_id = ?", person.id);
    expect([await alive(), await countRows("oauth_access_tokens", "1")]).toEqual([1, expect.any(Number)]);
    expect((await server.form("/oauth/revoke", { token: refresh, client_id: clientId })).status).toBe(200);
    expect(await alive()).toBe(0);
  });

  it("is named in the audit log when its connection is changed or ended", async () => {
    const { person } = await connected(server);
    const path = `${SECURITY}/connections`;
    const [{ id }] = (await server.client.get(path, { token: person.token })).body.data;
    await server.client.patch(`${path}/${id}`, { proposals: "never" }, { token: person.token });
    await server.client.delete(`${path}/${id}`, { token: person.token });
    const { data } = (await server.client.get(`${SECURITY}/audit-log`, { token: person.token })).body;
    const entries = data.filter(({ action }: { action: string }) => /^connection\.(?:ended|changed)$/.test(action));
    expect(entries.map(({ details }: { details: object }) => details)).toEqual([
      { connectionId: id, client: "Desk" },
      { connectionId: id, proposals: "never", client: "Desk" },
    ]);
  });
});
