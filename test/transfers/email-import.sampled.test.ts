import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { beginClean } from "../clean-slate.ts";
import { expectProblem, service } from "../harness.ts";
import { deliverBatch, deliverQueue, takeQueued } from "../queued.ts";
import { rarely } from "../sampled.ts";

beforeEach(beginClean);

const client = service();
const PATH = "/api/emails/import";
const MBOX = { "content-type": "application/mbox" };

const message = (id: string, ...headers: string[]) =>
  [
    `Message-ID: <${id}@x>`,
    "From: Ann <ann@example.org>",
    "To: me@example.org",
    "Date: Tue, 3 Mar 2020 10:00:00 +0100",
    `Subject: About ${id}`,
    ...headers,
    "Content-Type: text/plain; charset=utf-8",
    "",
    `Hello from ${id}. Please send the report by Friday.`,
    ">From the start, this line was quoted.",
    "",
  ].join("\n");

const mbox = (...messages: string[]) =>
  messages.map((each) => `From ann@example.org Tue Mar  3 10:00:00 2020\n${each}\n`).join("");

const start = (raw: string, query = "", headers = MBOX) => client.post(`${PATH}${query}`, undefined, { raw, headers });

async function load(raw: string, query = "", headers = MBOX) {
  const { body, status } = await start(raw, query, headers);
  expect({ status, body }).toMatchObject({ status: 202 });
  await deliverQueue();
  return (await client.get(`${PATH}/${body.id}`)).body;
}

const list = async (query = "") => (await client.get(`/api/emails?limit=100${query}`)).body.data;
const bySubject = async (id: string) =>
  (await list()).find(({ subject }: { subject: string }) => subject === `About ${id}`);

describe("the import of emails", () => {
  it("takes a mailbox: dated by its headers, archived and read, with its raw message; no task, no event", async () => {
    await env.DB.prepare(
      `INSERT INTO webhook_endpoints (user_id, url, event_types, secret, enabled, version, created_at, updated_at)
       SELECT id, 'https://x.example', '[]', 'x', 1, 1, 0, 0 FROM users LIMIT 1`,
    ).run();
    const job = await load(mbox(message("a"), message("b")));
    expect(job).toMatchObject({
      state: "succeeded",
      progress: { done: 2, total: 2 },
      result: { created: 2, duplicates: 0, skipped: 0, problems: [] },
    });
    const email = await bySubject("a");
    expect(email).toMatchObject({
      source: "import",
      direction: "inbound",
      status: "archived",
      isRead: true,
      receivedAt: "2020-03-03T09:00:00.000Z",
      analysis: null,
    });
    const raw = await client.get(`/api/emails/${email.id}/raw`);
    expect(raw.text).toBe(message("a").replace(">From the", "From the"));
    expect((await client.get("/api/tasks")).body.data).toEqual([]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM outbox").first()).toEqual({ n: 0 });
  });

  it("is safe to repeat: by Message-ID, and by the bytes where there is none", async () => {
    const file = mbox(message("a"), message("b").replace(/^Message-ID.*\n/, ""));
    expect((await load(file)).result).toMatchObject({ created: 2, duplicates: 0 });
    expect((await load(file)).result).toMatchObject({ created: 0, duplicates: 2 });
    expect(await list()).toHaveLength(2);
    expect((await env.FILES.list({ prefix: "emails/" })).objects).toHaveLength(2);
  });

  it("takes no labels that a sender has written: nobody becomes known, and nothing counts as sent", async () => {
    const forged = `Delivered-To: me@example.org\n${message("forged", "X-Gmail-Labels: Sent,Trusted", "Cc: mallory@evil.example")}`;
    await load(mbox(forged));
    expect(await bySubject("forged")).toMatchObject({ direction: "inbound", status: "archived", tags: [] });
    const known = await env.DB.prepare(
      "SELECT count(*) AS n FROM known_senders WHERE email LIKE '%evil.example'",
    ).first();
    expect(known).toEqual({ n: 0 });
  });

  it("puts what is newer than the given days into the inbox, and the rest into the archive", async () => {
    const dated = (id: string, days: number, ...headers: string[]) =>
      message(id, ...headers).replace(/^Date: .*$/m, `Date: ${new Date(Date.now() - days * 86_400_000).toUTCString()}`);
    const file = mbox(dated("fresh", 5), dated("stale", 40), dated("junk", 2, "X-Gmail-Labels: Spam"));
    const job = await load(file, "?inboxDays=30");
    expect(job.result.boxes).toEqual({ inbox: 1, archived: 1, spam: 1, trash: 0 });
    expect(await bySubject("fresh")).toMatchObject({ status: "inbox" });
    expect(await bySubject("stale")).toMatchObject({ status: "archived" });
  });

  it("takes over labels and flags, unless the request says otherwise", async () => {
    const file = mbox(
      message("inbox", "X-Gmail-Labels: Inbox,Unread,Starred,Category Updates,Clients/Acme"),
      message("sent", "X-Gmail-Labels: =?UTF-8?Q?Sent,Caf=C3=A9?="),
      message("spam", "X-Gmail-Labels: Spam"),
      message("old", "Status: O", "X-Status: F"),
      message("mozilla", "X-Mozilla-Status: 0005"),
    );
    await load(file);
    expect(await bySubject("inbox")).toMatchObject({
      status: "inbox",
      isRead: false,
      isStarred: true,
      tags: ["clients/acme"],
    });
    expect(await bySubject("sent")).toMatchObject({ direction: "outbound", tags: ["café"] });
    expect(await bySubject("old")).toMatchObject({ isRead: false, isStarred: true, status: "archived" });
    expect(await bySubject("mozilla")).toMatchObject({ isRead: true, isStarred: true });
    expect(await list("&status=spam")).toMatchObject([{ subject: "About spam" }]);
    await load(mbox(message("mine", "X-Gmail-Labels: Inbox")), "?status=archived&isRead=false&tags=Old%20Mail,2020");
    expect(await bySubject("mine")).toMatchObject({ status: "archived", isRead: false, tags: ["old mail", "2020"] });
  });

  it("takes a single message, and what is none fails with a reason", async () => {
    const eml = { "content-type": "message/rfc822" };
    expect((await load(message("single"), "", eml)).result).toMatchObject({ created: 1 });
    const none = await load("\u0089PNG and so on", "", eml);
    expect(none).toMatchObject({ state: "succeeded", result: { created: 0, skipped: 1 } });
    expect(none.result.problems[0].reason).toContain("not an email");
    expectProblem(await client.post(PATH, { a: 1 }), 422, "validation_failed");
    expectProblem(await start("x", "?status=nowhere"), 422, "validation_failed");
    expectProblem(await start("x", "?status=inbox&inboxDays=30"), 422, "validation_failed");
    expectProblem(await start("x", "", { "content-type": "text/html" }), 415, "unsupported_media_type");
    expectProblem(await start(""), 422, "validation_failed");
  });

  rarely("of many messages takes several slices, and survives duplicates of messages and a lost slice", async () => {
    const count = 200;
    const { body: job } = await start(mbox(...Array.from({ length: count }, (_, n) => message(`m${n}`))));
    const [first] = takeQueued();
    await deliverBatch("jobs", [first?.body, first?.body]);
    const half = (await client.get(`${PATH}/${job.id}`)).body;
    expect(half).toMatchObject({ state: "running" });
    expect(half.progress.done).toBeGreaterThan(0);
    expect(half.progress.done).toBeLessThan(count);
    // The next slice stores emails, and is killed before it can say so.
    await env.DB.prepare("UPDATE transfers SET position = NULL WHERE id = ?").bind(job.id).run();
    await deliverQueue();
    const done = (await client.get(`${PATH}/${job.id}`)).body;
    expect(done).toMatchObject({ state: "succeeded", progress: { done: count } });
    expect(done.result.duplicates).toBe(half.progress.done);
    const stored = await env.DB.prepare("SELECT count(*) AS n FROM emails WHERE subject GLOB 'About m[0-9]*'").first<{
      n: number;
    }>();
    expect(stored?.n).toBe(count);
  });
});
