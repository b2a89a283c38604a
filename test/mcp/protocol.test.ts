import { describe, expect, it } from "vitest";
import { service } from "../harness.ts";
import { ALL_SCOPES, agent, ERAS, personWithKey } from "./agents.ts";

const META = "io.modelcontextprotocol/";
const { key, person } = await personWithKey();
const modern = agent(key);
const legacy = agent(key, "legacy");

const raw = (body: unknown, headers: Record<string, string> = {}) =>
  service({ ACCESS_MODE: "private" }).call("POST", "/mcp", { token: key, body, headers });

describe("the handshake era", () => {
  it.each(["2025-11-25", "2025-06-18", "2025-03-26"])("begins with initialize in %s", async (version) => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const { status, body, headers } = await raw({ jsonrpc: "2.0", id: "a", method: "initialize", params });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: "a", result: { protocolVersion: version, capabilities: { tools: {} } } });
    expect(body.result.serverInfo.name).toBe("personal-operations-assistant");
    expect(body.result).not.toHaveProperty("resultType");
    expect(headers.get("mcp-session-id")).toBeNull();
  });

  it("offers its newest version to a client with another", async () => {
    const { body } = await raw({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2024-11-05" },
    });
    expect(body.result.protocolVersion).toBe("2025-11-25");
  });

  it("takes notifications without an answer, and pings", async () => {
    const note = await raw({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([note.status, note.text]).toEqual([202, ""]);
    expect((await legacy.send({ method: "ping" })).body.result).toEqual({});
  });

  it("takes a request without a version header as one of the first version", async () => {
    const { body } = await raw({ jsonrpc: "2.0", id: 7, method: "tools/list" });
    expect(body.result.tools).toHaveLength(16);
  });

  it("refuses an unknown version, and answers an unknown method with 200", async () => {
    const { status, body } = await raw(
      { jsonrpc: "2.0", id: 7, method: "ping" },
      { "mcp-protocol-version": "1999-01-01" },
    );
    expect([status, body.error.code, body.id]).toEqual([400, -32022, 7]);
    const unknown = await legacy.send({ method: "server/discover" });
    expect([unknown.status, unknown.body.error.code]).toEqual([200, -32601]);
  });
});

describe("the stateless era", () => {
  it("is discovered", async () => {
    const { body } = await modern.send({ method: "server/discover" });
    expect(body.result).toMatchObject({
      resultType: "complete",
      capabilities: { tools: {}, resources: {}, prompts: {} },
    });
    expect(body.result.supportedVersions).toEqual(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"]);
    expect(body.result._meta[`${META}serverInfo`].name).toBe("personal-operations-assistant");
  });

  it("has every result say what it is, and for how long it may be kept", async () => {
    for (const method of ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]) {
      const { result } = (await modern.send({ method })).body;
      expect(result).toMatchObject({ resultType: "complete", cacheScope: "private" });
      expect(result.ttlMs).toBeLessThanOrEqual(60_000);
    }
  });

  it.each([
    ["no _meta", {}],
    ["no version", { _meta: { [`${META}clientCapabilities`]: {} } }],
    ["no capabilities", { _meta: { [`${META}protocolVersion`]: "2026-07-28" } }],
  ])("refuses %s", async (_, params) => {
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
    const { status, body } = await raw({ jsonrpc: "2.0", id: 9, method: "tools/list", params }, headers);
    expect([status, body.error.code, body.id]).toEqual([400, -32602, 9]);
  });

  it("names the versions it supports to a client with another", async () => {
    const _meta = { [`${META}protocolVersion`]: "2099-01-01", [`${META}clientCapabilities`]: {} };
    const headers = { "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" };
    const { status, body } = await raw({ jsonrpc: "2.0", id: 9, method: "tools/list", params: { _meta } }, headers);
    expect(status).toBe(400);
    const { supportedVersions } = (await modern.send({ method: "server/discover" })).body.result;
    expect(body.error).toMatchObject({ code: -32022, data: { supported: supportedVersions, requested: "2099-01-01" } });
  });

  it.each([
    ["another version", { "mcp-protocol-version": "2025-11-25" }],
    ["another method", { "mcp-method": "prompts/list" }],
    ["a method in other letters", { "mcp-method": "TOOLS/CALL" }],
    ["another name", { "mcp-name": "daily_brief" }],
    ["an unreadable name", { "mcp-name": "=?base64?%%?=" }],
  ])("refuses headers with %s than the body", async (_, headers) => {
    const call = { method: "tools/call", params: { name: "list_tasks", arguments: {} }, headers };
    const { status, body } = await modern.send(call);
    expect([status, body.error.code]).toEqual([400, -32020]);
  });

  it("reads names with white space around them, and encoded ones", async () => {
    for (const name of ["  list_tasks  ", `=?base64?${btoa("list_tasks")}?=`]) {
      const call = { method: "tools/call", params: { name: "list_tasks" }, headers: { "mcp-name": name } };
      expect((await modern.send(call)).status).toBe(200);
    }
  });

  it.each(["initialize", "ping", "logging/setLevel", "resources/subscribe", "subscriptions/listen", "constructor"])(
    "has no method %s",
    async (method) => {
      const { status, body } = await modern.send({ method });
      expect([status, body.error.code]).toEqual([404, -32601]);
    },
  );
});

describe("the endpoint", () => {
  it.each(["GET", "DELETE", "PUT"])("does not support %s", async (method) => {
    const { status, headers } = await service().call(method, "/mcp", { token: key });
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  });

  it.each([
    ["nothing", "", -32700],
    ["no JSON", "{", -32700],
    ["a list", "[]", -32600],
    ["no version", '{"id":1,"method":"ping"}', -32600],
    ["no method", '{"jsonrpc":"2.0","id":1}', -32600],
    ["an id of null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ["params that are a list", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32602],
  ])("refuses %s", async (_, text, code) => {
    const headers = { "content-type": "application/json" };
    const { status, body } = await service().call("POST", "/mcp", { token: key, raw: text, headers });
    expect([status, body.error.code]).toEqual([400, code]);
  });

  it("needs a credential, in open mode too", async () => {
    for (const ACCESS_MODE of ["open", "private"]) {
      for (const token of [null, "poat_wrong", "poa_wrong", person.token]) {
        const { status, headers, body } = await agent(token, "legacy", service({ ACCESS_MODE })).send({
          method: "ping",
        });
        expect([status, body.error.code]).toEqual([401, -32600]);
        const challenge = headers.get("www-authenticate") ?? "";
        expect(challenge).toContain('resource_metadata="http://poa.test/.well-known/oauth-protected-resource/mcp"');
        expect(challenge).toContain(`scope="${ALL_SCOPES.join(" ")}"`);
        expect(challenge.includes("invalid_token")).toBe(token !== null);
      }
    }
  });

  it.each([
    ["https://evil.example", {}, 403],
    ["https://evil.example", { CORS_ORIGINS: "*" }, 403],
    ["https://desk.example", { CORS_ORIGINS: "https://desk.example" }, 200],
    ["http://poa.test", {}, 200],
    ["http://localhost:6274", {}, 200],
    ["http://localhost:6274", { ALLOW_PRIVATE_HOSTS: "false" }, 403],
    ["null", {}, 403],
  ])("answers pages of %s (%o) with %i", async (origin, vars, expected) => {
    const client = service({ ACCESS_MODE: "private", ...vars });
    const { status } = await agent(key, "legacy", client).send({ method: "ping", headers: { origin } });
    expect(status).toBe(expected);
  });

  it("lets browsers send the protocol's headers", async () => {
    const headers = { origin: "http://localhost:6274", "access-control-request-method": "POST" };
    const answer = await service().call("OPTIONS", "/mcp", { headers });
    const allowed = answer.headers.get("access-control-allow-headers")?.toLowerCase() ?? "";
    for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name", "authorization"])
      expect(allowed).toContain(name);
  });

  it("refuses a revoked key at once", async () => {
    const { person, key } = await personWithKey();
    const desk = agent(key);
    await desk.done("list_tasks");
    const { body } = await service().get("/api/settings/security/api-keys", person);
    await service().delete(`/api/settings/security/api-keys/${body.data[0].id}`, person);
    for (const name of ["list_tasks", "create_task"]) {
      const answer = await desk.send({ method: "tools/call", params: { name, arguments: { title: "Too late" } } });
      expect(answer.status).toBe(401);
    }
  });
});

describe.each(ERAS)("tools in the %s era", (era) => {
  const desk = agent(key, era);

  it("are 15, described in at most 12,000 characters, each completely", async () => {
    const answer = await desk.send({ method: "tools/list" });
    const { tools } = answer.body.result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(
      `search fetch find_mail read_mail find_people list_tasks list_events find_free_slots daily_brief create_task update_task
      create_event move_event cancel_event update_mail propose_reply`.split(/\s+/),
    );
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(12_000);
    for (const tool of tools) {
      expect(tool.title && tool.description).toBeTruthy();
      expect(tool.inputSchema.type).toBe("object");
      expect(tool.outputSchema.type).toBe("object");
      const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
      for (const hint of hints) expect(typeof tool.annotations[hint], `${tool.name} ${hint}`).toBe("boolean");
    }
  });

  it("are listed by scope, and refused with what is missing", async () => {
    const { key } = await personWithKey(["tasks:read"]);
    const narrow = agent(key, era);
    const { tools } = (await narrow.send({ method: "tools/list" })).body.result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(["search", "fetch", "list_tasks"]);
    const { status, headers, body } = await narrow.send({
      method: "tools/call",
      params: { name: "daily_brief", arguments: {} },
    });
    expect([status, body.error.data.code]).toEqual([403, "insufficient_scope"]);
    const challenge = headers.get("www-authenticate");
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain('scope="calendar:read emails:read"');
    expect(challenge).toContain("resource_metadata=");
    const write = await narrow.send({
      method: "tools/call",
      params: { name: "create_task", arguments: { title: "x" } },
    });
    expect([write.status, write.headers.get("www-authenticate")?.includes('scope="tasks:write"')]).toEqual([403, true]);
  });

  it("refuse wrong input by naming it, and unknown tools", async () => {
    const wrong = await desk.tool("list_tasks", { limit: 500, colour: "red" });
    expect(wrong.isError).toBe(true);
    expect(wrong.content[0].text).toMatch(/limit/);
    expect(wrong.content[0].text).toMatch(/colour/);
    const { body } = await desk.send({ method: "tools/call", params: { name: "send_mail", arguments: {} } });
    expect(body.error.code).toBe(-32602);
  });

  it("come with prompts and resources", async () => {
    const { prompts } = (await desk.send({ method: "prompts/list" })).body.result;
    expect(prompts.map(({ name }: { name: string }) => name)).toEqual([
      "plan_my_day",
      "triage_inbox",
      "prepare_meeting",
    ]);
    const got = await desk.send({
      method: "prompts/get",
      params: { name: "prepare_meeting", arguments: { meeting: "Board" } },
    });
    expect(got.body.result.messages[0].content.text).toContain("“Board”");
    const missing = await desk.send({ method: "prompts/get", params: { name: "prepare_meeting" } });
    expect(missing.body.error.code).toBe(-32602);
    const { resourceTemplates } = (await desk.send({ method: "resources/templates/list" })).body.result;
    expect(resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate)).toEqual([
      "poa://mail/{id}",
      "poa://task/{id}",
      "poa://event/{id}",
    ]);
    const brief = await desk.send({ method: "resources/read", params: { uri: "poa://brief/today" } });
    expect(brief.body.result.contents[0].text.length).toBeGreaterThan(10);
    for (const uri of [
      "poa://mail/999999",
      "poa://mail/x",
      "poa://moon/1",
      "file:///etc/passwd",
      "poa://mail/%E0%A4%A",
    ]) {
      const { body } = await desk.send({ method: "resources/read", params: { uri } });
      expect(body.error?.code, uri).toBe(era === "modern" ? -32602 : -32002);
    }
  });
});
