import { describe, expect, it } from "vitest";
import { MAX_BODY_BYTES } from "../../src/http/limits.ts";
import { expectProblem } from "../harness.ts";
import { chunked, countNotes, newFolder, newNote, sample, send } from "./client.ts";

const json = { "content-type": "application/json" };
const client = sample();

describe("a JSON body", () => {
  it.each(["{", "{'a':1}", "undefined", '{"folder":"a",}', "\u0000"])("that is malformed is 400: %j", async (raw) => {
    expectProblem(await client.call("POST", "/api/notes", { raw, headers: json }), 400, "invalid_json");
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp"])(
    "sent as %s is 415",
    async (type) => {
      const raw = JSON.stringify({ folder: newFolder(), title: "Milk" });
      const answer = await client.call("POST", "/api/notes", { raw, headers: { "content-type": type } });
      expectProblem(answer, 415, "unsupported_media_type");
    },
  );

  it("sent without a content type is 415", async () => {
    const raw = new TextEncoder().encode(JSON.stringify({ folder: newFolder(), title: "Milk" }));
    expectProblem(await client.call("POST", "/api/notes", { raw }), 415, "unsupported_media_type");
  });

  it.each(["application/json; charset=utf-8", "APPLICATION/JSON"])("sent as %s is taken", async (type) => {
    const raw = JSON.stringify({ folder: newFolder(), title: "Milk" });
    const answer = await client.call("POST", "/api/notes", { raw, headers: { "content-type": type } });
    expect(answer.status).toBe(201);
  });

  it.each([
    ["is missing", {}],
    ["is empty", { raw: "", headers: json }],
  ])("that %s is 422 even when no member of it is required", async (_, options) => {
    for (const path of ["/api/notes", "/api/notes/moments"]) {
      const answer = await client.call("POST", path, options);
      expectProblem(answer, 422, "validation_failed");
      expect(answer.body.errors).toEqual([{ path: "", message: "A JSON body is required" }]);
    }
    expect((await client.post("/api/notes/moments", {})).status).toBe(200);
  });

  it.each([[[]], ["text"], [7], [null]])("that is not an object is 422: %j", async (body) => {
    expectProblem(await client.post("/api/notes", body), 422, "validation_failed");
  });

  it("that breaks several rules has every offending path listed", async () => {
    const answer = await client.post("/api/notes", { title: "", stars: 9, tags: ["ok", "x"] });
    expectProblem(answer, 422, "validation_failed");
    const paths = answer.body.errors.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(["folder", "stars", "tags.1", "title"]);
    for (const { message } of answer.body.errors) expect(message).toBeTruthy();
  });

  it("with a member that does not exist is 422 and names it", async () => {
    const note = { folder: newFolder(), title: "Milk", id: 99 };
    const answer = await client.post("/api/notes", { ...note, role: "owner" });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(["role"]);
    expect((await client.post("/api/notes", note)).status).toBe(201);
  });

  it("of a PATCH that names nothing is 422 nothing_to_update", async () => {
    const { id } = await newNote(client);
    expectProblem(await client.patch(`/api/notes/${id}`, {}), 422, "nothing_to_update");
    expectProblem(await client.patch(`/api/notes/${id}`, { colour: "red" }), 422, "validation_failed");
  });

  it("gives a moment with any offset, and gets it back in UTC with milliseconds", async () => {
    const { body } = await client.post("/api/notes/moments", { at: "2026-11-16T10:30:00+01:00" });
    expect(body.at).toBe("2026-11-16T09:30:00.000Z");
  });

  it.each(["2026-11-16", "2026-11-16T10:30:00", "tomorrow", 1_700_000_000])(
    "with %j for a moment is 422",
    async (at) => {
      expectProblem(await client.post("/api/notes/moments", { at }), 422, "validation_failed");
    },
  );
});

describe("a body over 1 MiB", () => {
  const tooLong = String(MAX_BODY_BYTES + 1);

  it.each([
    ["POST", "/api/notes"],
    ["POST", "/api/notes/1/reminders"],
    ["DELETE", "/api/notes/1"],
  ])("is refused by its declared length: %s %s", async (method, path) => {
    const answer = await client.call(method, path, { raw: "{}", headers: { ...json, "content-length": tooLong } });
    expectProblem(answer, 413, "body_too_large");
  });

  it("is suspected behind a declared length that is not a number", async () => {
    const answer = await client.call("POST", "/api/notes", {
      raw: "{}",
      headers: { ...json, "content-length": "many" },
    });
    expectProblem(answer, 413, "body_too_large");
  });

  it.each([
    ["POST", "/api/notes"],
    ["POST", "/api/notes/1/reminders"],
    ["DELETE", "/api/notes/1"],
  ])("is refused when it comes in chunks, whether or not the handler reads it: %s %s", async (method, path) => {
    const answer = await client.call(method, path, { raw: chunked(MAX_BODY_BYTES + 1), headers: json });
    expectProblem(answer, 413, "body_too_large");
  });

  it("is refused before the guard looks for a credential", async () => {
    const answer = await sample({ ACCESS_MODE: "private" }).call("POST", "/api/notes", {
      raw: chunked(2 * MAX_BODY_BYTES),
      headers: json,
    });
    expectProblem(answer, 413, "body_too_large");
  });

  it("is not taken in to its end when that is far", async () => {
    let pulled = 0;
    const long = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(MAX_BODY_BYTES));
        if (pulled === 100) controller.close();
      },
    });
    const response = await send("/api/notes", { method: "POST", body: long });
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(40);
  });

  it("leaves nothing behind", async () => {
    const folder = newFolder();
    await client.post("/api/notes", { folder, title: "x".repeat(MAX_BODY_BYTES) });
    expect(await countNotes(folder)).toBe(0);
  });
});

describe("a body of exactly 1 MiB", () => {
  const folder = newFolder();
  const frame = JSON.stringify({ folder, title: "" }).length;
  const text = JSON.stringify({ folder, title: "x".repeat(MAX_BODY_BYTES - frame) });

  it("is taken whole", async () => {
    expect(new TextEncoder().encode(text)).toHaveLength(MAX_BODY_BYTES);
    const answer = await client.call("POST", "/api/notes", { raw: text, headers: json });
    expect(answer.status).toBe(201);
    expect(answer.body.title).toHaveLength(MAX_BODY_BYTES - frame);
  });
});
