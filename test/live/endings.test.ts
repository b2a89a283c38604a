import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { removeAccount } from "../../src/features/personal-data/deletion.ts";
import type { Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor, openSession, PASSWORD, type Person, signedInPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { minute, send } from "../stream/reports.ts";
import { listen, ready } from "./listening.ts";

const PRIVATE = { ACCESS_MODE: "private" };
const api = service(PRIVATE);
const PATH = "/api/live";
let owner: Person;

beforeAll(async () => {
  await env.DB.exec("DELETE FROM users");
  owner = await signedInPerson("owner");
});

const newKey = async (scopes: Scope[], expiresAt: Date | null = null) =>
  createApiKey(await contextFor(owner.token), { name: "live", scopes, expiresAt });
const withHeaders = (token: string) => ({ token });

describe("in private mode", () => {
  it("nobody follows without a credential, or with a scope that reads nothing", async () => {
    expectProblem(await api.get(PATH), 401, "unauthenticated");
    expect((await listen(PATH, { vars: PRIVATE })).response.status).toBe(401);
    const { key } = await newKey(["tasks:write", "stats:read"]);
    expectProblem(await api.get(PATH, { token: key }), 403, "insufficient_scope");
    expect((await listen(PATH, { vars: PRIVATE, token: key })).response.status).toBe(403);
  });

  it.each<[Scope, string[]]>([
    ["tasks:read", ["task.created"]],
    ["calendar:read", ["event.created"]],
    ["emails:read", ["email.received"]],
    ["stream:read", ["stream.live"]],
    ["admin", ["task.created", "event.created", "email.received", "stream.live"]],
  ])("an API key with %s is told only of what it may read", async (scope, types) => {
    await env.DB.exec("DELETE FROM stream_sessions");
    const { key } = await newKey([scope]);
    const listener = await ready(PATH, { vars: PRIVATE, token: key });
    const { token } = owner;
    await api.post("/api/tasks", { title: "Call the bank" }, withHeaders(token));
    await api.post("/api/calendar/events", { title: "Review", start: "2041-01-01T10:00:00Z" }, withHeaders(token));
    await api.post(
      "/api/emails",
      { from: "a@b.example", to: "c@d.example", subject: "x", body: "y" },
      withHeaders(token),
    );
    await send({ state: "live", at: minute(1) });
    const heard = (await listener.take(types.length)).map(({ data }) => data.type);
    expect(heard).toEqual(types);
    await listener.leave();
    const { body } = await api.get(
      `${PATH}?lastEventId=${(await api.get(PATH, { token: key })).body.lastEventId - 4}`,
      {
        token: key,
      },
    );
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(types);
  });
});

describe("a stream ends at once, and says why, when", () => {
  type Ending = [what: string, code: string, end: (person: Person) => Promise<unknown>];
  const other = async ({ id }: Person) => ({ token: (await openSession(id)).token });
  const sessionOf = ({ token }: Person) => JSON.parse(atob(token.split(".")[1] ?? "")).sid as string;

  it.each<Ending>([
    ["its person signs out", "session_revoked", (person) => api.post("/api/auth/logout", undefined, person)],
    [
      "its session is ended from another one",
      "session_revoked",
      async (person) => api.delete(`/api/settings/security/sessions/${sessionOf(person)}`, await other(person)),
    ],
    [
      "all other sessions are ended",
      "session_revoked",
      async (person) => api.delete("/api/settings/security/sessions", await other(person)),
    ],
    [
      "the password is changed elsewhere",
      "session_revoked",
      async (person) =>
        api.post(
          "/api/settings/security/password",
          { currentPassword: PASSWORD, newPassword: "a quite different horse staple" },
          await other(person),
        ),
    ],
    [
      "the refresh token is used twice",
      "session_revoked",
      async ({ refreshToken }) => {
        for (let n = 0; n < 3; n++) await api.post("/api/auth/refresh", { refreshToken });
        await env.DB.prepare("UPDATE sessions SET rotated_at = 0").run();
        await api.post("/api/auth/refresh", { refreshToken });
      },
    ],
    [
      "the account is deleted",
      "session_revoked",
      async (person) => removeAccount(await contextFor((await other(person)).token), { confirm: person.email }),
    ],
  ])("%s", async (_, code, end) => {
    const person = await signedInPerson();
    const token = person.token;
    const listeners = [
      await ready(PATH, { vars: PRIVATE, token }),
      // In open mode, too: whoever signs out wants to be out.
      await ready(PATH, { token }),
      await ready("/api/stream/events", { vars: PRIVATE, token }),
    ];
    const bystander = await ready(PATH, { vars: PRIVATE, token: owner.token });
    await end(person);
    for (const listener of listeners) {
      expect((await listener.rest()).at(-1)).toMatchObject({ event: "error", data: { code } });
    }
    const { body } = await api.post("/api/tasks", { title: "Call the bank" }, { token: owner.token });
    expect(await bystander.next()).toMatchObject({ data: { recordId: body.id } });
    await bystander.leave();
  });

  const KEYS = "/api/settings/security/api-keys";
  const recent = { currentPassword: PASSWORD };

  it.each<[string, string, (id: number) => Promise<{ status: number }>]>([
    ["revoked", "unauthenticated", (id) => api.delete(`${KEYS}/${id}`, { token: owner.token })],
    ["rotated", "unauthenticated", (id) => api.post(`${KEYS}/${id}/rotate`, recent, { token: owner.token })],
    [
      "deprived of a scope",
      "insufficient_scope",
      (id) => api.patch(`${KEYS}/${id}`, { scopes: ["tasks:read"] }, { token: owner.token }),
    ],
  ])("its API key is %s", async (_, code, end) => {
    const { id, key } = await newKey(["tasks:read", "emails:read"]);
    const listener = await ready(PATH, { vars: PRIVATE, token: key });
    expect((await end(id)).status).toBeLessThan(300);
    expect(await listener.rest()).toMatchObject([{ event: "error", data: { code } }]);
  });

  it("its API key is renamed: not then", async () => {
    const { id, key } = await newKey(["tasks:read"]);
    const listener = await ready(PATH, { vars: PRIVATE, token: key });
    await api.patch(`${KEYS}/${id}`, { name: "renamed" }, { token: owner.token });
    const { body } = await api.post("/api/tasks", { title: "Call the bank" }, { token: owner.token });
    expect(await listener.next()).toMatchObject({ data: { recordId: body.id } });
    await listener.leave();
  });

  it("its credential has expired meanwhile, with the next look", async () => {
    const person = await signedInPerson();
    const { id, key } = await newKey(["tasks:read"], new Date(Date.now() + 60_000));
    const listeners = [
      await ready(PATH, { vars: PRIVATE, token: person.token }),
      await ready(PATH, { vars: PRIVATE, token: key }),
    ];
    const past = Date.now() - 1;
    await env.DB.prepare("UPDATE sessions SET expires_at = ? WHERE user_id = ?").bind(past, person.id).run();
    await env.DB.prepare("UPDATE api_keys SET expires_at = ? WHERE id = ?").bind(past, id).run();
    await api.post("/api/tasks", { title: "Call the bank" }, { token: owner.token });
    const ends = await Promise.all(listeners.map((listener) => listener.rest()));
    expect(ends).toMatchObject([
      [{ event: "error", data: { code: "session_revoked" } }],
      [{ event: "error", data: { code: "unauthenticated" } }],
    ]);
  });
});
