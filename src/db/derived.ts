import { QUARTERS } from "../lib/quarters.ts";
import { STREAM_PLATFORMS } from "../lib/stream-session.ts";
import { TASK_STATUSES } from "../lib/task-kinds.ts";
import { EVENT_TOTALS } from "./schema/calendar.ts";

/** A part of a large table: the rows whose `column` lies in this page. */
export type Page = (column: string) => string;

/** A table, or some of its rows, that triggers keep in step with other tables; and what it should hold. */
export interface DerivedRows {
  table: string;
  /** The rows meant, where the table has others. */
  where?: string;
  key: readonly string[];
  values: readonly string[];
  /** SELECT of key and values from the records. */
  expected(page: Page): string;
  /** SELECT of the rows to compare, where no index finds the rows of a page by `pages.column`. */
  stored?(page: Page): string;
  /** What a row is that nothing is expected for: a counter that went down to 0, or a row that should be gone. */
  surplus: "zero" | "delete";
  /** For large tables: compared in pages of these records, by a whole number that is also in the derived rows. */
  pages?: { records: string; by: string; column: string };
}

/** A full-text index without texts of its own. `rowid` and `columns` are expressions on the records. */
export interface SearchIndex {
  table: string;
  records: string;
  rowid: string;
  columns: Record<string, string>;
  /** The column of the records by which both are read in pages. */
  pagedBy: string;
  /** What rows of the index are read in pages by, and the last of it for the records whose `pagedBy` is this. */
  indexedBy: string;
  lastIndexed(value: number): string;
  /** Condition on `record`: it is the one that a rowid of the index stands for. */
  isRecordOf(rowid: string): string;
}

/** The counters of an area, each with the rows it counts. D1 takes at most five parts of a UNION. */
function counters(area: string, counts: readonly (readonly [key: string, from: string])[]): DerivedRows {
  return {
    table: "counters",
    where: `area = '${area}'`,
    key: ["area", "key"],
    values: ["value"],
    expected: () =>
      counts
        .map(([key, from]) => `SELECT '${area}' AS area, ${key} AS key, count(*) AS value FROM ${from}`)
        .join(" UNION ALL "),
    surplus: "zero",
  };
}

/**
 * The sums of AI calls outlive the calls, which are deleted after 400 days or when the last account is. So only
 * periods that began after the first call there is can be compared, or all of them while no call was ever deleted.
 */
const callsSince = (start: string, everything: string) => `(
  SELECT CASE WHEN count(*) = (SELECT seq FROM sqlite_sequence WHERE name = 'ai_calls') THEN ${everything}
    ELSE (SELECT ${start} FROM (SELECT min(at) AS at FROM ai_calls)) END FROM ai_calls)`;

function aiUsage(table: string, column: string, start: string, everything: string): DerivedRows {
  const isByModel = table !== "ai_usage_months";
  const key = isByModel ? [column, "model"] : [column];
  return {
    table,
    where: `${column} > ${callsSince(start, everything)}`,
    key,
    values: ["calls", "fallbacks", "input_tokens", "output_tokens"],
    expected: () => `
      SELECT ${start} AS ${key.join(", ")}, count(*) AS calls, count(fallback_reason) AS fallbacks,
        sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens
      FROM ai_calls WHERE ${start} > ${callsSince(start, everything)} GROUP BY ${isByModel ? "1, 2" : "1"}`,
    surplus: "zero",
  };
}

const ROW_MS = QUARTERS * 15 * 60_000;

/** What `quarters` counts: the column, and the times of the records. D1 takes at most five parts of a UNION. */
const QUARTER_COUNTS = {
  emails: "received_at AS at FROM emails",
  tasks_done: "completed_at AS at FROM tasks WHERE status = 'done' AND completed_at IS NOT NULL",
  tasks_due: "due_at AS at FROM tasks WHERE status NOT IN ('done', 'cancelled') AND due_at IS NOT NULL",
  event_starts: "max(start_at, 0) AS at FROM events WHERE span IS NOT NULL AND status <> 'cancelled'",
  event_ends: "max(end_at - 1, 0) AS at FROM events WHERE span IS NOT NULL AND status <> 'cancelled'",
};
const QUARTER_COLUMNS = Object.keys(QUARTER_COUNTS);

/** The rows there are stay, also when all they counted is gone. */
const expectedQuarters = () => `
  WITH RECURSIVE slots(slot) AS (SELECT 0 UNION ALL SELECT slot + 1 FROM slots WHERE slot < ${QUARTERS - 1}),
    moments AS (${Object.entries(QUARTER_COUNTS)
      .map(([column, from]) => `SELECT '${column}' AS what, ${from}`)
      .join(" UNION ALL ")}),
    counted AS MATERIALIZED (SELECT at / ${ROW_MS} AS id, at % ${ROW_MS} / 900000 AS slot,
      ${QUARTER_COLUMNS.map((column) => `sum(what = '${column}') AS ${column}`).join(", ")} FROM moments GROUP BY 1, 2),
    ids AS (SELECT id FROM counted UNION SELECT id FROM quarters)
  SELECT ids.id, ${QUARTER_COLUMNS.map(
    (column) => `json_group_array(coalesce(counted.${column}, 0) ORDER BY slots.slot) AS ${column}`,
  ).join(", ")}
  FROM ids CROSS JOIN slots LEFT JOIN counted ON counted.id = ids.id AND counted.slot = slots.slot GROUP BY ids.id`;

const beforeSum = (column: string) => `coalesce((SELECT sum(value) FROM quarters q, json_each(q.${column})
  WHERE q.id < (SELECT until FROM quarters_before)), 0) AS ${column}`;

const EMAIL_TAG = { key: ["tag", "received_at", "email_id"], values: ["status", "is_read"] };

/** In this order: a later one may be counted from an earlier one. */
export const DERIVED: readonly DerivedRows[] = [
  {
    table: "email_tags",
    ...EMAIL_TAG,
    expected: (page) => `
      SELECT DISTINCT j.value AS tag, e.received_at, e.id AS email_id, e.status, e.is_read
      FROM emails e, json_each(e.tags) j WHERE ${page("e.id")}`,
    // Finds no surplus rows.
    stored: (page) => `
      SELECT t.* FROM emails e CROSS JOIN json_each(e.tags) j CROSS JOIN email_tags t
      ON t.tag = j.value AND t.received_at = e.received_at AND t.email_id = e.id WHERE ${page("e.id")}`,
    surplus: "delete",
    pages: { records: "emails", by: "id", column: "email_id" },
  },
  {
    table: "email_tags",
    ...EMAIL_TAG,
    expected: (page) => `
      SELECT t.tag, t.received_at, t.email_id, e.status, e.is_read
      FROM email_tags t JOIN emails e ON e.id = t.email_id AND e.received_at = t.received_at
      WHERE ${page("t.rowid")} AND EXISTS (SELECT 1 FROM json_each(e.tags) WHERE value = t.tag)`,
    surplus: "delete",
    pages: { records: "email_tags", by: "rowid", column: "rowid" },
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
    // A thread that has only one email left keeps its row while that email says that it has one.
    expected: (page) => `
      SELECT thread_id AS id, count(*) AS email_count FROM emails WHERE ${page("thread_id")}
      GROUP BY thread_id HAVING count(*) > 1 OR max(has_thread_count)`,
    surplus: "delete",
    pages: { records: "emails", by: "thread_id", column: "id" },
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
  counters("emails", [
    ["'unread'", "emails WHERE is_read = 0"],
    ["'starred'", "emails WHERE is_starred = 1"],
    ["'outbound'", "emails WHERE direction = 'outbound'"],
  ]),
  counters("emails_by_status", [["status", "emails GROUP BY status"]]),
  counters("emails_by_kind", [["kind", "emails GROUP BY kind"]]),
  counters("emails_by_urgency", [["urgency", "emails WHERE urgency IS NOT NULL GROUP BY urgency"]]),
  counters("service", [
    ["'api_keys'", "api_keys"],
    ["'webhooks'", "webhook_endpoints"],
  ]),
  {
    table: "task_totals",
    key: ["id"],
    values: TASK_STATUSES,
    expected: () =>
      `SELECT 1 AS id, ${TASK_STATUSES.map((status) => `count(*) FILTER (WHERE status = '${status}') AS ${status}`).join(", ")} FROM tasks`,
    surplus: "zero",
  },
  {
    table: "quarters",
    key: ["id"],
    values: QUARTER_COLUMNS,
    expected: expectedQuarters,
    surplus: "delete",
  },
  {
    table: "quarters_before",
    key: ["id"],
    values: ["until", "tasks_due", "event_starts", "event_ends"],
    expected: () => `SELECT 1 AS id, coalesce((SELECT until FROM quarters_before), 0) AS until,
      ${["tasks_due", "event_starts", "event_ends"].map(beforeSum).join(", ")}`,
    surplus: "delete",
  },
  {
    table: "calendar_state",
    key: ["id"],
    values: ["totals"],
    expected: () => `
      SELECT 1 AS id, json_group_object(name, count) AS totals FROM (
        SELECT n.value AS name, (SELECT count(*) FROM events
          WHERE status || ' ' || source = n.value AND deleted_at IS NULL AND recurring_event_id IS NULL) AS count
        FROM json_each('${JSON.stringify(EVENT_TOTALS)}') n ORDER BY n.key)`,
    surplus: "zero",
  },
  {
    table: "event_days",
    key: ["day"],
    values: ["events"],
    expected: () => `
      SELECT day, iif(count(*) > 200, NULL, json_group_array(
        json_array(start_at, end_at, busy, start_date IS NOT NULL) ORDER BY span, start_at, id)) AS events
      FROM (SELECT *, start_at - (start_at % 86400000 + 86400000) % 86400000 AS day FROM events
        WHERE span IN (0, 1, 2) AND status <> 'cancelled')
      GROUP BY day`,
    surplus: "delete",
  },
  aiUsage("ai_usage", "hour", "at - at % 3600000", "-1"),
  aiUsage("ai_usage_days", "day", "at - at % 86400000", "-1"),
  aiUsage("ai_usage_months", "month", "strftime('%Y-%m', at / 1000, 'unixepoch')", "''"),
  {
    table: "billing_account",
    key: ["id"],
    values: ["purchased_tokens"],
    expected: () =>
      "SELECT 1 AS id, coalesce(sum(tokens - refunded_tokens), 0) AS purchased_tokens FROM billing_purchases",
    surplus: "zero",
  },
  {
    table: "stream_totals",
    key: ["platform"],
    values: ["scheduled", "live", "ended", "cancelled", "streamed_ms", "peak_sum"],
    expected: () => `
      SELECT p.value AS platform, count(*) FILTER (WHERE state = 'scheduled') AS scheduled,
        count(*) FILTER (WHERE state = 'live') AS live, count(*) FILTER (WHERE state = 'ended') AS ended,
        count(*) FILTER (WHERE state = 'cancelled') AS cancelled,
        coalesce(sum(ended_at - started_at) FILTER (WHERE state = 'ended'), 0) AS streamed_ms,
        coalesce(sum(peak_viewers) FILTER (WHERE state = 'ended'), 0) AS peak_sum
      FROM json_each('${JSON.stringify(STREAM_PLATFORMS)}') p LEFT JOIN stream_sessions s ON s.platform = p.value
      GROUP BY p.value`,
    surplus: "zero",
  },
  {
    table: "caption_totals",
    key: ["platform", "status"],
    values: ["count"],
    expected: () => "SELECT platform, status, count(*) AS count FROM captions GROUP BY platform, status",
    surplus: "zero",
  },
];

const TASK_FACETS = `'s' || replace(record.status, '_', '') || ' p' || record.priority || ' o' || record.source
  || coalesce(' e' || record.email_id, '')
  || coalesce((SELECT group_concat(' t' || hex(value), '') FROM json_each(record.tags)), '')`;

/** As the triggers in triggers/emails.sql and triggers/tasks.sql fill them. */
export const SEARCH_INDEXES: readonly SearchIndex[] = [
  {
    table: "emails_search",
    records: "emails",
    rowid: "(record.received_at << 20) | (record.id & 1048575)",
    columns: {
      subject: "record.subject",
      people: `record.from_name || ' ' || record.from_email || ' ' || coalesce((
        SELECT group_concat(json_extract(value, '$.name') || ' ' || json_extract(value, '$.email'), ' ')
        FROM json_each(record.to_recipients)), '')`,
      // Of a long email, whose body is in the file store, the recount only knows the first words.
      body: "substr(coalesce(record.body, record.snippet), 1, 200000)",
    },
    pagedBy: "received_at",
    indexedBy: "emails_search.rowid",
    lastIndexed: (time) => `(${time} << 20 | 1048575)`,
    isRecordOf: (rowid) => `record.received_at = ${rowid} >> 20 AND record.id & 1048575 = ${rowid} & 1048575`,
  },
  {
    table: "tasks_search",
    records: "tasks",
    rowid: "record.id",
    columns: { title: "record.title", description: "record.description", facets: TASK_FACETS },
    pagedBy: "id",
    indexedBy: "tasks_search.rowid",
    lastIndexed: String,
    isRecordOf: (rowid) => `record.id = ${rowid}`,
  },
  {
    table: "tasks_by_due",
    records: "tasks",
    rowid: "record.place",
    columns: { title: "record.title", description: "record.description", facets: TASK_FACETS },
    pagedBy: "id",
    // Its rows do not know the id: all of them are looked at with the first page.
    indexedBy: "0",
    lastIndexed: String,
    isRecordOf: (rowid) => `record.place = ${rowid}`,
  },
];
