import { randomBytes } from "node:crypto";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { generate } from "otplib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningWorker, startWorker } from "../worker.ts";

/* The official client against the build, from the first 401 to the last. */

const PASSWORD = "correct horse battery staple";
const REDIRECT = "http://127.0.0.1:33418/callback";

let worker: RunningWorker;
let origin: string;

beforeAll(async () => {
  const secret = () => randomBytes(32).toString("base64url");
  worker = await startWorker({
    JWT_SECRET: secret(),
    PASSWORD_PEPPER: secret(),
    ENCRYPTION_KEY: secret(),
    ALLOW_PRIVATE_HOSTS: "true",
  });
  await worker.migrate();
  origin = worker.url.origin;
});
afterAll(() => worker?.stop());

async function api(method: string, path: string, body?: object, token?: string) {
  const headers = {
    ...(body && { "content-type": "application/json" }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(`${origin}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : null };
}

async function register(email: string): Promise<string> {
  return (await api("POST", "/api/auth/register", { email, password: PASSWORD, name: "Ada" })).body.token;
}

/** Somebody with two-factor authentication, and what they do in the browser. */
async function newPerson(name: string) {
  const email = `${name}@example.com`;
  const token = await register(email);
  const { secret } = (await api("POST", "/api/settings/security/2fa/setup", { currentPassword: PASSWORD }, token)).body;
  const verified = await api("POST", "/api/settings/security/2fa/verify", { code: await generate({ secret }) }, token);
  const codes: string[] = verified.body.backupCodes;
  const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? "";

  async function send(url: URL, fields: [string, string][]): Promise<Response> {
    return fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
  }
  /** Signs in, enters a code, allows these scopes, and returns what the agent is called back with. */
  async function allow(url: URL, scopes: readonly string[]): Promise<URLSearchParams> {
    expect((await fetch(url)).status).toBe(200);
    const password = await send(url, [
      ["step", "password"],
      ["email", email],
      ["password", PASSWORD],
    ]);
    const challenge = hidden(await password.text(), "challenge");
    const consent = await send(url, [
      ["step", "code"],
      ["challenge", challenge],
      ["code", codes.pop() ?? ""],
    ]);
    const ticket = hidden(await consent.text(), "ticket");
    const allowed = await send(url, [
      ["step", "consent"],
      ["ticket", ticket],
      ["decision", "allow"],
      ["proposals", "every_write"],
      ...scopes.map((scope): [string, string] => ["scope", scope]),
    ]);
    expect(allowed.status).toBe(303);
    return new URL(allowed.headers.get("location") ?? "").searchParams;
  }
  return { token, allow };
}

/** What an agent keeps between its starts. */
function newProvider() {
  const kept: { client?: object; tokens?: { access_token: string }; verifier?: string; asked: URL[] } = { asked: [] };
  const provider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "Official client", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
    clientInformation: () => kept.client,
    saveClientInformation: (client: object) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: { access_token: string }) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url: URL) => {
      kept.asked.push(url);
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? "",
    invalidateCredentials: () => {
      delete kept.tokens;
    },
  };
  return { kept, provider: provider as unknown as OAuthClientProvider };
}

const ERAS = [
  ["2026-07-28", { pin: "2026-07-28" }],
  ["2025-11-25", "legacy"],
] as const;

describe.each(ERAS)("the official client in %s", (version, mode) => {
  it("connects, calls, refreshes, asks for more, and is disconnected", async () => {
    const person = await newPerson(`person-${version}`);
    const { kept, provider } = newProvider();
    const server = new URL(`${origin}/mcp`);
    const open = async () => {
      const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
      const transport = new StreamableHTTPClientTransport(server, { authProvider: provider });
      return { client, transport, connect: () => client.connect(transport) };
    };

    const first = await open();
    await expect(first.connect()).rejects.toThrow(UnauthorizedError);
    const scopes = ["tasks:read", "tasks:write"];
    await first.transport.finishAuth(await person.allow(kept.asked[0] as URL, scopes));

    const { client, transport, connect } = await open();
    await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search", "fetch", "list_tasks", "create_task", "update_task"]);
    const created = await client.callTool({
      name: "create_task",
      arguments: { title: "Call Ann", dueText: "tomorrow" },
    });
    expect(created.structuredContent).toMatchObject({ status: "done", task: { title: "Call Ann" } });

    const before = kept.tokens?.access_token;
    if (kept.tokens) kept.tokens = { ...kept.tokens, access_token: "poat_expired" };
    expect((await client.callTool({ name: "list_tasks", arguments: {} })).isError).toBeUndefined();
    expect(kept.tokens?.access_token).not.toBe(before);
    expect(kept.asked).toHaveLength(1);

    const event = { name: "create_event", arguments: { title: "Lunch", start: "2030-01-01T12:00:00Z" } };
    await expect(client.callTool(event)).rejects.toThrow();
    expect(kept.asked).toHaveLength(2);
    const asked = kept.asked[1] as URL;
    expect(asked.searchParams.get("scope")).toContain("calendar:write");
    await transport.finishAuth(await person.allow(asked, [...scopes, "calendar:write"]));
    expect((await client.callTool(event)).structuredContent).toMatchObject({ status: expect.any(String) });

    const path = "/api/settings/security/connections";
    const { body } = await api("GET", path, undefined, person.token);
    expect(body.data).toMatchObject([{ name: "Official client", scopes: [...scopes, "calendar:write"] }]);
    expect((await api("DELETE", `${path}/${body.data[0].id}`, undefined, person.token)).status).toBe(204);
    await expect(client.callTool({ name: "list_tasks", arguments: {} })).rejects.toThrow(UnauthorizedError);
    await client.close();
  });
});
