import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";

const api = service();
const mail = { from: "Ann Lee <ann@example.com>", to: ["hello@example.com"], subject: "Contract", body: "Hi Ada" };

describe("a mail", () => {
  it("is stored with its defaults and read again", async () => {
    const { status, body, headers } = await api.post("/api/emails", mail);
    expect(status).toBe(201);
    expect(headers.get("etag")).toBe('"1"');
    expect(body).toMatchObject({
      from: { name: "Ann Lee", email: "ann@example.com" },
      to: [{ name: "", email: "hello@example.com" }],
      cc: [],
      replyTo: null,
      subject: "Contract",
      snippet: "Hi Ada",
      body: "Hi Ada",
      html: null,
      tags: ["hello"],
      status: "inbox",
      direction: "inbound",
      source: "api",
      isRead: false,
      isStarred: false,
      snoozedUntil: null,
      threadCount: 1,
      analysis: null,
      version: 1,
    });
    expect(body.messageId).toMatch(/^<.+@.+>$/);
    const read = await api.get(`/api/emails/${body.id}`);
    expect(read.body).toEqual(body);
    expect(read.headers.get("etag")).toBe('"1"');
  });

  it("takes addresses as text or objects, one or many", async () => {
    const { body } = await api.post("/api/emails", {
      ...mail,
      from: { email: "ann@example.com" },
      to: '"Lovelace, Ada" <ada@example.com>',
      cc: [{ name: "Bob", email: "bob@example.com" }, "carl@example.com"],
      replyTo: "Desk <desk@example.com>",
    });
    expect(body).toMatchObject({
      from: { name: "", email: "ann@example.com" },
      to: [{ name: "Lovelace, Ada", email: "ada@example.com" }],
      cc: [
        { name: "Bob", email: "bob@example.com" },
        { name: "", email: "carl@example.com" },
      ],
      replyTo: { name: "Desk", email: "desk@example.com" },
    });
  });

  it("is refused with every offending path when it is not one", async () => {
    const answer = await api.post("/api/emails", { from: "nobody", to: ["a@b.c", "x"], tags: [""], receivedAt: "now" });
    expectProblem(answer, 422, "validation_failed");
    const paths = answer.body.errors.map((error: { path: string }) => error.path);
    for (const path of ["from", "tags.0", "receivedAt"]) expect(paths).toContain(path);
    expect(paths.some((path: string) => path.startsWith("to"))).toBe(true);
    expectProblem(await api.post("/api/emails", {}), 422, "validation_failed");
  });

  it("gets its body from its HTML when it has no other", async () => {
    const html =
      "<html><head><title>x</title><style>p{}</style></head><body><p>Hello&nbsp;<b>you</b></p><p>Bye &amp; thanks</p></body></html>";
    const { body } = await api.post("/api/emails", { ...mail, body: undefined, html });
    expect(body.body).toBe("Hello you\n\nBye & thanks");
    expect(body.html).toBe(html);
  });

  it("has tags that are trimmed, lower-cased and counted once", async () => {
    const { body } = await api.post("/api/emails", { ...mail, tags: [" Invoices ", "INVOICES", "2026"] });
    expect(body.tags).toEqual(["invoices", "2026"]);
    const many = Array.from({ length: 21 }, (_, index) => `tag-${index}`);
    expectProblem(await api.post("/api/emails", { ...mail, tags: many }), 422, "validation_failed");
    expectProblem(await api.post("/api/emails", { ...mail, tags: ["x".repeat(51)] }), 422, "validation_failed");
  });

  it("is 404 when there is none, and 422 when the id is no number", async () => {
    for (const path of ["/api/emails/999999", "/api/emails/999999/thread"]) {
      expectProblem(await api.get(path), 404, "not_found");
    }
    expectProblem(await api.patch("/api/emails/999999", { isRead: true }), 404, "not_found");
    expectProblem(await api.delete("/api/emails/999999"), 404, "not_found");
    expectProblem(await api.post("/api/emails/999999/tasks"), 404, "not_found");
    expectProblem(await api.post("/api/emails/999999/reply", { body: "x" }), 404, "not_found");
    expectProblem(await api.get("/api/emails/abc"), 422, "validation_failed");
  });

  it("sleeps with everything else behind a private service", async () => {
    const closed = service({ ACCESS_MODE: "private" });
    expectProblem(await closed.get("/api/emails"), 401, "unauthenticated");
    expectProblem(await closed.post("/api/emails", mail), 401, "unauthenticated");
  });

  it.each([
    [{ from: "a@x.org", to: [{ email: "x" }] }, "to.0.email", /email address/],
    [{ from: "a@x.org", to: "x" }, "to", /email address/],
    [{ to: "a@x.org" }, "from", /is required/],
  ])("refuses %o and says where and why", async (body, path, message) => {
    const answer = await service().post("/api/emails", body);
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors).toEqual([{ path, message: expect.stringMatching(message) }]);
  });
});
