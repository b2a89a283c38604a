import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { registerPerson } from "../auth/people.ts";
import { service } from "../harness.ts";

const BOOKMARK = "x-d1-bookmark";

/** A database that tells where each session on it began, and what was asked there and at the primary. */
function watched() {
  const starts: string[] = [];
  const atPrimary: string[] = [];
  const inSessions: string[] = [];
  const listen = <Target extends D1Database | D1DatabaseSession>(target: Target, heard: string[]): Target =>
    new Proxy(target, {
      get(_, name) {
        if (name === "prepare") {
          return (query: string) => {
            heard.push(query);
            return target.prepare(query);
          };
        }
        if (name === "withSession" && "withSession" in target) {
          return (start: string) => {
            starts.push(start);
            return listen(target.withSession(start), inSessions);
          };
        }
        const member = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  return { DB: listen(env.DB, atPrimary), starts, atPrimary, inSessions };
}

describe("reading near the caller", () => {
  it("a write answers with a bookmark, and a read that sends it sees the write", async () => {
    const client = service();
    const created = await client.post("/api/tasks", { title: "Seen by its writer" });
    const bookmark = created.headers.get(BOOKMARK) ?? "";
    expect(bookmark).toMatch(/^[0-9a-z-]{8,}$/);
    const read = await client.get(`/api/tasks/${created.body.id}`, { headers: { [BOOKMARK]: bookmark } });
    expect(read.body.title).toBe("Seen by its writer");
    expect(read.headers.get(BOOKMARK)).toMatch(/^[0-9a-z-]{8,}$/);
  });

  it("a read begins where its bookmark says, and asks the primary nothing", async () => {
    const { DB, starts, atPrimary } = watched();
    const client = service({ DB });
    await client.get("/api/tasks", { headers: { [BOOKMARK]: "first-unconstrained" } });
    const bookmark = "00000001-00000002-00004c6d-8e61117bf38d7adb71b934ebbf891683";
    await client.get("/api/tasks", { headers: { [BOOKMARK]: bookmark } });
    expect(starts).toEqual(["first-unconstrained", bookmark]);
    expect(atPrimary).toEqual([]);
  });

  it("a read without a bookmark, or with one that cannot be, is answered by the primary", async () => {
    const { DB, starts, atPrimary } = watched();
    const client = service({ DB });
    expect((await client.get("/api/tasks")).headers.get(BOOKMARK)).toBeNull();
    expect((await client.get("/api/tasks", { headers: { [BOOKMARK]: "'; DROP TABLE" } })).status).toBe(200);
    expect(starts).toEqual([]);
    expect(atPrimary).toHaveLength(2);
  });

  it("a write always begins at the primary", async () => {
    const { DB, starts } = watched();
    const headers = { [BOOKMARK]: "first-unconstrained" };
    await service({ DB }).post("/api/tasks", { title: "Written at the primary" }, { headers });
    expect(starts).toEqual(["first-primary"]);
  });

  it("the session check never leaves the primary, so a session that ended is refused at once", async () => {
    const person = await registerPerson();
    const { DB, atPrimary, inSessions } = watched();
    const client = service({ DB, ACCESS_MODE: "private" });
    const options = { token: person.token, headers: { [BOOKMARK]: "first-unconstrained" } };
    expect((await client.get("/api/tasks", options)).status).toBe(200);
    expect(atPrimary.some((query) => query.includes("sessions"))).toBe(true);
    expect(inSessions.some((query) => query.includes("sessions"))).toBe(false);
    await client.post("/api/auth/logout", undefined, options);
    expect((await client.get("/api/tasks", options)).status).toBe(401);
  });

  it("an account's own endpoints know no bookmarks", async () => {
    const person = await registerPerson();
    const { DB, starts } = watched();
    const headers = { [BOOKMARK]: "first-unconstrained" };
    expect((await service({ DB }).get("/api/auth/me", { token: person.token, headers })).status).toBe(200);
    expect(starts).toEqual([]);
  });
});
