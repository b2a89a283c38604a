-- What happened to mail, tasks, events and syncs, for the endpoints that want to hear of it.
CREATE TRIGGER `outbox_email_received` AFTER INSERT ON `emails`
WHEN NEW.direction = 'inbound' AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
	INSERT INTO outbox (type, record_id, at) VALUES ('email.received', NEW.id, NEW.created_at);
END;
--> statement-breakpoint
CREATE TRIGGER `outbox_email_analyzed` AFTER UPDATE OF `analysis` ON `emails`
WHEN NEW.analysis IS NOT NULL AND NEW.analysis IS NOT OLD.analysis
	AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
	INSERT INTO outbox (type, record_id, at) VALUES ('email.analyzed', NEW.id, NEW.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER `outbox_task_created` AFTER INSERT ON `tasks`
WHEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
	INSERT INTO outbox (type, record_id, at) VALUES ('task.created', NEW.id, NEW.created_at);
	INSERT INTO outbox (type, record_id, at) SELECT 'task.completed', NEW.id, NEW.created_at WHERE NEW.status = 'done';
END;
--> statement-breakpoint
CREATE TRIGGER `outbox_task_completed` AFTER UPDATE OF `status` ON `tasks`
WHEN NEW.status = 'done' AND OLD.status <> 'done' AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
	INSERT INTO outbox (type, record_id, at) VALUES ('task.completed', NEW.id, NEW.updated_at);
END;
--> statement-breakpoint
-- An occurrence gets a row of its own when it is first edited: to others that is a change, not a new event.
CREATE TRIGGER `outbox_event_inserted` AFTER INSERT ON `events`
WHEN NEW.deleted_at IS NULL AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
	INSERT INTO outbox (type, record_id, at) VALUES (
		CASE
			WHEN NEW.recurring_event_id IS NULL THEN 'event.created'
			WHEN NEW.status = 'cancelled' THEN 'event.cancelled'
			ELSE 'event.updated'
		END,
		NEW.id, NEW.created_at
	);
END;
--> statement-breakpoint
-- What came from outside and is deleted here leaves its row behind, marked; it may come to life again.
CREATE TRIGGER `outbox_event_marked` AFTER UPDATE OF `deleted_at` ON `events`
WHEN (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) AND NEW.recurring_event_id IS NULL
	AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
	INSERT INTO outbox (type, record_id, at) SELECT 'event.created', NEW.id, NEW.updated_at WHERE NEW.deleted_at IS NULL;
	INSERT INTO outbox (type, record_id, at) SELECT 'event.cancelled', NEW.id, NEW.updated_at
		WHERE NEW.deleted_at IS NOT NULL AND OLD.status <> 'cancelled';
END;
--> statement-breakpoint
-- Not every column: bookkeeping of the sync and of edited occurrences changes nothing that a client sees.
CREATE TRIGGER `outbox_event_updated` AFTER UPDATE ON `events`
WHEN NEW.deleted_at IS NULL AND OLD.deleted_at IS NULL AND (
	NEW.title <> OLD.title OR NEW.description IS NOT OLD.description
	OR NEW.start_at <> OLD.start_at OR NEW.end_at <> OLD.end_at
	OR NEW.start_date IS NOT OLD.start_date OR NEW.end_date IS NOT OLD.end_date OR NEW.time_zone <> OLD.time_zone
	OR NEW.location IS NOT OLD.location OR NEW.meeting_url IS NOT OLD.meeting_url
	OR NEW.status <> OLD.status OR NEW.busy <> OLD.busy OR NEW.cancel_reason IS NOT OLD.cancel_reason
	OR NEW.external_status IS NOT OLD.external_status
	OR NEW.organizer IS NOT OLD.organizer OR NEW.attendees <> OLD.attendees
	OR NEW.tags <> OLD.tags OR NEW.notes IS NOT OLD.notes
	OR NEW.rrule IS NOT OLD.rrule OR NEW.exdates <> OLD.exdates
) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
	INSERT INTO outbox (type, record_id, at) VALUES (
		CASE WHEN NEW.status = 'cancelled' AND OLD.status <> 'cancelled' THEN 'event.cancelled' ELSE 'event.updated' END,
		NEW.id, NEW.updated_at
	);
END;
--> statement-breakpoint
-- Gone for good. Occurrences go with their series, or when it no longer has them: the series tells of that.
CREATE TRIGGER `outbox_event_deleted` AFTER DELETE ON `events`
WHEN OLD.deleted_at IS NULL AND OLD.status <> 'cancelled' AND OLD.recurring_event_id IS NULL
	AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
	INSERT INTO outbox (type, record_id, at)
		VALUES ('event.cancelled', OLD.id, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;
--> statement-breakpoint
CREATE TRIGGER `outbox_sync_finished` AFTER UPDATE OF `status` ON `sync_runs`
WHEN OLD.status = 'running' AND NEW.status <> 'running'
	AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
	INSERT INTO outbox (type, record_id, at) VALUES (
		CASE NEW.status WHEN 'failed' THEN 'sync.failed' ELSE 'sync.completed' END, NEW.id, NEW.finished_at
	);
END;
--> statement-breakpoint
-- What the booking provider's own webhooks bring is written down when it is done.
CREATE TRIGGER `outbox_sync_recorded` AFTER INSERT ON `sync_runs`
WHEN NEW.status <> 'running' AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
	INSERT INTO outbox (type, record_id, at) VALUES (
		CASE NEW.status WHEN 'failed' THEN 'sync.failed' ELSE 'sync.completed' END, NEW.id, NEW.finished_at
	);
END;
