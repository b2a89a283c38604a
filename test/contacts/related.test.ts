import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import type { Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor, signedInPerson } from "../auth/people.ts";
import { deliver } from "../emails/deliver.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { measurePrice } from "../measured.ts";

const measured = measurePrice(env.DB);
const api = service({ DB: measured.db, ACCESS_MODE: "private" });
const DAY = 86_400_000;
let token = "";
let dana = 0;

const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const post = async (path: string, body: object) => {
  const answer = await api.post(path, body, { token });
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.body;
};
const email = (more: object) =>
  post("/api/emails", {
    from: "Dana <dana@related.example>",
    to: "me@example.com",
    subject: "Hi",
    body: "Hello.",
    ...more,
  });
const sent = (subject: string, days: number, more: object = {}) =>
  email({
    direction: "outbound",
    from: "me@example.com",
    to: "Dana@related.example",
    subject,
    receivedAt: daysAgo(days),
    ...more,
  });
const related = async (id = dana) => {
  const { status, body } = await api.get(`/api/contacts/${id}/related`, { token });
  expect(status).toBe(200);
  return body;
};
const names = (records: { title?: string; subject?: string; name?: string }[]) =>
  records.map(({ title, name, subject }) => title ?? name ?? subject);
const keyWith = async (scopes: Scope[]) =>
  (await createApiKey(await contextFor(token), { name: "reader", scopes, expiresAt: null })).key;

beforeAll(async () => {
  await emptyService();
  ({ token } = await signedInPerson("owner"));
  const addresses = ["dana@related.example", "weiss@home.example"];
  dana = (await post("/api/contacts", { name: "Dana Weiss", addresses })).id;
});

describe("what one has with a contact", () => {
  it("is nothing at first, and nothing for somebody without an address", async () => {
    const nothing = { events: [], tasks: [], unanswered: [], files: [] };
    expect(await related()).toEqual(nothing);
    const { id } = await post("/api/contacts", { name: "No Address" });
    expect(await related(id)).toEqual(nothing);
    expectProblem(await api.get("/api/contacts/999999/related", { token }), 404, "not_found");
  });

  it("are the next events with them as guest or organizer, occurrences of a series included", async () => {
    const guest = (address: string) => ({ attendees: [{ name: "D", email: address }] });
    const event = (title: string, days: number, more: object) =>
      post("/api/calendar/events", { title, start: inDays(days), durationMinutes: 30, ...more });
    await event("Past", -2, guest("dana@related.example"));
    await event("Far", 120, guest("dana@related.example"));
    await event("Of others", 1, guest("anna.dana@related.example"));
    await event("Second", 2, guest("WEISS@home.example"));
    await event("Weekly", 1, { ...guest("dana@related.example"), rrule: "FREQ=WEEKLY;COUNT=2" });
    const own = await event("Organized", 3, {});
    await env.DB.prepare("UPDATE events SET organizer = ? WHERE id = ?")
      .bind(JSON.stringify({ name: null, email: "Dana@related.example" }), own.id)
      .run();
    const { id } = await event("Cancelled", 4, guest("dana@related.example"));
    await api.patch(`/api/calendar/events/${id}`, { status: "cancelled" }, { token });
    expect(names((await related()).events)).toEqual(["Weekly", "Second", "Organized", "Weekly"]);
  });

  it("are open tasks of their emails and events, by due time", async () => {
    const mine = await email({ subject: "Contract", receivedAt: daysAgo(5) });
    const other = await email({ subject: "Else", from: "dana@related.example.org", receivedAt: daysAgo(5) });
    const [event] = (await related()).events;
    const task = (title: string, more: object) => post("/api/tasks", { title, ...more });
    await task("Of nobody", {});
    await task("Of another", { emailId: other.id });
    await task("Later", { emailId: mine.id, dueDate: inDays(9).slice(0, 10) });
    await task("Soon", { eventId: event.id, dueDate: inDays(2).slice(0, 10) });
    const done = await task("Done", { emailId: mine.id });
    await api.patch(`/api/tasks/${done.id}`, { status: "done" }, { token });
    expect(names((await related()).tasks)).toEqual(["Soon", "Later"]);
  });

  it("are emails without an answer yet", async () => {
    const again = (messageId: string) => ({ references: [messageId], inReplyTo: messageId });
    await sent("No answer", 3);
    await sent("Too young", 0.5);
    await sent("To another", 3, { to: "anna.dana@related.example" });
    await sent("A copy only", 3, { to: "x@example.com", cc: ["dana@related.example"] });
    const answered = await sent("Answered", 4);
    await email({ subject: "Re: Answered", receivedAt: daysAgo(3), ...again(answered.messageId) });
    const away = await sent("Away", 5);
    await email({ subject: "Out", kind: "auto_reply", receivedAt: daysAgo(4), ...again(away.messageId) });
    const twice = await sent("Asked", 7);
    await sent("Asked again", 6, again(twice.messageId));
    const pending = await sent("Asked today as well", 7);
    await sent("Today", 0.2, again(pending.messageId));
    const trashed = await sent("Trashed", 3);
    await api.patch(`/api/emails/${trashed.id}`, { status: "trash" }, { token });
    await api.post(
      "/api/emails/send",
      { to: "dana@related.example", subject: "Later", body: "…", sendAt: inDays(2) },
      { token },
    );
    expect(names((await related()).unanswered)).toEqual(["No answer", "Away", "Asked again"]);
  });

  it("are the files of the latest emails, newest first and without pictures of the text", async () => {
    const file = (name: string, inline = "") =>
      `--b\nContent-Type: text/plain; name=${name}\nContent-Disposition: ${inline || "attachment"}; filename=${name}\n\nabc\n`;
    const mail = (from: string, ...files: string[]) =>
      deliver(
        `From: ${from}\nSubject: Files\nMessage-ID: <${files.length}${from}>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n${files.join("")}--b--\n`,
      );
    await mail("weiss@home.example", file("old.txt"));
    await mail("anna.dana@related.example", file("foreign.txt"));
    await mail("dana@related.example", file("a.txt"), file("b.txt"));
    await sent("With a file", 2, { attachments: [{ name: "offer.pdf", type: "application/pdf", size: 7 }] });
    const { files } = await related();
    expect(names(files)).toEqual(["a.txt", "b.txt", "old.txt", "offer.pdf"]);
    const { emailId, n } = files[1];
    const answer = await api.get(`/api/emails/${emailId}/attachments/${n}`, { token });
    expect(answer.status).toBe(200);
  });

  it("shows a program what its scopes read", async () => {
    const read = async (scopes: Scope[]) => api.get(`/api/contacts/${dana}/related`, { token: await keyWith(scopes) });
    const emailsOnly = (await read(["emails:read"])).body;
    expect([emailsOnly.events, emailsOnly.tasks]).toEqual([[], []]);
    expect(names(emailsOnly.unanswered)).toEqual(["With a file", "No answer", "Away", "Asked again"]);
    const withTasks = (await read(["emails:read", "tasks:read"])).body;
    expect([withTasks.events.length, withTasks.tasks.length]).toEqual([0, 2]);
    const all = (await read(["emails:read", "tasks:read", "calendar:read"])).body;
    expect([all.events.length, all.tasks.length]).toEqual([4, 2]);
    expectProblem(await read(["calendar:read", "tasks:read"]), 403, "insufficient_scope");
  });

  it("withholds from a program what signs the person in", async () => {
    await env.DB.prepare(
      "UPDATE emails SET sign_in = ? WHERE from_email = 'dana@related.example' AND has_attachments = 1",
    )
      .bind(JSON.stringify({ kind: "code", code: "123456", expiresAt: null }))
      .run();
    const { body } = await api.get(`/api/contacts/${dana}/related`, { token: await keyWith(["emails:read"]) });
    expect(names(body.files)).toEqual(["old.txt", "offer.pdf"]);
  });

  it("costs as much with three thousand emails more, in one round trip", async () => {
    const cost = async () => {
      measured.taken();
      await related();
      return measured.taken();
    };
    const fill = (from: number, to: number) =>
      env.DB.prepare(
        `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
         INSERT INTO emails (id, message_id, thread_id, reference_ids, direction, source, kind, from_name, from_email,
           to_recipients, cc_recipients, subject, snippet, attachments, has_attachments, tags, status, is_read, is_starred,
           received_at, version, created_at, updated_at, body)
         SELECT 8000000 + i, '<related-' || i || '@example.com>', 8000000 + i, '[]', iif(i % 2, 'inbound', 'outbound'),
           'import', 'person', '', iif(i % 2, 'dana@related.example', 'me@example.com'),
           '[{"name":"","email":"dana@related.example"}]', '[]', '', '', '[{"name":"f","type":"a/b","size":1}]', 1, '[]',
           'inbox', 1, 0, ${Date.now() - 10 * DAY} - i, 1, 0, 0, '' FROM n`,
      ).run();
    await fill(0, 300);
    const before = await cost();
    await fill(300, 3300);
    const after = await cost();
    expect([before.roundTrips, after.roundTrips]).toEqual([1, 1]);
    expect(after.rowsRead).toBeLessThanOrEqual(before.rowsRead + 20);
    expect(after.rowsRead).toBeLessThan(800);
    expect((await related()).unanswered).toHaveLength(5);
  });
});
