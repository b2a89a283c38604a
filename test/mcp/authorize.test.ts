import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { purgeConnections } from "../../src/features/oauth/purge.ts";
import { countRows, signedInPerson } from "../auth/people.ts";
import { systemCtx } from "../harness.ts";
import { codeAt, turnOnTwoFactor } from "../settings/people.ts";
import { ALL_SCOPES } from "./agents.ts";
import { connected, hiddenIn, oauth, paramsOf, REDIRECT, RESOURCE } from "./connecting.ts";

const server = oauth();
const grants = (userId: number) => countRows("oauth_grants", "user_id = ?", userId);

describe("what clients find", () => {
  it("is the resource and its authorization server, for every origin", async () => {
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
      const { body, headers } = await oauth({ CORS_ORIGINS: "https://other.example" }).client.get(path);
      expect(body).toMatchObject({
        resource: RESOURCE,
        authorization_servers: ["http://poa.test"],
        scopes_supported: ALL_SCOPES,
      });
      expect(headers.get("access-control-allow-origin")).toBe("*");
    }
    const { body } = await server.client.get("/.well-known/oauth-authorization-server");
    expect(body).toMatchObject({
      issuer: "http://poa.test",
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ["none"],
    });
    const preflight = await oauth({ CORS_ORIGINS: "https://other.example" }).client.call("OPTIONS", "/oauth/token", {
      headers: { origin: "https://agent.example", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("has the public address, where one is set", async () => {
    const PUBLIC_URL = "https://assistant.example";
    const { body } = await oauth({ PUBLIC_URL }).client.get("/.well-known/oauth-protected-resource");
    expect(body).toMatchObject({ resource: `${PUBLIC_URL}/mcp`, authorization_servers: [PUBLIC_URL] });
  });
});

describe("registration", () => {
  it("is for public clients, whatever they ask for", async () => {
    const input = {
      redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback"],
      token_endpoint_auth_method: "client_secret_post",
    };
    const { body, status } = await server.client.post("/oauth/register", input);
    expect(status).toBe(201);
    expect(body).toMatchObject({ token_endpoint_auth_method: "none", client_name: "cursor" });
    expect(body).not.toHaveProperty("client_secret");
  });

  it.each([
    ["no addresses", {}, "invalid_client_metadata"],
    ["a script", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["http outside", { redirect_uris: ["http://evil.example/cb"] }, "invalid_redirect_uri"],
    ["a look-alike of loopback", { redirect_uris: ["http://127.0.0.1.evil.example/cb"] }, "invalid_redirect_uri"],
    ["a fragment", { redirect_uris: ["https://a.example/cb#x"] }, "invalid_redirect_uri"],
    ["a password", { redirect_uris: ["https://a:b@a.example/cb"] }, "invalid_redirect_uri"],
    ["data", { redirect_uris: ["data:text/html,x"] }, "invalid_redirect_uri"],
  ])("refuses %s", async (_, input, error) => {
    const { status, body } = await server.client.post("/oauth/register", input);
    expect([status, body.error]).toEqual([400, error]);
  });

  it("refuses what is not JSON, and too many", async () => {
    const { status, body } = await server.client.call("POST", "/oauth/register", { raw: "{" });
    expect([status, body.error]).toEqual([400, "invalid_client_metadata"]);
    const never = { limit: async () => ({ success: false }) } as unknown as RateLimit;
    const limited = oauth({ RATE_LIMITER_AUTH: never, RATE_LIMITER_PUBLIC: never });
    const answers = [
      await limited.client.post("/oauth/register", { redirect_uris: [REDIRECT] }),
      await limited.form("/oauth/token", { grant_type: "refresh_token" }),
      await limited.client.get("/oauth/authorize?client_id=x"),
      await limited.form("/oauth/authorize?client_id=x", { step: "password" }),
    ];
    for (const { status, headers } of answers) expect([status, headers.get("retry-after")]).toEqual([429, "60"]);
  });

  it("forgets clients that nobody allowed anything", async () => {
    const [unused, used] = [await server.register(), (await connected(server)).clientId];
    const fresh = await server.register();
    await env.DB.prepare("UPDATE oauth_clients SET created_at = created_at - 90000000 WHERE id <> ?").bind(fresh).run();
    await purgeConnections(systemCtx());
    const left = (id: string) => countRows("oauth_clients", "id = ?", id);
    expect([await left(unused), await left(used), await left(fresh)]).toEqual([0, 1, 1]);
  });
});

describe("a client that describes itself", () => {
  const ID = "https://agent.example/oauth/client.json";
  const document = { client_id: ID, client_name: "Published", redirect_uris: [REDIRECT] };
  afterEach(() => vi.restoreAllMocks());

  const publish = (answer: () => Response) => vi.spyOn(globalThis, "fetch").mockImplementation(async () => answer());
  const outside = oauth({ ALLOW_PRIVATE_HOSTS: "false" });

  it("needs no registration, is read once a day, and shows who publishes it", async () => {
    const read = publish(() => Response.json(document));
    const person = await signedInPerson();
    const address = await outside.address(ID);
    const page = await outside.signIn(address, person);
    expect(page.text).toContain("<dt>Published by</dt><dd>agent.example</dd>");
    const { code = "" } = paramsOf(await outside.decide(address, page));
    expect((await outside.exchange(ID, code)).status).toBe(200);
    expect(read).toHaveBeenCalledTimes(1);
    expect(read.mock.calls[0]?.[1]).toMatchObject({ redirect: "manual" });
    await env.DB.prepare("UPDATE oauth_clients SET read_at = read_at - 86400001 WHERE id = ?").bind(ID).run();
    read.mockImplementation(async () => Response.json({ ...document, redirect_uris: ["https://agent.example/cb"] }));
    expect((await outside.client.get(address)).status).toBe(400);
    // Two installations share the id, so that one does not end the other.
    await connected(outside, { person, clientId: await outside.register() });
    expect(await grants(person.id)).toBe(2);
  });

  it.each([
    ["another client_id", () => Response.json({ ...document, client_id: "https://other.example/x" })],
    ["no redirect addresses", () => Response.json({ client_id: ID })],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://other.example" } })],
    ["an error", () => new Response("no", { status: 500 })],
    ["too much", () => new Response(`"${"x".repeat(30_000)}"`)],
    ["no JSON", () => new Response("<html>")],
  ])("is refused with %s", async (_, answer) => {
    await env.DB.prepare("DELETE FROM oauth_clients WHERE id = ?").bind(ID).run();
    publish(answer);
    const { status, headers } = await outside.client.get(await outside.address(ID));
    expect([status, headers.get("location")]).toEqual([400, null]);
  });

  it.each([
    "http://agent.example/client.json",
    "https://127.0.0.1/client.json",
    "https://localhost/client.json",
    "https://agent.internal/client.json",
    "https://u:p@agent.example/client.json",
    "https://agent.example/",
    "https://agent.example/x#y",
    "https://agent.example/a/../b",
  ])("is not looked for at %s", async (id) => {
    const read = publish(() => Response.json({ ...document, client_id: id }));
    expect((await outside.client.get(await outside.address(id))).status).toBe(400);
    expect(read).not.toHaveBeenCalled();
  });
});

describe("the page", () => {
  it("is HTML without script, whose forms may lead to the agent and nowhere else", async () => {
    const id = await server.register();
    const { status, text, headers } = await server.client.get(await server.address(id));
    expect(status).toBe(200);
    expect(text).not.toMatch(/<script|onclick|javascript:/i);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("form-action 'self' http://127.0.0.1:33418;");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("script-src");
    expect(headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it.each([
    ["https://claude.ai/api/mcp/auth_callback", "https://claude.ai"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor:"],
    ["http://[::1]:9/cb", "http:"],
  ])("names the target of %s", async (uri, source) => {
    const id = await server.register({ redirect_uris: [uri] });
    const { headers } = await server.client.get(await server.address(id, { redirect_uri: uri }));
    expect(headers.get("content-security-policy")).toContain(`form-action 'self' ${source};`);
  });

  it("takes loopback addresses with any port, and no other address that is not the client's", async () => {
    const id = await server.register();
    const ok = await server.client.get(await server.address(id, { redirect_uri: "http://127.0.0.1:5/callback" }));
    expect(ok.status).toBe(200);
    for (const uri of [
      "http://127.0.0.1:5/other",
      "http://localhost:33418/callback",
      "https://evil.example/callback",
      "http://127.0.0.1:33418/callback?x=1",
      "http://127.0.0.1:33418/callback#x",
      "http://u@127.0.0.1:33418/callback",
      "",
    ]) {
      const { status, headers } = await server.client.get(await server.address(id, { redirect_uri: uri }));
      expect([status, headers.get("location")], uri).toEqual([400, null]);
    }
    const unknown = await server.client.get(await server.address("nobody"));
    expect([unknown.status, unknown.headers.get("location")]).toEqual([400, null]);
  });

  describe.each([
    ["another response type", { response_type: "token" }, "unsupported_response_type"],
    ["no challenge", { code_challenge: null }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["unknown scopes", { scope: "everything" }, "invalid_scope"],
  ])("of a request with %s", (_, changes, error) => {
    const both = async (address: string) => [
      await server.client.get(address),
      await server.form(address, { step: "password" }),
    ];

    it("tells the client, with iss and state, if somebody has allowed it before", async () => {
      const { clientId } = await connected(server);
      for (const answer of await both(await server.address(clientId, changes))) {
        expect(paramsOf(answer)).toMatchObject({ error, state: "s 1&", iss: "http://poa.test" });
      }
    });

    it("leads nowhere while nobody has allowed the client anything: anybody can register one", async () => {
      const clientId = await server.register({ redirect_uris: ["https://evil.example/landing"] });
      const wrong = { ...changes, redirect_uri: "https://evil.example/landing" };
      for (const { status, headers, text } of await both(await server.address(clientId, wrong))) {
        expect([status, headers.get("location")]).toEqual([400, null]);
        expect(text).not.toContain("evil.example");
      }
    });
  });

  it("shows names as they are, and not as markup", async () => {
    const person = await signedInPerson();
    const id = await server.register({ client_name: '<img src=x>"Claude\u202e', redirect_uris: [REDIRECT] });
    const address = await server.address(id);
    const { text } = await server.signIn(address, person);
    expect(text).toContain("Connect &lt;img src=x&gt;&quot;Claude?");
    expect(text).not.toMatch(/<img|\u202e/);
    expect(text).toContain("127.0.0.1:33418");
    expect(text).toContain(person.email);
    expect(text.match(/type="checkbox"/g)).toHaveLength(6);
    expect(text.match(/type="radio"/g)).toHaveLength(3);
  });

  it("counts wrong passwords, and asks again", async () => {
    const person = await signedInPerson();
    const address = await server.address(await server.register());
    const wrong = await server.signIn(address, person, "not the password");
    expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([401, true]);
    expect(await countRows("audit_log", "action = 'login.failed' AND user_id = ?", person.id)).toBe(1);
    for (let n = 0; n < 9; n += 1) await server.signIn(address, person, "not the password");
    expect((await server.signIn(address, person)).status).toBe(429);
  });

  it("asks for the second factor", async () => {
    const person = await signedInPerson();
    const { secret, backupCodes } = await turnOnTwoFactor(person);
    const address = await server.address(await server.register());
    const page = await server.signIn(address, person);
    expect(page.text).toContain("Two-factor code");
    expect(page.text).not.toContain('name="ticket"');
    const challenge = hiddenIn(page.text, "challenge");
    const wrong = await server.form(address, { step: "code", challenge, code: "000000" });
    expect([wrong.status, hiddenIn(wrong.text, "challenge")]).toEqual([401, challenge]);
    const right = await server.form(address, { step: "code", challenge, code: await codeAt(secret) });
    expect([right.status, right.text.includes('name="ticket"')]).toEqual([200, true]);
    const again = await server.signIn(address, person);
    const code = backupCodes[0] ?? "";
    const backup = await server.form(address, { step: "code", challenge: hiddenIn(again.text, "challenge"), code });
    expect(backup.text).toContain('name="ticket"');
    const over = await server.form(address, { step: "code", challenge, code });
    expect([over.status, over.text.includes('name="password"')]).toEqual([401, true]);
  });

  it("leaves no session behind", async () => {
    const { person } = await connected(server);
    expect(await countRows("sessions", "user_id = ?", person.id)).toBe(1);
  });

  it("needs no sign-in where the console has one, whose password was confirmed a moment ago", async () => {
    const person = await signedInPerson();
    const address = await server.address(await server.register());
    const cookie = `__Host-Http-poa=${person.refreshToken}`;
    const page = await server.client.get(address, { headers: { cookie } });
    expect(page.text).toContain(person.email);
    expect(paramsOf(await server.decide(address, page)).code).toBeTruthy();
    const over = await server.client.get(address, { headers: { cookie: `${cookie}x` } });
    expect(over.text).toContain('name="password"');
    const elsewhere = await server.client.get(address, { headers: { "sec-fetch-site": "cross-site" } });
    expect(elsewhere.text).toContain("arrived=1");
    const [, back = ""] = /content="0;url=([^"]+)"/.exec(elsewhere.text) ?? [];
    const arrived = await server.client.get(back.replaceAll("&amp;", "&"), {
      headers: { "sec-fetch-site": "same-origin", cookie },
    });
    expect(arrived.text).toContain(person.email);
  });

  it("accepts no form of another page, no foreign ticket and no old one", async () => {
    const person = await signedInPerson();
    const id = await server.register();
    const address = await server.address(id);
    const page = await server.signIn(address, person);
    const fields = {
      step: "consent",
      ticket: hiddenIn(page.text, "ticket"),
      decision: "allow",
      proposals: "never",
      scope: "tasks:read",
    };
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
    ]) {
      expect((await server.form(address, fields, headers)).status).toBe(403);
    }
    const other = await server.address(id, { scope: "tasks:read" });
    expect((await server.form(other, fields)).status).toBe(401);
    expect((await server.form(address, { ...fields, ticket: `${fields.ticket}x` })).status).toBe(401);
    const none = await server.form(address, { ...fields, scope: "admin" });
    expect([none.status, none.text.includes("at least one")]).toEqual([422, true]);
    await env.DB.prepare("UPDATE users SET password_changed_at = ? WHERE id = ?")
      .bind(Date.now() + 1000, person.id)
      .run();
    expect((await server.form(address, fields)).status).toBe(401);
  });

  it("tells the client when the person declines", async () => {
    const person = await signedInPerson();
    const address = await server.address(await server.register());
    const page = await server.signIn(address, person);
    const back = paramsOf(await server.decide(address, page, [["decision", "deny"]]));
    expect(back).toMatchObject({ error: "access_denied", state: "s 1&", iss: "http://poa.test" });
    expect(await countRows("oauth_codes", "user_id = ?", person.id)).toBe(0);
    const declined = "user_id = ? AND action = 'connection.declined'";
    expect(await countRows("audit_log", declined, person.id)).toBe(1);
    // Once the sign-in is over, or the account gone, nothing is noted.
    const next = await server.signIn(address, person);
    const deny = () => server.decide(address, next, [["decision", "deny"]]);
    await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(person.id).run();
    expect(paramsOf(await deny())).toMatchObject({ error: "access_denied" });
    expect(await countRows("audit_log", declined, person.id)).toBe(1);
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(person.id).run();
    expect(paramsOf(await deny())).toMatchObject({ error: "access_denied" });
  });
});
