-- The number of API keys, for the plan's limit and the usage page. Its row in `counters` always exists.
CREATE TRIGGER statistics_api_key_insert AFTER INSERT ON api_keys BEGIN
  UPDATE counters SET value = value + 1 WHERE area = 'service' AND key = 'api_keys';
END;

CREATE TRIGGER statistics_api_key_delete AFTER DELETE ON api_keys BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'service' AND key = 'api_keys';
END;
