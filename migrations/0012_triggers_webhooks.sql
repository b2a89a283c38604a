-- The number of webhook endpoints, for the plan's limit and the usage page. Its row in `counters` always exists.
CREATE TRIGGER statistics_webhook_insert AFTER INSERT ON webhook_endpoints BEGIN
  UPDATE counters SET value = value + 1 WHERE area = 'service' AND key = 'webhooks';
END;

CREATE TRIGGER statistics_webhook_delete AFTER DELETE ON webhook_endpoints BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'service' AND key = 'webhooks';
END;
