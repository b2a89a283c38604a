-- The number of webhook endpoints, for the plan's limit and the usage page. Its row in `counters` always exists.
CREATE TRIGGER statistics_webhook_insert AFTER INSERT ON webhook_endpoints BEGIN
  UPDATE counters SET value = value + 1 WHERE area = 'service' AND key = 'webhooks';
END;

CREATE TRIGGER statistics_webhook_delete AFTER DELETE ON webhook_endpoints BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'service' AND key = 'webhooks';
END;

-- Outbound events of service alerts: one when a problem is told for the first time, …
CREATE TRIGGER outbox_alert_opened AFTER INSERT ON service_alerts
WHEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('service.alert', NEW.id || ':open', NEW.opened_at);
END;

-- … and one when it is over. The record's id also says which of the two it is: an alert may be resolved before its
-- first event is sent.
CREATE TRIGGER outbox_alert_resolved AFTER UPDATE OF resolved_at ON service_alerts
WHEN OLD.resolved_at IS NULL AND NEW.resolved_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('service.alert', NEW.id || ':resolved', NEW.resolved_at);
END;
