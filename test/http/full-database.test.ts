import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { isRead } from "../../src/db/client.ts";
import { signedInPerson } from "../auth/people.ts";
import { deliver } from "../emails/deliver.ts";
import { storeMail } from "../emails/new-mail.ts";
import { expectErrorLog, expectProblem, service } from "../harness.ts";

/** A database that refuses every write but a deletion, in the words of D1. */
function full(message: string): Env["DB"] {
  const refused = () => Promise.reject(new Error(message));
  const isRefused = (query: string) => !isRead(query) && !/^\s*delete\b/i.test(query);
  const queries = new WeakMap<D1PreparedStatement, string>();
  const wrap = (query: string, statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => wrap(query, target.bind(...values));
        const member = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return isRefused(query) ? refused : member.bind(target);
      },
    });
    queries.set(wrapped, query);
    originals.set(wrapped, statement);
    return wrapped;
  };
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const members = {
    prepare: (query: string) => wrap(query, env.DB.prepare(query)),
    batch: (statements: D1PreparedStatement[]) =>
      statements.some((each) => isRefused(queries.get(each) ?? ""))
        ? refused()
        : env.DB.batch(statements.map((each) => originals.get(each) ?? each)),
    withSession: () => members,
    getBookmark: () => null,
  };
  return members as unknown as Env["DB"];
}

const TEXTS = [
  "D1_ERROR: database or disk is full: SQLITE_FULL",
  "D1_ERROR: Exceeded maximum DB size",
  "D1_ERROR: Exceeded maximum database size.",
];

describe("a full database", () => {
  it.each(TEXTS)("is told as such to who writes (%s), and reading still works", async (text) => {
    const open = service();
    const mail = await storeMail(open, "full-database");
    const api = service({ DB: full(text) });
    for (const [path, body] of [
      ["/api/tasks", { title: "x" }],
      ["/api/emails", { from: "a@example.com", subject: "x", body: "y" }],
    ] as const) {
      expectErrorLog("database_full");
      const answer = await api.post(path, body);
      expectProblem(answer, 503, "storage_full");
      expect(answer.body.detail).toMatch(/delete emails/);
      expect(answer.text).not.toMatch(/D1_|SQLITE/);
      expect(answer.headers.get("retry-after")).toBe("3600");
    }
    expectErrorLog("database_full");
    expectProblem(await api.patch(`/api/emails/${mail.id}`, { isRead: true }), 503, "storage_full");
    expect((await api.get(`/api/emails/${mail.id}`)).status).toBe(200);
    expect((await api.get("/api/emails?tag=full-database&limit=1")).body.data).toHaveLength(1);
    expect((await api.get("/api/tasks")).status).toBe(200);
    expect((await api.get("/api/health")).status).toBe(200);
    expect((await api.delete(`/api/emails/${mail.id}`)).status).toBe(204);
  });

  it("still lets a signed-in person read", async () => {
    const { token } = await signedInPerson();
    const api = service({ DB: full(TEXTS[0] ?? ""), ACCESS_MODE: "private" });
    expect((await api.get("/api/emails", { token })).status).toBe(200);
    expect((await api.get("/api/auth/me", { token })).status).toBe(200);
  });

  it("leaves an incoming email with the sending server", async () => {
    const raw = "From: a@example.com\nMessage-ID: <full-1@example.com>\nSubject: Hi\n\nHello\n";
    await expect(deliver(raw, { vars: { DB: full(TEXTS[1] ?? "") } })).rejects.toThrow();
    const row = await env.DB.prepare("SELECT id FROM emails WHERE message_key = 'full-1@example.com'").first();
    expect(row).toBeNull();
    expect(await deliver(raw)).toBeNull();
  });
});
