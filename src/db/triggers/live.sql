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
