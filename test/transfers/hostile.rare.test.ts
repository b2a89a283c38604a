import { env } from "cloudflare:workers";
import { getTableColumns, getTableName } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { shapeIn } from "../../src/db/archive.ts";
import { PERSONAL_DATA } from "../../src/features/personal-data/sections.ts";
import { fromBytes, toBytes } from "../../src/lib/encoding.ts";
import { setClock } from "../auth/people.ts";
import { beginClean } from "../clean-slate.ts";
import { fakeMail } from "../emails/fake-mail.ts";
import { expectProblem, service } from "../harness.ts";
import { runCron } from "../webhooks/receiver.ts";
import {
  type Content,
  type Entry,
  exportArchive,
  importArchive,
  newOwner,
  onlySection,
  repack,
  seed,
  signIn,
  upload,
  withRecords,
} from "./archives.ts";

/* Archives that somebody made by hand. Their checksums are right: anybody can compute them. */

const client = service();
let archive: Content = new Uint8Array();
let token: string;

beforeEach(async () => {
  if (archive.length === 0) {
    await seed();
    const sender = service(mailing().vars);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const email = { to: ["ann@example.org"], subject: "Later", body: "This leaves in an hour.", sendAt: later };
    expect((await sender.post("/api/emails/send", email, { token: await signIn(sender) })).status).toBe(201);
    const long = {
      from: "ann@example.org",
      to: ["me@example.org"],
      subject: "Long",
      body: "A long text. ".repeat(300),
    };
    expect((await sender.post("/api/emails", long)).status).toBe(201);
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO chat_proposals (id, conversation_id, tool, input, reason, summary, time_zone, status, created_at, expires_at)
        SELECT 'p1', id, 'create_task', '{"title":"x"}', 'r', 'Create a task', 'UTC', 'open', 1, 2 FROM chat_conversations LIMIT 1`),
      env.DB.prepare(`INSERT INTO chat_actions (id, conversation_id, tool, title, undo, status, step, created_at)
        SELECT 'a1', id, 'create_task', 'x', '{"kind":"x"}', 'done', 1, 1 FROM chat_conversations LIMIT 1`),
    ]);
    archive = await exportArchive(await signIn(client));
  }
  await beginClean();
  token = await newOwner(client);
});

afterEach(() => void vi.useRealTimers());

function mailing() {
  const { sent, EMAIL } = fakeMail();
  return { sent, vars: { EMAIL, MAIL_FROM: "assistant@ours.example" } };
}

// biome-ignore lint/suspicious/noExplicitAny: rows of any kind
type Json = any;
const first = (change: (row: Json) => object) => (rows: Json[]) => [
  { ...rows[0], ...change(rows[0]) },
  ...rows.slice(1),
];
const importing = async (section: string, change: (rows: Json[]) => Json[], lastId?: number) =>
  importArchive(client, token, await withRecords(archive, section, change, lastId));

const withManifest = (archived: Content, change: (sections: Json[]) => Json[]) =>
  repack(archived, (entries) => {
    const manifest = JSON.parse(fromBytes(entries.at(-1)?.[1] ?? new Uint8Array()));
    const edited = JSON.stringify({ ...manifest, sections: change(manifest.sections) });
    return [...entries.slice(0, -1), ["manifest.json", new Uint8Array(toBytes(edited))]];
  });

const alone = new Map<string, Content>();
/** What is refused because of its first record needs no other section. */
const importingAlone = async (section: string, members: object) => {
  const small = alone.get(section) ?? (await onlySection(archive, section));
  alone.set(section, small);
  const edited = await withRecords(
    small,
    section,
    first(() => members),
  );
  return importArchive(client, token, edited);
};

describe("a service that an archive was restored into", () => {
  it("sends no scheduled email: it is a draft, and the report says so", async () => {
    const job = await importArchive(client, token, archive);
    expect(job).toMatchObject({ state: "succeeded" });
    expect(job.result.changed).toContainEqual({ name: "emails", records: 2, reason: expect.stringMatching(/drafts/) });
    const { sent, vars } = mailing();
    setClock(Date.now() + 2 * 3_600_000);
    await runCron(vars);
    expect(sent.filter(({ subject }) => subject === "Later")).toEqual([]);
    expect((await client.get("/api/emails?direction=outbound&q=Later")).body.data).toEqual([]);
    const drafts = (await client.get("/api/emails/drafts")).body.data;
    expect(drafts).toContainEqual(expect.objectContaining({ subject: "Later", sendAt: null }));
  });

  it("does not send what was being sent, and says that it may have left", async () => {
    const job = await importing("emails", (rows) =>
      rows.map((row) => (row.delivery === "scheduled" ? { ...row, delivery: "sending" } : row)),
    );
    expect(job).toMatchObject({ state: "succeeded" });
    const [email] = (await client.get("/api/emails?direction=outbound&q=Later")).body.data;
    expect(email).toMatchObject({ delivery: "failed", deliveryError: expect.stringMatching(/may have been sent/) });
  });

  it("applies no proposal, undoes no change and confirms no question that it did not make itself", async () => {
    const input = { to: ["attacker@evil.example"], subject: "x", body: "y" };
    const archived = await withRecords(archive, "chatProposals", (rows) => [
      { ...rows[0], status: "open", tool: "send_mail", input, summary: "Archive an email", closedAt: null },
    ]);
    const question = { kind: "confirm", calls: [{ label: "Yes", tool: "send_mail", input }] };
    const edited = await withRecords(archived, "conversations", (rows) => rows.map((row) => ({ ...row, question })));
    const job = await importArchive(client, token, edited);
    expect(job).toMatchObject({ state: "succeeded" });
    expect(job.result.changed).toContainEqual({ name: "chatProposals", records: 1, reason: expect.any(String) });
    const counted = await env.DB.prepare(
      `SELECT (SELECT count(*) FROM chat_proposals WHERE status = 'open') AS open,
        (SELECT count(*) FROM chat_actions WHERE undo IS NOT NULL) AS undos,
        (SELECT count(*) FROM chat_conversations WHERE question IS NOT NULL OR state IS NOT NULL) AS questions`,
    ).first();
    expect(counted).toEqual({ open: 0, undos: 0, questions: 0 });
  });

  it("posts no caption that was approved elsewhere", async () => {
    const job = await importing(
      "captions",
      first(() => ({ status: "approved" })),
    );
    expect(job).toMatchObject({ state: "succeeded" });
    const { results } = await env.DB.prepare("SELECT count(*) AS n FROM captions WHERE status = 'approved'").all();
    expect(results).toEqual([{ n: 0 }]);
  });

  it.each<[here: string | null, archived: string, then: string]>([
    ["builtin", "model_b", "builtin"],
    ["model_a", "model_b", "model_a"],
    ["model_a", "builtin", "builtin"],
    [null, "model_b", "model_b"],
  ])("sends no text to a model against what was decided here: %s, in the archive %s, then %s", async (...models) => {
    const [here, archived, then] = models;
    await env.DB.exec("UPDATE model_state SET model = 'model_a', updated_at = NULL");
    if (here) expect((await client.post("/api/ai-model", { model: here }, { token })).status).toBe(200);
    const chosen = { model: archived, updatedAt: "2026-01-02T03:04:05.000Z" };
    const job = await importing(
      "aiModel",
      first(() => chosen),
    );
    expect(job).toMatchObject({ state: "succeeded" });
    expect((await client.get("/api/ai-model", { token })).body.model).toBe(then);
    const said = job.result.changed.filter(({ name }: { name: string }) => name === "aiModel");
    const reason = expect.stringMatching(/That stays/);
    expect(said).toEqual(then === archived ? [] : [{ name: "aiModel", records: 1, reason }]);
    await env.DB.exec("UPDATE model_state SET model = 'model_a', updated_at = NULL");
  });

  it("has no webhook that is on, whatever its address", async () => {
    const job = await importing(
      "webhooks",
      first(() => ({ url: "http://169.254.169.254/latest", enabled: true })),
    );
    expect(job).toMatchObject({ state: "succeeded" });
    const { body } = await client.get("/api/settings/webhooks", { token });
    expect(body.data.map(({ enabled }: { enabled: boolean }) => enabled)).not.toContain(true);
  });
});

describe("an archive that was made by hand", () => {
  it("gives nobody rights: role, address, password and other accounts stay as they are", async () => {
    const me = (await client.get("/api/auth/me", { token })).body.user;
    const job = await importing(
      "account",
      first(() => ({ role: "owner", email: "attacker@evil.example" })),
    );
    expect(job).toMatchObject({ state: "succeeded" });
    const after = (await client.get("/api/auth/me", { token })).body.user;
    expect(after).toMatchObject({ id: me.id, email: me.email, role: me.role });
    const { results } = await env.DB.prepare("SELECT count(*) AS n FROM users").all();
    expect(results).toEqual([{ n: 1 }]);
  });

  it.each([
    ["a password", "account", { passwordHash: "$2b$10$x" }],
    ["a secret of a webhook", "webhooks", { secret: "whsec_x" }],
    ["a member that no table has", "tasks", { isAdmin: true }],
    ["a prototype", "tasks", JSON.parse('{"__proto__x":1}')],
  ])("is refused with %s", async (_, section, members) => {
    const job = await importingAlone(section, members);
    expect(job).toMatchObject({ state: "failed", error: expect.stringMatching(/unknown member/) });
  });

  it.each<[string, string, object]>([
    ["an id beyond all counting", "tasks", { id: Number.MAX_SAFE_INTEGER }],
    ["an id below one", "tasks", { id: -5 }],
    ["a version that cannot be raised", "tasks", { version: Number.MAX_SAFE_INTEGER }],
    ["a fraction", "tasks", { version: 1.5 }],
    ["a text in place of a number", "tasks", { id: "1; DROP TABLE tasks" }],
    ["a time beyond the calendar", "tasks", { createdAt: "+275760-09-13T00:00:00.000Z" }],
    ["a recipient that is neither an address nor a text", "drafts", { to: [5] }],
    ["tags that are no list", "tasks", { tags: { length: 3 } }],
    ["tags of another kind", "tasks", { tags: [{ toString: "x" }] }],
    [
      "a rule that nobody can read",
      "tasks",
      { repetition: { rrule: "FREQ=NEVER", from: "due", zone: "UTC", at: "x", until: null } },
    ],
    [
      "a repetition that sets columns",
      "tasks",
      {
        repetition: {
          rrule: "FREQ=DAILY",
          from: "due",
          zone: "UTC",
          at: "2026-01-01",
          until: null,
          template: { version: 9 },
        },
      },
    ],
    ["a reminder of a kind that is not known", "tasks", { reminders: [{ channel: "sms", at: 1 }] }],
    ["a rule for every second", "events", { rrule: "FREQ=SECONDLY" }],
    ["a rule whose steps never end", "events", { rrule: "FREQ=DAILY;INTERVAL=99999999999" }],
    ["a rule that never matches", "events", { rrule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30" }],
    ["such a rule with an end", "events", { rrule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;UNTIL=99991231T000000Z" }],
    ["a time zone that does not exist", "events", { timeZone: "Nowhere/None" }],
    ["a meeting link that is a script", "events", { meetingUrl: "javascript:alert(1)" }],
    ["attendees that are no list", "events", { attendees: "all" }],
    ["more exceptions than a calendar can be asked to read", "events", { exdates: Array(5001).fill(1) }],
    ["attachments that are no list", "emails", { attachments: { key: "emails/1" } }],
    ["recipients that are no addresses", "emails", { to: ["a@example.com"] }],
    [
      "an unsubscribe link that is no web address",
      "emails",
      { list: { id: null, url: "javascript:x", mailto: null, oneClick: true, isSigned: true } },
    ],
    ["a file that is not in it", "emails", { rawKey: "emails/of/somebody/else" }],
    ["a file whose name climbs", "emails", { rawKey: "../../secrets" }],
    ["a rule with an unknown condition", "emailRules", { conditions: [{ field: "everything", op: "is", value: "x" }] }],
    ["a rule without conditions", "emailRules", { conditions: [] }],
    [
      "an avatar that is no picture",
      "profile",
      { avatar: { kind: "image", type: "text/html", bytes: 1, hash: "x", key: "x" } },
    ],
    ["hours that are no hours", "workingHours", { days: { 1: [{ start: "now", end: "later" }] } }],
    ["an event type that does not exist", "webhooks", { eventTypes: ["*"] }],
  ])("is refused with %s, and nothing is imported", async (_, section, members) => {
    const job = await importingAlone(section, members);
    expect(job).toMatchObject({ state: "failed", error: expect.stringMatching(new RegExp(`data/${section}/00001`)) });
    const table = PERSONAL_DATA.find(({ name }) => name === section)?.archive;
    if (!table || !("table" in table)) throw new Error(section);
    expect(await env.DB.prepare(`SELECT count(*) AS n FROM ${getTableName(table.table)}`).first()).toEqual({
      n: section === "profile" ? 1 : 0,
    });
  });

  it("is refused because of one record among all the others, and nothing is imported", async () => {
    const job = await importing(
      "tasks",
      first(() => ({ id: -5 })),
    );
    expect(job).toMatchObject({ state: "failed", error: expect.stringMatching(/data\/tasks\/00001/) });
    const { results } = await env.DB.prepare("SELECT count(*) AS n FROM emails").all();
    expect(results).toEqual([{ n: 0 }]);
  });

  it.each<[string, string]>([
    ["that is not JSON", '{"body":"cut'],
    ["that is no content", '["body"]'],
    ["whose body is no text", '{"body":5,"html":null}'],
    ["without HTML", '{"body":"x"}'],
    [
      "that names other objects of the service",
      '{"body":"x","html":null,"attachments":[{"name":"x","type":"a/b","size":1,"key":"exports/1"}]}',
    ],
  ])("is damaged with the text of an email %s, and nothing is tried again", async (_, content) => {
    const damaged = await repack(archive, (entries) =>
      entries.map(
        ([name, old]): Entry => [name, name.endsWith(".content.json") ? new Uint8Array(toBytes(content)) : old],
      ),
    );
    const job = await importArchive(client, token, damaged);
    expect(job).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/^data\/emails\/\d+\/\d+\.content\.json /),
    });
    expect(await env.DB.prepare("SELECT count(*) AS n FROM emails").first()).toEqual({ n: 0 });
  });

  it("cannot use up the ids of the service", async () => {
    const edited = await withRecords(archive, "tasks", (rows) => rows, Number.MAX_SAFE_INTEGER);
    const refused = await upload(client, token, edited);
    expectProblem(refused, 422, "validation_failed");
    expect(JSON.stringify(refused.body.errors)).toMatch(/manifest.json is not that of an archive/);
    const { status, body } = await client.post("/api/tasks", { title: "After it" }, { token });
    expect(status).toBe(201);
    expect(body.id).toBeLessThan(1000);
  });

  it("keeps the mark on words of others, whatever it says", async () => {
    const job = await importing("tasks", (rows) => rows.map((row) => ({ ...row, outside: false })));
    expect(job).toMatchObject({ state: "succeeded" });
    const { results } = await env.DB.prepare(
      "SELECT count(*) AS n FROM tasks WHERE outside = 0 AND (email_id IS NOT NULL OR source = 'email')",
    ).all();
    expect(results).toEqual([{ n: 0 }]);
  });

  it("leaves out records of other people, and of parents that are not there", async () => {
    const job = await importing("identities", (rows) => rows.map((row) => ({ ...row, userId: 424_242 })));
    expect(job).toMatchObject({ state: "succeeded" });
    const { results } = await env.DB.prepare("SELECT count(*) AS n FROM identities").all();
    expect(results).toEqual([{ n: 0 }]);
  });

  it("is refused with two records of one id, which would be counted twice", async () => {
    const job = await importing("tasks", (rows) => [...rows, { ...rows[0], title: "Second" }]);
    expect(job).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/^data\/tasks\/00001\.ndjson, line \d+, has the id 1,/),
    });
    expect(await env.DB.prepare("SELECT count(*) AS n FROM tasks").first()).toEqual({ n: 0 });
  });

  it("is refused with an empty part, and with what belongs there once", async () => {
    const text = (entry: string, content: string): Entry => [entry, new Uint8Array(toBytes(content))];
    const added = {
      "data/tasks/00099.ndjson is empty.": text("data/tasks/00099.ndjson", ""),
      "README.txt is not part of an archive.": text("README.txt", "Again"),
    };
    for (const [error, entry] of Object.entries(added)) {
      const edited = await repack(archive, (entries) => [...entries.slice(0, -1), entry, ...entries.slice(-1)]);
      expect(await importArchive(client, token, edited)).toMatchObject({
        state: "failed",
        error: expect.stringContaining(error),
      });
    }
  });

  it("is refused with a part of more records than an export writes, which would be one long write", async () => {
    const job = await importing("tasks", (rows) => Array.from({ length: 1001 }, (_, n) => ({ ...rows[0], id: n + 1 })));
    expect(job).toMatchObject({
      state: "failed",
      error: expect.stringContaining("data/tasks/00001.ndjson has more records than an export writes into one part"),
    });
  });

  it("is refused with a text that has room in characters and not in bytes", async () => {
    const job = await importingAlone("tasks", { description: "€".repeat(700_000) });
    expect(job).toMatchObject({
      state: "failed",
      error: "data/tasks/00001.ndjson, line 1, is too large for the database.",
    });
  });

  it("fails at once with a record that the database refuses as too large, and is taken back whatever it says", async () => {
    // As JSON, in which rows are written, it is several times as long.
    const large = await withRecords(
      archive,
      "events",
      first(() => ({ description: "\u0001".repeat(1_500_000) })),
    );
    const lying = await withManifest(large, (sections) =>
      sections.map((each) => (each.name === "tasks" ? { ...each, notImported: "x" } : each)),
    );
    const job = await importArchive(client, token, lying);
    expect(job).toMatchObject({
      state: "failed",
      error: "data/events/00001.ndjson, line 1, is too large for the database.",
    });
    const left = await env.DB.prepare(
      "SELECT (SELECT count(*) FROM tasks) + (SELECT count(*) FROM emails) + (SELECT count(*) FROM events) AS n",
    ).first();
    expect(left).toEqual({ n: 0 });
  });

  it("is refused with a last id below those of its records", async () => {
    const lying = await withManifest(archive, (sections) =>
      sections.map((each) => (each.name === "emails" ? { ...each, lastId: 1 } : each)),
    );
    const job = await importArchive(client, token, lying);
    expect(job).toMatchObject({ state: "failed", error: expect.stringMatching(/edited: emails has changed\.$/) });
    expect(await env.DB.prepare("SELECT count(*) AS n FROM emails").first()).toEqual({ n: 0 });
  });

  it("shows hostile HTML as harmlessly as an email that arrived", async () => {
    const html = '<noscript><link rel="preconnect" href="https://evil.example"></noscript><h1>Hi</h1>';
    let id = 0;
    const job = await importing("emails", (rows) => {
      const plain = rows.find(({ rawKey, contentKey, delivery }) => !rawKey && !contentKey && delivery !== "scheduled");
      id = plain.id;
      return rows.map((row) => (row === plain ? { ...row, html, body: "Hi" } : row));
    });
    expect(job).toMatchObject({ state: "succeeded" });
    const { text } = await client.get(`/api/emails/${id}/frame`, { token });
    expect(text).toContain("<h1>Hi</h1>");
    expect(text).not.toContain("evil.example");
  });
});

describe("what an archive may contain", () => {
  it("is said of every column with JSON", () => {
    for (const { archive: archived, name } of PERSONAL_DATA) {
      if (!("table" in archived) || archived.notImported) continue;
      for (const [key, column] of Object.entries(getTableColumns(archived.table))) {
        if (column.dataType !== "json" || column.generated) continue;
        expect(shapeIn(archived, key), `${name}.${key}`).toBeDefined();
      }
    }
  });
});
