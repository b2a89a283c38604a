import { beforeAll, describe, expect, it } from "vitest";
import { type Person, signedInPerson } from "../auth/people.ts";
import { type Answer, expectProblem, service } from "../harness.ts";
import { countNotes, newFolder, newNote, sample } from "./client.ts";

/* Which unknown members are refused, with what hint, and which are a record that the client sends back. */

const client = service();
const notes = sample();
const errorsOf = (answer: Answer): Record<string, string> => {
  expectProblem(answer, 422, "validation_failed");
  return Object.fromEntries(
    answer.body.errors.map(({ path, message }: { path: string; message: string }) => [path, message]),
  );
};

let owner: Person;
beforeAll(async () => {
  owner = await signedInPerson("owner");
});

describe("an unknown member", () => {
  it("is named together with everything else that is wrong, with the name that was probably meant", async () => {
    const answer = await client.post("/api/tasks", {
      title: "",
      due: "tomorrow",
      Priority: "high",
      due_at: "2026-12-01",
      labels: ["a"],
      desciption: "x",
    });
    expect(errorsOf(answer)).toEqual({
      title: "must not be empty",
      due: "is not a member of this request (did you mean dueAt, dueDate or dueText?)",
      Priority: "is not a member of this request (did you mean priority?)",
      due_at: "is not a member of this request (did you mean dueAt?)",
      labels: "is not a member of this request",
      desciption: "is not a member of this request (did you mean description?)",
    });
    expect(answer.body.detail).toMatch(/^title must not be empty; due is not a member of this request \(did you mean/);
  });

  it("is refused before anything is sent, stored or changed", async () => {
    const tag = crypto.randomUUID();
    errorsOf(await client.post("/api/tasks", { title: "x", tags: [tag], reminder: 10 }));
    expect((await client.get(`/api/tasks?tag=${tag}`)).body.data).toEqual([]);
    const { body: task } = await client.post("/api/tasks", { title: "x", tags: [tag] });
    errorsOf(await client.patch(`/api/tasks/${task.id}`, { title: "y", reminder: 10 }));
    expect((await client.get(`/api/tasks/${task.id}`)).body).toEqual(task);
  });

  it("of a reply is refused, although an email has a member of that name", async () => {
    const { body: email } = await client.post("/api/emails", { from: "ann@example.com", to: "hello@example.com" });
    const reply = { body: "x", bcc: "me@example.com", tags: ["a"], attachments: [], id: email.id };
    const refused = Object.keys(errorsOf(await client.post(`/api/emails/${email.id}/reply`, reply)));
    expect(refused).toEqual(expect.arrayContaining(["tags", "id"]));
    expect((await client.get(`/api/emails?threadId=${email.threadId}`)).body.data).toHaveLength(1);
  });

  it("is found in objects inside lists, and in a form that may be a text as well", async () => {
    const event = { title: "Call", start: "2027-02-01T10:00:00Z" };
    const attendees = ["ann@example.com", { email: "bob@example.com", phone: "1" }];
    expect(errorsOf(await client.post("/api/calendar/events", { ...event, attendees }))).toEqual({
      "attendees.1.phone": "is not a member of this request",
    });
    const from = { email: "ann@example.com", Name: "Ann" };
    expect(errorsOf(await client.post("/api/emails", { from }))).toEqual({
      "from.Name": "is not a member of this request (did you mean name?)",
    });
  });

  it("of one of several forms is measured by the form that is meant", async () => {
    const discord = { platform: "discord", webhookUrl: "https://discord.com/api/webhooks/1/abc", apiKey: "k" };
    expect(errorsOf(await client.post("/api/stream/credentials", discord, { token: owner.token }))).toEqual({
      apiKey: "is not a member of this request",
    });
  });

  it("that is a query parameter, or the reverse, is told where it belongs", async () => {
    const sync = await client.post("/api/bookingsvc/sync", { full: true });
    expect(errorsOf(sync)).toEqual({ full: "is not a member of this request (send it as a query parameter)" });
    const task = await client.post("/api/tasks?title=x", { title: "x" });
    expect(errorsOf(task)).toEqual({ title: "is not a parameter of this request (send it in the body)" });
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", ""])("may have the name %j", async (name) => {
    const answer = await client.call("POST", "/api/tasks", {
      raw: `{"title":"x",${JSON.stringify(name)}:1}`,
      headers: { "content-type": "application/json" },
    });
    expect(Object.keys(errorsOf(answer))).toEqual([name]);
  });

  it("is cut short, and so is their number", async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`m${index}${"x".repeat(190)}`, 1]));
    const answer = await client.post("/api/tasks", { title: "x", ["y".repeat(5000)]: 1, ...many });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors).toHaveLength(100);
    expect(answer.text.length).toBeLessThan(60_000);
  });

  it("does not use up the Idempotency-Key of the request", async () => {
    const folder = newFolder();
    const headers = { "idempotency-key": crypto.randomUUID() };
    const refused = await Promise.all(
      Array.from({ length: 3 }, () => notes.post("/api/notes", { folder, title: "x", colour: "red" }, { headers })),
    );
    for (const answer of refused) expect(["validation_failed", "idempotency_in_flight"]).toContain(answer.body.code);
    expect(await countNotes(folder)).toBe(0);
    const corrected = await notes.post("/api/notes", { folder, title: "x" }, { headers });
    expect(corrected.status).toBe(201);
    expect((await notes.post("/api/notes", { folder, title: "x" }, { headers })).body).toEqual(corrected.body);
    expect(await countNotes(folder)).toBe(1);
  });
});

describe("a query parameter", () => {
  it("in another case is unknown, and the right one is named", async () => {
    expect(errorsOf(await client.get("/api/tasks?Limit=5&due_before=2026-12-01"))).toEqual({
      Limit: "is not a parameter of this request (did you mean limit?)",
      due_before: "is not a parameter of this request (did you mean dueBefore?)",
    });
  });

  it("that is given twice may be given once; an unknown one given twice is unknown", async () => {
    expect(errorsOf(await client.get("/api/tasks?limit=5&limit=6&from=a&from=b"))).toEqual({
      limit: "may be given once",
      from: "is not a parameter of this request",
    });
  });

  it.each(["?limit=", "?limit", "?status=", "?overdue="])("without a value is explained: %s", async (query) => {
    const name = /\w+/.exec(query)?.[0] ?? "";
    expect(errorsOf(await client.get(`/api/tasks${query}`))[name]).toMatch(/^must be /);
  });

  it("without a name is none, and one named as a member of every object is unknown", async () => {
    expect((await client.get("/api/tasks?=5")).status).toBe(200);
    expect(Object.keys(errorsOf(await client.get("/api/tasks?constructor=1")))).toEqual(["constructor"]);
    expect((await client.get("/api/tasks?")).status).toBe(200);
    expect((await client.get("/api/tasks?&")).status).toBe(200);
  });
});

describe("a record that is sent back", () => {
  it("may be changed whole: what cannot be changed is ignored", async () => {
    const { body: task } = await client.post("/api/tasks", { title: "Milk" });
    const changed = await client.patch(`/api/tasks/${task.id}`, { ...task, title: "Bread" });
    expect(changed.body).toEqual({
      ...task,
      title: "Bread",
      version: task.version + 1,
      updatedAt: changed.body.updatedAt,
    });
    const { body: email } = await client.post("/api/emails", {
      from: "Ann <ann@example.com>",
      to: "hello@example.com",
      attachments: [{ name: "a.pdf", type: "application/pdf", size: 3 }],
    });
    const read = await client.patch(`/api/emails/${email.id}`, { ...email, isRead: true });
    expect(read.body).toMatchObject({ id: email.id, isRead: true, threadCount: 1, attachments: email.attachments });
  });

  it.each([
    [
      "an event",
      "/api/calendar/events",
      { title: "Call", start: "2027-03-01T10:00:00Z", attendees: ["ann@example.com"] },
    ],
    ["a milestone", "/api/stream/milestones", { metric: "viewers", threshold: 7_654_321 }],
    ["a token alert", "/api/settings/tokens/alerts", { unit: "tokens", threshold: 1000 }],
    ["a webhook", "/api/settings/webhooks", { url: "https://hooks.example.com/x", eventTypes: ["task.created"] }],
  ])("is taken as it was read: %s", async (_, path, fields) => {
    const { token } = owner;
    const created = await client.post(path, fields, { token });
    expect(created.status, created.text).toBe(201);
    const { secret: _secret, conflicts: _conflicts, ...record } = created.body;
    expect((await client.patch(`${path}/${record.id}`, record, { token })).status).toBe(200);
  });

  it.each(["/api/settings/profile", "/api/settings/profile/notifications"])("is taken by PATCH %s", async (path) => {
    const { token } = owner;
    const { body } = await client.get(path, { token });
    expect((await client.patch(path, body, { token })).status).toBe(200);
  });

  it("is taken where it comes from a list", async () => {
    const { body: voices } = await client.get("/api/stream/voice");
    expect(voices.data.length).toBeGreaterThan(0);
    for (const voice of voices.data) {
      expect((await client.patch(`/api/stream/voice/${voice.platform}`, voice)).status).toBe(200);
    }
  });

  it("is taken by PUT, in the objects inside it as well", async () => {
    const { token } = owner;
    const path = "/api/settings/profile/working-hours";
    const { body: hours } = await client.get(path, { token });
    expect((await client.put(path, hours, { token })).status).toBe(200);
  });

  it("creates a copy when it is posted again", async () => {
    const { body: task } = await client.post("/api/tasks", { title: "Milk" });
    const copy = await client.post("/api/tasks", task);
    expect(copy.status).toBe(201);
    expect(copy.body.id).not.toBe(task.id);
    expect(copy.body.version).toBe(1);
  });

  it("is what makes a new one ignore read-only members: without its id they are a mistake", async () => {
    const key = { name: "x", scopes: ["tasks:read"], currentPassword: "correct horse battery staple" };
    const answer = await client.post(
      "/api/settings/security/api-keys",
      { ...key, expiresAt: "2027-01-01T00:00:00Z", version: 1, createdAt: "2026-01-01T00:00:00Z" },
      { token: owner.token },
    );
    expect(errorsOf(answer)).toEqual({
      expiresAt: "is read-only and cannot be set here",
    });
  });

  it("has the shape that the service sends: content in an attachment would be lost", async () => {
    const { body: email } = await client.post("/api/emails", { from: "ann@example.com", to: "hello@example.com" });
    for (const attachments of [
      [{ name: "a.txt", type: "text/plain", size: 1, content: "eA==" }],
      ["a.txt"],
      { a: 1 },
    ]) {
      expect(errorsOf(await client.patch(`/api/emails/${email.id}`, { isRead: true, attachments }))).toEqual({
        attachments: "is read-only and cannot be set here",
      });
    }
  });

  it("is not what several records are changed with", async () => {
    const { body: email } = await client.post("/api/emails", { from: "ann@example.com", to: "hello@example.com" });
    const answer = await client.patch("/api/emails", {
      ids: [email.id],
      isRead: true,
      subject: "Another",
      version: 1,
    });
    expect(Object.keys(errorsOf(answer))).toEqual(["subject", "version"]);
  });

  it("says nothing to update if it has only read-only members", async () => {
    const note = await newNote(notes);
    expectProblem(await notes.patch(`/api/notes/${note.id}`, { id: note.id, folder: "x" }), 422, "nothing_to_update");
  });
});
