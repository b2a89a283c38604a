-- `stream_totals` sums the sessions of a platform; its three rows always exist. Each change also adds a line to the
-- event log, from which live feeds are served. The version changes with every change that a client sees.
CREATE TRIGGER stream_sessions_inserted AFTER INSERT ON stream_sessions BEGIN
  UPDATE stream_totals SET
    scheduled = scheduled + (NEW.state = 'scheduled'),
    live = live + (NEW.state = 'live'),
    ended = ended + (NEW.state = 'ended'),
    cancelled = cancelled + (NEW.state = 'cancelled'),
    streamed_ms = streamed_ms + iif(NEW.state = 'ended', NEW.ended_at - NEW.started_at, 0),
    peak_sum = peak_sum + iif(NEW.state = 'ended', NEW.peak_viewers, 0)
  WHERE platform = NEW.platform;
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
  UPDATE stream_totals SET
    scheduled = scheduled + (NEW.state = 'scheduled') - (OLD.state = 'scheduled'),
    live = live + (NEW.state = 'live') - (OLD.state = 'live'),
    ended = ended + (NEW.state = 'ended') - (OLD.state = 'ended'),
    cancelled = cancelled + (NEW.state = 'cancelled') - (OLD.state = 'cancelled'),
    streamed_ms = streamed_ms + iif(NEW.state = 'ended', NEW.ended_at - NEW.started_at, 0)
      - iif(OLD.state = 'ended', OLD.ended_at - OLD.started_at, 0),
    peak_sum = peak_sum + iif(NEW.state = 'ended', NEW.peak_viewers, 0)
      - iif(OLD.state = 'ended', OLD.peak_viewers, 0)
  WHERE platform = NEW.platform;
  INSERT INTO stream_events (type, at, data) VALUES (
    'session.' || iif(NEW.state = OLD.state, 'updated', NEW.state), NEW.updated_at,
    json_object(
      'sessionId', NEW.id, 'platform', NEW.platform, 'externalId', NEW.external_id, 'title', NEW.title,
      'url', NEW.url, 'state', NEW.state, 'viewers', NEW.viewers, 'peakViewers', NEW.peak_viewers,
      'version', NEW.version
    )
  );
END;

CREATE TRIGGER stream_sessions_deleted AFTER DELETE ON stream_sessions BEGIN
  UPDATE stream_totals SET
    scheduled = scheduled - (OLD.state = 'scheduled'),
    live = live - (OLD.state = 'live'),
    ended = ended - (OLD.state = 'ended'),
    cancelled = cancelled - (OLD.state = 'cancelled'),
    streamed_ms = streamed_ms - iif(OLD.state = 'ended', OLD.ended_at - OLD.started_at, 0),
    peak_sum = peak_sum - iif(OLD.state = 'ended', OLD.peak_viewers, 0)
  WHERE platform = OLD.platform;
END;

-- Outbound events. Nothing is written while no webhook endpoint is enabled.
CREATE TRIGGER outbox_stream_inserted AFTER INSERT ON stream_sessions WHEN NEW.state = 'live' BEGIN
  INSERT INTO outbox (type, record_id, at)
    SELECT 'stream.live', NEW.id, NEW.updated_at
    WHERE EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1);
END;

CREATE TRIGGER outbox_stream_updated AFTER UPDATE OF state ON stream_sessions
WHEN NEW.state <> OLD.state AND NEW.state IN ('live', 'ended') BEGIN
  INSERT INTO outbox (type, record_id, at)
    SELECT 'stream.' || NEW.state, NEW.id, NEW.updated_at
    WHERE EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1);
END;

-- The event log and the outbound event of a milestone. It is reached once. One that the count had passed before is not
-- an event.
CREATE TRIGGER outbox_milestone_reached AFTER UPDATE OF reached_at ON stream_milestones
WHEN OLD.reached_at IS NULL AND NEW.reached_at IS NOT NULL AND NOT NEW.passed_before BEGIN
  INSERT INTO stream_events (type, at, data) VALUES (
    'milestone.reached', NEW.updated_at,
    json_object(
      'milestoneId', NEW.id, 'metric', NEW.metric, 'threshold', NEW.threshold,
      'value', NEW.reached_value, 'platform', NEW.platform, 'sessionId', NEW.session_id
    )
  );
  INSERT INTO outbox (type, record_id, at)
    SELECT 'milestone.reached', NEW.id, NEW.updated_at
    WHERE EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1);
END;
