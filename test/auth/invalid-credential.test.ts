import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { declarationsOf } from "../declared.ts";
import { consoleHeaders, expectProblem, service, sharedApp } from "../harness.ts";
import { countStatements, measurePrice } from "../measured.ts";
import { contextFor, openSession, setClock, signedInPerson } from "./people.ts";

/* A credential that is sent and not valid is refused: it is never taken for none, whatever the mode and the route. */

const routes = declarationsOf(sharedApp);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;
/** One route of each kind of guard, and of each way in which it is checked: http/walk.test.ts asks all of them. */
const KINDS = ["getHealth", "createTask", "listTasks", "chat", "followChanges", "getProfile", "getHealthDetails"];
const walked = routes.filter(({ operationId }) => KINDS.includes(operationId));

const HOUR = 60 * 60 * 1000;
let personId: number;
const tokens: Record<string, string> = { garbage: "garbage" };

beforeAll(async () => {
  const person = await signedInPerson("owner");
  personId = person.id;
  setClock(Date.now() - HOUR);
  tokens.expired = (await openSession(person.id)).token;
  vi.useRealTimers();
  const { token } = await openSession(person.id);
  tokens.revoked = token;
  const ctx = await contextFor(token);
  const made = await createApiKey(ctx, { name: "Old", scopes: ["admin"], expiresAt: null });
  await env.DB.prepare("DELETE FROM api_keys WHERE id = ?").bind(made.id).run();
  tokens["revoked key"] = made.key;
  if (ctx.actor.kind === "session") {
    await env.DB.prepare("DELETE FROM sessions WHERE id = ?").bind(ctx.actor.session.id).run();
  }
});

afterEach(() => {
  vi.useRealTimers();
});

const WANTED = {
  garbage: "unauthenticated",
  expired: "token_expired",
  revoked: "session_revoked",
  "revoked key": "unauthenticated",
};

describe.each(["open", "private"] as const)("a credential that is not valid, in ACCESS_MODE=%s", (ACCESS_MODE) => {
  it.each(walked.map((route) => [nameOf(route), route] as const))(
    "%s refuses an expired token, that of an ended session, a revoked key and garbage, and writes nothing",
    async (_, { method, path }) => {
      const { db, taken } = measurePrice(env.DB);
      const client = service({ ACCESS_MODE, DB: db });
      const codes: Record<string, string> = {};
      for (const name of Object.keys(WANTED)) {
        const answer = await client.call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "999999999"), {
          token: tokens[name] ?? null,
          headers: consoleHeaders(path),
        });
        codes[name] = answer.status === 401 ? answer.body.code : `${answer.status} ${answer.text}`;
        expect(answer.headers.get("www-authenticate"), name).toMatch(/^Bearer /);
      }
      expect(codes).toEqual(WANTED);
      expect(taken().rowsWritten).toBe(0);
    },
  );

  it.each(["/", "/docs", "/docs/swagger-ui.css", "/api-docs", "/app", "/app/mail/inbox", "/app/manifest.webmanifest"])(
    "%s refuses it too",
    async (path) => {
      const client = service({ ACCESS_MODE });
      expectProblem(await client.get(path, { token: tokens.expired ?? null }), 401, "token_expired");
      const { token } = await openSession(personId);
      expect((await client.get(path, { token })).status).not.toBe(401);
    },
  );

  it.each([
    ["Basic", `Basic ${btoa("ada:secret")}`],
    ["no scheme", "token"],
    ["an empty header", ""],
  ])("is one of another kind, too: %s", async (_, authorization) => {
    const client = service({ ACCESS_MODE });
    for (const path of ["/api/tasks", "/api/health"]) {
      expectProblem(await client.get(path, { headers: { authorization } }), 401, "unauthenticated");
    }
  });

  it("is not the frame's cookie of a session that has ended", async () => {
    const client = service({ ACCESS_MODE });
    const { body: email } = await client.post(
      "/api/emails",
      { from: "ann@example.com", to: "me@example.com", subject: "Hello", body: "Hi", html: "<p>Hi</p>" },
      { token: (await openSession(personId)).token },
    );
    const { token, refreshToken } = await openSession(personId);
    const show = () =>
      client.get(`/api/emails/${email.id}/frame`, {
        headers: { cookie: `__Host-Http-poa=${refreshToken}`, "sec-fetch-site": "same-origin" },
      });
    expect((await show()).status).toBe(200);
    await client.post("/api/auth/logout", undefined, { token });
    expectProblem(await show(), 401, "session_revoked");
  });
});

describe("a provider's webhook", () => {
  it("is admitted by its signature, whatever Authorization it sends", async () => {
    const answer = await service().post(
      "/api/bookingsvc/webhook",
      {},
      {
        token: "of-the-provider",
        headers: { "x-cal-signature-256": "00" },
      },
    );
    expect(answer.body.code).toBe("invalid_signature");
  });
});

describe("a valid credential in open mode", () => {
  it("costs no round trip of its own", async () => {
    const { db, taken } = countStatements(env.DB);
    const client = service({ ACCESS_MODE: "open", DB: db });
    const { token } = await openSession(personId);
    await client.get("/api/tasks");
    const without = taken().roundTrips;
    await client.get("/api/tasks", { token });
    expect(taken().roundTrips).toBe(without);
  });

  it("makes what a person writes their own, and one that has ended writes nothing", async () => {
    const client = service({ ACCESS_MODE: "open" });
    const { token } = await openSession(personId);
    const { body } = await client.post("/api/tasks", { title: "Mine" }, { token });
    expect(body.outside).toBe(false);
    await client.post("/api/auth/logout", undefined, { token });
    const title = `Nobody's ${crypto.randomUUID()}`;
    expectProblem(await client.post("/api/tasks", { title }, { token }), 401, "session_revoked");
    const { body: list } = await client.get(`/api/tasks?q=${encodeURIComponent(title)}`);
    expect(list.data).toEqual([]);
  });
});
