import { changed, liveChanges, NOW, outbox } from "./templates.ts";

/* Triggers that tell others of a change: live clients, and the webhooks of people. */

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

export const TOLD = [...LIVE, ...OUTBOX];
