import { QUARTERS } from "../lib/quarters.ts";
import { STREAM_PLATFORMS } from "../lib/stream-session.ts";
import { TASK_STATUSES } from "../lib/task-kinds.ts";
import { EMAIL_ROWS, EMAILS_SEARCH } from "./derived-emails.ts";
import { type About, counters, type DerivedRows, type QuarterCounts, type SearchIndex } from "./derived-rows.ts";
import { EVENT_TOTALS } from "./schema/calendar.ts";
import { IS_OPEN, TASK_FACETS, tasks } from "./schema/tasks.ts";

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

/** What `quarters` counts. D1 takes at most five parts of a UNION. */
export const QUARTER_COUNTS: readonly QuarterCounts[] = [
  { name: "quarters_email", table: "emails", counts: { emails: (row) => `${row}.received_at` } },
  {
    name: "quarters_task_done",
    table: "tasks",
    counts: { tasks_done: (row) => `${row}.completed_at` },
    isCounted: (row) => `${row}.status = 'done' AND ${row}.completed_at IS NOT NULL`,
    of: ["status", "completed_at"],
  },
  {
    name: "quarters_task_due",
    table: "tasks",
    counts: { tasks_due: (row) => `${row}.due_at` },
    isCounted: (row) => `${row}.${IS_OPEN} AND ${row}.due_at IS NOT NULL`,
    of: ["status", "due_at"],
    isSummed: true,
  },
  {
    // Single events. An end counts in the quarter of its last millisecond, so that an event that ends at midnight does not
    // count for the next day.
    name: "quarters_event",
    table: "events",
    counts: {
      event_starts: (row) => `max(${row}.start_at, 0)`,
      event_ends: (row) => `max(${row}.end_at - 1, 0)`,
    },
    isCounted: (row) => `${row}.span IS NOT NULL AND ${row}.status <> 'cancelled'`,
    of: ["start_at", "end_at", "span", "status"],
    isSummed: true,
  },
];
const QUARTER_MOMENTS = QUARTER_COUNTS.flatMap(({ table, counts, isCounted }) =>
  Object.entries(counts).map(
    ([column, at]) =>
      `SELECT '${column}' AS what, ${at("record")} AS at FROM ${table} AS record WHERE ${isCounted?.("record") ?? "1"}`,
  ),
);
const QUARTER_COLUMNS = QUARTER_COUNTS.flatMap(({ counts }) => Object.keys(counts));
const SUMMED_COLUMNS = QUARTER_COUNTS.flatMap(({ counts, isSummed }) => (isSummed ? Object.keys(counts) : []));

/** The rows there are stay, also when all they counted is gone. */
const expectedQuarters = () => `
  WITH RECURSIVE slots(slot) AS (SELECT 0 UNION ALL SELECT slot + 1 FROM slots WHERE slot < ${QUARTERS - 1}),
    moments AS (${QUARTER_MOMENTS.join(" UNION ALL ")}),
    counted AS MATERIALIZED (SELECT at / ${ROW_MS} AS id, at % ${ROW_MS} / 900000 AS slot,
      ${QUARTER_COLUMNS.map((column) => `sum(what = '${column}') AS ${column}`).join(", ")} FROM moments GROUP BY 1, 2),
    ids AS (SELECT id FROM counted UNION SELECT id FROM quarters)
  SELECT ids.id, ${QUARTER_COLUMNS.map(
    (column) => `json_group_array(coalesce(counted.${column}, 0) ORDER BY slots.slot) AS ${column}`,
  ).join(", ")}
  FROM ids CROSS JOIN slots LEFT JOIN counted ON counted.id = ids.id AND counted.slot = slots.slot GROUP BY ids.id`;

const beforeSum = (column: string) => `coalesce((SELECT sum(value) FROM quarters q, json_each(q.${column})
  WHERE q.id < (SELECT until FROM quarters_before)), 0) AS ${column}`;

/** In this order: a later one may be counted from an earlier one. */
export const DERIVED: readonly DerivedRows[] = [
  ...EMAIL_ROWS,
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
    table: "tasks",
    where: "(subtasks_total IS NOT NULL OR id IN (SELECT parent_id FROM tasks WHERE parent_id IS NOT NULL))",
    key: ["id"],
    values: ["subtasks_total", "subtasks_done"],
    expected: () => `
      SELECT parent.id, sum(child.status <> 'cancelled') AS subtasks_total, sum(child.status = 'done') AS subtasks_done
      FROM tasks child JOIN tasks parent ON parent.id = child.parent_id GROUP BY parent.id`,
    surplus: "zero",
  },
  {
    table: "task_lists",
    key: ["id"],
    values: ["open_tasks", "total_tasks"],
    expected: () => `
      SELECT list.id, coalesce(open, 0) AS open_tasks, coalesce(total, 0) AS total_tasks FROM task_lists list
      LEFT JOIN (SELECT list_id, count(*) AS total, count(*) FILTER (WHERE status NOT IN ('done', 'cancelled')) AS open
        FROM tasks WHERE list_id IS NOT NULL GROUP BY list_id) ON list_id = list.id`,
    surplus: "zero",
  },
  {
    table: "reminder_times",
    key: ["id"],
    values: ["at"],
    expected: () => `
      SELECT t.id * 32 + r.key AS id, coalesce(r.value ->> 'at',
        iif(due_date IS NOT NULL, due_at + 1 - 86400000, due_at) - (r.value ->> 'minutesBefore') * 60000) AS at
      FROM tasks t, json_each(t.reminders) r WHERE status NOT IN ('done', 'cancelled')
        AND coalesce(r.value ->> 'at', due_at) IS NOT NULL
      UNION ALL
      SELECT e.id * 32 + 8 + r.key, coalesce(r.value ->> 'at', start_at - (r.value ->> 'minutesBefore') * 60000)
      FROM events e, json_each(e.reminders) r WHERE rrule IS NULL AND deleted_at IS NULL AND status <> 'cancelled'`,
    surplus: "delete",
  },
  {
    // When to look at a series again is the job's own note: a row that was missing is looked at once more.
    table: "series_reminders",
    key: ["event_id"],
    values: ["look_at"],
    expected: () => `
      SELECT e.id AS event_id, coalesce((SELECT look_at FROM series_reminders WHERE event_id = e.id), 0) AS look_at
      FROM events e WHERE series_end IS NOT NULL AND rrule IS NOT NULL AND deleted_at IS NULL AND status <> 'cancelled'`,
    surplus: "delete",
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
    values: ["until", ...SUMMED_COLUMNS],
    expected: () => `SELECT 1 AS id, coalesce((SELECT until FROM quarters_before), 0) AS until,
      ${SUMMED_COLUMNS.map(beforeSum).join(", ")}`,
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
  {
    table: "contact_addresses",
    key: ["address"],
    values: ["contact_id"],
    expected: () => "SELECT j.value AS address, c.id AS contact_id FROM contacts c, json_each(c.addresses) j",
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

/** The words that lists of tasks are filtered by: those of each column that `TASK_FACETS` names. */
const taskWords: About = (row) =>
  Object.entries(TASK_FACETS)
    .map(([name, letter]) => {
      const column = tasks[name as keyof typeof TASK_FACETS];
      const value = `${row}.${column.name}`;
      if (column.dataType === "json")
        return `coalesce((SELECT group_concat(' ${letter}' || hex(value), '') FROM json_each(${value})), '')`;
      return `' ${letter}' || ${column.notNull ? `replace(${value}, '_', '')` : `coalesce(${value}, 'none')`}`;
    })
    .join(" || ");
const TASK_TEXTS: Record<string, About> = {
  title: (row) => `${row}.title`,
  description: (row) => `${row}.description`,
  facets: taskWords,
};

/** In the order of creation, and in the order of due times. */
export const TASKS_SEARCH: SearchIndex = {
  table: "tasks_search",
  records: "tasks",
  rowid: (row) => `${row}.id`,
  columns: TASK_TEXTS,
  pagedBy: "id",
  indexedBy: "tasks_search.rowid",
  lastIndexed: String,
  isRecordOf: (rowid) => `record.id = ${rowid}`,
};
export const TASKS_BY_DUE: SearchIndex = {
  table: "tasks_by_due",
  records: "tasks",
  rowid: (row) => `${row}.place`,
  columns: TASK_TEXTS,
  pagedBy: "id",
  // Its rows do not know the id: all of them are looked at with the first page.
  indexedBy: "0",
  lastIndexed: String,
  isRecordOf: (rowid) => `record.closed IN (0, 1) AND record.place = ${rowid}`,
};

/** The most likely to be meant has the highest rowid: reading backwards, a search can stop early. */
export const CONTACTS_SEARCH: SearchIndex = {
  table: "contacts_search",
  records: "contacts",
  rowid: (row) => `${row}.place`,
  columns: {
    name: (row) => `${row}.name || ' ' || ${row}.company`,
    addresses: (row) => `coalesce((SELECT group_concat(value, ' ') FROM json_each(${row}.addresses)), '')`,
  },
  pagedBy: "id",
  // As for tasks by due time: all rows are looked at with the first page.
  indexedBy: "0",
  lastIndexed: String,
  isRecordOf: (rowid) => `record.id = ${rowid} & 4294967295 AND record.place = ${rowid}`,
};

export const SEARCH_INDEXES: readonly SearchIndex[] = [EMAILS_SEARCH, TASKS_SEARCH, TASKS_BY_DUE, CONTACTS_SEARCH];
