-- Outbound events of sync runs: one when a running run finishes, …
CREATE TRIGGER outbox_sync_finished AFTER UPDATE OF status ON sync_runs
WHEN OLD.status = 'running' AND NEW.status <> 'running'
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES (
    CASE NEW.status WHEN 'failed' THEN 'sync.failed' ELSE 'sync.completed' END, NEW.id, NEW.finished_at
  );
END;

-- … and one for a run that is recorded when it is over, as the webhooks of the booking provider are.
CREATE TRIGGER outbox_sync_recorded AFTER INSERT ON sync_runs
WHEN NEW.status <> 'running' AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES (
    CASE NEW.status WHEN 'failed' THEN 'sync.failed' ELSE 'sync.completed' END, NEW.id, NEW.finished_at
  );
END;
