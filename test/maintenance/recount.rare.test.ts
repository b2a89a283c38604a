import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recount } from "../../src/db/recount.ts";
import { emptyService, expectErrorLog, expectProblem, forgetSecrets, service } from "../harness.ts";
import { signedInPerson } from "../settings/people.ts";

const PATH = "/api/service/recount";
const { email: OWNER_EMAIL, token } = await signedInPerson();
const client = service({ OWNER_EMAIL });

interface Found {
  table: string;
  problem: string;
  key: Record<string, unknown>;
}

const check = async (repair = false) => {
  const { status, body } = await client.post(PATH, { repair }, { token });
  // `counters` has a column `key`, whose values are no secrets: "webhooks" may well be in a log.
  forgetSecrets();
  expect({ status, next: body.next }).toEqual({ status: 200, next: null });
  const tables: { table: string; differences: number }[] = body.tables;
  const differences: Found[] = body.differences;
  return { wrong: tables.filter((each) => each.differences > 0).map(({ table }) => table), differences, tables };
};

const mail = (fields: Record<string, unknown> = {}) =>
  client.post("/api/emails", { from: "Ada <ada@example.com>", to: "bob@example.com", ...fields });

const FILE = { name: "Angebot über_alles.pdf", type: "application/pdf", size: 1 };

/** Something in every table that is counted. */
async function addRecords() {
  await mail({ subject: 'On "engines"', body: "naïve — notes", tags: ["recount", "second"] });
  const { body } = await mail({ subject: "Question" });
  await mail({ subject: "Answer", inReplyTo: body.messageId });
  await mail({ subject: "!!!", body: "", tags: ["recount"], isRead: true });
  await mail({ subject: "Long", body: "universities ".repeat(5000), cc: ["Zoë <zoe@example.com>"] });
  await mail({ subject: "Thrown away", status: "trash", tags: ["recount"], attachments: [FILE] });
  await client.post("/api/tasks", { title: "Write (a) program*", description: "for ^ engines", tags: ["recount"] });
  await client.post("/api/tasks", { title: "Remind", dueAt: "2031-03-03", reminders: [{ minutesBefore: 30 }] });
  await client.post("/api/calendar/events", { title: "Run", start: "2031-03-03T10:00:00Z", rrule: "FREQ=DAILY" });
  await client.post("/api/tasks", { title: "Done", status: "done", tags: ["recount"] });
  const { body: list } = await client.post("/api/tasks/lists", { name: `List ${crypto.randomUUID()}` });
  const { body: parent } = await client.post("/api/tasks", { title: "Parent", listId: list.id });
  await client.post("/api/tasks", { title: "Step", parentId: parent.id });
  await client.post("/api/calendar/events", { title: "Tea", start: "2031-03-03T10:00:00Z" });
  const now = Date.now();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO ai_calls (at, task, model, input_tokens, output_tokens, duration_ms)
       VALUES (?1, 'chat', 'model_a', 1, 1, 1), (?2, 'chat', 'model_a', 7, 8, 9)`,
      // In another month than the second, which alone can be compared once a call was ever deleted.
    ).bind(now - 40 * 86_400_000, now),
    env.DB.prepare(
      `INSERT INTO billing_purchases (checkout_id, package, tokens, credited_at) VALUES ('recount', 'small', 500, ?)
       ON CONFLICT DO NOTHING`,
    ).bind(now),
    env.DB.prepare(
      `INSERT INTO stream_sessions (platform, state, started_at, ended_at, peak_viewers, state_at, reported_at, version,
         created_at, updated_at) VALUES ('youtube', 'ended', 1, 1001, 5, 1, 1, 1, 1, 1)`,
    ),
    env.DB.prepare(
      `INSERT INTO captions (kind, platform, subject, text, hashtags, status, uncertain, attempts, engine, version,
         created_at, updated_at) VALUES ('live', 'x', ?, 'text', '[]', 'draft', 0, 0, '{}', 1, 1, 1)`,
    ).bind(crypto.randomUUID()),
  ]);
}

/** How each table is broken by hand, and which of its rows are found wrong. */
const BREAKS: [string, string, Partial<Found>][] = [
  ["email_tags", "DELETE FROM email_tags WHERE tag = 'second'", { problem: "missing" }],
  ["email_tags", "UPDATE email_tags SET status = 'archived' WHERE tag = 'second'", { problem: "missing" }],
  ["email_tags", "UPDATE email_tags SET is_read = 1 - is_read WHERE tag = 'second'", { problem: "surplus" }],
  ["email_tags", "INSERT INTO email_tags VALUES ('ghost', 'new', 0, 1, 987654)", { problem: "surplus" }],
  ["tags", "UPDATE tags SET count = count + 1", { problem: "different" }],
  ["tags", "UPDATE tags SET unread = 99 WHERE tag = 'recount'", { problem: "different", key: { tag: "recount" } }],
  ["tags", "DELETE FROM tags WHERE tag = 'recount'", { problem: "missing" }],
  ["tags", "INSERT INTO tags VALUES ('ghost', 1, 1)", { problem: "surplus", key: { tag: "ghost" } }],
  ["threads", "UPDATE threads SET email_count = 7", { problem: "different" }],
  ["emails", "UPDATE emails SET has_thread_count = 0", { problem: "different" }],
  ["threads", "UPDATE threads SET kept_unread = 9, inbox_id = 1", { problem: "different" }],
  ["threads", "INSERT INTO threads (id, email_count) VALUES (987654, 2)", { problem: "surplus", key: { id: 987654 } }],
  ["emails", "UPDATE emails SET is_aside = 1 WHERE subject = 'Long'", { problem: "different" }],
  ["email_totals", "UPDATE email_totals SET inbox_unread = -1", { problem: "different" }],
  ["email_totals", "UPDATE email_totals SET starred = 9, spam_like = 2", { problem: "different" }],
  ["email_totals", "DELETE FROM email_totals", { problem: "missing" }],
  ["counters", "INSERT INTO counters VALUES ('service', 'ghost', 4)", { problem: "surplus" }],
  ["task_totals", "UPDATE task_totals SET todo = 9", {}],
  ["counters", "UPDATE counters SET value = 9 WHERE area = 'service' AND key = 'api_keys'", {}],
  ["counters", "UPDATE counters SET value = 9 WHERE area = 'service' AND key = 'webhooks'", {}],
  ["quarters", "UPDATE quarters SET emails = json_set(emails, '$[5]', 7)", { problem: "different" }],
  ["quarters", "UPDATE quarters SET tasks_due = json_set(tasks_due, '$[5]', 7)", { problem: "different" }],
  ["quarters", "DELETE FROM quarters", { problem: "missing" }],
  ["reminder_times", "UPDATE reminder_times SET at = 5", { problem: "different" }],
  ["reminder_times", "DELETE FROM reminder_times", { problem: "missing" }],
  ["reminder_times", "INSERT INTO reminder_times (id, at) VALUES (7, 5)", { problem: "surplus", key: { id: 7 } }],
  ["series_reminders", "DELETE FROM series_reminders", { problem: "missing" }],
  ["series_reminders", "INSERT INTO series_reminders (event_id, look_at) VALUES (987654, 0)", { problem: "surplus" }],
  ["quarters_before", "UPDATE quarters_before SET event_ends = 3", { problem: "different" }],
  ["calendar_state", `UPDATE calendar_state SET totals = json_set(totals, '$."confirmed manual"', 99)`, {}],
  ["event_days", "UPDATE event_days SET events = '[]'", { problem: "different" }],
  ["event_days", "DELETE FROM event_days", { problem: "missing" }],
  ["event_days", "INSERT INTO event_days VALUES (5, '[]')", { problem: "surplus", key: { day: 5 } }],
  ["contact_addresses", "UPDATE contact_addresses SET contact_id = 987654", { problem: "different" }],
  ["contact_addresses", "DELETE FROM contact_addresses", { problem: "missing" }],
  ["contact_addresses", "INSERT INTO contact_addresses VALUES ('ghost@example.com', 987654)", { problem: "surplus" }],
  ["contacts_search", "DELETE FROM contacts_search", { problem: "missing" }],
  ["contacts_search", "INSERT INTO contacts_search (rowid, name) VALUES (987654, 'ghost')", { problem: "surplus" }],
  ["ai_usage", "UPDATE ai_usage SET calls = 99 WHERE hour = (SELECT max(hour) FROM ai_usage)", {}],
  ["ai_usage_days", "UPDATE ai_usage_days SET input_tokens = 99 WHERE day = (SELECT max(day) FROM ai_usage_days)", {}],
  ["ai_usage_months", "DELETE FROM ai_usage_months WHERE month = strftime('%Y-%m')", { problem: "missing" }],
  ["billing_account", "UPDATE billing_account SET purchased_tokens = 1", {}],
  ["stream_totals", "UPDATE stream_totals SET streamed_ms = 0, peak_sum = 1 WHERE platform = 'youtube'", {}],
  ["stream_totals", "DELETE FROM stream_totals WHERE platform = 'custom'", { problem: "missing" }],
  ["caption_totals", "UPDATE caption_totals SET count = 0", {}],
  ["emails_search", "DELETE FROM emails_search", { problem: "missing" }],
  ["emails_search", "INSERT INTO emails_search (rowid, subject) VALUES (5, 'ghost')", { problem: "surplus" }],
  ["task_lists", "UPDATE task_lists SET open_tasks = 99", {}],
  ["tasks", "UPDATE tasks SET subtasks_total = 99 WHERE subtasks_total IS NOT NULL", {}],
  ["tasks_search", "DELETE FROM tasks_search", { problem: "missing" }],
  ["tasks_search", "INSERT INTO tasks_search (rowid, title) VALUES (987654, 'ghost')", { problem: "surplus" }],
  ["tasks_by_due", "DELETE FROM tasks_by_due", { problem: "missing" }],
  ["tasks_by_due", "INSERT INTO tasks_by_due (rowid, title) VALUES (987654, 'ghost')", { problem: "surplus" }],
];

describe("a recount", () => {
  beforeAll(async () => {
    await emptyService();
    await addRecords();
    await check(true);
  });

  it("finds nothing wrong with what triggers keep", async () => {
    await addRecords();
    expect(await check()).toMatchObject({ wrong: [], differences: [] });
    expect((await check()).tables.map(({ table }) => table).sort()).toEqual(
      [...new Set(BREAKS.map(([table]) => table))].sort(),
    );
  });

  it.each(BREAKS)("reports and repairs %s after %s", async (table, sql, expected) => {
    await env.DB.exec(sql);
    const { wrong, differences } = await check(true);
    expect(wrong).toContain(table);
    expect(differences).toContainEqual(expect.objectContaining({ table, ...expected }));
    expect(await check()).toMatchObject({ wrong: [], differences: [] });
  });

  it("writes nothing unless asked to repair", async () => {
    await env.DB.exec("UPDATE counters SET value = 1; DELETE FROM tasks_search; DELETE FROM tags");
    const first = await check();
    expect(first.wrong).toEqual(["tags", "counters", "tasks_search"]);
    expect(await check()).toEqual(first);
    await check(true);
  });

  it.each([
    ["emails_search", "emails", "subject, sender, body", "'Another', 'people', 'text'"],
    ["tasks_search", "tasks", "title, description", "'Another', 'text'"],
  ])("reports and repairs a row of %s that has other words than its record", async (index, records, columns, words) => {
    await env.DB.batch([
      env.DB.prepare(`CREATE TABLE recount_rowid AS SELECT max(rowid) AS id FROM ${index}`),
      env.DB.prepare(`DELETE FROM ${index} WHERE rowid = (SELECT id FROM recount_rowid)`),
      env.DB.prepare(`INSERT INTO ${index} (rowid, ${columns}) SELECT id, ${words} FROM recount_rowid`),
      env.DB.prepare("DROP TABLE recount_rowid"),
    ]);
    expect((await check()).differences).toEqual([
      expect.objectContaining({ table: index, problem: "different", key: { rowid: expect.any(String) } }),
    ]);
    await check(true);
    expect((await check()).wrong).toEqual([]);
    expect((await client.get(`/api/${records}?q=another`, { token })).body.data).toEqual([]);
  });

  it("finds all words of a long email again, whose text is in the file store", async () => {
    await mail({ subject: "Very long", body: `${"universities ".repeat(5000)} xylophone` });
    await mail({ subject: "Its text is lost", body: "universities ".repeat(4000) });
    const lost = await env.DB.prepare("SELECT content_key FROM emails WHERE subject = 'Its text is lost'").first();
    await env.FILES.delete(String(lost?.content_key));
    await env.DB.exec("DELETE FROM emails_search");
    expectErrorLog("email_content_missing");
    await check(true);
    const found = async (q: string) => (await client.get(`/api/emails?q=${q}`)).body.data.length;
    expect([await found("xylophone"), await found("subject:lost")]).toEqual([1, 1]);
    expect(await check()).toMatchObject({ wrong: [], differences: [] });
    await client.delete(`/api/emails/${(await client.get("/api/emails?q=subject:lost")).body.data[0].id}`);
  });

  it("leaves alone the sums of AI calls that were deleted", async () => {
    await env.DB.exec("DELETE FROM ai_calls WHERE at < unixepoch('now', '-30 days') * 1000");
    expect((await check(true)).wrong).toEqual([]);
    await env.DB.exec("DELETE FROM ai_calls");
    expect((await check(true)).wrong).toEqual([]);
    const { results } = await env.DB.prepare("SELECT sum(calls) AS calls FROM ai_usage_days").all();
    expect(results[0]?.calls).toBeGreaterThan(1);
  });

  it("goes through large tables in pages, and ends as often as asked to", async () => {
    await addRecords();
    await env.DB.exec("DELETE FROM email_tags; UPDATE threads SET email_count = 0; DELETE FROM tasks_search");
    const run = async (sql: string) =>
      (await env.DB.prepare(sql).all<Record<string, string | number | null>>()).results;
    const differences: string[] = [];
    let calls = 0;
    let after: string | undefined;
    do {
      const part = await recount(run, { repair: true, pageSize: 2, maxPages: 3, ...(after && { after }) });
      differences.push(...part.differences.map(({ table }) => table));
      after = part.next ?? undefined;
      calls += 1;
    } while (after !== undefined);
    expect(calls).toBeGreaterThan(8);
    expect(differences).toEqual(expect.arrayContaining(["email_tags", "threads", "tasks_search"]));
    expect((await check()).wrong).toEqual([]);
  });

  it("loses nothing that is written while it repairs", async () => {
    await env.DB.exec(
      "UPDATE counters SET value = 5; UPDATE tags SET count = 1; DELETE FROM emails_search; DELETE FROM tasks_by_due",
    );
    const writes = Array.from({ length: 12 }, async (_, index) => {
      await mail({ subject: `race ${index}`, tags: ["recount", `race-${index}`] });
      const { body } = await client.post("/api/tasks", { title: `race ${index}`, tags: ["race"] });
      await client.patch(`/api/tasks/${body.id}`, { title: `raced ${index}`, status: "done" });
      if (index % 3 === 0) await client.delete(`/api/tasks/${body.id}`);
    });
    await Promise.all([...writes, check(true), check(true), check(true)]);
    await check(true);
    expect(await check()).toMatchObject({ wrong: [], differences: [] });
    expect((await client.get("/api/emails?q=race&limit=100")).body.data).toHaveLength(12);
    expect((await client.get("/api/tasks?q=raced&status=all&limit=100")).body.data).toHaveLength(8);
  });

  it("is the owner's alone", async () => {
    const { token: member } = await signedInPerson();
    expectProblem(await client.post(PATH, {}, { token: member }), 403, "forbidden");
    expectProblem(await client.post(PATH, {}), 401, "unauthenticated");
  });

  it.each(["99:1", "3", "3:x", "1:1; DROP TABLE tags"])("refuses to go on after %s", async (after) => {
    expectProblem(await client.post(PATH, { after }, { token }), 422, "validation_failed");
  });
});

beforeEach(() => env.DB.exec("DROP TABLE IF EXISTS recount_rowid"));
