import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { isForOwnPages } from "../../src/http/same-origin.ts";
import { contextFor, openSession, signedInPerson } from "../auth/people.ts";
import {
  type Answer,
  type CallOptions,
  type Client,
  consoleHeaders,
  expectProblem,
  forgetSecrets,
  service,
} from "../harness.ts";
import { measurePrice } from "../measured.ts";
import { ROUNDS, WRONG_PARAMETERS, withUnknown, wrongBody } from "./mistakes.ts";
import {
  addressOf,
  exampleOf,
  expectNothingInternal,
  isNullable,
  membersOf,
  named,
  type Operation,
  operations,
  parametersIn,
  proofFor,
  resolved,
} from "./operations.ts";
import { scopedService } from "./scoped.ts";

/*
 * What must hold of every operation, whatever it does: whom its guard lets in, how it refuses what is wrong, and in which
 * words. Nothing is prepared and no operation is listed, but for exceptions: calls.test.ts calls them as they should be.
 */

const OAUTH = "OAuth asks its servers to ignore what they do not know";

/** What accepts more than it declares, and why. */
const TOLERANT: Record<string, string> = {
  "POST /api/bookingsvc/webhook": "the booking provider decides what its messages contain",
  "POST /api/billing/webhook": "Stripe decides what its events contain",
  "GET /.well-known/oauth-protected-resource/mcp": OAUTH,
  "GET /.well-known/oauth-authorization-server": OAUTH,
  "GET /oauth/authorize": OAUTH,
  "POST /oauth/authorize": OAUTH,
  "POST /oauth/register": OAUTH,
  "POST /oauth/token": OAUTH,
  "POST /oauth/revoke": OAUTH,
};
/** A page with a policy of its own: test/mcp/oauth.test.ts. */
const PAGE = "/oauth/authorize";
/** Behind the guard of a person, these refuse everybody but the owner. Others do so only after the body was read. */
const OWNER_ONLY = ["POST /api/settings/data/uploads"];
/** Called by other services and by agents, with headers of their own: they are admitted by what they sign or send. */
const isForOthers = (name: string) => name in TOLERANT;
const isOAuth = ({ path }: Operation) => path.startsWith("/oauth/");

const all = named(operations);
const guarded = all.filter(([, { guard }]) => guard !== "public");
const reads = all.filter(([, { method, path }]) => method === "GET" && path !== PAGE);
const writes = all.filter(([, { method }]) => method !== "GET");
const json = { "content-type": "application/json" };

const open = service({ ACCESS_MODE: "open" });
const closed = service({ ACCESS_MODE: "private" });
const measured = measurePrice(env.DB);
const measuredOpen = service({ ACCESS_MODE: "open", DB: measured.db });

let stage: Awaited<ReturnType<typeof scopedService>>;
let memberId: number;
let memberKey: string;
let endedToken: string;
beforeAll(async () => {
  stage = await scopedService();
  const member = await signedInPerson();
  memberId = member.id;
  memberKey = (await keyOf(member.token)).key;
  endedToken = (await openSession(memberId)).token;
  expect((await open.post("/api/auth/logout", undefined, { token: endedToken })).status).toBe(204);
});

async function keyOf(token: string) {
  return createApiKey(await contextFor(token), { name: "admin", scopes: ["admin"], expiresAt: null });
}

let sent = 0;
/** Calls the operation for a record that does not exist. Each call comes from a network of its own. */
async function call(client: Client, operation: Operation, options: CallOptions = {}, query = ""): Promise<Answer> {
  sent += 1;
  const headers = {
    "cf-connecting-ip": `11.${sent >> 8}.${sent & 255}.1`,
    ...consoleHeaders(operation.path),
    ...options.headers,
  };
  const answer = await client.call(operation.method, `${addressOf(operation)}${query}`, { ...options, headers });
  // The texts of the mistakes are sent as secrets, too.
  forgetSecrets();
  expectNothingInternal(answer);
  return answer;
}

/** Whom the guard lets in, in open mode. A session is new, because the operation before may have ended it. */
const passing = async ({ guard }: Operation) =>
  guard === "data" || guard === "public" ? null : (await openSession(stage.owner.id)).token;

const GUARDS = ["unauthenticated", "session_revoked", "token_expired", "forbidden", "insufficient_scope"];

/** What the guard made of the call; past the guard an empty request may fail in any other way. */
async function verdict(client: Client, operation: Operation, token: string | null): Promise<string> {
  const { body, status } = await call(client, operation, { token });
  return (status === 401 || status === 403) && GUARDS.includes(body?.code) ? body.code : "in";
}

describe("every operation lets in whom its guard names, and nobody else", () => {
  it.each(guarded)("%s", async (name, operation) => {
    const { guard } = operation;
    const nobody = await call(closed, operation);
    expectProblem(nobody, 401, "unauthenticated");
    expect(nobody.headers.get("www-authenticate")).toMatch(/^Bearer /);
    const isOwnerOnly = OWNER_ONLY.includes(name);
    const session = async (id: number) => (await openSession(id)).token;
    const key = async (...scopes: Parameters<typeof stage.keyFor>) => (await stage.keyFor(...scopes)).key;
    const verdicts = {
      data: async () => ({ nobody: await verdict(open, operation, null) }),
      user: async () => ({
        nobody: await verdict(open, operation, null),
        member: await verdict(closed, operation, await session(memberId)),
        "the owner's key": await verdict(closed, operation, await key("admin")),
      }),
      owner: async () => ({
        nobody: await verdict(open, operation, null),
        member: await verdict(closed, operation, await session(memberId)),
        "a member's key": await verdict(closed, operation, memberKey),
        "the owner's key of another scope": await verdict(closed, operation, await key("tasks:read")),
        "the owner's key": await verdict(closed, operation, await key("admin")),
        owner: await verdict(closed, operation, await session(stage.owner.id)),
      }),
      public: async () => ({}),
    };
    const expected = {
      data: { nobody: "in" },
      user: { nobody: "unauthenticated", member: isOwnerOnly ? "forbidden" : "in", "the owner's key": "forbidden" },
      owner: {
        nobody: "unauthenticated",
        member: "forbidden",
        "a member's key": "forbidden",
        "the owner's key of another scope": "insufficient_scope",
        "the owner's key": "in",
        owner: "in",
      },
      public: {},
    };
    expect(await verdicts[guard]()).toEqual(expected[guard]);
  });
});

describe("a session that has ended is nobody's", () => {
  it.each(all.filter(([name]) => !isForOthers(name)))(
    "%s refuses it in open mode and writes nothing",
    async (_, operation) => {
      measured.taken();
      expectProblem(await call(measuredOpen, operation, { token: endedToken }), 401, "session_revoked");
      expect(measured.taken().rowsWritten).toBe(0);
    },
  );
});

const JARGON =
  /Invalid input|expected|, received |Too small|Too big|Invalid option|Invalid ISO|wrong format|undefined|\[object/;

/** No response may show the words of the validation library. */
function expectPlainWords({ body }: Answer, mistake: string): void {
  if (body?.code !== "validation_failed") return;
  const errors: { path: string; message: string }[] = body.errors ?? [];
  for (const text of [body.detail, ...errors.map(({ path, message }) => `${path} ${message}`)]) {
    expect(text, mistake).not.toMatch(JARGON);
  }
  expect(body.detail, mistake).toMatch(/[.…]$/);
}

const errorAt = (answer: Answer, path: string): string | undefined =>
  answer.body?.errors?.find((error: { path: string }) => error.path === path)?.message;

describe("every operation explains what is wrong with a request", () => {
  it.each(all.filter(([name]) => !isForOthers(name)))(
    "%s: a parameter and a member that it does not have",
    async (_, operation) => {
      const token = await passing(operation);
      const body = operation.json && exampleOf(operation);
      const answer = await call(open, operation, { token, body }, "?noSuchThing=1&noSuchThing=2");
      expectProblem(answer, 422, "validation_failed");
      expect(errorAt(answer, "noSuchThing")).toBe("is not a parameter of this request");
      if (operation.method === "GET") return;
      const wrong = withUnknown(exampleOf(operation));
      const refused = await call(open, operation, { token, body: wrong.body });
      expectProblem(refused, 422, "validation_failed");
      for (const path of wrong.unknown) {
        expect([path, errorAt(refused, path)]).toEqual([path, "is not a member of this request"]);
      }
      expect(refused.body.detail).toContain("noSuchThing is not a member of this request");
    },
  );

  it.each(all.filter(([, operation]) => operation.json && !isOAuth(operation)))(
    "%s: a wrong body, in plain words",
    async (name, operation) => {
      const { json: { schema = {} } = {}, declared } = operation;
      const token = await passing(operation);
      const say = (options: CallOptions) => call(open, operation, { token, ...options });
      for (const round of ROUNDS) {
        const wrong = wrongBody(schema, round);
        const body = typeof wrong === "object" ? { ...wrong, ...proofFor(operation) } : wrong;
        expectPlainWords(await say({ body }), `round ${round}: ${JSON.stringify(body).slice(0, 200)}`);
      }
      if (!declared.request.body?.required || isForOthers(name)) return;
      expect(operation.described.requestBody?.required).toBe(true);
      expectProblem(await say({}), 422, "validation_failed");
      expectProblem(await say({ raw: "{", headers: json }), 400, "invalid_json");
    },
  );

  it.each(all.filter(([, operation]) => parametersIn(operation, "query").length > 0 && operation.path !== PAGE))(
    "%s: a wrong query, in plain words",
    async (_, operation) => {
      const names = parametersIn(operation, "query").map(({ name }) => name);
      const token = await passing(operation);
      const body = operation.json && {};
      const ask = (pairs: string[]) => call(open, operation, { token, body }, `?${pairs.join("&")}`);
      for (const value of WRONG_PARAMETERS) {
        expectPlainWords(await ask(names.map((name) => `${name}=${encodeURIComponent(value)}`)), value);
      }
      const twice = await ask(names.map((name) => `${name}=1&${name}=2`));
      expect(twice.body.errors).toEqual(names.map((path) => ({ path, message: "may be given once" })));
    },
  );

  it.each(all.filter(([, { method, json: body }]) => method === "PATCH" && body))(
    "%s takes null where the document says so, and nowhere else",
    async (_, operation) => {
      const { properties = {} } = resolved(operation.json?.schema ?? {});
      const names = Object.keys(properties);
      const body = { ...Object.fromEntries(names.map((name) => [name, null])), ...proofFor(operation) };
      const answer = await call(open, operation, { token: await passing(operation), body });
      const errors: { path: string }[] = answer.body?.errors ?? [];
      const refused = new Set(errors.map(({ path }) => path.split(".")[0]));
      const wanted = names.filter((name) => !isNullable(properties[name] ?? {}) && !(name in proofFor(operation)));
      expect(names.filter((name) => refused.has(name))).toEqual(wanted);
    },
  );
});

describe("what other services and agents call, with headers and members of their own", () => {
  it("is exactly this", () => {
    const found = all.filter(([, { declared }]) => declared["x-from-provider"]).map(([name]) => name);
    expect(found.sort()).toEqual(Object.keys(TOLERANT).sort());
  });

  it.each(Object.keys(TOLERANT))("%s exists, and accepts whatever the other service sends", async (name) => {
    const [, operation] = all.find(([other]) => other === name) ?? [];
    if (!operation) throw new Error("no such operation");
    const { body } = await call(
      open,
      operation,
      operation.method === "GET" ? {} : { body: { noSuchThing: 1 } },
      "?noSuchThing=1",
    );
    expect(body?.code).not.toBe("validation_failed");
  });
});

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
  it.each(reads)("%s: HEAD is GET without the body, and neither is kept on the way", async (_, operation) => {
    const token = await passing(operation);
    const answer = await call(open, operation, { token });
    const head = await call(open, { ...operation, method: "HEAD" }, { token });
    expect({ status: head.status, text: head.text }).toEqual({ status: answer.status, text: "" });
    expect(head.headers.get("content-type")).toBe(answer.headers.get("content-type"));
    expectSecurityHeaders(answer);
    expectSecurityHeaders(head);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("every write", () => {
  it.each(writes)("%s stands a body that is too large and one nested without end", async (_, operation) => {
    const token = await passing(operation);
    const large = await call(open, operation, { token, raw: "{}", headers: { ...json, "content-length": "1048577" } });
    expect(large.body.code).toBe("body_too_large");
    expectSecurityHeaders(large);
    // Deep enough to overflow the stack of anything that walks it by calling itself.
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const members = [...membersOf(operation), "unknown"].map((name) => `${JSON.stringify(name)}:${deep}`);
    const headers = { ...json, "idempotency-key": crypto.randomUUID() };
    const answer = await call(open, operation, { token, raw: `{${members.join(",")}}`, headers });
    expect(answer.status, answer.text.slice(0, 300)).not.toBe(500);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("a page of another origin", () => {
  it("may call every route, with every header that the service reads", async () => {
    const wanted = ["authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "x-d1-bookmark"];
    for (const [name, operation] of all) {
      if (isForOwnPages(operation.path)) continue;
      const headers = {
        origin: "https://app.example",
        "access-control-request-method": operation.method,
        "access-control-request-headers": wanted.join(","),
      };
      const answer = await call(closed, { ...operation, method: "OPTIONS" }, { headers });
      expect(answer.status, name).toBe(204);
      expect(answer.headers.get("access-control-allow-origin"), name).toBe("*");
      expect(answer.headers.get("access-control-allow-methods")?.split(","), name).toContain(operation.method);
      const allowed = answer.headers.get("access-control-allow-headers")?.toLowerCase().split(",");
      expect(allowed, name).toEqual(expect.arrayContaining(wanted));
    }
  });
});

describe("an answer that is not JSON", () => {
  it("carries the same headers: a calendar, its 304 and a picture", async () => {
    const { token } = await openSession(stage.owner.id);
    const { body: feed } = await closed.post("/api/calendar/feed", undefined, { token });
    const link = feed.url.slice(new URL(feed.url).origin.length);
    const calendar = await closed.get(link);
    const unchanged = await closed.get(link, { headers: { "if-none-match": calendar.headers.get("etag") ?? "" } });
    const { body: milestones } = await closed.get("/api/stream/milestones", { token });
    const card = await closed.get(`/api/stream/milestones/${milestones.data[0].id}/card.svg`, { token });
    const kinds = [calendar, unchanged, card].map(({ status, headers }) => [status, headers.get("cache-control")]);
    expect(kinds).toEqual([
      [200, "private, no-cache"],
      [304, "private, no-cache"],
      [200, "no-store"],
    ]);
    for (const answer of [calendar, unchanged, card]) expectSecurityHeaders(answer);
  });
});
