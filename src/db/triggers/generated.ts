import { SESSION_STATES } from "../../lib/stream-session.ts";
import { TASK_STATUSES } from "../../lib/task-kinds.ts";
import { QUARTER_COUNTS, TASKS_BY_DUE, TASKS_SEARCH } from "../derived.ts";
import { EMAIL_OBJECTS, EMAIL_TOTALS, EMAILS_SEARCH } from "../derived-emails.ts";
import { TASK_FACETS, tasks } from "../schema/tasks.ts";
import {
  addToSearch,
  changed,
  changeInSearch,
  liveChanges,
  NOW,
  outbox,
  quarterCounts,
  searchTable,
  totals,
  trigger,
} from "./templates.ts";

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

/** What a change of an email, a task, … is called that has a name of its own, as in outbound events. */
const EMAIL_CHANGE = `CASE
    WHEN NEW.analysis IS NOT NULL AND NEW.analysis IS NOT OLD.analysis THEN 'email.analyzed'
    WHEN NEW.delivery = 'sent' AND OLD.delivery IS NOT 'sent' THEN 'email.sent'
    ELSE 'email.updated' END`;
const TASK_CHANGE = "iif(NEW.status = 'done' AND OLD.status <> 'done', 'task.completed', 'task.updated')";
// An occurrence gets its own row when it is first edited: clients see a change, not a new event.
const NEW_EVENT = `CASE
    WHEN NEW.recurring_event_id IS NULL THEN 'event.created'
    WHEN NEW.status = 'cancelled' THEN 'event.cancelled'
    ELSE 'event.updated' END`;
// An event from outside that is deleted here keeps its row, marked as deleted, and may come back.
const EVENT_CHANGE = `CASE
    WHEN NEW.deleted_at IS NOT NULL THEN 'event.deleted'
    WHEN OLD.deleted_at IS NOT NULL THEN 'event.created'
    WHEN NEW.status = 'cancelled' AND OLD.status <> 'cancelled' THEN 'event.cancelled'
    ELSE 'event.updated' END`;
const IS_REACHED = "OLD.reached_at IS NULL AND NEW.reached_at IS NOT NULL AND NOT NEW.passed_before";

const LIVE = [
  ...liveChanges({
    kind: "email",
    table: "emails",
    created: "iif(NEW.direction = 'inbound', 'email.received', 'email.created')",
    updated: EMAIL_CHANGE,
    // Two threads that are merged change their emails without a new version.
    follows: ["thread_id"],
  }),
  ...liveChanges({ kind: "draft", table: "email_drafts" }),
  // A task whose email or event was deleted loses the link without a new version.
  ...liveChanges({ kind: "task", table: "tasks", updated: TASK_CHANGE, follows: ["email_id", "event_id"] }),
  // How many tasks a list has changes with the tasks, and without a new version.
  ...liveChanges({ kind: "list", table: "task_lists" }),
  ...liveChanges({
    kind: "event",
    table: "events",
    created: NEW_EVENT,
    updated: EVENT_CHANGE,
    isCreated: "NEW.deleted_at IS NULL",
    isUpdated: "(NEW.deleted_at IS NULL OR OLD.deleted_at IS NULL)",
    isDeleted: "OLD.deleted_at IS NULL",
  }),
  ...liveChanges({
    kind: "stream",
    table: "stream_sessions",
    created: "'stream.' || iif(NEW.state IN ('live', 'ended'), NEW.state, 'created')",
    updated: "'stream.' || iif(NEW.state <> OLD.state AND NEW.state IN ('live', 'ended'), NEW.state, 'updated')",
  }),
  ...liveChanges({
    kind: "milestone",
    table: "stream_milestones",
    updated: `iif(${IS_REACHED}, 'milestone.reached', 'milestone.updated')`,
  }),
  ...liveChanges({
    kind: "caption",
    table: "captions",
    updated:
      "'caption.' || iif(NEW.status <> OLD.status AND NEW.status IN ('posted', 'failed'), NEW.status, 'updated')",
  }),
];

/** Columns of events that a client sees: the sync's bookkeeping sends no events. */
const SEEN_OF_EVENTS =
  "title description start_at end_at start_date end_date time_zone location meeting_url status busy awaits_answer cancel_reason external_status organizer attendees tags notes reminders rrule exdates".split(
    " ",
  );
const SYNC_RESULT = "CASE NEW.status WHEN 'failed' THEN 'sync.failed' ELSE 'sync.completed' END";

const OUTBOX = [
  // None for an email that arrives in spam or in the trash: it is suspected, its sender is blocked, or a rule put it
  // there. A file of old emails raises none, either.
  outbox(
    "outbox_email_received",
    "AFTER INSERT ON emails",
    "NEW.direction = 'inbound' AND NEW.source <> 'import' AND NEW.status NOT IN ('spam', 'trash')",
    "'email.received'",
    "NEW.created_at",
  ),
  outbox(
    "outbox_email_analyzed",
    "AFTER UPDATE OF analysis ON emails",
    "NEW.analysis IS NOT NULL AND NEW.analysis IS NOT OLD.analysis AND NEW.status <> 'spam'",
    "'email.analyzed'",
    "NEW.updated_at",
  ),
  outbox(
    "outbox_email_sent",
    "AFTER UPDATE OF delivery ON emails",
    "NEW.delivery = 'sent' AND OLD.delivery IS NOT 'sent'",
    "'email.sent'",
    "NEW.updated_at",
  ),
  // What a person or a rule changes. Analyses and deliveries have events of their own.
  outbox(
    "outbox_email_updated",
    "AFTER UPDATE OF status, is_read, is_starred, tags, snoozed_until, reply_needed ON emails",
    `${changed("status", "is_read", "is_starred", "tags", "snoozed_until")}
      OR (NEW.reply_needed IS NOT OLD.reply_needed AND NEW.analysis IS OLD.analysis)`,
    "'email.updated'",
    "NEW.updated_at",
  ),
  outbox("outbox_task_updated", "AFTER UPDATE OF version ON tasks", changed("version"), TASK_CHANGE, "NEW.updated_at"),
  outbox("outbox_task_deleted", "AFTER DELETE ON tasks", null, "'task.deleted'", NOW, "OLD.id"),
  outbox("outbox_event_inserted", "AFTER INSERT ON events", "NEW.deleted_at IS NULL", NEW_EVENT, "NEW.created_at"),
  outbox(
    "outbox_event_marked",
    "AFTER UPDATE OF deleted_at ON events",
    "(NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) AND NEW.recurring_event_id IS NULL",
    "iif(NEW.deleted_at IS NULL, 'event.created', 'event.deleted')",
    "NEW.updated_at",
  ),
  outbox(
    "outbox_event_updated",
    `AFTER UPDATE OF ${SEEN_OF_EVENTS.join(", ")} ON events`,
    `NEW.deleted_at IS NULL AND OLD.deleted_at IS NULL AND (${changed(...SEEN_OF_EVENTS)})`,
    "iif(NEW.status = 'cancelled' AND OLD.status <> 'cancelled', 'event.cancelled', 'event.updated')",
    "NEW.updated_at",
  ),
  // Occurrences are deleted with their series, which sends the event.
  outbox(
    "outbox_event_deleted",
    "AFTER DELETE ON events",
    "OLD.deleted_at IS NULL AND OLD.recurring_event_id IS NULL",
    "'event.deleted'",
    NOW,
    "OLD.id",
  ),
  outbox(
    "outbox_sync_finished",
    "AFTER UPDATE OF status ON sync_runs",
    "OLD.status = 'running' AND NEW.status <> 'running'",
    SYNC_RESULT,
    "NEW.finished_at",
  ),
  // A run that is recorded when it is over, as the webhooks of the booking provider are.
  outbox(
    "outbox_sync_recorded",
    "AFTER INSERT ON sync_runs",
    "NEW.status <> 'running'",
    SYNC_RESULT,
    "NEW.finished_at",
  ),
  outbox(
    "outbox_stream_inserted",
    "AFTER INSERT ON stream_sessions",
    "NEW.state = 'live'",
    "'stream.live'",
    "NEW.updated_at",
  ),
  outbox(
    "outbox_stream_updated",
    "AFTER UPDATE OF state ON stream_sessions",
    "NEW.state <> OLD.state AND NEW.state IN ('live', 'ended')",
    "'stream.' || NEW.state",
    "NEW.updated_at",
  ),
  outbox(
    "outbox_milestone_reached",
    "AFTER UPDATE OF reached_at ON stream_milestones",
    IS_REACHED,
    "'milestone.reached'",
    "NEW.updated_at",
  ),
  outbox(
    "outbox_caption_status",
    "AFTER UPDATE OF status ON captions",
    "NEW.status IN ('posted', 'failed') AND NEW.status <> OLD.status",
    "'caption.' || NEW.status",
    "NEW.updated_at",
  ),
  // An alert fires at most once a month.
  outbox(
    "outbox_token_alert",
    "AFTER UPDATE OF fired_month ON token_alerts",
    "NEW.fired_month IS NOT NULL AND NEW.fired_month IS NOT OLD.fired_month",
    "'tokens.alert'",
    "NEW.fired_at",
  ),
  // The id also says which of the two it is: an alert may be resolved before its first event is sent.
  outbox(
    "outbox_alert_opened",
    "AFTER INSERT ON service_alerts",
    null,
    "'service.alert'",
    "NEW.opened_at",
    "NEW.id || ':open'",
  ),
  outbox(
    "outbox_alert_resolved",
    "AFTER UPDATE OF resolved_at ON service_alerts",
    "OLD.resolved_at IS NULL AND NEW.resolved_at IS NOT NULL",
    "'service.alert'",
    "NEW.resolved_at",
    "NEW.id || ':resolved'",
  ),
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
  ...QUARTER_COUNTS.flatMap(quarterCounts),
  ...LIVE,
  ...OUTBOX,
  ...HABITS,
  ...EVENT_DAYS,
].join("\n\n");
