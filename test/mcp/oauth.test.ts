import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { purgeConnections } from "../../src/features/oauth/purge.ts";
import { countRows, signedInPerson } from "../auth/people.ts";
import { service, systemCtx } from "../harness.ts";
import { interruptBatch } from "../measured.ts";
import { mailbox, PASSWORD } from "../settings/people.ts";
import { ALL_SCOPES, agent, ERAS } from "./agents.ts";
import { connected, oauth, paramsOf } from "./connecting.ts";

const server = oauth();
const grants = (userId: number) => countRows("oauth_grants", "user_id = ?", userId);
const wait = (seconds: number) =>
  env.DB.prepare("UPDATE oauth_grants SET rotated_at = rotated_at - ?")
    .bind(seconds * 1000)
    .run();

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
    for (const table of ["oauth_grants", "oauth_access_tokens"]) {
      const rows = await env.DB.prepare(`SELECT * FROM ${table}`).all();
      expect(JSON.stringify(rows.results)).not.toContain(access);
    }
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
    // Far from the end of the 120 seconds: the machine may be slow.
    await wait(60);
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

describe("a rule that the person makes stricter", () => {
  it("holds for a request that has begun under the one before: it writes nothing", async () => {
    const { access, person } = await connected(oauth(), { proposals: "never" });
    await agent(access).done("create_task", { title: "Before" });
    await env.DB.prepare("UPDATE oauth_grants SET outside_at = ?").bind(Date.now()).run();
    // At whichever of its calls to the database the rule changes.
    for (const number of [1, 2, 3]) {
      await env.DB.prepare("UPDATE oauth_grants SET rule = 'never' WHERE user_id = ?").bind(person.id).run();
      const { results } = await env.DB.prepare("SELECT id, version FROM tasks WHERE title = 'Before'").all<{
        id: number;
      }>();
      let hasActed = false;
      const DB = interruptBatch(env.DB, number, async () => {
        hasActed = true;
        await env.DB.prepare("UPDATE oauth_grants SET rule = 'every_write' WHERE user_id = ?").bind(person.id).run();
      });
      const late = agent(access, "modern", service({ ACCESS_MODE: "private", DB }));
      await late.send({
        method: "tools/call",
        params: { name: "update_task", arguments: { id: results[0]?.id, priority: "high" } },
      });
      expect(hasActed || number > 1).toBe(true);
      if (!hasActed) continue;
      const after = await env.DB.prepare("SELECT id, version FROM tasks WHERE title = 'Before'").all();
      expect(after.results, `call ${number}`).toEqual(results);
    }
  });
});
