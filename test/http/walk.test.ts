import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { isForOwnPages } from "../../src/http/same-origin.ts";
import { openSession, signedInPerson } from "../auth/people.ts";
import { declarationsOf } from "../declared.ts";
import type { Schema } from "../fuzz/from-schema.ts";
import { type Answer, type CallOptions, service } from "../harness.ts";

/* What must hold of every route of the real service, whatever it does. Nothing is listed by hand. */

type Route = ReturnType<typeof declarationsOf>[number];

const routes = declarationsOf(await createApp()).map(
  (route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const,
);
/** A page with a policy of its own: test/mcp/oauth.test.ts. */
const PAGE = "/oauth/authorize";
const reads = routes.filter(([, { method, path }]) => method === "get" && path !== PAGE);
const writes = routes.filter(([, { method }]) => method !== "get");
const json = { "content-type": "application/json" };

let ownerId: number;
beforeAll(async () => {
  ownerId = (await signedInPerson("owner")).id;
});

const client = service({ ACCESS_MODE: "private" });
const { body: document } = await client.get("/api-docs");

/** The owner, whom every guard lets in. */
const newToken = async () => (await openSession(ownerId)).token;

/** Calls the route for a record that does not exist. */
function call({ method, path }: Pick<Route, "method" | "path">, options: CallOptions): Promise<Answer> {
  return client.call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "999999999"), options);
}

function expectSecurityHeaders({ headers }: Answer): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "strict-transport-security": expect.stringMatching(/^max-age=31536000/),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-request-id": expect.stringMatching(/./),
  });
}

describe("every read", () => {
  it.each(reads)("%s: HEAD is GET without the body, and neither is kept on the way", async (_, route) => {
    const token = await newToken();
    const answer = await call(route, { token });
    const head = await call({ ...route, method: "head" }, { token });
    expect({ status: head.status, text: head.text }).toEqual({ status: answer.status, text: "" });
    expect(head.headers.get("content-type")).toBe(answer.headers.get("content-type"));
    expectSecurityHeaders(answer);
    expectSecurityHeaders(head);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("every write", () => {
  it.each(writes)("%s stands a body that is too large and one nested without end", async (_, route) => {
    const token = await newToken();
    const large = await call(route, { token, raw: "{}", headers: { ...json, "content-length": "1048577" } });
    expect(large.body.code).toBe("body_too_large");
    expectSecurityHeaders(large);
    // Deep enough to overflow the stack of anything that walks it by calling itself.
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const members = [...membersOf(route), "unknown"].map((name) => `${JSON.stringify(name)}:${deep}`);
    const headers = { ...json, "idempotency-key": crypto.randomUUID() };
    const answer = await call(route, { token, raw: `{${members.join(",")}}`, headers });
    expect(answer.status, answer.text.slice(0, 300)).not.toBe(500);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("a page of another origin", () => {
  it("may call every route, with every header that the service reads", async () => {
    const wanted = ["authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "x-d1-bookmark"];
    for (const [name, { method, path }] of routes) {
      if (isForOwnPages(path)) continue;
      const headers = {
        origin: "https://app.example",
        "access-control-request-method": method.toUpperCase(),
        "access-control-request-headers": wanted.join(","),
      };
      const answer = await call({ method: "options", path }, { headers });
      expect(answer.status, name).toBe(204);
      expect(answer.headers.get("access-control-allow-origin"), name).toBe("*");
      expect(answer.headers.get("access-control-allow-methods")?.split(","), name).toContain(method.toUpperCase());
      const allowed = answer.headers.get("access-control-allow-headers")?.toLowerCase().split(",");
      expect(allowed, name).toEqual(expect.arrayContaining(wanted));
    }
  });
});

/** Every name that stands anywhere in what the document says of the route's body. */
function membersOf({ method, path }: Route): string[] {
  const names = new Set<string>();
  const collect = (schema: Schema): void => {
    if (schema.$ref) collect(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""]);
    for (const part of [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) collect(part);
    for (const name of Object.keys(schema.properties ?? {})) names.add(name);
  };
  const content = document.paths[path][method].requestBody?.content ?? {};
  for (const { schema } of Object.values<{ schema: Schema }>(content)) collect(schema);
  return [...names];
}

describe("an answer that is not JSON", () => {
  it("carries the same headers: a calendar, its 304 and a picture", async () => {
    const token = await newToken();
    const { body: feed } = await client.post("/api/calendar/feed", undefined, { token });
    const link = feed.url.slice(new URL(feed.url).origin.length);
    const calendar = await client.get(link);
    const unchanged = await client.get(link, { headers: { "if-none-match": calendar.headers.get("etag") ?? "" } });
    const { body: milestones } = await client.get("/api/stream/milestones", { token });
    const card = await client.get(`/api/stream/milestones/${milestones.data[0].id}/card.svg`, { token });
    const kinds = [calendar, unchanged, card].map(({ status, headers }) => [status, headers.get("cache-control")]);
    expect(kinds).toEqual([
      [200, "private, no-cache"],
      [304, "private, no-cache"],
      [200, "no-store"],
    ]);
    for (const answer of [calendar, unchanged, card]) expectSecurityHeaders(answer);
  });
});
