import { ASIDE_STATUSES, CATEGORIES, EMAIL_STATUSES, URGENCIES } from "../lib/email-kinds.ts";
import type { DerivedRows, SearchIndex } from "./derived-rows.ts";

/** The whole row is the key. */
const EMAIL_TAG = { table: "email_tags", key: ["tag", "status", "is_read", "received_at", "email_id"], values: [] };

const IS_ASIDE = `status IN ('${ASIDE_STATUSES.join("', '")}')`;
const kept = (condition: string) => `NOT ${IS_ASIDE} AND ${condition}`;

/** What each column of `email_totals` counts. */
const EMAIL_TOTALS: Record<string, string> = {
  ...Object.fromEntries(
    EMAIL_STATUSES.flatMap((status) => [
      [status, `status = '${status}'`],
      [`${status}_unread`, `status = '${status}' AND is_read = 0`],
    ]),
  ),
  starred: kept("is_starred = 1"),
  starred_unread: kept("is_starred = 1 AND is_read = 0"),
  outbound: kept("direction = 'outbound'"),
  outbound_unread: kept("direction = 'outbound' AND is_read = 0"),
  reply_needed: kept("reply_needed = 1"),
  ...Object.fromEntries(URGENCIES.map((level) => [level, kept(`urgency = '${level}'`)])),
  ...Object.fromEntries(CATEGORIES.map((name) => [name.replace("-", "_"), kept(`category = '${name}'`)])),
};

/** What it counts of the objects in R2. `own`: attachments that are objects themselves. */
const own = (figure: string) =>
  `(SELECT ${figure} FROM json_each(emails.attachments) WHERE value ->> 'key' IS NOT NULL)`;
const OBJECT_TOTALS: Record<string, string> = {
  objects: `coalesce(sum((raw_key IS NOT NULL) + (content_key IS NOT NULL) + ${own("count(*)")}), 0)`,
  object_bytes: `coalesce(sum(coalesce(raw_size, 0) + coalesce(content_size, 0)
    + ${own("coalesce(sum(value ->> 'size'), 0)")}), 0)`,
  uploads: "(SELECT count(*) FROM email_uploads)",
  upload_bytes: "(SELECT coalesce(sum(size), 0) FROM email_uploads)",
};

/** In this order: a later one may be counted from an earlier one. */
export const EMAIL_ROWS: readonly DerivedRows[] = [
  {
    // Those that are missing.
    ...EMAIL_TAG,
    expected: (page) => `
      SELECT DISTINCT j.value AS tag, e.status, e.is_read, e.received_at, e.id AS email_id
      FROM emails e, json_each(e.tags) j WHERE NOT e.${IS_ASIDE} AND ${page("e.id")}`,
    stored: (page) => `
      SELECT t.* FROM emails e CROSS JOIN json_each(e.tags) j CROSS JOIN email_tags t
      ON t.tag = j.value AND t.status = e.status AND t.is_read = e.is_read AND t.received_at = e.received_at
        AND t.email_id = e.id WHERE ${page("e.id")}`,
    surplus: "delete",
    pages: { records: "emails", by: "id", column: "email_id" },
  },
  {
    // Those that should be gone, all at once: each is one look at its email.
    ...EMAIL_TAG,
    expected: () => `SELECT ${EMAIL_TAG.key.join(", ")} FROM email_tags WHERE 0`,
    stored: () => `
      SELECT t.* FROM email_tags t WHERE NOT EXISTS (SELECT 1 FROM emails e
        WHERE e.id = t.email_id AND e.received_at = t.received_at AND e.status = t.status AND e.is_read = t.is_read
          AND NOT e.${IS_ASIDE} AND EXISTS (SELECT 1 FROM json_each(e.tags) WHERE value = t.tag))`,
    surplus: "delete",
  },
  {
    table: "tags",
    key: ["tag"],
    values: ["count", "unread"],
    expected: () => "SELECT tag, count(*) AS count, sum(is_read = 0) AS unread FROM email_tags GROUP BY tag",
    surplus: "delete",
  },
  {
    table: "threads",
    key: ["id"],
    values: ["email_count"],
    // A thread that has only one email left keeps its row while that email says that it has one, or has another id.
    expected: () => `
      SELECT thread_id AS id, count(*) AS email_count FROM emails
      GROUP BY thread_id HAVING count(*) > 1 OR max(has_thread_count) OR max(thread_id <> id)`,
    surplus: "delete",
  },
  {
    table: "emails",
    key: ["id"],
    values: ["has_thread_count"],
    expected: (page) => `
      SELECT e.id, EXISTS (SELECT 1 FROM threads t WHERE t.id = e.thread_id) AS has_thread_count
      FROM emails e WHERE ${page("e.id")}`,
    surplus: "zero",
    pages: { records: "emails", by: "id", column: "id" },
  },
  {
    table: "emails",
    key: ["id"],
    values: ["is_aside"],
    expected: (page) => `SELECT e.id, e.${IS_ASIDE} AS is_aside FROM emails e WHERE ${page("e.id")}`,
    surplus: "zero",
    pages: { records: "emails", by: "id", column: "id" },
  },
  {
    table: "email_totals",
    key: ["id"],
    values: [...Object.keys(EMAIL_TOTALS), ...Object.keys(OBJECT_TOTALS)],
    expected: () =>
      `SELECT 1 AS id, ${[
        ...Object.entries(EMAIL_TOTALS).map(([name, condition]) => `count(*) FILTER (WHERE ${condition}) AS ${name}`),
        ...Object.entries(OBJECT_TOTALS).map(([name, figure]) => `${figure} AS ${name}`),
      ].join(", ")} FROM emails`,
    surplus: "zero",
  },
];

const namesIn = (column: string, before = "") => `coalesce((
  SELECT group_concat(${before}(value ->> 'name') || ' ' || (value ->> 'email'), ' ') FROM json_each(record.${column})), '')`;

/** As the triggers in triggers/emails.sql fill it. */
export const EMAILS_SEARCH: SearchIndex = {
  table: "emails_search",
  records: "emails",
  rowid: "(record.received_at << 20) | (record.id & 1048575)",
  columns: {
    subject: "record.subject",
    sender: "record.from_name || ' ' || record.from_email",
    recipients: namesIn("to_recipients"),
    cc: `${namesIn("cc_recipients")} || ${namesIn("bcc_recipients", "' ' || ")}`,
    // Of a long email, whose body is in the file store, the database only knows the first words. The space says that the
    // last of them may be cut off.
    body: "substr(coalesce(record.body, record.snippet || ' '), 1, 200000)",
    files: "coalesce((SELECT group_concat(value ->> 'name', ' ') FROM json_each(record.attachments)), '')",
    facets:
      "'d' || record.direction || ' k' || replace(record.kind, '_', '') || iif(record.has_attachments, ' hattachment', '')",
  },
  isElsewhere: "record.content_key IS NOT NULL",
  pagedBy: "received_at",
  parts: ["is_aside = 0", "is_aside = 1"],
  indexedBy: "emails_search.rowid",
  lastIndexed: (time) => `(${time} << 20 | 1048575)`,
  isRecordOf: (rowid) =>
    `record.is_aside IN (0, 1) AND record.received_at = ${rowid} >> 20 AND record.id & 1048575 = ${rowid} & 1048575`,
};
