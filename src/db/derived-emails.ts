import { ASIDE_STATUSES, CATEGORIES, EMAIL_STATUSES, isAsideStatus, URGENCIES } from "../lib/email-kinds.ts";
import type { About, DerivedRows, SearchIndex } from "./derived-rows.ts";

/** The whole row is the key. */
const EMAIL_TAG = { table: "email_tags", key: ["tag", "status", "is_read", "received_at", "email_id"], values: [] };

const ASIDE = `('${ASIDE_STATUSES.join("', '")}')`;
const IS_ASIDE = `status IN ${ASIDE}`;
const kept =
  (condition: About): About =>
  (row) =>
    `${row}.status NOT IN ${ASIDE} AND ${condition(row)}`;

/** What each column of `email_totals` counts. */
export const EMAIL_TOTALS: Record<string, About> = {
  ...Object.fromEntries(
    EMAIL_STATUSES.flatMap((status): [string, About][] => [
      [status, (row) => `${row}.status = '${status}'`],
      [`${status}_unread`, (row) => `${row}.status = '${status}' AND ${row}.is_read = 0`],
    ]),
  ),
  starred: kept((row) => `${row}.is_starred = 1`),
  starred_unread: kept((row) => `${row}.is_starred = 1 AND ${row}.is_read = 0`),
  outbound: kept((row) => `${row}.direction = 'outbound'`),
  outbound_unread: kept((row) => `${row}.direction = 'outbound' AND ${row}.is_read = 0`),
  reply_needed: kept((row) => `${row}.reply_needed IS 1`),
  ...Object.fromEntries(URGENCIES.map((level) => [level, kept((row) => `${row}.urgency IS '${level}'`)])),
  ...Object.fromEntries(
    CATEGORIES.map((name) => [name.replace("-", "_"), kept((row) => `${row}.category IS '${name}'`)]),
  ),
};

/** What the columns of `threads` sum up: of emails outside spam and trash, in spam, in the trash, and ever snoozed. */
export const THREAD_SUMS: Record<string, About> = {
  ...Object.fromEntries(
    ["kept", ...ASIDE_STATUSES].flatMap((group): [string, About][] => {
      const isIn: About = (row) => (group === "kept" ? `${row}.status NOT IN ${ASIDE}` : `${row}.status = '${group}'`);
      return [
        [`${group}_count`, isIn],
        [`${group}_unread`, (row) => `${isIn(row)} AND ${row}.is_read = 0`],
        [`${group}_starred`, (row) => `${isIn(row)} AND ${row}.is_starred = 1`],
        [`${group}_files`, (row) => `${isIn(row)} AND ${row}.has_attachments = 1`],
      ];
    }),
  ),
  snoozed_count: (row) => `${row}.snoozed_until IS NOT NULL`,
};

/** The boxes that `threads` knows the newest email of, and the emails in each. */
export const THREAD_BOXES: Record<string, readonly string[]> = {
  kept: EMAIL_STATUSES.filter((status) => !isAsideStatus(status)),
  ...Object.fromEntries(EMAIL_STATUSES.map((status) => [status, [status]])),
};

/** The newest email of each box, as text that sorts like its time and id. */
const newestIn = ([box, statuses]: [string, readonly string[]]) => `max(iif(
    record.status IN ('${statuses.join("', '")}') AND record.snoozed_until IS NULL,
    printf('%015d%015d', record.received_at, record.id), NULL)) AS ${box}`;

/** What it sums up of an email's objects in R2. Most emails have no attachments that are objects themselves. */
const own = (figure: string): About => {
  return (row) => `iif(${row}.attachments LIKE '%"key":%',
    (SELECT ${figure} FROM json_each(${row}.attachments) WHERE value ->> 'key' IS NOT NULL), 0)`;
};
export const EMAIL_OBJECTS: Record<string, About> = {
  objects: (row) => `(${row}.raw_key IS NOT NULL) + (${row}.content_key IS NOT NULL) + ${own("count(*)")(row)}`,
  object_bytes: (row) =>
    `coalesce(${row}.raw_size, 0) + coalesce(${row}.content_size, 0) + ${own("coalesce(sum(value ->> 'size'), 0)")(row)}`,
};
const UPLOADS = {
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
    // Not the participants, which a list only shows.
    values: [
      "email_count",
      ...Object.keys(THREAD_SUMS),
      ...Object.keys(THREAD_BOXES).flatMap((box) => [`${box}_at`, `${box}_id`]),
    ],
    expected: () => `
      SELECT id, email_count, ${Object.keys(THREAD_SUMS).join(", ")}, ${Object.keys(THREAD_BOXES)
        .map(
          (box) =>
            `CAST(substr(${box}, 1, 15) AS INTEGER) AS ${box}_at, CAST(substr(${box}, 16) AS INTEGER) AS ${box}_id`,
        )
        .join(", ")}
      FROM (SELECT thread_id AS id, count(*) AS email_count,
        ${Object.entries(THREAD_SUMS)
          .map(([column, about]) => `sum(${about("record")}) AS ${column}`)
          .join(", ")}, ${Object.entries(THREAD_BOXES).map(newestIn).join(", ")}
        FROM emails AS record GROUP BY thread_id)`,
    surplus: "delete",
  },
  {
    table: "emails",
    key: ["id"],
    values: ["has_thread_count"],
    expected: (page) => `
      SELECT e.id, e.thread_id <> e.id OR e.has_thread_count
        OR EXISTS (SELECT 1 FROM threads t WHERE t.id = e.thread_id AND t.email_count > 1) AS has_thread_count
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
    values: [...Object.keys(EMAIL_TOTALS), ...Object.keys(EMAIL_OBJECTS), ...Object.keys(UPLOADS)],
    expected: () =>
      `SELECT 1 AS id, ${[
        ...Object.entries({ ...EMAIL_TOTALS, ...EMAIL_OBJECTS }).map(
          ([name, about]) => `coalesce(sum(${about("record")}), 0) AS ${name}`,
        ),
        ...Object.entries(UPLOADS).map(([name, figure]) => `${figure} AS ${name}`),
      ].join(", ")} FROM emails AS record`,
    surplus: "zero",
  },
];

const namesIn =
  (column: string, before = ""): About =>
  (row) =>
    `coalesce((
    SELECT group_concat(${before}(value ->> 'name') || ' ' || (value ->> 'email'), ' ') FROM json_each(${row}.${column})), '')`;

/** The rowid is the email's place in time: reading the index backwards gives the newest first, so a search can stop early. */
export const EMAILS_SEARCH: SearchIndex = {
  table: "emails_search",
  records: "emails",
  rowid: (row) => `((${row}.received_at << 20) | (${row}.id & 1048575))`,
  columns: {
    subject: (row) => `${row}.subject`,
    sender: (row) => `${row}.from_name || ' ' || ${row}.from_email`,
    recipients: namesIn("to_recipients"),
    cc: (row) => `${namesIn("cc_recipients")(row)} || ${namesIn("bcc_recipients", "' ' || ")(row)}`,
    // Of a long email, whose body is in the file store, the database only knows the first words. The space says that the
    // last of them may be cut off.
    body: (row) => `substr(coalesce(${row}.body, ${row}.snippet || ' '), 1, 200000)`,
    files: (row) => `coalesce((SELECT group_concat(value ->> 'name', ' ') FROM json_each(${row}.attachments)), '')`,
    // Words of our own for what never changes about an email, so that a search can ask for them, too.
    facets: (row) =>
      `'d' || ${row}.direction || ' k' || replace(${row}.kind, '_', '') || iif(${row}.has_attachments, ' hattachment', '')`,
  },
  isElsewhere: "record.content_key IS NOT NULL",
  pagedBy: "received_at",
  parts: ["is_aside = 0", "is_aside = 1"],
  indexedBy: "emails_search.rowid",
  lastIndexed: (time) => `(${time} << 20 | 1048575)`,
  isRecordOf: (rowid) =>
    `record.is_aside IN (0, 1) AND record.received_at = ${rowid} >> 20 AND record.id & 1048575 = ${rowid} & 1048575`,
};
