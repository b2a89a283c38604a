-- `calendar_state.revision` changes with every event, `series_revision` with every series: cached occurrences and the
-- ETag of the feed depend on them. `totals` counts events by status and source; an edited occurrence belongs to its
-- series and is not counted. `last_event_id` is what the next id is made from (db/next-id.ts).
CREATE TRIGGER events_inserted AFTER INSERT ON events BEGIN
  UPDATE calendar_state SET
    last_event_id = max(last_event_id, NEW.id),
    revision = revision + 1,
    series_revision = series_revision + (NEW.rrule IS NOT NULL),
    totals = json_patch(totals, json_object(
      NEW.status || ' ' || NEW.source,
      coalesce((SELECT value FROM json_each(totals) WHERE key = NEW.status || ' ' || NEW.source), 0)
        + (NEW.deleted_at IS NULL AND NEW.recurring_event_id IS NULL)
    ));
END;

CREATE TRIGGER events_updated AFTER UPDATE ON events BEGIN
  UPDATE calendar_state SET
    revision = revision + 1,
    series_revision = series_revision + (NEW.rrule IS NOT NULL OR OLD.rrule IS NOT NULL),
    totals = iif(
      NEW.status = OLD.status AND NEW.source = OLD.source
        AND (NEW.deleted_at IS NULL AND NEW.recurring_event_id IS NULL)
          = (OLD.deleted_at IS NULL AND OLD.recurring_event_id IS NULL),
      totals,
      json_patch(totals, json_object(
        OLD.status || ' ' || OLD.source,
        coalesce((SELECT value FROM json_each(totals) WHERE key = OLD.status || ' ' || OLD.source), 0)
          - (OLD.deleted_at IS NULL AND OLD.recurring_event_id IS NULL)
          + (
            NEW.status = OLD.status AND NEW.source = OLD.source
            AND (NEW.deleted_at IS NULL AND NEW.recurring_event_id IS NULL)
          ),
        NEW.status || ' ' || NEW.source,
        coalesce((SELECT value FROM json_each(totals) WHERE key = NEW.status || ' ' || NEW.source), 0)
          + (NEW.deleted_at IS NULL AND NEW.recurring_event_id IS NULL)
          - (
            NEW.status = OLD.status AND NEW.source = OLD.source
            AND (OLD.deleted_at IS NULL AND OLD.recurring_event_id IS NULL)
          )
      ))
    );
END;

CREATE TRIGGER events_deleted AFTER DELETE ON events BEGIN
  UPDATE calendar_state SET
    revision = revision + 1,
    series_revision = series_revision + (OLD.rrule IS NOT NULL),
    totals = json_patch(totals, json_object(
      OLD.status || ' ' || OLD.source,
      coalesce((SELECT value FROM json_each(totals) WHERE key = OLD.status || ' ' || OLD.source), 0)
        - (OLD.deleted_at IS NULL AND OLD.recurring_event_id IS NULL)
    ));
END;

-- `event_days` has the events of a day in one row. A change makes the row again from the events: they are few, and
-- reading them costs a thousandth of writing them.
CREATE TRIGGER event_days_insert AFTER INSERT ON events WHEN NEW.span <= 2 AND NEW.status <> 'cancelled' BEGIN
  INSERT INTO event_days (day, events)
  SELECT day, (
    SELECT iif(count(*) > 200, NULL, json_group_array(json_array(start_at, end_at, busy, start_date IS NOT NULL)))
    FROM (
      SELECT start_at, end_at, busy, start_date FROM events
      WHERE span IN (0, 1, 2) AND start_at >= changed.day AND start_at < changed.day + 86400000
        AND status <> 'cancelled'
      ORDER BY span, start_at, id LIMIT 201
    )
  ) FROM (SELECT NEW.start_at - (NEW.start_at % 86400000 + 86400000) % 86400000 AS day) AS changed
  WHERE true
  ON CONFLICT (day) DO UPDATE SET events = excluded.events;
END;

CREATE TRIGGER event_days_update AFTER UPDATE OF start_at, end_at, start_date, span, status, busy ON events
WHEN NEW.start_at <> OLD.start_at OR NEW.end_at <> OLD.end_at OR NEW.span IS NOT OLD.span OR NEW.busy <> OLD.busy
  OR (NEW.start_date IS NULL) <> (OLD.start_date IS NULL)
  OR (NEW.status = 'cancelled') <> (OLD.status = 'cancelled') BEGIN
  INSERT INTO event_days (day, events)
  SELECT day, (
    SELECT iif(count(*) > 200, NULL, json_group_array(json_array(start_at, end_at, busy, start_date IS NOT NULL)))
    FROM (
      SELECT start_at, end_at, busy, start_date FROM events
      WHERE span IN (0, 1, 2) AND start_at >= changed.day AND start_at < changed.day + 86400000
        AND status <> 'cancelled'
      ORDER BY span, start_at, id LIMIT 201
    )
  ) FROM (
    SELECT OLD.start_at - (OLD.start_at % 86400000 + 86400000) % 86400000 AS day
    UNION SELECT NEW.start_at - (NEW.start_at % 86400000 + 86400000) % 86400000
  ) AS changed
  WHERE EXISTS (
    SELECT 1 FROM events
    WHERE span IN (0, 1, 2) AND start_at >= changed.day AND start_at < changed.day + 86400000 AND status <> 'cancelled'
  )
  ON CONFLICT (day) DO UPDATE SET events = excluded.events;
  DELETE FROM event_days WHERE day IN (
    OLD.start_at - (OLD.start_at % 86400000 + 86400000) % 86400000,
    NEW.start_at - (NEW.start_at % 86400000 + 86400000) % 86400000
  ) AND NOT EXISTS (
    SELECT 1 FROM events
    WHERE span IN (0, 1, 2) AND start_at >= event_days.day AND start_at < event_days.day + 86400000
      AND status <> 'cancelled'
  );
END;

CREATE TRIGGER event_days_delete AFTER DELETE ON events WHEN OLD.span <= 2 AND OLD.status <> 'cancelled' BEGIN
  INSERT INTO event_days (day, events)
  SELECT day, (
    SELECT iif(count(*) > 200, NULL, json_group_array(json_array(start_at, end_at, busy, start_date IS NOT NULL)))
    FROM (
      SELECT start_at, end_at, busy, start_date FROM events
      WHERE span IN (0, 1, 2) AND start_at >= changed.day AND start_at < changed.day + 86400000
        AND status <> 'cancelled'
      ORDER BY span, start_at, id LIMIT 201
    )
  ) FROM (SELECT OLD.start_at - (OLD.start_at % 86400000 + 86400000) % 86400000 AS day) AS changed
  WHERE EXISTS (
    SELECT 1 FROM events
    WHERE span IN (0, 1, 2) AND start_at >= changed.day AND start_at < changed.day + 86400000 AND status <> 'cancelled'
  )
  ON CONFLICT (day) DO UPDATE SET events = excluded.events;
  DELETE FROM event_days WHERE day IN (OLD.start_at - (OLD.start_at % 86400000 + 86400000) % 86400000) AND NOT EXISTS (
    SELECT 1 FROM events
    WHERE span IN (0, 1, 2) AND start_at >= event_days.day AND start_at < event_days.day + 86400000
      AND status <> 'cancelled'
  );
END;

-- Starts and ends of single events that are not cancelled, by quarters of an hour (see emails.sql). An end counts in the
-- quarter of its last millisecond, so that an event that ends at midnight does not count for the next day.
CREATE TRIGGER quarters_event_insert AFTER INSERT ON events
WHEN NEW.span IS NOT NULL AND NEW.status <> 'cancelled' BEGIN
  UPDATE quarters SET
    event_starts = iif(id = max(NEW.start_at, 0) / 172800000, json_set(event_starts, '$[' || (max(NEW.start_at, 0) % 172800000 / 900000) || ']', (event_starts ->> (max(NEW.start_at, 0) % 172800000 / 900000)) + 1), event_starts),
    event_ends = iif(id = max(NEW.end_at - 1, 0) / 172800000, json_set(event_ends, '$[' || (max(NEW.end_at - 1, 0) % 172800000 / 900000) || ']', (event_ends ->> (max(NEW.end_at - 1, 0) % 172800000 / 900000)) + 1), event_ends)
  WHERE id IN (max(NEW.start_at, 0) / 172800000, max(NEW.end_at - 1, 0) / 172800000);
  INSERT INTO quarters (id, event_starts, event_ends)
  SELECT block, iif(block = max(NEW.start_at, 0) / 172800000, json_set(zeros, '$[' || (max(NEW.start_at, 0) % 172800000 / 900000) || ']', 1), zeros),
    iif(block = max(NEW.end_at - 1, 0) / 172800000, json_set(zeros, '$[' || (max(NEW.end_at - 1, 0) % 172800000 / 900000) || ']', 1), zeros)
  FROM (SELECT max(NEW.start_at, 0) / 172800000 AS block UNION SELECT max(NEW.end_at - 1, 0) / 172800000),
    (SELECT '[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']' AS zeros)
  WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = block);
  UPDATE quarters_before SET
    event_starts = event_starts + (until > max(NEW.start_at, 0) / 172800000), event_ends = event_ends + (until > max(NEW.end_at - 1, 0) / 172800000)
  WHERE until > max(NEW.start_at, 0) / 172800000;
END;

CREATE TRIGGER quarters_event_out AFTER UPDATE OF start_at, end_at, span, status ON events
WHEN OLD.span IS NOT NULL AND OLD.status <> 'cancelled'
  AND NOT (NEW.span IS NOT NULL AND NEW.status <> 'cancelled' AND NEW.start_at = OLD.start_at AND NEW.end_at = OLD.end_at) BEGIN
  UPDATE quarters SET
    event_starts = iif(id = max(OLD.start_at, 0) / 172800000, json_set(event_starts, '$[' || (max(OLD.start_at, 0) % 172800000 / 900000) || ']', (event_starts ->> (max(OLD.start_at, 0) % 172800000 / 900000)) - 1), event_starts),
    event_ends = iif(id = max(OLD.end_at - 1, 0) / 172800000, json_set(event_ends, '$[' || (max(OLD.end_at - 1, 0) % 172800000 / 900000) || ']', (event_ends ->> (max(OLD.end_at - 1, 0) % 172800000 / 900000)) - 1), event_ends)
  WHERE id IN (max(OLD.start_at, 0) / 172800000, max(OLD.end_at - 1, 0) / 172800000);
  UPDATE quarters_before SET
    event_starts = event_starts - (until > max(OLD.start_at, 0) / 172800000), event_ends = event_ends - (until > max(OLD.end_at - 1, 0) / 172800000)
  WHERE until > max(OLD.start_at, 0) / 172800000;
END;

CREATE TRIGGER quarters_event_in AFTER UPDATE OF start_at, end_at, span, status ON events
WHEN NEW.span IS NOT NULL AND NEW.status <> 'cancelled'
  AND NOT (OLD.span IS NOT NULL AND OLD.status <> 'cancelled' AND NEW.start_at = OLD.start_at AND NEW.end_at = OLD.end_at) BEGIN
  UPDATE quarters SET
    event_starts = iif(id = max(NEW.start_at, 0) / 172800000, json_set(event_starts, '$[' || (max(NEW.start_at, 0) % 172800000 / 900000) || ']', (event_starts ->> (max(NEW.start_at, 0) % 172800000 / 900000)) + 1), event_starts),
    event_ends = iif(id = max(NEW.end_at - 1, 0) / 172800000, json_set(event_ends, '$[' || (max(NEW.end_at - 1, 0) % 172800000 / 900000) || ']', (event_ends ->> (max(NEW.end_at - 1, 0) % 172800000 / 900000)) + 1), event_ends)
  WHERE id IN (max(NEW.start_at, 0) / 172800000, max(NEW.end_at - 1, 0) / 172800000);
  INSERT INTO quarters (id, event_starts, event_ends)
  SELECT block, iif(block = max(NEW.start_at, 0) / 172800000, json_set(zeros, '$[' || (max(NEW.start_at, 0) % 172800000 / 900000) || ']', 1), zeros),
    iif(block = max(NEW.end_at - 1, 0) / 172800000, json_set(zeros, '$[' || (max(NEW.end_at - 1, 0) % 172800000 / 900000) || ']', 1), zeros)
  FROM (SELECT max(NEW.start_at, 0) / 172800000 AS block UNION SELECT max(NEW.end_at - 1, 0) / 172800000),
    (SELECT '[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']' AS zeros)
  WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = block);
  UPDATE quarters_before SET
    event_starts = event_starts + (until > max(NEW.start_at, 0) / 172800000), event_ends = event_ends + (until > max(NEW.end_at - 1, 0) / 172800000)
  WHERE until > max(NEW.start_at, 0) / 172800000;
END;

CREATE TRIGGER quarters_event_delete AFTER DELETE ON events
WHEN OLD.span IS NOT NULL AND OLD.status <> 'cancelled' BEGIN
  UPDATE quarters SET
    event_starts = iif(id = max(OLD.start_at, 0) / 172800000, json_set(event_starts, '$[' || (max(OLD.start_at, 0) % 172800000 / 900000) || ']', (event_starts ->> (max(OLD.start_at, 0) % 172800000 / 900000)) - 1), event_starts),
    event_ends = iif(id = max(OLD.end_at - 1, 0) / 172800000, json_set(event_ends, '$[' || (max(OLD.end_at - 1, 0) % 172800000 / 900000) || ']', (event_ends ->> (max(OLD.end_at - 1, 0) % 172800000 / 900000)) - 1), event_ends)
  WHERE id IN (max(OLD.start_at, 0) / 172800000, max(OLD.end_at - 1, 0) / 172800000);
  UPDATE quarters_before SET
    event_starts = event_starts - (until > max(OLD.start_at, 0) / 172800000), event_ends = event_ends - (until > max(OLD.end_at - 1, 0) / 172800000)
  WHERE until > max(OLD.start_at, 0) / 172800000;
END;

-- Outbound events. An occurrence gets its own row when it is first edited: clients see a change, not a new event.
CREATE TRIGGER outbox_event_inserted AFTER INSERT ON events
WHEN NEW.deleted_at IS NULL AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES (
    CASE
      WHEN NEW.recurring_event_id IS NULL THEN 'event.created'
      WHEN NEW.status = 'cancelled' THEN 'event.cancelled'
      ELSE 'event.updated'
    END,
    NEW.id, NEW.created_at
  );
END;

-- An event from outside that is deleted here keeps its row, marked as deleted, and may come back.
CREATE TRIGGER outbox_event_marked AFTER UPDATE OF deleted_at ON events
WHEN (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) AND NEW.recurring_event_id IS NULL
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) SELECT 'event.created', NEW.id, NEW.updated_at WHERE NEW.deleted_at IS NULL;
  INSERT INTO outbox (type, record_id, at) SELECT 'event.deleted', NEW.id, NEW.updated_at
    WHERE NEW.deleted_at IS NOT NULL;
END;

-- Only columns that a client sees: the sync's bookkeeping sends no events.
CREATE TRIGGER outbox_event_updated AFTER UPDATE ON events
WHEN NEW.deleted_at IS NULL AND OLD.deleted_at IS NULL AND (
  NEW.title <> OLD.title OR NEW.description IS NOT OLD.description
  OR NEW.start_at <> OLD.start_at OR NEW.end_at <> OLD.end_at
  OR NEW.start_date IS NOT OLD.start_date OR NEW.end_date IS NOT OLD.end_date OR NEW.time_zone <> OLD.time_zone
  OR NEW.location IS NOT OLD.location OR NEW.meeting_url IS NOT OLD.meeting_url
  OR NEW.status <> OLD.status OR NEW.busy <> OLD.busy OR NEW.awaits_answer <> OLD.awaits_answer
  OR NEW.cancel_reason IS NOT OLD.cancel_reason
  OR NEW.external_status IS NOT OLD.external_status
  OR NEW.organizer IS NOT OLD.organizer OR NEW.attendees <> OLD.attendees
  OR NEW.tags <> OLD.tags OR NEW.notes IS NOT OLD.notes OR NEW.reminders IS NOT OLD.reminders
  OR NEW.rrule IS NOT OLD.rrule OR NEW.exdates <> OLD.exdates
) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES (
    CASE WHEN NEW.status = 'cancelled' AND OLD.status <> 'cancelled' THEN 'event.cancelled' ELSE 'event.updated' END,
    NEW.id, NEW.updated_at
  );
END;

-- Occurrences are deleted with their series, which sends the event.
CREATE TRIGGER outbox_event_deleted AFTER DELETE ON events
WHEN OLD.deleted_at IS NULL AND OLD.recurring_event_id IS NULL
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at)
    VALUES ('event.deleted', OLD.id, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;
