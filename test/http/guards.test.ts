import { describe, expect, it } from "vitest";
import type { CallOptions } from "../harness.ts";
import { expectErrorLog, expectProblem } from "../harness.ts";
import { newFolder, sample } from "./client.ts";

/** What a caller shows, by name. */
const CREDENTIALS = {
  "no credential": {},
  "a token of nobody": { token: "garbage" },
  "an expired token": { token: "expired" },
  "a token of an ended session": { token: "revoked" },
  "Basic with a good token": { headers: { authorization: "Basic owner" } },
  "Basic with name and password": { headers: { authorization: `Basic ${btoa("owner:secret")}` } },
  "a scheme without a token": { headers: { authorization: "Bearer" } },
  "a token without a scheme": { headers: { authorization: "owner" } },
  "two tokens": { headers: { authorization: "Bearer owner member" } },
  "two headers in one": { headers: { authorization: "Bearer member, Bearer owner" } },
  "an empty header": { headers: { authorization: "" } },
  "the member's session": { token: "member" },
  "the owner's session": { token: "owner" },
  "a scheme in lower case": { headers: { authorization: "bearer owner" } },
  "a key with the scope": { token: "key:tasks:read" },
  "a key with another scope": { token: "key:tasks:write" },
  "a key with a scope of a like name": { token: "key:tasks" },
  "a key without a scope": { token: "key:" },
  "an admin key": { token: "key:admin" },
  "a member's admin key": { token: "member-key:admin" },
} satisfies Record<string, CallOptions>;
type Credential = keyof typeof CREDENTIALS;

/** "session 1" and the like: let in, as whom. Anything else is the code of the refusal. */
type Outcome = "anonymous" | `${"session" | "api_key"} ${number}` | (typeof REFUSALS)[number][0];
const REFUSALS = [
  ["unauthenticated", 401],
  ["token_expired", 401],
  ["session_revoked", 401],
  ["forbidden", 403],
  ["insufficient_scope", 403],
] as const;

const REFUSED_EVERYWHERE = {
  "no credential": "unauthenticated",
  "a token of nobody": "unauthenticated",
  "an expired token": "token_expired",
  "a token of an ended session": "session_revoked",
  "Basic with a good token": "unauthenticated",
  "Basic with name and password": "unauthenticated",
  "a scheme without a token": "unauthenticated",
  "a token without a scheme": "unauthenticated",
  "two tokens": "unauthenticated",
  "two headers in one": "unauthenticated",
  "an empty header": "unauthenticated",
} as const;

const PRIVATE_DATA: Record<Credential, Outcome> = {
  ...REFUSED_EVERYWHERE,
  "the member's session": "session 2",
  "the owner's session": "session 1",
  "a scheme in lower case": "session 1",
  "a key with the scope": "api_key 1",
  "a key with another scope": "insufficient_scope",
  "a key with a scope of a like name": "insufficient_scope",
  "a key without a scope": "insufficient_scope",
  "an admin key": "api_key 1",
  "a member's admin key": "api_key 2",
};

const USER: Record<Credential, Outcome> = {
  ...REFUSED_EVERYWHERE,
  "the member's session": "session 2",
  "the owner's session": "session 1",
  "a scheme in lower case": "session 1",
  "a key with the scope": "forbidden",
  "a key with another scope": "forbidden",
  "a key with a scope of a like name": "forbidden",
  "a key without a scope": "forbidden",
  "an admin key": "forbidden",
  "a member's admin key": "forbidden",
};

const OWNER: Record<Credential, Outcome> = {
  ...REFUSED_EVERYWHERE,
  "the member's session": "forbidden",
  "the owner's session": "session 1",
  "a scheme in lower case": "session 1",
  "a key with the scope": "insufficient_scope",
  "a key with another scope": "insufficient_scope",
  "a key with a scope of a like name": "insufficient_scope",
  "a key without a scope": "insufficient_scope",
  "an admin key": "api_key 1",
  "a member's admin key": "forbidden",
};

/** Open data asks for nothing: a good credential is known and keeps its limits, and any other is refused. */
const OPEN_DATA: Record<Credential, Outcome> = { ...PRIVATE_DATA, "no credential": "anonymous" };

const everyCredential = Object.keys(CREDENTIALS) as Credential[];
/** What anyone may do is done for nobody, but not with a credential that is not valid. */
const ANYONE = {
  ...Object.fromEntries(everyCredential.map((name) => [name, "anonymous"])),
  ...REFUSED_EVERYWHERE,
  "no credential": "anonymous",
} as Record<Credential, Outcome>;

const TABLES = [
  ["anyone", "open", ANYONE],
  ["anyone", "private", ANYONE],
  ["data", "open", OPEN_DATA],
  ["data", "private", PRIVATE_DATA],
  ["user", "open", USER],
  ["user", "private", USER],
  ["owner", "open", OWNER],
  ["owner", "private", OWNER],
  // A value that is neither must not open what its author meant to close.
  ["data", "opne", PRIVATE_DATA],
  ["data", "OPEN", PRIVATE_DATA],
] as const;

const ROWS = TABLES.flatMap(([guard, mode, table]) =>
  everyCredential.map((name) => ({ guard, mode, name, outcome: table[name] })),
);

describe("a guard", () => {
  it.each(ROWS)(
    "`$guard` with ACCESS_MODE=$mode answers $name with $outcome",
    async ({ guard, mode, name, outcome }) => {
      const answer = await sample({ ACCESS_MODE: mode }).get(`/api/notes/who/${guard}`, CREDENTIALS[name]);
      const refusal = REFUSALS.find(([code]) => code === outcome);
      if (refusal) {
        expectProblem(answer, refusal[1], refusal[0]);
        expect(answer.headers.get("www-authenticate")).toEqual(
          refusal[1] === 401 ? expect.stringMatching(/^Bearer /) : null,
        );
      } else {
        expect(answer.status).toBe(200);
        const { kind, userId } = answer.body;
        expect(userId === null ? kind : `${kind} ${userId}`).toBe(outcome);
      }
    },
  );

  it("is open by default, and takes an empty ACCESS_MODE for the default", async () => {
    for (const ACCESS_MODE of [undefined, ""]) {
      expect((await sample({ ACCESS_MODE }).get("/api/notes/who/data")).status).toBe(200);
    }
  });

  it("says which scope a key lacks", async () => {
    const { body } = await sample({ ACCESS_MODE: "private" }).get("/api/notes/who/data", { token: "key:emails:read" });
    expect(body.detail).toContain("tasks:read");
  });

  it("tells an expired token from a missing one in WWW-Authenticate", async () => {
    const challenge = async (token: string | null) =>
      (await sample().get("/api/notes/who/user", { token })).headers.get("www-authenticate");
    expect(await challenge(null)).toBe('Bearer realm="poa"');
    expect(await challenge("expired")).toBe('Bearer realm="poa", error="invalid_token"');
  });

  it.each(["open", "private"])("does not take a failure of its own for a stranger when %s", async (ACCESS_MODE) => {
    expectErrorLog("request_failed");
    const answer = await sample({ ACCESS_MODE }).get("/api/notes/who/data", { token: "broken" });
    expectProblem(answer, 500, "internal");
  });

  it("speaks before the input is looked at", async () => {
    const client = sample({ ACCESS_MODE: "private" });
    expectProblem(await client.post("/api/notes", { title: 7 }), 401, "unauthenticated");
    expectProblem(await client.get("/api/notes?limit=0"), 401, "unauthenticated");
    expectProblem(await client.patch("/api/notes/abc", {}), 401, "unauthenticated");
  });

  it.each(["open", "private"])("of a write is not opened by the scope for reading when %s", async (ACCESS_MODE) => {
    const note = { folder: newFolder(), title: "Milk" };
    const client = sample({ ACCESS_MODE });
    expectProblem(await client.post("/api/notes", note, { token: "key:tasks:read" }), 403, "insufficient_scope");
    expect((await client.post("/api/notes", note, { token: "key:tasks:write" })).status).toBe(201);
  });
});
