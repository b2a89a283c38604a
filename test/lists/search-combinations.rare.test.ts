import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyService, service } from "../harness.ts";
import { measureRows } from "../measured.ts";

const measured = measureRows(env.DB);
const api = service({ DB: measured.db });
const COUNT = 10_000;
const HOUR = 3_600_000;
const NOW = Date.now();
const PAGE = 50;

/** Threads of three, in which each email follows the one before by an hour. Every filter has a common and a rare side. */
async function fill(): Promise<void> {
  for (let from = 0; from < COUNT; from += 5000) {
    await env.DB.prepare(
      `WITH RECURSIVE n(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM n WHERE n + 1 < ${from + 5000})
       INSERT INTO emails (id, message_id, thread_id, reference_ids, direction, source, kind, from_name, from_email,
         to_recipients, cc_recipients, subject, snippet, attachments, has_attachments, tags, status, is_read, is_starred,
         snoozed_until, received_at, urgency, category, reply_needed, version, created_at, updated_at, body)
       SELECT n + 1, '<combination-' || n || '>', n - n % 3 + 1, '[]', iif(n % 400 = 1, 'outbound', 'inbound'), 'import',
         iif(n % 300 = 2, 'receipt', 'person'), iif(n % 500 = 3, 'Rare Sender', 'Ann Lee'),
         iif(n % 500 = 3, 'rare@example.com', 'ann@example.com'), '[{"name":"Me","email":"me@example.com"}]', '[]',
         iif(n % 450 = 4, 'Marmalade', 'Report'), 'words', '[]', n % 250 = 5, json_array(iif(n % 350 = 6, 'seldom', 'often')),
         CASE WHEN n % 380 = 7 THEN 'trash' WHEN n % 2 = 0 THEN 'archived' ELSE 'inbox' END, n % 420 <> 8, n % 480 = 9,
         iif(n % 5000 = 10, ${NOW} - n, NULL), ${NOW} - (${COUNT} - n) * ${HOUR},
         iif(n % 360 = 11, 'critical', 'normal'), iif(n % 370 = 12, 'invoice', 'work'), n % 390 = 13, 1, 0, 0,
         'words of every email' FROM n`,
    ).run();
  }
}

beforeAll(async () => {
  await emptyService();
  await fill();
});
afterAll(emptyService);

async function rowsOf(path: string) {
  measured.taken();
  const { status, body } = await api.get(`${path}&limit=${PAGE}`);
  expect({ path, status }).toEqual({ path, status: 200 });
  const reads = measured.taken();
  expect(reads, path).toHaveLength(1);
  return { rows: reads[0] ?? 0, found: body.data.length, next: body.nextCursor };
}

/** The rows that the first and the second page read. */
async function worstOf(paths: readonly string[], most: number): Promise<string[]> {
  const over: string[] = [];
  for (const path of paths) {
    const first = await rowsOf(path);
    const second = first.next ? await rowsOf(`${path}&cursor=${first.next}`) : first;
    const rows = Math.max(first.rows, second.rows);
    if (rows > most) over.push(`${path}: ${rows} rows for ${first.found}`);
  }
  return over;
}

const RARE = ["tag:seldom", "is:starred", "is:unread", "in:trash", "category:invoice"];
const INDEXED = [
  "marmalade",
  "from:rare",
  "kind:receipt",
  "is:sent",
  "has:attachment",
  "filename:none",
  "subject:marmalade",
];
const COMMON = [
  "words",
  "report",
  "from:ann",
  "to:me",
  "tag:often",
  "is:read",
  "kind:person",
  "-marmalade",
  "-from:rare",
];
const search = (text: string) => `/api/emails?q=${encodeURIComponent(text)}`;
const pairs = (some: readonly string[], others: readonly string[]) =>
  some.flatMap((one) => others.filter((other) => other !== one).map((other) => `${one} ${other}`));

describe("of 10,000 emails, one page of 50", () => {
  it("reads a few rows for each email it shows, when both sides of a pair are common", async () => {
    const unlike = pairs(COMMON, COMMON);
    expect(await worstOf([...COMMON, ...unlike].map(search), 6 * (PAGE + 1))).toEqual([]);
  });

  it("reads no more for words, people, kinds, direction and attachments, rare or common", async () => {
    const fromIndex = COMMON.filter((text) => !/^(tag|is):/.test(text));
    expect(
      await worstOf([...INDEXED, ...pairs(INDEXED, [...INDEXED, ...fromIndex])].map(search), 6 * (PAGE + 1)),
    ).toEqual([]);
  });

  it("reads the emails of a rare filter at most, with anything else", async () => {
    const texts = [...RARE, ...pairs(RARE, [...COMMON, ...INDEXED, ...RARE])];
    expect(await worstOf(texts.map(search), 8 * (COUNT / 350 + 10))).toEqual([]);
  });

  it("reads a few rows for alternatives of which one is common", async () => {
    const texts = ["words OR marmalade", "is:read OR marmalade", "tag:often OR is:starred", "{from:ann from:rare}"];
    expect(await worstOf(texts.map(search), 8 * (PAGE + 1))).toEqual([]);
  });

  it("of conversations reads the emails of those on it", async () => {
    const filters = [
      "",
      "status=inbox",
      "status=archived",
      "tag=often",
      "unread=false",
      "q=words",
      "q=from%3Aann",
      "status=any",
    ];
    const rare = ["status=trash", "tag=seldom", "unread=true", "starred=true", "q=marmalade", "hasAttachment=true"];
    const paths = [...filters, ...rare].map((query) => `/api/emails/threads?${query}`);
    expect(await worstOf(paths, 30 * (PAGE + 1))).toEqual([]);
  });

  it("with filters reads a few rows for each email, or the emails of the rare one", async () => {
    const filters = ["from=ann@example.com", "from=rare@example.com", "to=me@example.com", "hasAttachment=true"];
    filters.push("category=work", "category=invoice", "replyNeeded=true", "kind=receipt", "status=any", "status=trash");
    const paths = [...filters, ...filters.map((one) => `${one}&status=inbox`.replace(/status=\w+&/, ""))];
    expect(
      await worstOf(
        paths.map((query) => `/api/emails?${query}`),
        8 * (PAGE + 10),
      ),
    ).toEqual([]);
  });
});
