-- AI calls summed by hour and model, by day and model, and by month. Deleting a call leaves the sums: calls are deleted
-- after 400 days, and the budget of a month must not shrink.
CREATE TRIGGER ai_usage_insert AFTER INSERT ON ai_calls BEGIN
  INSERT INTO ai_usage (hour, model, calls, fallbacks, input_tokens, output_tokens)
    VALUES (
      NEW.at - NEW.at % 3600000, NEW.model, 1, NEW.fallback_reason IS NOT NULL,
      NEW.input_tokens, NEW.output_tokens
    )
    ON CONFLICT (hour, model) DO UPDATE SET
      calls = calls + 1,
      fallbacks = fallbacks + excluded.fallbacks,
      input_tokens = input_tokens + excluded.input_tokens,
      output_tokens = output_tokens + excluded.output_tokens;
END;

CREATE TRIGGER ai_usage_days_insert AFTER INSERT ON ai_calls BEGIN
  INSERT INTO ai_usage_days (day, model, calls, fallbacks, input_tokens, output_tokens)
    VALUES (
      NEW.at - NEW.at % 86400000, NEW.model, 1, NEW.fallback_reason IS NOT NULL,
      NEW.input_tokens, NEW.output_tokens
    )
    ON CONFLICT (day, model) DO UPDATE SET
      calls = calls + 1,
      fallbacks = fallbacks + excluded.fallbacks,
      input_tokens = input_tokens + excluded.input_tokens,
      output_tokens = output_tokens + excluded.output_tokens;
END;

CREATE TRIGGER ai_usage_months_insert AFTER INSERT ON ai_calls BEGIN
  INSERT INTO ai_usage_months (month, calls, fallbacks, input_tokens, output_tokens)
    VALUES (
      strftime('%Y-%m', NEW.at / 1000, 'unixepoch'), 1, NEW.fallback_reason IS NOT NULL,
      NEW.input_tokens, NEW.output_tokens
    )
    ON CONFLICT (month) DO UPDATE SET
      calls = calls + 1,
      fallbacks = fallbacks + excluded.fallbacks,
      input_tokens = input_tokens + excluded.input_tokens,
      output_tokens = output_tokens + excluded.output_tokens;
END;

-- An alert fires at most once a month; the outbound event follows that.
CREATE TRIGGER outbox_token_alert AFTER UPDATE OF fired_month ON token_alerts
WHEN NEW.fired_month IS NOT NULL AND NEW.fired_month IS NOT OLD.fired_month BEGIN
  INSERT INTO outbox (type, record_id, at)
    SELECT 'tokens.alert', NEW.id, NEW.fired_at
    WHERE EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1);
END;
