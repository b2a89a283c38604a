-- The log behind GET /api/live: one row for each change that a client can see. A move that has a name of its own, as in
-- outbound events, is written instead of `updated`. `lib/live-kinds.ts` lists the types and who may read them.

-- A statement that changes more than 200 records (the deletion of everything, an import) names the first 200. Then it
-- leaves one `reset`: read everything again.
CREATE TRIGGER changes_of_many BEFORE INSERT ON changes
WHEN NEW.type <> 'reset' AND NEW.at = (SELECT at FROM changes WHERE id = (SELECT max(id) FROM changes) - 199) BEGIN
  INSERT INTO changes (at, type)
    SELECT NEW.at, 'reset' WHERE (SELECT type FROM changes ORDER BY id DESC LIMIT 1) <> 'reset';
  SELECT RAISE(IGNORE);
END;

CREATE TRIGGER changes_email_inserted AFTER INSERT ON emails BEGIN
  INSERT INTO changes (type, record_id, version)
    VALUES (iif(NEW.direction = 'inbound', 'email.received', 'email.created'), NEW.id, NEW.version);
END;

-- Two threads that are merged change their emails without a new version.
CREATE TRIGGER changes_email_updated AFTER UPDATE OF version, thread_id ON emails
WHEN NEW.version <> OLD.version OR NEW.thread_id <> OLD.thread_id BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (
    CASE
      WHEN NEW.analysis IS NOT NULL AND NEW.analysis IS NOT OLD.analysis THEN 'email.analyzed'
      WHEN NEW.delivery = 'sent' AND OLD.delivery IS NOT 'sent' THEN 'email.sent'
      ELSE 'email.updated'
    END,
    NEW.id, NEW.version
  );
END;

CREATE TRIGGER changes_email_deleted AFTER DELETE ON emails BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('email.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_draft_inserted AFTER INSERT ON email_drafts BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('draft.created', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_draft_updated AFTER UPDATE OF version ON email_drafts WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('draft.updated', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_draft_deleted AFTER DELETE ON email_drafts BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('draft.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_task_inserted AFTER INSERT ON tasks BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('task.created', NEW.id, NEW.version);
END;

-- A task whose email or event was deleted loses the link without a new version.
CREATE TRIGGER changes_task_updated AFTER UPDATE OF version, email_id, event_id ON tasks
WHEN NEW.version <> OLD.version OR NEW.email_id IS NOT OLD.email_id OR NEW.event_id IS NOT OLD.event_id BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (
    iif(NEW.status = 'done' AND OLD.status <> 'done', 'task.completed', 'task.updated'), NEW.id, NEW.version
  );
END;

CREATE TRIGGER changes_task_deleted AFTER DELETE ON tasks BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('task.deleted', OLD.id, OLD.version);
END;

-- How many tasks a list has changes with the tasks, and without a new version.
CREATE TRIGGER changes_list_inserted AFTER INSERT ON task_lists BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('list.created', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_list_updated AFTER UPDATE OF version ON task_lists WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('list.updated', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_list_deleted AFTER DELETE ON task_lists BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('list.deleted', OLD.id, OLD.version);
END;

-- An occurrence gets its own row when it is first edited: clients see a change, not a new event.
CREATE TRIGGER changes_event_inserted AFTER INSERT ON events WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (
    CASE
      WHEN NEW.recurring_event_id IS NULL THEN 'event.created'
      WHEN NEW.status = 'cancelled' THEN 'event.cancelled'
      ELSE 'event.updated'
    END,
    NEW.id, NEW.version
  );
END;

-- An event from outside that is deleted here keeps its row, marked as deleted, and may come back.
CREATE TRIGGER changes_event_updated AFTER UPDATE OF version ON events
WHEN NEW.version <> OLD.version AND (NEW.deleted_at IS NULL OR OLD.deleted_at IS NULL) BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (
    CASE
      WHEN NEW.deleted_at IS NOT NULL THEN 'event.deleted'
      WHEN OLD.deleted_at IS NOT NULL THEN 'event.created'
      WHEN NEW.status = 'cancelled' AND OLD.status <> 'cancelled' THEN 'event.cancelled'
      ELSE 'event.updated'
    END,
    NEW.id, NEW.version
  );
END;

CREATE TRIGGER changes_event_deleted AFTER DELETE ON events WHEN OLD.deleted_at IS NULL BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('event.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_stream_inserted AFTER INSERT ON stream_sessions BEGIN
  INSERT INTO changes (type, record_id, version)
    VALUES ('stream.' || iif(NEW.state IN ('live', 'ended'), NEW.state, 'created'), NEW.id, NEW.version);
END;

CREATE TRIGGER changes_stream_updated AFTER UPDATE OF version ON stream_sessions WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (
    'stream.' || iif(NEW.state <> OLD.state AND NEW.state IN ('live', 'ended'), NEW.state, 'updated'),
    NEW.id, NEW.version
  );
END;

CREATE TRIGGER changes_stream_deleted AFTER DELETE ON stream_sessions BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('stream.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_milestone_inserted AFTER INSERT ON stream_milestones BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('milestone.created', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_milestone_updated AFTER UPDATE OF version ON stream_milestones
WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (
    iif(
      OLD.reached_at IS NULL AND NEW.reached_at IS NOT NULL AND NOT NEW.passed_before,
      'milestone.reached', 'milestone.updated'
    ),
    NEW.id, NEW.version
  );
END;

CREATE TRIGGER changes_milestone_deleted AFTER DELETE ON stream_milestones BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('milestone.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_caption_inserted AFTER INSERT ON captions BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('caption.created', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_caption_updated AFTER UPDATE OF version ON captions WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (
    'caption.' || iif(NEW.status <> OLD.status AND NEW.status IN ('posted', 'failed'), NEW.status, 'updated'),
    NEW.id, NEW.version
  );
END;

CREATE TRIGGER changes_caption_deleted AFTER DELETE ON captions BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('caption.deleted', OLD.id, OLD.version);
END;

-- Runs of the booking sync. The webhooks of the provider are recorded as runs that are over. Old runs are purged
-- without a word.
CREATE TRIGGER changes_sync_inserted AFTER INSERT ON sync_runs BEGIN
  INSERT INTO changes (type, record_id) VALUES (
    CASE NEW.status WHEN 'running' THEN 'sync.created' WHEN 'failed' THEN 'sync.failed' ELSE 'sync.completed' END,
    NEW.id
  );
END;

-- Not every renewal of the lease.
CREATE TRIGGER changes_sync_updated AFTER UPDATE ON sync_runs
WHEN NEW.status <> OLD.status OR NEW.fetched <> OLD.fetched BEGIN
  INSERT INTO changes (type, record_id) VALUES (
    CASE
      WHEN NEW.status = OLD.status OR NEW.status = 'running' THEN 'sync.updated'
      WHEN NEW.status = 'failed' THEN 'sync.failed'
      ELSE 'sync.completed'
    END,
    NEW.id
  );
END;

-- Proposals of the assistant, for whoever may read their conversation: callers without a credential share theirs, and an
-- API key sees only what it started.
CREATE TRIGGER changes_proposal_inserted AFTER INSERT ON chat_proposals BEGIN
  INSERT INTO changes (type, record_id, audience)
    SELECT 'proposal.created', NEW.id, coalesce('user:' || user_id || coalesce(' key:' || api_key_id, ''), 'anonymous')
    FROM chat_conversations WHERE id = NEW.conversation_id;
END;

CREATE TRIGGER changes_proposal_updated AFTER UPDATE OF status, result ON chat_proposals
WHEN NEW.status <> OLD.status OR NEW.result IS NOT OLD.result BEGIN
  INSERT INTO changes (type, record_id, audience)
    SELECT 'proposal.' || iif(NEW.status <> OLD.status AND NEW.status <> 'open', NEW.status, 'updated'), NEW.id,
      coalesce('user:' || user_id || coalesce(' key:' || api_key_id, ''), 'anonymous')
    FROM chat_conversations WHERE id = NEW.conversation_id;
END;

-- They are deleted only with their conversation, and after a day nobody can decide about them any more.
CREATE TRIGGER changes_proposal_deleted BEFORE DELETE ON chat_conversations BEGIN
  INSERT INTO changes (type, record_id, audience)
    SELECT 'proposal.deleted', id,
      coalesce('user:' || OLD.user_id || coalesce(' key:' || OLD.api_key_id, ''), 'anonymous')
    FROM chat_proposals
    WHERE conversation_id = OLD.id AND status = 'open' AND expires_at > unixepoch('subsec') * 1000;
END;

-- Deliveries of outbound events, for the person whose endpoint it is: when they are made, and when an attempt has ended.
-- They are deleted only with their endpoint, and after 30 days.
CREATE TRIGGER changes_delivery_inserted AFTER INSERT ON webhook_deliveries BEGIN
  INSERT INTO changes (type, record_id, audience)
    SELECT 'delivery.created', NEW.id, 'user:' || user_id FROM webhook_endpoints WHERE id = NEW.endpoint_id;
END;

CREATE TRIGGER changes_delivery_updated AFTER UPDATE ON webhook_deliveries
WHEN NEW.status <> OLD.status OR NEW.response_status IS NOT OLD.response_status OR NEW.error IS NOT OLD.error
  OR NEW.duration_ms IS NOT OLD.duration_ms BEGIN
  INSERT INTO changes (type, record_id, audience)
    SELECT 'delivery.' || iif(NEW.status <> OLD.status AND NEW.status <> 'pending', NEW.status, 'updated'), NEW.id,
      'user:' || user_id
    FROM webhook_endpoints WHERE id = NEW.endpoint_id;
END;

-- Reminders, for the person they remind: when they fire, also again after a snooze, and when that person has answered.
-- They are deleted only with the account, and after 90 days.
CREATE TRIGGER changes_reminder_inserted AFTER INSERT ON reminders BEGIN
  INSERT INTO changes (type, record_id, version, audience)
    VALUES ('reminder.fired', NEW.id, NEW.version, 'user:' || NEW.user_id);
END;

CREATE TRIGGER changes_reminder_updated AFTER UPDATE OF version ON reminders WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO changes (type, record_id, version, audience) VALUES (
    CASE
      WHEN NEW.fired_at <> OLD.fired_at THEN 'reminder.fired'
      WHEN NEW.state <> OLD.state AND NEW.state <> 'fired' THEN 'reminder.' || NEW.state
      ELSE 'reminder.updated'
    END,
    NEW.id, NEW.version, 'user:' || NEW.user_id
  );
END;
