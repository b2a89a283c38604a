-- Each change of a stream adds a line to the event log, from which live feeds are served. The version changes with every
-- change that a client sees.
CREATE TRIGGER stream_sessions_inserted AFTER INSERT ON stream_sessions BEGIN
  INSERT INTO stream_events (type, at, data) VALUES (
    'session.' || NEW.state, NEW.updated_at,
    json_object(
      'sessionId', NEW.id, 'platform', NEW.platform, 'externalId', NEW.external_id, 'title', NEW.title,
      'url', NEW.url, 'state', NEW.state, 'viewers', NEW.viewers, 'peakViewers', NEW.peak_viewers,
      'version', NEW.version
    )
  );
END;

CREATE TRIGGER stream_sessions_changed AFTER UPDATE ON stream_sessions WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO stream_events (type, at, data) VALUES (
    'session.' || iif(NEW.state = OLD.state, 'updated', NEW.state), NEW.updated_at,
    json_object(
      'sessionId', NEW.id, 'platform', NEW.platform, 'externalId', NEW.external_id, 'title', NEW.title,
      'url', NEW.url, 'state', NEW.state, 'viewers', NEW.viewers, 'peakViewers', NEW.peak_viewers,
      'version', NEW.version
    )
  );
END;

-- A milestone is reached once. One that the count had passed before is not an event.
CREATE TRIGGER stream_milestones_reached AFTER UPDATE OF reached_at ON stream_milestones
WHEN OLD.reached_at IS NULL AND NEW.reached_at IS NOT NULL AND NOT NEW.passed_before BEGIN
  INSERT INTO stream_events (type, at, data) VALUES (
    'milestone.reached', NEW.updated_at,
    json_object(
      'milestoneId', NEW.id, 'metric', NEW.metric, 'threshold', NEW.threshold,
      'value', NEW.reached_value, 'platform', NEW.platform, 'sessionId', NEW.session_id
    )
  );
END;

-- A caption that was posted or failed.
CREATE TRIGGER captions_posted AFTER UPDATE OF status ON captions
WHEN NEW.status IN ('posted', 'failed') AND NEW.status <> OLD.status BEGIN
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
