-- The number of webhook endpoints, for the plan's limit and the usage page. Its row in `counters` always exists.
CREATE TRIGGER statistics_webhook_insert AFTER INSERT ON webhook_endpoints BEGIN
  UPDATE counters SET value = value + 1 WHERE area = 'service' AND key = 'webhooks';
END;

CREATE TRIGGER statistics_webhook_delete AFTER DELETE ON webhook_endpoints BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'service' AND key = 'webhooks';
END;

-- The outbound event of a job that has not succeeded for a day: one for each outage.
CREATE TRIGGER outbox_job_alerted AFTER UPDATE OF alerted_at ON jobs
WHEN OLD.alerted_at IS NULL AND NEW.alerted_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('service.alert', NEW.name, NEW.alerted_at);
END;
