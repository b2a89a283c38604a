import { expect } from "vitest";
import type { Env } from "../../src/config.ts";
import { type Person, signedInPerson } from "../auth/people.ts";
import { type Answer, type Client, service } from "../harness.ts";
import { PASSWORD } from "../settings/people.ts";

export const REDIRECT = "http://127.0.0.1:33418/callback";
export const RESOURCE = "http://poa.test/mcp";

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

export async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

export function oauth(vars: Partial<Env> = {}) {
  const client = service({ ACCESS_MODE: "private", ...vars });
  const form = (path: string, fields: Record<string, string> | [string, string][], headers = {}) =>
    client.call("POST", path, {
      raw: new URLSearchParams(fields).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });
  return {
    client,
    form,
    async register(input: object = { client_name: "Desk", redirect_uris: [REDIRECT] }): Promise<string> {
      const { body, status } = await client.post("/oauth/register", input);
      expect(status).toBe(201);
      return body.client_id;
    },
    /** The address of the page, with changes to a request that is right. */
    async address(clientId: string, changes: Record<string, string | null> = {}): Promise<string> {
      const query = {
        client_id: clientId,
        redirect_uri: REDIRECT,
        response_type: "code",
        code_challenge: await challengeOf(VERIFIER),
        code_challenge_method: "S256",
        state: "s 1&",
        resource: RESOURCE,
        ...changes,
      };
      const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
      return `/oauth/authorize?${new URLSearchParams(given)}`;
    },
    signIn: (address: string, person: Pick<Person, "email">, password = PASSWORD) =>
      form(address, { step: "password", email: person.email, password }),
    decide(address: string, page: Answer, fields: [string, string][] = []) {
      const ticket = hiddenIn(page.text, "ticket");
      const scopes = [...page.text.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope = ""]) => scope);
      const all: [string, string][] = [
        ["step", "consent"],
        ["ticket", ticket],
        ["decision", "allow"],
        ["proposals", "every_write"],
        ...scopes.map((scope): [string, string] => ["scope", scope]),
      ];
      const replaced = fields.map(([name]) => name);
      return form(address, [...all.filter(([name]) => !replaced.includes(name)), ...fields]);
    },
    exchange: (clientId: string, code: string, changes: Record<string, string> = {}) =>
      form("/oauth/token", {
        grant_type: "authorization_code",
        client_id: clientId,
        code,
        code_verifier: VERIFIER,
        redirect_uri: REDIRECT,
        resource: RESOURCE,
        ...changes,
      }),
    refresh: (clientId: string, refreshToken: string) =>
      form("/oauth/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken }),
  };
}

export function hiddenIn(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? "";
}

export function paramsOf(answer: Answer): Record<string, string> {
  expect(answer.status, answer.text.slice(0, 500)).toBe(303);
  return Object.fromEntries(new URL(answer.headers.get("location") ?? "").searchParams);
}

export interface Connected {
  person: Person;
  clientId: string;
  code: string;
  access: string;
  refresh: string;
}

/** A person whose agent is connected. */
export async function connected(
  server = oauth(),
  {
    person,
    clientId,
    scope,
    proposals,
  }: { person?: Person; clientId?: string; scope?: string; proposals?: string } = {},
): Promise<Connected> {
  const who = person ?? (await signedInPerson());
  const id = clientId ?? (await server.register());
  const address = await server.address(id, scope === undefined ? {} : { scope });
  const page = await server.signIn(address, who);
  expect(page.status).toBe(200);
  const { code = "" } = paramsOf(await server.decide(address, page, proposals ? [["proposals", proposals]] : []));
  const { body, status } = await server.exchange(id, code);
  expect(status, JSON.stringify(body)).toBe(200);
  return { person: who, clientId: id, code, access: body.access_token, refresh: body.refresh_token };
}

export type { Client };
