-- The outbound event and the event log of a caption that was posted or failed.
CREATE TRIGGER outbox_caption_status AFTER UPDATE OF status ON captions
WHEN NEW.status IN ('posted', 'failed') AND NEW.status <> OLD.status BEGIN
  INSERT INTO outbox (type, record_id, at)
    SELECT 'caption.' || NEW.status, NEW.id, NEW.updated_at
    WHERE EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1);
  INSERT INTO stream_events (type, at, data) VALUES (
    'caption.' || NEW.status, NEW.updated_at,
    json_object(
      'captionId', NEW.id, 'kind', NEW.kind, 'platform', NEW.platform, 'sessionId', NEW.session_id,
      'milestoneId', NEW.milestone_id, 'postUrl', NEW.post_url,
      'uncertain', json(iif(NEW.uncertain, 'true', 'false'))
    )
  );
END;

-- Captions by platform and status.
CREATE TRIGGER caption_totals_insert AFTER INSERT ON captions BEGIN
  INSERT INTO caption_totals (platform, status, count) VALUES (NEW.platform, NEW.status, 1)
    ON CONFLICT (platform, status) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER caption_totals_update AFTER UPDATE OF status ON captions WHEN NEW.status <> OLD.status BEGIN
  UPDATE caption_totals SET count = count - 1
    WHERE platform = OLD.platform AND status = OLD.status;
  INSERT INTO caption_totals (platform, status, count) VALUES (NEW.platform, NEW.status, 1)
    ON CONFLICT (platform, status) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER caption_totals_delete AFTER DELETE ON captions BEGIN
  UPDATE caption_totals SET count = count - 1
    WHERE platform = OLD.platform AND status = OLD.status;
END;
