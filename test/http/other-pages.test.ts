import { describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { configOf } from "../../src/config.ts";
import { signedInPerson } from "../auth/people.ts";
import { declarationsOf } from "../declared.ts";
import { type CallOptions, expectProblem, service, sharedApp } from "../harness.ts";

/* In open mode no call needs a credential. So no web page that a person visits may make their browser call. */

const routes = declarationsOf(sharedApp).map(
  (route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const,
);
/** Take a credential or a sign-in in open mode, too, and look at the origin themselves. */
const OWN_RULE = /^\/(?:oauth|\.well-known)\//;
/** To a browser, the document of an email is another site. Its pictures have signed addresses. */
const PICTURE = "/api/emails/{id}/frame/{n}";
const open = service();
const asPath = (path: string) => path.replaceAll(/\{\w+\}/g, "999999999");

describe("in open mode, a page of another origin", () => {
  const refused = routes.filter(([, { path }]) => !OWN_RULE.test(path) && path !== PICTURE);
  it.each(refused)("is refused by %s", async (_, { method, path }) => {
    for (const origin of ["https://evil.example", "null", "http://poa.test:8080", "http://localhost:5173"]) {
      for (const asked of [method.toUpperCase(), "OPTIONS"]) {
        const answer = await open.call(asked, asPath(path), { headers: { origin } });
        expectProblem(answer, 403, "forbidden");
        expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      }
    }
  });

  it.each(["/", "/docs", "/api-docs", "/app", "/nothing"])("is refused at %s", async (path) => {
    expectProblem(await open.get(path, { headers: { origin: "https://evil.example" } }), 403, "forbidden");
  });

  it("writes nothing with a form or a text that needs no preflight", async () => {
    const title = `From a page ${crypto.randomUUID()}`;
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json"]) {
      const raw = JSON.stringify({ title });
      const headers = { origin: "https://evil.example", "content-type": type };
      expectProblem(await open.post("/api/tasks", undefined, { raw, headers }), 403, "forbidden");
    }
    expect((await open.get(`/api/tasks?q=${encodeURIComponent(title)}`)).body.data).toEqual([]);
  });

  it("gets no picture of an email without its signed address", async () => {
    const headers = { origin: "null", "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
    const answer = await open.get("/api/emails/1/frame/1?expires=9999999999999&signature=x", { headers });
    expectProblem(answer, 401, "unauthenticated");
  });

  it.each(refused.filter(([, { method }]) => method === "get"))(
    "cannot make %s run as an image, a frame or a link",
    async (_, { path }) => {
      for (const site of ["cross-site", "same-site"]) {
        const headers = { "sec-fetch-site": site, "sec-fetch-mode": "navigate" };
        expectProblem(await open.get(asPath(path), { headers }), 403, "forbidden");
      }
    },
  );

  it.each(["/", "/docs", "/app", "/app/mail/inbox"])("may link to the page %s", async (path) => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    expect((await open.get(path, { headers })).status).toBeLessThan(400);
  });

  it("is answered when CORS_ORIGINS names it, and `*` names nobody", async () => {
    const headers = { origin: "https://app.example" };
    const named = await service({ CORS_ORIGINS: "https://app.example" }).get("/api/tasks", { headers });
    expect([named.status, named.headers.get("access-control-allow-origin")]).toEqual([200, "https://app.example"]);
    const every = service({ CORS_ORIGINS: "*" });
    expectProblem(await every.get("/api/tasks", { headers }), 403, "forbidden");
    expect(configOf(every.env).problems).toEqual([expect.stringContaining("CORS_ORIGINS")]);
  });

  it("is answered in private mode, where it needs a credential", async () => {
    const closed = service({ ACCESS_MODE: "private" });
    const headers = { origin: "https://app.example" };
    expectProblem(await closed.get("/api/tasks", { headers }), 401, "unauthenticated");
    const { token } = await signedInPerson();
    const answer = await closed.get("/api/tasks", { headers, token });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  });
});

describe("in open mode, these are answered", () => {
  it.each<[string, CallOptions["headers"]]>([
    ["a program", {}],
    ["the console", { origin: "http://poa.test", "sec-fetch-site": "same-origin" }],
    ["the console in a browser that does not say where a request comes from", { origin: "http://poa.test" }],
    ["a form of a page without a referrer", { origin: "null", "sec-fetch-site": "same-origin" }],
    ["an address that somebody typed", { "sec-fetch-site": "none" }],
  ])("%s", async (_, headers) => {
    expect((await open.get("/api/tasks", { headers: headers ?? {} })).status).toBe(200);
  });
});

describe("a name that somebody else let lead to this machine", () => {
  const ask = async (host: string, vars: Partial<Env> = {}) => {
    const origin = `http://${host}`;
    return service(vars).get("/api/tasks", { origin, headers: { origin, "sec-fetch-site": "same-origin" } });
  };

  it.each(["evil.example", "evil.example:8787", "localhost.evil.example", "127.0.0.1.evil.example", "evil-localhost"])(
    "is refused while the service is local and open: %s",
    async (host) => {
      expectProblem(await ask(host), 403, "forbidden");
    },
  );

  it.each(["/", "/app", "/docs", "/api/health", "/oauth/authorize", "/.well-known/oauth-authorization-server"])(
    "is refused at %s, too",
    async (path) => {
      expectProblem(await service().get(path, { origin: "http://evil.example" }), 403, "forbidden");
    },
  );

  it("is refused at /mcp, too", async () => {
    const { token } = await signedInPerson();
    const answer = await service().post(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "ping" },
      {
        origin: "http://evil.example",
        token,
      },
    );
    expectProblem(answer, 403, "forbidden");
  });

  it.each(["localhost:8787", "127.0.0.1:8787", "[::1]:8787", "app.localhost", "192.168.1.20:8787", "poa.test"])(
    "is none of these: %s",
    async (host) => {
      expect((await ask(host)).status).toBe(200);
    },
  );

  it("is left to the platform in production, which answers only for names of its own", async () => {
    expect((await ask("assistant.example", { ALLOW_PRIVATE_HOSTS: "false" })).status).toBe(200);
  });
});
