import { describe, expect, it } from "vitest";
import { expectProblem, takeLogs } from "../harness.ts";
import { newFolder, newNote, sample, send } from "./client.ts";

const client = sample();

describe("an unknown path", () => {
  it.each(["/nothing", "/api", "/api/notes/1/2/3", "/api/note", "/API/notes", "/api/notes/"])(
    "is 404 route_not_found: %s",
    async (path) => {
      expectProblem(await client.get(path), 404, "route_not_found");
    },
  );

  it("is named in the detail, as JSON and nothing else", async () => {
    const answer = await client.get("/api/<script>alert(1)</script>");
    expectProblem(answer, 404, "route_not_found");
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("is not logged, unlike other refusals", async () => {
    takeLogs();
    await client.get("/wp-login.php");
    await client.post("/xmlrpc.php", {});
    expect(takeLogs()).toEqual([]);
    await client.call("PUT", "/api/notes");
    expect(takeLogs()).toEqual([expect.stringContaining('"status":405')]);
  });
});

describe("a wrong method", () => {
  it.each([
    ["PUT", "/api/notes", "GET, HEAD, POST"],
    ["POST", "/api/notes/7", "DELETE, GET, HEAD, PATCH"],
    ["GET", "/api/notes/7/shares", "POST"],
    ["POST", "/docs", "GET, HEAD"],
    ["DELETE", "/docs/swagger-ui.css", "GET, HEAD"],
    ["PROPFIND", "/api/notes", "GET, HEAD, POST"],
  ])("is 405 with Allow: %s %s", async (method, path, allow) => {
    const answer = await client.call(method, path);
    expectProblem(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toBe(allow);
  });

  it("is told from an unknown path under the same feature", async () => {
    const answer = await client.call("PUT", "/api/notes/7/unknown");
    expectProblem(answer, 404, "route_not_found");
    expect(answer.headers.get("allow")).toBeNull();
  });
});

describe("HEAD", () => {
  it("answers as GET does, without the body", async () => {
    const { id } = await newNote(client);
    const head = await send(`/api/notes/${id}`, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.headers.get("etag")).toBe('"1"');
    expect(await head.text()).toBe("");
  });

  it("meets the same guard as GET", async () => {
    const head = await send("/api/notes?folder=x", { method: "HEAD" }, { ACCESS_MODE: "private" });
    expect(head.status).toBe(401);
    expect(await head.text()).toBe("");
  });

  it("on a path that only takes POST is 405", async () => {
    expect((await send("/api/notes/1/shares", { method: "HEAD" })).status).toBe(405);
  });
});

describe("a path written in another way", () => {
  it.each([
    "//api/notes/{id}",
    "/api//notes/{id}",
    "/api/notes//{id}",
    "/api/%6eotes/{id}",
    "/%61pi/notes/{id}",
    "/api/notes/{encoded}",
    "/api/notes%2f{id}",
    "/api%2fnotes%2f{id}",
    "/api/%256eotes/{id}",
    "/api/notes/{id}/",
    "/api/notes/{id}%00",
    "/api/x/../notes/{id}",
    "/api/x/%2e%2e/notes/{id}",
    "/api/notes/{id};a=b",
    "/api/notes/{id}%",
    "\\api\\notes\\{id}",
  ])("does not slip past a guard: %s", async (pattern) => {
    const folder = newFolder();
    const { id } = await newNote(client, folder);
    const encoded = [...String(id)].map((digit) => `%3${digit}`).join("");
    const path = pattern.replace("{id}", String(id)).replace("{encoded}", encoded);
    const response = await send(path, {}, { ACCESS_MODE: "private" });
    expect([401, 404]).toContain(response.status);
    expect(await response.text()).not.toContain(folder);
  });

  it("reaches the same guard and the same record when it means the same", async () => {
    const folder = newFolder();
    const { id } = await newNote(client, folder);
    const init = { headers: { authorization: "Bearer owner" } };
    const response = await send(`/api/%6eotes/${id}`, init, { ACCESS_MODE: "private" });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, folder });
  });
});

describe("an id in a path", () => {
  it.each(["0", "-1", "01", "1.0", "1e3", "abc", "%31%20", "9999999999999999", "1%2F2"])(
    "that is %s is 422",
    async (id) => {
      const answer = await client.get(`/api/notes/${id}`);
      expectProblem(answer, 422, "validation_failed");
      expect(answer.body.errors[0].path).toBe("id");
    },
  );

  it("of no record is 404 not_found", async () => {
    expectProblem(await client.get("/api/notes/999999999"), 404, "not_found");
  });
});

describe("a flag in a query", () => {
  it("is true or false", async () => {
    expect((await client.post("/api/notes/moments?urgent=true", {})).body.urgent).toBe(true);
    expect((await client.post("/api/notes/moments?urgent=false", {})).body.urgent).toBe(false);
  });

  it.each(["1", "yes", "TRUE", ""])("that is %j is 422", async (flag) => {
    expectProblem(await client.post(`/api/notes/moments?urgent=${flag}`, {}), 422, "validation_failed");
  });
});
