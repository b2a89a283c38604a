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
