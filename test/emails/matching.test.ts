import { beforeEach, describe, expect, it } from "vitest";
import { emptyService, expectProblem, service } from "../harness.ts";
import { storeMail } from "./new-mail.ts";

const api = service();
beforeEach(emptyService);

const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 12, minute)).toISOString();
const count = async (query: string) => (await api.get(`/api/emails/count?${query}`)).body;
const update = (query: string, body: object) => api.post(`/api/emails/update-matching?${query}`, body);
const undo = (id: string) => api.post("/api/emails/undo", { id });
const subjects = async (query: string): Promise<string[]> =>
  (await api.get(`/api/emails?limit=100&${query}`)).body.data.map(({ subject }: { subject: string }) => subject);

async function fill(howMany: number, fields: object = {}) {
  for (let n = 1; n <= howMany; n += 1)
    await storeMail(api, "many", { subject: `letter ${n}`, receivedAt: at(n), ...fields });
}

describe("an update of all that matches", () => {
  it("counts what the list has, and changes it but not what arrives later, even if it is older", async () => {
    await fill(3);
    await storeMail(api, "read", { subject: "read one", isRead: true, receivedAt: at(9) });
    const counted = await count("status=inbox&unread=true");
    expect(counted).toMatchObject({ emails: 3, conversations: 3, hasMore: false });
    await storeMail(api, "late", { subject: "late", receivedAt: at(2) });
    const { newestId } = counted;
    const { body } = await update("status=inbox&unread=true", { newestId, status: "archived" });
    expect(body).toMatchObject({ updated: 3, nextCursor: null });
    expect((await subjects("status=inbox")).sort()).toEqual(["late", "read one"]);
    const again = await update("status=inbox&unread=true", { newestId, status: "archived" });
    expect(again.body).toMatchObject({ updated: 0, undo: null });
    expect((await undo(body.undo.id)).body).toEqual({ restored: 3, changed: 0, hasMore: false });
    expect(await count("status=inbox")).toMatchObject({ emails: 5 });
    expectProblem(await undo(body.undo.id), 409, "undo_expired");
  });

  it("finds the words and operators of a search, and nothing for words that nothing has", async () => {
    await fill(2);
    await storeMail(api, "other", { subject: "invoice" });
    expect(await count("q=letter%20is%3Aunread")).toMatchObject({ emails: 2 });
    expect(await count("q=%2B")).toMatchObject({ emails: 0 });
    const { newestId } = await count("q=letter");
    const { body } = await update("q=letter", { newestId, addTags: ["post"], isRead: true });
    expect(body.updated).toBe(2);
    expect(await subjects("tag=post")).toEqual(["letter 2", "letter 1"]);
    // One that the person has changed since stays as they left it.
    const [mail] = (await api.get("/api/emails?tag=post")).body.data;
    await api.patch(`/api/emails/${mail.id}`, { isStarred: true });
    expect((await undo(body.undo.id)).body).toEqual({ restored: 1, changed: 1, hasMore: false });
    expect(await subjects("tag=post")).toEqual([mail.subject]);
  });

  it("acts on whole conversations in their box", async () => {
    const first = await storeMail(api, "talk", { subject: "talk", receivedAt: at(1) });
    const sent = await storeMail(api, "mine", {
      ...{ direction: "outbound", from: "me@example.com", inReplyTo: first.messageId, subject: "talk" },
      receivedAt: at(2),
    });
    await storeMail(api, "talk", { inReplyTo: sent.messageId, subject: "talk again", receivedAt: at(3) });
    expect(await count("q=again")).toMatchObject({ emails: 1, conversations: 1 });
    const { newestId } = await count("q=again");
    const { body } = await update("q=again", { newestId, asThreads: true, within: "inbox", status: "trash" });
    expect(body.updated).toBe(2);
    expect(await subjects("status=trash")).toEqual(["talk again", "talk"]);
    await undo(body.undo.id);
    expect(await subjects("status=inbox")).toEqual(["talk again", "talk"]);
  });

  it("reads a snooze in words once, for all portions", async () => {
    await fill(1);
    const { newestId } = await count("status=inbox");
    const { body } = await update("status=inbox", { newestId, snoozeText: "in 2 days" });
    expect(new Date(body.snoozedUntil).getTime()).toBeGreaterThan(Date.now() + 86_400_000);
    expect(await count("status=inbox")).toMatchObject({ emails: 0 });
    await undo(body.undo.id);
    expect(await count("status=inbox")).toMatchObject({ emails: 1 });
  });

  it("goes in portions, and is undone as one, also if the answer to a portion was lost", async () => {
    await api.post("/api/emails", { from: "a@example.com", subject: "first", receivedAt: at(0) });
    const { env } = await import("cloudflare:workers");
    await env.DB.prepare(
      `INSERT INTO emails (id, message_id, thread_id, reference_ids, direction, source, from_name, from_email, to_recipients,
        cc_recipients, kind, subject, snippet, attachments, tags, status, is_read, is_starred, received_at, version, created_at, updated_at, body)
      SELECT 1000 + value, 'm' || value, 1000 + value, '[]', 'inbound', 'api', '', 'a@example.com', '[]', '[]', 'person', 'copy', '', '[]', '[]',
        'inbox', 0, 0, 1000 + value, 1, 1, 1, '' FROM json_each(?)`,
    )
      .bind(JSON.stringify(Array.from({ length: 1100 }, (_, n) => n)))
      .run();
    const { newestId, emails } = await count("status=inbox");
    expect(emails).toBe(1101);
    const change = { newestId, status: "archived", addTags: ["old"] };
    const first = (await update("status=inbox", change)).body;
    expect(first.updated).toBe(500);
    // The same portion again: what it has changed is left alone.
    const next = { ...change, undoId: first.undo.id };
    const sums = [first.updated];
    let cursor: string | null = first.nextCursor;
    while (cursor !== null) {
      const query = `status=inbox&cursor=${encodeURIComponent(cursor)}`;
      const [one, two] = await Promise.all([update(query, next), update(query, next)]);
      sums.push(one.body.updated + two.body.updated);
      cursor = one.body.nextCursor;
    }
    expect(sums.reduce((sum, each) => sum + each, 0)).toBe(1101);
    expect(await count("status=inbox")).toMatchObject({ emails: 0 });
    let restored = 0;
    for (let hasMore = true; hasMore; ) {
      const { body } = await undo(first.undo.id);
      restored += body.restored;
      hasMore = body.hasMore;
    }
    expect(restored).toBe(1101);
    expect(await count("status=inbox&unread=true")).toMatchObject({ emails: 1101 });
    expect(await count("tag=old")).toMatchObject({ emails: 0 });
  });

  it("refuses what says nothing, too many tags, and a program that may not read", async () => {
    await fill(1);
    const { newestId } = await count("");
    expectProblem(await update("", { newestId }), 422, "nothing_to_update");
    expectProblem(await update("", { newestId, within: "inbox", isRead: true }), 422, "validation_failed");
    const tags = Array.from({ length: 19 }, (_, n) => `tag ${n}`);
    await update("", { newestId, addTags: tags });
    expectProblem(await update("", { newestId, addTags: ["one more"] }), 422, "validation_failed");
  });
});
