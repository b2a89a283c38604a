import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Answer } from "../harness.ts";
import { expectErrorLog, expectProblem } from "../harness.ts";
import { countNotes, newFolder, newNote, sample } from "./client.ts";
import { hold } from "./hold.ts";

const client = sample();
const newKey = () => `key-${crypto.randomUUID()}`;

function create(key: string, body: unknown, token?: string, path = "/api/notes"): Promise<Answer> {
  return client.post(path, body, { token, headers: { "idempotency-key": key } });
}

/** Moves the key's row into the past, as if the time had gone by. */
async function age(key: string, column: "claimed_at" | "expires_at", ms: number): Promise<void> {
  const { meta } = await env.DB.prepare(`UPDATE idempotency_keys SET ${column} = ${column} - ? WHERE key = ?`)
    .bind(ms, key)
    .run();
  expect(meta.changes).toBe(1);
}

describe("a record's version", () => {
  it("is sent as its ETag when it is made, read and changed", async () => {
    const made = await client.post("/api/notes", { folder: newFolder(), title: "Milk" });
    expect(made.headers.get("etag")).toBe('"1"');
    const path = `/api/notes/${made.body.id}`;
    expect((await client.get(path)).headers.get("etag")).toBe('"1"');
    expect((await client.patch(path, { title: "Tea" })).headers.get("etag")).toBe('"2"');
    expect((await client.get(path)).body).toMatchObject({ title: "Tea", version: 2 });
  });

  it("lets a write through whose If-Match lists more versions than a statement has room for values", async () => {
    const { id } = await newNote(client);
    const headers = { "if-match": `${'"7", '.repeat(150)}"1"` };
    expect((await client.patch(`/api/notes/${id}`, { title: "Tea" }, { headers })).status).toBe(200);
  });

  it.each(['"1"', "*", ' "1" ', '"7", "1"', 'W/"1"', undefined])(
    "lets a write through with If-Match %s",
    async (tag) => {
      const { id } = await newNote(client);
      const headers: Record<string, string> = tag === undefined ? {} : { "if-match": tag };
      expect((await client.patch(`/api/notes/${id}`, { title: "Tea" }, { headers })).status).toBe(200);
    },
  );

  it.each([
    '"2"',
    '"0"',
    "1",
    'W/"2"',
    'w/"1"',
    '"1',
    "garbage",
    '"-1"',
    '"1e0"',
    '"99999999999999999999"',
    '"2", "3"',
    "",
    " ",
    ",",
  ])("stops a write with If-Match %j and changes nothing", async (tag) => {
    const { id } = await newNote(client);
    const answer = await client.patch(`/api/notes/${id}`, { title: "Tea" }, { headers: { "if-match": tag } });
    expectProblem(answer, 412, "version_conflict");
    expect((await client.get(`/api/notes/${id}`)).body).toMatchObject({ title: "Milk", version: 1 });
  });

  it("lets exactly one of two writers who read the same version win", async () => {
    const { id } = await newNote(client);
    const write = (title: string) => client.patch(`/api/notes/${id}`, { title }, { headers: { "if-match": '"1"' } });
    const answers = await Promise.all([write("Tea"), write("Coffee")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });
});

describe("If-None-Match", () => {
  const read = (id: number, tag: string) => client.get(`/api/notes/${id}`, { headers: { "if-none-match": tag } });

  it.each(['"1"', 'W/"1"', '"7", "1"', "*"])(
    "with the version the client has is 304 without a body: %s",
    async (tag) => {
      const { id } = await newNote(client);
      const answer = await read(id, tag);
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 304, text: "" });
      expect(answer.headers.get("etag")).toBe('"1"');
      expect(answer.headers.get("content-type")).toBeNull();
      expect(answer.headers.get("cache-control")).toBe("no-store");
    },
  );

  it("with another version gets the record", async () => {
    const { id } = await newNote(client);
    await client.patch(`/api/notes/${id}`, { title: "Changed" });
    for (const tag of ['"1"', '"x"', "1", ""]) expect((await read(id, tag)).body).toMatchObject({ version: 2 });
    expect((await read(id, '"2"')).status).toBe(304);
  });

  it("does not hide that the record is gone", async () => {
    expectProblem(await read(999_999_999, "*"), 404, "not_found");
  });
});

describe("Idempotency-Key", () => {
  it("repeats the first answer, marked as a replay, without doing the work again", async () => {
    const folder = newFolder();
    const key = newKey();
    const first = await create(key, { folder, title: "Milk" });
    expect(first.status).toBe(201);
    expect(first.headers.get("idempotency-replayed")).toBeNull();

    const second = await create(key, { folder, title: "Milk" });
    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    for (const name of ["etag", "location", "content-type"]) {
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(await countNotes(folder)).toBe(1);
  });

  it("repeats an answer without a body with its own status", async () => {
    const key = newKey();
    const path = "/api/notes/1/reminders";
    expect((await create(key, undefined, undefined, path)).status).toBe(202);
    const replay = await create(key, undefined, undefined, path);
    expect(replay.status).toBe(202);
    expect(replay.headers.get("idempotency-replayed")).toBe("true");
  });

  it.each([
    ["another body", (folder: string) => ({ path: "/api/notes", body: { folder, title: "Tea" } })],
    ["another query", (folder: string) => ({ path: "/api/notes?notify=true", body: { folder, title: "Milk" } })],
    ["another path", (folder: string) => ({ path: "/api/notes/1/shares", body: { folder, title: "Milk" } })],
  ])("used again with %s is 422 idempotency_mismatch", async (_, other) => {
    const folder = newFolder();
    const key = newKey();
    await create(key, { folder, title: "Milk" });
    const { path, body } = other(folder);
    expectProblem(await create(key, body, undefined, path), 422, "idempotency_mismatch");
    expect(await countNotes(folder)).toBe(1);
  });

  it("sent ten times at once makes one record", async () => {
    const folder = newFolder();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(key, { folder, title: "Milk" })));
    expect(await countNotes(folder)).toBe(1);
    const made = answers.filter(({ status, headers }) => status === 201 && !headers.has("idempotency-replayed"));
    expect(made).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 201) expect(answer.body).toEqual(made[0]?.body);
      else expectProblem(answer, 409, "idempotency_in_flight");
    }
  });

  it("is 409 with Retry-After while the first request runs, and a replay after it", async () => {
    const note = { folder: newFolder(), title: `slow ${newKey()}` };
    const key = newKey();
    const { entered, release } = hold(note.title);
    const first = create(key, note);
    await entered;
    const during = await create(key, note);
    expectProblem(during, 409, "idempotency_in_flight");
    expect(during.headers.get("retry-after")).toBe("1");
    release();
    expect((await first).status).toBe(201);
    expect((await create(key, note)).headers.get("idempotency-replayed")).toBe("true");
  });

  it("is taken over from a request that is silent for two minutes, whose write is then refused", async () => {
    const note = { folder: newFolder(), title: `silent ${newKey()}` };
    const key = newKey();
    const { entered, release } = hold(note.title);
    const silent = create(key, note);
    await entered;
    await age(key, "claimed_at", 110_000);
    expectProblem(await create(key, note), 409, "idempotency_in_flight");

    await age(key, "claimed_at", 20_000);
    const second = await create(key, note);
    expect(second.status).toBe(201);
    release();
    expectProblem(await silent, 409, "idempotency_in_flight");
    const third = await create(key, note);
    expect(third.body).toEqual(second.body);
    expect(third.headers.get("idempotency-replayed")).toBe("true");
  });

  it("of a request that ended between its change and its answer makes nothing twice", async () => {
    const note = { folder: newFolder(), title: `cut off ${newKey()}` };
    const key = newKey();
    await create(key, note);
    // What the end of the process leaves behind: the change and its mark, and no answer.
    await env.DB.prepare("UPDATE idempotency_keys SET status = NULL, body = NULL WHERE key = ?").bind(key).run();
    expectProblem(await create(key, note), 409, "idempotency_in_flight");
    await age(key, "claimed_at", 121_000);
    expectProblem(await create(key, note), 409, "idempotency_unfinished");
    expect(await countNotes(note.folder)).toBe(1);
  });

  it("is free for another request after a day", async () => {
    const folder = newFolder();
    const key = newKey();
    await create(key, { folder, title: "Milk" });
    await age(key, "expires_at", 24 * 60 * 60_000 + 60_000);
    const next = await create(key, { folder, title: "Tea" });
    expect(next.status).toBe(201);
    expect(next.body.title).toBe("Tea");
    expect((await create(key, { folder, title: "Tea" })).headers.get("idempotency-replayed")).toBe("true");
  });

  it("still stands an hour before the day is over", async () => {
    const note = { folder: newFolder(), title: "Milk" };
    const key = newKey();
    await create(key, note);
    await age(key, "expires_at", 23 * 60 * 60_000);
    expect((await create(key, note)).headers.get("idempotency-replayed")).toBe("true");
  });

  it("is not burnt by a request that was refused", async () => {
    const folder = newFolder();
    const key = newKey();
    expectProblem(await create(key, { folder, title: "" }), 422, "validation_failed");
    expect((await create(key, { folder, title: "Milk" })).status).toBe(201);
  });

  it("is not burnt by a request that failed", async () => {
    expectErrorLog("request_failed");
    const folder = newFolder();
    const key = newKey();
    const { id } = await newNote(client, folder, "Milk");
    expectProblem(await create(key, { folder, title: "Milk" }), 500, "internal");
    await client.delete(`/api/notes/${id}`);
    const again = await create(key, { folder, title: "Milk" });
    expect(again.status).toBe(201);
    expect(again.headers.get("idempotency-replayed")).toBeNull();
  });

  it("of a request that failed after its change makes nothing twice, and says so at once", async () => {
    const note = { folder: newFolder(), title: `breaks off ${newKey()}` };
    const key = newKey();
    expectProblem(await create(key, note), 503, "unavailable");
    expectProblem(await create(key, note), 409, "idempotency_unfinished");
    expectProblem(await create(key, { ...note, title: "Tea" }), 422, "idempotency_mismatch");
    expect(await countNotes(note.folder)).toBe(1);
  });

  it("is not burnt by a request whose writes met nothing", async () => {
    const note = { folder: newFolder(), title: `misses ${newKey()}` };
    const key = newKey();
    expectProblem(await create(key, note), 503, "unavailable");
    expectProblem(await create(key, note), 503, "unavailable");
    expect((await create(key, { ...note, title: "Milk" })).status).toBe(201);
  });

  it("of one actor never meets the same key of another", async () => {
    const folder = newFolder();
    const key = newKey();
    const titles = { owner: "of the owner", member: "of the member", nobody: "of nobody" };
    for (const [name, title] of Object.entries(titles)) {
      const answer = await create(key, { folder, title }, name === "nobody" ? undefined : name);
      expect(answer.status).toBe(201);
      expect(answer.body.title).toBe(title);
    }
    const replay = await create(key, { folder, title: titles.member }, "member");
    expect(replay.body.title).toBe(titles.member);
    expect(replay.headers.get("idempotency-replayed")).toBe("true");
  });

  it("brings a secret that was shown once back as null, and keeps it nowhere", async () => {
    const key = newKey();
    const path = "/api/notes/7/shares";
    const first = await create(key, undefined, "owner", path);
    expect(first.body.secret).toMatch(/^shown-once-/);
    const replay = await create(key, undefined, "owner", path);
    expect(replay.body).toEqual({ noteId: 7, secret: null, links: [{ secret: null }] });
    const row = await env.DB.prepare("SELECT * FROM idempotency_keys WHERE key = ?").bind(key).first();
    expect(row).not.toBeNull();
    expect(JSON.stringify(row)).not.toContain(first.body.secret);
  });

  it.each([
    ["of 256 characters", "k".repeat(256)],
    ["with a space", "a b"],
    ["with a control character", "a\u007fb"],
    ["that is empty", ""],
  ])("%s is 422 and does nothing", async (_, key) => {
    const folder = newFolder();
    const answer = await create(key, { folder, title: "Milk" });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0].path).toMatch(/idempotency-key/i);
    expect(await countNotes(folder)).toBe(0);
  });

  it("is not looked at before the guard", async () => {
    const guarded = sample({ ACCESS_MODE: "private" });
    const key = newKey();
    const answer = await guarded.post(
      "/api/notes",
      { folder: "x", title: "y" },
      { headers: { "idempotency-key": key } },
    );
    expectProblem(answer, 401, "unauthenticated");
    const row = await env.DB.prepare("SELECT 1 FROM idempotency_keys WHERE key = ?").bind(key).first();
    expect(row).toBeNull();
  });
});
