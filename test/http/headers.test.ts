import { describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { expectErrorLog, expectProblem } from "../harness.ts";
import { newFolder, newNote, sample, send } from "./client.ts";

const client = sample();

describe("X-Request-Id", () => {
  it.each(["order-42_a.b", "0b6e2f0a-6f0e-4a53-9d0e-6a4c3f0c6b1d", "a".repeat(64)])(
    "that is sane is echoed: %s",
    async (id) => {
      const { headers } = await client.get("/api/notes?folder=x", { headers: { "x-request-id": id } });
      expect(headers.get("x-request-id")).toBe(id);
    },
  );

  it.each([
    "short",
    "a".repeat(65),
    "with space",
    '{"a":"injected"}',
    "<script>alert(1)</script>",
    "%0d%0aSet-Cookie:a=b",
    "",
  ])("that is hostile or useless is replaced: %j", async (id) => {
    const { headers } = await client.get("/api/notes?folder=x", { headers: { "x-request-id": id } });
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("is the problem's requestId", async () => {
    const answer = await client.get("/api/nothing", { headers: { "x-request-id": "trace-12345" } });
    expect(answer.body.requestId).toBe("trace-12345");
  });

  it("differs from call to call", async () => {
    const ids = await Promise.all([1, 2].map(async () => (await client.get("/")).headers.get("x-request-id")));
    expect(ids[0]).not.toBe(ids[1]);
  });
});

/** One of each kind of answer the edge gives. */
const ANSWERS: Record<string, () => Promise<Response>> = {
  "a success": () => send("/api/notes?folder=x"),
  "no content": () => send("/api/notes/999999999", { method: "DELETE" }),
  "a refusal": () => send("/api/notes?limit=0"),
  "a missing credential": () => send("/api/notes/who/user"),
  "an unknown path": () => send("/nothing"),
  "a wrong method": () => send("/api/notes", { method: "PUT" }),
  "a large body": () => send("/api/notes", { method: "POST", headers: { "content-length": "2000000" }, body: "{}" }),
  "a failure": () => send("/api/notes/who/data", { headers: { authorization: "Bearer broken" } }),
  "a preflight": () => send("/api/notes", { method: "OPTIONS" }),
};

describe.each(Object.entries(ANSWERS))("%s", (name, answer) => {
  it("carries a request id, the security headers and no-store", async () => {
    if (name === "a failure") expectErrorLog("request_failed");
    const { headers } = await answer();
    expect(headers.get("x-request-id")).toBeTruthy();
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "strict-transport-security": expect.stringMatching(/^max-age=31536000/),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("CORS", () => {
  const listed: Partial<Env> = { CORS_ORIGINS: "https://app.example, https://admin.example/" };
  const from = (origin: string) => ({ headers: { origin } });
  const PRIVATE = { ACCESS_MODE: "private" };

  it.each(["/api/notes/who/anyone", "/api/notes?folder=x", "/nothing"])(
    "allows every origin in private mode, without cookies: %s",
    async (path) => {
      const { headers } = await sample(PRIVATE).get(path, from("https://anywhere.example"));
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    },
  );

  it("allows every origin in private mode to read a response", async () => {
    const options = { token: "owner", ...from("https://anywhere.example") };
    const { headers } = await sample(PRIVATE).get("/api/notes?folder=x", options);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });

  it.each(["https://app.example", "https://admin.example"])("allows a listed origin by name: %s", async (origin) => {
    const { headers } = await sample(listed).get("/api/notes?folder=x", from(origin));
    expect(headers.get("access-control-allow-origin")).toBe(origin);
    expect(headers.get("vary")).toMatch(/\bOrigin\b/);
  });

  it.each([
    "https://evil.example",
    "http://app.example",
    "https://app.example.evil.example",
    "https://app.example:8443",
    "null",
  ])("does not allow an origin that is not listed: %s", async (origin) => {
    const { headers } = await sample({ ...listed, ...PRIVATE }).get("/api/notes?folder=x", from(origin));
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("vary")).toMatch(/\bOrigin\b/);
  });

  it("lets a page read failures and the headers it needs", async () => {
    const { headers } = await sample(listed).get("/nothing", from("https://app.example"));
    expect(headers.get("access-control-allow-origin")).toBe("https://app.example");
    const exposed = headers.get("access-control-expose-headers")?.split(",");
    expect(exposed).toEqual(expect.arrayContaining(["ETag", "Location", "Retry-After", "X-Request-Id"]));
  });

  it("answers a preflight for every method and header the API takes", async () => {
    const response = await send(
      "/api/notes/7",
      {
        method: "OPTIONS",
        headers: {
          origin: "https://app.example",
          "access-control-request-method": "PATCH",
          "access-control-request-headers": "authorization,content-type,if-match,idempotency-key",
        },
      },
      PRIVATE,
    );
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-methods")).toBe("GET,HEAD,POST,PUT,PATCH,DELETE");
    const allowed = response.headers.get("access-control-allow-headers")?.toLowerCase().split(",");
    expect(allowed).toEqual(expect.arrayContaining(["authorization", "content-type", "if-match", "idempotency-key"]));
    expect(Number(response.headers.get("access-control-max-age"))).toBeGreaterThan(0);
  });

  it("answers a preflight that is not allowed without naming an origin", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "GET" };
    const response = await send("/api/notes", { method: "OPTIONS", headers }, listed);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("needs no credential for a preflight, since browsers send none", async () => {
    const response = await send("/api/notes", { method: "OPTIONS" }, { ACCESS_MODE: "private" });
    expect(response.status).toBe(204);
  });

  it("allows nobody when the list cannot be read", async () => {
    const { headers } = await sample({ CORS_ORIGINS: "app.example" }).get(
      "/api/notes?folder=x",
      from("https://app.example"),
    );
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a rate limit", () => {
  const addresses: string[] = [];
  const limiter = (success: boolean): RateLimit => ({
    limit: async ({ key }) => {
      addresses.push(key);
      return { success };
    },
  });
  const from = (ip: string) => ({ headers: { "cf-connecting-ip": ip }, token: "owner" });

  it.each([
    ["auth", "RATE_LIMITER_AUTH"],
    ["expensive", "RATE_LIMITER_EXPENSIVE"],
  ])("%s that is used up is 429 with Retry-After", async (name, binding) => {
    const answer = await sample({ [binding]: limiter(false) }).post(
      `/api/notes/limited/${name}`,
      undefined,
      from("1.2.3.4"),
    );
    expectProblem(answer, 429, "rate_limited");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("is not the other one", async () => {
    const used = sample({ RATE_LIMITER_AUTH: limiter(false), RATE_LIMITER_EXPENSIVE: limiter(true) });
    expect((await used.post("/api/notes/limited/expensive", undefined, from("1.2.3.4"))).status).toBe(204);
  });

  it("counts by the client's address", async () => {
    const limited = sample({ RATE_LIMITER_AUTH: limiter(true) });
    addresses.length = 0;
    for (const ip of ["1.2.3.4", "5.6.7.8"]) await limited.post("/api/notes/limited/auth", undefined, from(ip));
    expect(addresses[0]).toContain("1.2.3.4");
    expect(addresses[1]).toContain("5.6.7.8");
  });

  it("comes before the guard, so that guessing credentials is limited too", async () => {
    const answer = await sample({ RATE_LIMITER_AUTH: limiter(false) }).post("/api/notes/limited/auth");
    expectProblem(answer, 429, "rate_limited");
  });

  it("that is not bound limits nothing", async () => {
    const free = sample({ RATE_LIMITER_AUTH: undefined });
    expect((await free.post("/api/notes/limited/auth", undefined, from("1.2.3.4"))).status).toBe(204);
  });

  it("does not touch routes without one", async () => {
    const used = sample({ RATE_LIMITER_AUTH: limiter(false), RATE_LIMITER_EXPENSIVE: limiter(false) });
    expect((await newNote(used, newFolder())).id).toEqual(expect.any(Number));
  });
});

describe("the documentation", () => {
  it("is where a visitor of the bare address is sent", async () => {
    const response = await send("/");
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("/docs");
  });

  it("is a page whose scripts carry a nonce that is new each time, and that loads nothing from elsewhere", async () => {
    const pages = await Promise.all([send("/docs"), send("/docs")]);
    const nonces = pages.map(
      ({ headers }) => /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1],
    );
    expect(nonces[0]).toBeTruthy();
    expect(nonces[0]).not.toBe(nonces[1]);
    const html = (await pages[0]?.text()) ?? "";
    expect(html.match(/<script\b[^>]*>/g)).toHaveLength(2);
    for (const tag of html.match(/<script\b[^>]*>/g) ?? []) expect(tag).toContain(`nonce="${nonces[0]}"`);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it.each([
    ["swagger-ui.css", "text/css"],
    ["swagger-ui-bundle.js", "text/javascript"],
    ["favicon-32x32.png", "image/png"],
    ["licenses.txt", "text/plain"],
  ])("serves its own %s", async (name, type) => {
    const response = await send(`/docs/${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain(type);
    expect(response.headers.get("cache-control")).toMatch(/^public/);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  });

  it.each(["missing.js", "..%2fwrangler.toml", "%2e%2e/.dev.vars", "swagger-ui.css.map", "a/b.js"])(
    "does not serve %s",
    async (name) => {
      expect((await send(`/docs/${name}`)).status).toBe(404);
    },
  );

  it("names this version and the tags of the features, and follows ACCESS_MODE", async () => {
    const { body, headers } = await client.get("/api-docs");
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(body.info.version).toBe("1.2.3");
    expect(body.tags).toEqual([{ name: "Notes", description: "Notes, for the tests." }]);
    expect(body.paths["/api/notes"].get.security).toContainEqual({});
    const closed = (await sample({ ACCESS_MODE: "private" }).get("/api-docs")).body;
    expect(closed.paths["/api/notes"].get.security).toEqual([{ session: [] }, { apiKey: [] }]);
  });

  it("has an ETag, and is not sent again to whoever has it", async () => {
    const first = await client.get("/api-docs");
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const again = await client.get("/api-docs", { headers: { "if-none-match": etag } });
    expect({ status: again.status, text: again.text, etag: again.headers.get("etag") }).toEqual({
      status: 304,
      text: "",
      etag,
    });
    expect((await client.get("/api-docs", { headers: { "if-none-match": '"other"' } })).text).toBe(first.text);
    expect((await sample({ ACCESS_MODE: "private" }).get("/api-docs")).headers.get("etag")).not.toBe(etag);
  });
});
