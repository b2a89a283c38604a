import { describe, expect, it } from "vitest";
import { service } from "../harness.ts";
import { sample } from "./client.ts";

/* The words in which mistakes are explained. walk.test.ts makes mistakes at every operation. */

const client = service();

describe("the texts", () => {
  const notes = sample();

  it("say what each field must be, in a sentence and field by field", async () => {
    const { body } = await notes.post("/api/notes", { title: "", stars: 9, tags: "a" });
    expect(body.title).toBe("The request is not valid");
    expect(body.detail).toBe(
      "folder is required; title must not be empty; stars must be at most 5; tags must be a list.",
    );
    expect(body.errors).toEqual([
      { path: "folder", message: "is required" },
      { path: "title", message: "must not be empty" },
      { path: "stars", message: "must be at most 5" },
      { path: "tags", message: "must be a list" },
    ]);
  });

  it.each([
    ["POST", "/api/tasks", { title: "x", priority: "p1" }, "priority must be low, medium, high or urgent."],
    ["POST", "/api/tasks", { title: "x", priority: null }, "priority must be low, medium, high or urgent."],
    [
      "POST",
      "/api/tasks",
      { title: "x", dueAt: "soon" },
      "dueAt must be a time with an offset, such as 2026-11-20T17:00:00+01:00, or a date such as 2026-11-20.",
    ],
    [
      "GET",
      "/api/calendar/events/1?occurrence=2026-11-20",
      undefined,
      "occurrence must be a time with an offset, such as 2026-11-20T17:00:00+01:00.",
    ],
    ["POST", "/api/tasks", [], "The body must be an object."],
    ["GET", "/api/tasks?limit=x", undefined, "limit must be a whole number."],
    ["GET", "/api/tasks?limit=1&limit=2", undefined, "limit may be given once."],
    ["POST", "/api/calendar/events", { title: "x" }, "start is required."],
    [
      "POST",
      "/api/calendar/events",
      { title: "x", start: "soon" },
      "start must be a time with an offset, such as 2026-11-20T17:00:00+01:00, or a date, such as 2026-11-20.",
    ],
  ])("%s %s %j", async (method, path, body, detail) => {
    expect((await client.call(method, path, { body })).body.detail).toBe(detail);
  });

  it.each(["2026-02-30", "2026-02-30T10:00:00Z", "2026-04-31T10:00"])("say that %s does not exist", async (date) => {
    const expected = (field: string) => `${field} has a date that does not exist.`;
    const event = await client.post("/api/calendar/events", { title: "x", start: date });
    expect(event.body.detail).toBe(expected("start"));
    expect((await client.post("/api/tasks", { title: "x", dueAt: date })).body.detail).toBe(expected("dueAt"));
    expect((await client.get(`/api/emails?since=${date}`)).body.detail).toBe(expected("since"));
    const occurrence = await client.get(`/api/calendar/events/1?occurrence=${date}`);
    expect(occurrence.body.detail).toBe(expected("occurrence"));
  });

  it("of another media type names the one to send", async () => {
    const answer = await client.call("POST", "/api/tasks", { raw: "a=1", headers: { "content-type": "text/plain" } });
    expect(answer.body.detail).toBe("Send JSON with Content-Type: application/json.");
  });
});
