import { SESSION_STATES } from "../../lib/stream-session.ts";
import { TASK_STATUSES } from "../../lib/task-kinds.ts";
import { CONTACTS_SEARCH, QUARTER_COUNTS, TASKS_BY_DUE, TASKS_SEARCH } from "../derived.ts";
import { EMAIL_OBJECTS, EMAIL_TOTALS, EMAILS_SEARCH } from "../derived-emails.ts";
import { TASK_FACETS, tasks } from "../schema/tasks.ts";
import { addToSearch, changed, changeInSearch, quarterCounts, searchTable, totals, trigger } from "./templates.ts";
import { THREADS } from "./threads.ts";
import { TOLD } from "./told.ts";

/*
 * The triggers that follow a template. Those that stand alone are in the .sql files beside this one; `npm run migration`
 * writes the migration for both.
 */

/** Columns of tasks whose words are searched, or that lists filter by. */
const TASK_WORDS = [
  "title",
  "description",
  ...Object.keys(TASK_FACETS).map((name) => tasks[name as keyof typeof TASK_FACETS].name),
];

/**
 * If another task due in the same millisecond has the place that the id gives (`PLACE` in schema/tasks.ts), `due_slot`
 * gives the next one that is free.
 */
const FREE_SLOT = `UPDATE tasks SET due_slot = (
    SELECT taken.rowid + 1 - (NEW.due_at << 18) FROM tasks_by_due AS taken
    WHERE taken.rowid >= tasks.place
      AND NOT EXISTS (SELECT 1 FROM tasks_by_due AS next WHERE next.rowid = taken.rowid + 1)
    ORDER BY taken.rowid LIMIT 1
  ) WHERE id = NEW.id AND EXISTS (SELECT 1 FROM tasks_by_due WHERE rowid = tasks.place)`;
const PLACE_NOW = "(SELECT place FROM tasks WHERE id = NEW.id)";

const SEARCH = [
  ...searchTable(EMAILS_SEARCH, "porter unicode61 remove_diacritics 2"),
  // An email whose content is in the file store is added by the batch that stores it (features/emails/search-index.ts).
  trigger("emails_search_insert", "AFTER INSERT ON emails", "NEW.content_key IS NULL", addToSearch(EMAILS_SEARCH)),
  trigger(
    "emails_search_delete",
    "AFTER DELETE ON emails",
    null,
    `DELETE FROM emails_search WHERE rowid = ${EMAILS_SEARCH.rowid("OLD")}`,
  ),
  ...searchTable(TASKS_SEARCH, "unicode61 remove_diacritics 2"),
  ...searchTable(TASKS_BY_DUE, "unicode61 remove_diacritics 2"),
  trigger(
    "tasks_search_insert",
    "AFTER INSERT ON tasks",
    null,
    addToSearch(TASKS_SEARCH),
    FREE_SLOT,
    addToSearch(TASKS_BY_DUE, PLACE_NOW),
  ),
  trigger(
    "tasks_search_update",
    `AFTER UPDATE OF ${TASK_WORDS.join(", ")} ON tasks`,
    changed(...TASK_WORDS),
    changeInSearch(TASKS_SEARCH),
  ),
  trigger(
    "tasks_by_due_update",
    `AFTER UPDATE OF ${TASK_WORDS.join(", ")} ON tasks`,
    `NEW.due_at IS OLD.due_at AND (${changed(...TASK_WORDS)})`,
    changeInSearch(TASKS_BY_DUE),
  ),
  trigger(
    "tasks_by_due_move",
    "AFTER UPDATE OF due_at ON tasks",
    changed("due_at"),
    // The slot was one of the old millisecond.
    "UPDATE tasks SET due_slot = NULL WHERE id = NEW.id AND due_slot IS NOT NULL",
    FREE_SLOT,
    changeInSearch(TASKS_BY_DUE, `rowid = ${PLACE_NOW}, `),
  ),
  trigger(
    "tasks_search_delete",
    "AFTER DELETE ON tasks",
    null,
    `DELETE FROM tasks_search WHERE rowid = ${TASKS_SEARCH.rowid("OLD")}`,
    `DELETE FROM tasks_by_due WHERE rowid = ${TASKS_BY_DUE.rowid("OLD")}`,
  ),
  ...searchTable(CONTACTS_SEARCH, "unicode61 remove_diacritics 2"),
  trigger("contacts_search_insert", "AFTER INSERT ON contacts", null, addToSearch(CONTACTS_SEARCH)),
  trigger(
    "contacts_search_update",
    "AFTER UPDATE OF name, company, addresses, is_saved, sent, last_at ON contacts",
    changed("name", "company", "addresses", "place"),
    changeInSearch(CONTACTS_SEARCH, "rowid = NEW.place, "),
  ),
  trigger(
    "contacts_search_delete",
    "AFTER DELETE ON contacts",
    null,
    "DELETE FROM contacts_search WHERE rowid = OLD.place",
  ),
];

const TOTALS = [
  ...totals({
    name: "email_totals",
    table: "emails",
    sums: "email_totals",
    counts: EMAIL_TOTALS,
    of: ["status", "is_read", "is_starred", "urgency", "category", "reply_needed"],
    fixed: EMAIL_OBJECTS,
    keepsLastId: true,
  }),
  ...totals({
    name: "task_totals",
    table: "tasks",
    sums: "task_totals",
    counts: Object.fromEntries(TASK_STATUSES.map((status) => [status, (row) => `${row}.status = '${status}'`])),
    of: ["status"],
    keepsLastId: true,
  }),
  ...totals({
    name: "stream_totals",
    table: "stream_sessions",
    sums: "stream_totals",
    where: (row) => `platform = ${row}.platform`,
    counts: {
      ...Object.fromEntries(SESSION_STATES.map((state) => [state, (row: string) => `${row}.state = '${state}'`])),
      streamed_ms: (row) => `iif(${row}.state = 'ended', ${row}.ended_at - ${row}.started_at, 0)`,
      peak_sum: (row) => `iif(${row}.state = 'ended', ${row}.peak_viewers, 0)`,
    },
    of: ["state", "started_at", "ended_at", "peak_viewers"],
  }),
  ...["api_keys", "webhook_endpoints"].flatMap((table) => {
    const key = table === "api_keys" ? "api_keys" : "webhooks";
    const count = (sign: string) =>
      `UPDATE counters SET value = value ${sign} 1 WHERE area = 'service' AND key = '${key}'`;
    return [
      trigger(`count_${key}_insert`, `AFTER INSERT ON ${table}`, null, count("+")),
      trigger(`count_${key}_delete`, `AFTER DELETE ON ${table}`, null, count("-")),
    ];
  }),
  // AI calls. Deleting a call leaves the sums: calls are deleted after 400 days, and the budget of a month must not shrink.
  ...Object.entries({
    ai_usage: { hour: "NEW.at - NEW.at % 3600000", model: "NEW.model" },
    ai_usage_days: { day: "NEW.at - NEW.at % 86400000", model: "NEW.model" },
    ai_usage_months: { month: "strftime('%Y-%m', NEW.at / 1000, 'unixepoch')" },
  }).map(([table, key]) => {
    const columns = ["calls", "fallbacks", "input_tokens", "output_tokens"];
    const keys = Object.keys(key).join(", ");
    return trigger(
      `${table}_insert`,
      "AFTER INSERT ON ai_calls",
      null,
      `INSERT INTO ${table} (${keys}, ${columns.join(", ")})
    VALUES (${Object.values(key).join(", ")}, 1, NEW.fallback_reason IS NOT NULL, NEW.input_tokens, NEW.output_tokens)
    ON CONFLICT (${keys}) DO UPDATE SET ${columns.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`,
    );
  }),
];

/** How a person's dates are read, beside the account: written again whenever a part of it changes. */
const HABITS = [
  ["profiles_inserted", "AFTER INSERT ON profiles", "NEW"],
  ["profiles_habits_changed", "AFTER UPDATE OF locale, time_format, week_start ON profiles", "NEW"],
  ["working_hours_inserted", "AFTER INSERT ON working_hours", "NEW"],
  ["working_hours_changed", "AFTER UPDATE OF days ON working_hours", "NEW"],
  ["working_hours_deleted", "AFTER DELETE ON working_hours", "OLD"],
].map(([name = "", event = "", row]) =>
  trigger(
    name,
    event,
    null,
    `UPDATE users SET habits = (
    SELECT json_array(p.locale, p.time_format, p.week_start,
      json((SELECT w.days FROM working_hours w WHERE w.user_id = p.user_id)))
    FROM profiles p WHERE p.user_id = ${row}.user_id
  ) WHERE id = ${row}.user_id`,
  ),
);

const dayOf = (row: string) => `${row}.start_at - (${row}.start_at % 86400000 + 86400000) % 86400000`;
const ofDay = (day: string) =>
  `span IN (0, 1, 2) AND start_at >= ${day} AND start_at < ${day} + 86400000 AND status <> 'cancelled'`;

/**
 * `event_days` has the events of a day in one row. A change makes the row again from the events: they are few, and
 * reading them costs a thousandth of writing them.
 */
function eventDays(name: string, event: string, when: string, ...rows: string[]): string {
  const days = rows.map(dayOf);
  return trigger(
    name,
    event,
    when,
    `INSERT INTO event_days (day, events)
    SELECT day, (
      SELECT iif(count(*) > 200, NULL, json_group_array(json_array(start_at, end_at, busy, start_date IS NOT NULL)))
      FROM (
        SELECT start_at, end_at, busy, start_date FROM events WHERE ${ofDay("changed.day")}
        ORDER BY span, start_at, id LIMIT 201
      )
    ) FROM (SELECT ${days.join(" AS day UNION SELECT ")}${days.length === 1 ? " AS day" : ""}) AS changed
    WHERE EXISTS (SELECT 1 FROM events WHERE ${ofDay("changed.day")})
    ON CONFLICT (day) DO UPDATE SET events = excluded.events`,
    `DELETE FROM event_days WHERE day IN (${days.join(", ")})
    AND NOT EXISTS (SELECT 1 FROM events WHERE ${ofDay("event_days.day")})`,
  );
}
const EVENT_DAYS = [
  eventDays("event_days_insert", "AFTER INSERT ON events", "NEW.span <= 2 AND NEW.status <> 'cancelled'", "NEW"),
  eventDays(
    "event_days_update",
    "AFTER UPDATE OF start_at, end_at, start_date, span, status, busy ON events",
    `${changed("start_at", "end_at", "span", "busy")} OR (NEW.start_date IS NULL) <> (OLD.start_date IS NULL)
    OR (NEW.status = 'cancelled') <> (OLD.status = 'cancelled')`,
    "OLD",
    "NEW",
  ),
  eventDays("event_days_delete", "AFTER DELETE ON events", "OLD.span <= 2 AND OLD.status <> 'cancelled'", "OLD"),
];

export const GENERATED = [
  ...SEARCH,
  ...TOTALS,
  ...THREADS,
  ...QUARTER_COUNTS.flatMap(quarterCounts),
  ...TOLD,
  ...HABITS,
  ...EVENT_DAYS,
].join("\n\n");
