import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { purgeConnections } from "../../src/features/oauth/purge.ts";
import { countRows, signedInPerson } from "../auth/people.ts";
import { service, systemCtx } from "../harness.ts";
import { codeAt, mailbox, PASSWORD, turnOnTwoFactor } from "../settings/people.ts";
import { ALL_SCOPES, agent, ERAS } from "./agents.ts";
import { connected, hiddenIn, oauth, paramsOf, REDIRECT, RESOURCE } from "./connecting.ts";

const server = oauth();
const grants = (userId: number) => countRows("oauth_grants", "user_id = ?", userId);
const wait = (seconds: number) =>
  env.DB.prepare("UPDATE oauth_grants SET rotated_at = rotated_at - ?")
    .bind(seconds * 1000)
    .run();

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

  it.each([
    ["another response type", { response_type: "token" }, "unsupported_response_type"],
    ["no challenge", { code_challenge: null }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["unknown scopes", { scope: "everything" }, "invalid_scope"],
  ])("tells the client of %s, with iss and state", async (_, changes, error) => {
    const address = await server.address(await server.register(), changes);
    for (const answer of [await server.client.get(address), await server.form(address, { step: "password" })]) {
      expect(paramsOf(answer)).toMatchObject({ error, state: "s 1&", iss: "http://poa.test" });
    }
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

  it("skips the password where the console is signed in", async () => {
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
  });
});

describe("tokens", () => {
  it("are for what was allowed, at /mcp only, and told of by email", async () => {
    const mail = mailbox();
    const server = oauth(mail.vars);
    const { person, access } = await connected(server, { scope: "tasks:read tasks:write offline_access" });
    const { tools } = (await agent(access).send({ method: "tools/list" })).body.result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      "search",
      "fetch",
      "list_tasks",
      "create_task",
      "update_task",
    ]);
    for (const path of ["/api/tasks", "/api/auth/me", "/api/settings/security"]) {
      expect((await server.client.get(path, { token: access })).status).toBe(401);
    }
    expect(mail.subjectsTo(person.email)).toContain("An agent was connected to your account");
    expect(await countRows("audit_log", "action = 'connection.allowed' AND user_id = ?", person.id)).toBe(1);
    const rows = await env.DB.prepare("SELECT * FROM oauth_grants, oauth_access_tokens").all();
    expect(JSON.stringify(rows.results)).not.toContain(access);
  });

  it("belong to one resource", async () => {
    const { access } = await connected(server);
    const other = service({ ACCESS_MODE: "private", PUBLIC_URL: "https://other.example" });
    expect((await agent(access, "modern", other).send({ method: "tools/list" })).status).toBe(401);
  });

  it.each([
    ["another verifier", { code_verifier: "x".repeat(43) }],
    ["another client", { client_id: "other" }],
    ["another address", { redirect_uri: "http://127.0.0.1:1/callback" }],
    ["no code", { code: "" }],
  ])("are not issued for %s", async (_, changes) => {
    const person = await signedInPerson();
    const id = await server.register();
    const address = await server.address(id);
    const { code = "" } = paramsOf(await server.decide(address, await server.signIn(address, person)));
    const { status, body } = await server.exchange(id, code, changes);
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
    expect((await server.exchange(id, code, { resource: "https://other.example" })).body.error).toBe("invalid_target");
    expect((await server.exchange(id, code)).status).toBe(200);
  });

  it("are not issued for an old code, an unknown kind or another form", async () => {
    const person = await signedInPerson();
    const id = await server.register();
    const address = await server.address(id);
    const { code = "" } = paramsOf(await server.decide(address, await server.signIn(address, person)));
    await env.DB.prepare("UPDATE oauth_codes SET expires_at = expires_at - 61000 WHERE user_id = ?")
      .bind(person.id)
      .run();
    expect((await server.exchange(id, code)).body.error).toBe("invalid_grant");
    expect((await server.exchange(id, code, { grant_type: "password" })).body.error).toBe("unsupported_grant_type");
    const json = await server.client.post("/oauth/token", { grant_type: "refresh_token" });
    expect([json.status, json.body.error]).toEqual([400, "invalid_request"]);
    const twice = await server.form("/oauth/token", [
      ["grant_type", "refresh_token"],
      ["grant_type", "refresh_token"],
    ]);
    expect(twice.body.error).toBe("invalid_request");
  });

  it("end with the connection when a code is used twice", async () => {
    const mail = mailbox();
    const server = oauth(mail.vars);
    const { person, clientId, code, access } = await connected(server);
    const { status, body } = await server.exchange(clientId, code);
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
    expect((await agent(access).send({ method: "tools/list" })).status).toBe(401);
    expect(await countRows("audit_log", "action = 'connection.code_reused' AND user_id = ?", person.id)).toBe(1);
    expect(mail.subjectsTo(person.email).join()).toContain("code was used twice");
  });

  it("are issued once for a code that comes twice at the same time", async () => {
    const person = await signedInPerson();
    const id = await server.register();
    const address = await server.address(id);
    const { code = "" } = paramsOf(await server.decide(address, await server.signIn(address, person)));
    const answers = await Promise.all([1, 2, 3].map(() => server.exchange(id, code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(await grants(person.id)).toBe(0);
  });

  it("are refreshed to the same ones by five that come at once, and the old access token goes on", async () => {
    const { clientId, refresh, access, person } = await connected(server);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => server.refresh(clientId, refresh)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => `${body.access_token} ${body.refresh_token}`)).size).toBe(1);
    for (const token of [access, answers[0]?.body.access_token]) {
      expect((await agent(token).send({ method: "tools/list" })).status).toBe(200);
    }
    await wait(119);
    expect((await server.refresh(clientId, refresh)).body.access_token).toBe(answers[0]?.body.access_token);
    expect(await grants(person.id)).toBe(1);
  });

  it("end with the connection when a refresh token is used again after 120 seconds", async () => {
    const mail = mailbox();
    const server = oauth(mail.vars);
    const { clientId, refresh, person } = await connected(server);
    const { body } = await server.refresh(clientId, refresh);
    await wait(121);
    const { status, body: refused } = await server.refresh(clientId, refresh);
    expect([status, refused.error]).toEqual([400, "invalid_grant"]);
    expect((await server.refresh(clientId, body.refresh_token)).status).toBe(400);
    expect((await agent(body.access_token).send({ method: "tools/list" })).status).toBe(401);
    expect(await countRows("audit_log", "action = 'connection.refresh_reused' AND user_id = ?", person.id)).toBe(1);
    expect(mail.subjectsTo(person.email).join()).toContain("refresh token was used again");
  });

  it("end at once when a token older than the last is used", async () => {
    const { clientId, refresh, person } = await connected(server);
    const { body } = await server.refresh(clientId, refresh);
    await server.refresh(clientId, body.refresh_token);
    expect((await server.refresh(clientId, refresh)).status).toBe(400);
    expect(await grants(person.id)).toBe(0);
  });

  it("are refreshed by their own client only, and not after 90 days without use", async () => {
    const { clientId, refresh, person } = await connected(server);
    for (const [id, token] of [
      ["other", refresh],
      [clientId, `${refresh}x`],
      [clientId, "poar_x.0.y"],
    ] as const) {
      expect((await server.refresh(id, token)).body.error).toBe("invalid_grant");
    }
    expect(await grants(person.id)).toBe(1);
    await env.DB.prepare("UPDATE oauth_grants SET expires_at = expires_at - ? WHERE user_id = ?")
      .bind(90 * 86_400_000, person.id)
      .run();
    expect((await server.refresh(clientId, refresh)).body.error).toBe("invalid_grant");
    await purgeConnections(systemCtx());
    expect(await grants(person.id)).toBe(0);
  });

  it("expire after an hour", async () => {
    const { access } = await connected(server);
    await env.DB.prepare("UPDATE oauth_access_tokens SET expires_at = expires_at - 3600001").run();
    const { status, headers } = await agent(access).send({ method: "tools/list" });
    expect([status, headers.get("www-authenticate")?.includes('error="invalid_token"')]).toEqual([401, true]);
  });

  it("can be given back", async () => {
    const { access, refresh, person } = await connected(server);
    const gone = await server.form("/oauth/revoke", { token: access });
    expect(gone.status).toBe(200);
    expect((await agent(access).send({ method: "tools/list" })).status).toBe(401);
    expect(await grants(person.id)).toBe(1);
    await server.form("/oauth/revoke", { token: refresh, token_type_hint: "refresh_token" });
    expect(await grants(person.id)).toBe(0);
    expect((await server.form("/oauth/revoke", { token: "poar_nobody" })).status).toBe(200);
  });
});

describe.each(ERAS)("a connection in the %s era", (era) => {
  it("is stepped up: the new tokens may do more, and what was read is still known", async () => {
    const first = await connected(server, { scope: "tasks:write emails:read" });
    const desk = agent(first.access, era);
    await service().post("/api/emails", { from: "a@example.com", to: "b@example.com", subject: "x", body: "y" });
    await desk.done("find_mail");
    const { status, headers } = await desk.send({
      method: "tools/call",
      params: { name: "create_event", arguments: {} },
    });
    expect([status, headers.get("www-authenticate")?.includes('scope="calendar:write"')]).toEqual([403, true]);
    const { person, clientId } = first;
    const more = await connected(server, { person, clientId, scope: "tasks:write emails:read calendar:write" });
    const start = "2030-01-01T10:00:00Z";
    expect(await agent(more.access, era).done("create_event", { title: "x", start })).toMatchObject({
      status: "proposed",
    });
    // The same installation has new tokens now.
    expect((await desk.send({ method: "tools/list" })).status).toBe(401);
    expect(await grants(person.id)).toBe(1);
  });

  it.each([
    ["every_write", "proposed", "proposed"],
    ["changes", "done", "proposed"],
    ["never", "done", "done"],
  ])("that is to propose %s after outside text does so", async (proposals, creates, changes) => {
    const { access, person } = await connected(server, { proposals });
    const desk = agent(access, era);
    const { body: task } = await service().post("/api/tasks", { title: "Mine" });
    await service().post("/api/emails", { from: "a@example.com", to: "b@example.com", subject: "x", body: "y" });
    await desk.done("find_mail");
    expect((await desk.done("create_task", { title: "New" })).status).toBe(creates);
    const changed = await desk.done("update_task", { id: task.id, priority: "high" });
    expect(changed.status).toBe(changes);
    if (changes === "proposed") {
      const path = `/api/ai/chat/proposals/${changed.proposal.id}`;
      expect((await server.client.post(path, undefined, { token: access })).status).toBe(401);
      expect((await server.client.post(path, undefined, { token: person.token })).status).toBe(200);
    }
  });

  it("ends at once when it is disconnected, also against a write", async () => {
    const { access, person } = await connected(server);
    const desk = agent(access, era);
    await desk.done("create_task", { title: "Before" });
    const { body } = await server.client.get("/api/settings/security/connections", { token: person.token });
    const [connection] = body.data;
    expect(connection).toMatchObject({
      name: "Desk",
      redirectHost: "127.0.0.1:33418",
      scopes: ALL_SCOPES,
      proposals: "every_write",
    });
    const path = `/api/settings/security/connections/${connection.id}`;
    const changed = await server.client.patch(path, { proposals: "never" }, { token: person.token });
    expect(changed.body.proposals).toBe("never");
    const writes = [1, 2, 3].map((n) =>
      desk.send({
        method: "tools/call",
        params: { name: "create_task", arguments: { title: `Race ${connection.id} ${n}` } },
      }),
    );
    const [ended, ...answers] = await Promise.all([server.client.delete(path, { token: person.token }), ...writes]);
    expect(ended.status).toBe(204);
    const made = answers.filter(({ status }) => status === 200).length;
    expect(await countRows("tasks", "title LIKE ?", `Race ${connection.id} %`)).toBe(made);
    for (const { status } of answers) expect([200, 401]).toContain(status);
    expect(
      (await desk.send({ method: "tools/call", params: { name: "create_task", arguments: { title: "After" } } }))
        .status,
    ).toBe(401);
    expect((await server.client.delete(path, { token: person.token })).status).toBe(404);
    expect(await countRows("audit_log", "action = 'connection.ended' AND user_id = ?", person.id)).toBe(1);
  });
});

describe("connections", () => {
  it("end with the password, unless the person keeps the others", async () => {
    const { person, access } = await connected(server);
    const input = { currentPassword: PASSWORD, newPassword: "a brand new passphrase" };
    await server.client.post(
      "/api/settings/security/password",
      { ...input, revokeOthers: false },
      { token: person.token },
    );
    expect((await agent(access).send({ method: "tools/list" })).status).toBe(200);
    const again = { currentPassword: input.newPassword, newPassword: "another brand new one" };
    await server.client.post("/api/settings/security/password", again, { token: person.token });
    expect((await agent(access).send({ method: "tools/list" })).status).toBe(401);
  });

  it("are exported without secrets, and deleted with the account", async () => {
    const { person, access } = await connected(server);
    const { text } = await server.client.get("/api/settings/data/export", { token: person.token });
    expect(JSON.parse(text).data.connections).toMatchObject([{ name: "Desk" }]);
    expect(text).not.toMatch(/poa[tr]_/);
    const input = { confirm: person.email, currentPassword: PASSWORD };
    expect(
      (await server.client.call("DELETE", "/api/settings/account", { token: person.token, body: input })).status,
    ).toBe(204);
    expect((await agent(access).send({ method: "tools/list" })).status).toBe(401);
    expect(await grants(person.id)).toBe(0);
  });
});
