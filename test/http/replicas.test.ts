import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { declarationsOf } from "../declared.ts";
import { service, sharedApp } from "../harness.ts";

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
    for (const bookmark of ["'; DROP TABLE", "not-a-bookmark", "f".repeat(200), "first-anything"]) {
      expect((await client.get("/api/tasks", { headers: { [BOOKMARK]: bookmark } })).status).toBe(200);
    }
    expect(starts).toEqual([]);
    expect(atPrimary).toHaveLength(5);
  });

  it("a write always begins at the primary", async () => {
    const { DB, starts } = watched();
    const headers = { [BOOKMARK]: "first-unconstrained" };
    await service({ DB }).post("/api/tasks", { title: "Written at the primary" }, { headers });
    expect(starts).toEqual(["first-primary"]);
  });

  it("the session check never leaves the primary, so a session that ended is refused at once", async () => {
    const person = await signedInPerson();
    const { DB, atPrimary, inSessions } = watched();
    const client = service({ DB, ACCESS_MODE: "private" });
    const options = { token: person.token, headers: { [BOOKMARK]: "first-unconstrained" } };
    expect((await client.get("/api/tasks", options)).status).toBe(200);
    expect(atPrimary.some((query) => query.includes("sessions"))).toBe(true);
    expect(inSessions.some((query) => query.includes("sessions"))).toBe(false);
    await client.post("/api/auth/logout", undefined, options);
    expect((await client.get("/api/tasks", options)).status).toBe(401);
  });

  it("is described: reads of data take a bookmark, all of them answer with one, and nothing else does", async () => {
    const { body: document } = await service().get("/api-docs");
    expect(document.info.description).toContain("X-D1-Bookmark");
    for (const { method, path, ...declared } of declarationsOf(sharedApp)) {
      const { parameters = [], responses } = document.paths[path][method];
      const isData = declared["x-guard"] === "data";
      const takesIt = parameters.some(({ name }: { name: string }) => name === BOOKMARK);
      expect(takesIt, `${method} ${path}`).toBe(isData && method === "get");
      const [answer] = Object.keys(responses).filter((status) => Number(status) < 300);
      expect("X-D1-Bookmark" in (responses[answer ?? ""]?.headers ?? {}), `${method} ${path}`).toBe(isData);
    }
  });

  it("an account's own endpoints know no bookmarks", async () => {
    const person = await signedInPerson();
    const { DB, starts } = watched();
    const headers = { [BOOKMARK]: "first-unconstrained" };
    expect((await service({ DB }).get("/api/auth/me", { token: person.token, headers })).status).toBe(200);
    expect(starts).toEqual([]);
  });
});
