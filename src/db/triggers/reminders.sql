-- When the reminders fire that a task or a single event has of its own: those with a time, and those with minutes before
-- the record's time. A task that is due on a day, which is its last millisecond, counts from the start of that day. A
-- record that is done, cancelled or deleted has none. A record without reminders of its own costs nothing here.
CREATE TRIGGER reminder_times_task_insert AFTER INSERT ON tasks
WHEN NEW.reminders IS NOT NULL AND NEW.status NOT IN ('done', 'cancelled') BEGIN
  INSERT INTO reminder_times (id, at)
    SELECT NEW.id * 32 + key, coalesce(
      value ->> 'at',
      iif(NEW.due_date IS NOT NULL, NEW.due_at + 1 - 86400000, NEW.due_at) - (value ->> 'minutesBefore') * 60000
    ) AS at FROM json_each(NEW.reminders) WHERE at IS NOT NULL;
END;

CREATE TRIGGER reminder_times_task_update AFTER UPDATE OF reminders, due_at, due_date, status ON tasks
WHEN (NEW.reminders IS NOT NULL OR OLD.reminders IS NOT NULL) AND (
  NEW.reminders IS NOT OLD.reminders OR NEW.due_at IS NOT OLD.due_at OR NEW.due_date IS NOT OLD.due_date
  OR (NEW.status IN ('done', 'cancelled')) <> (OLD.status IN ('done', 'cancelled'))
) BEGIN
  DELETE FROM reminder_times WHERE id >= OLD.id * 32 AND id < OLD.id * 32 + 8;
  INSERT INTO reminder_times (id, at)
    SELECT NEW.id * 32 + key, coalesce(
      value ->> 'at',
      iif(NEW.due_date IS NOT NULL, NEW.due_at + 1 - 86400000, NEW.due_at) - (value ->> 'minutesBefore') * 60000
    ) AS at FROM json_each(NEW.reminders) WHERE at IS NOT NULL AND NEW.status NOT IN ('done', 'cancelled');
END;

-- The same day by other clocks (the owner's time zone has changed): what is still to be sent of it stays.
CREATE TRIGGER reminders_task_zone AFTER UPDATE OF due_at ON tasks
WHEN NEW.due_date IS NOT NULL AND NEW.due_date IS OLD.due_date AND NEW.due_at <> OLD.due_at BEGIN
  UPDATE reminders SET record_at = NEW.due_at
    WHERE deliver_at IS NOT NULL AND kind = 'task' AND record_id = NEW.id AND record_at = OLD.due_at;
END;

CREATE TRIGGER reminder_times_task_delete AFTER DELETE ON tasks WHEN OLD.reminders IS NOT NULL BEGIN
  DELETE FROM reminder_times WHERE id >= OLD.id * 32 AND id < OLD.id * 32 + 8;
END;

CREATE TRIGGER reminder_times_event_insert AFTER INSERT ON events
WHEN NEW.reminders IS NOT NULL AND NEW.rrule IS NULL AND NEW.deleted_at IS NULL AND NEW.status <> 'cancelled' BEGIN
  INSERT INTO reminder_times (id, at)
    SELECT NEW.id * 32 + 8 + key, coalesce(value ->> 'at', NEW.start_at - (value ->> 'minutesBefore') * 60000)
    FROM json_each(NEW.reminders);
END;

CREATE TRIGGER reminder_times_event_update AFTER UPDATE OF reminders, start_at, status, deleted_at, rrule ON events
WHEN (NEW.reminders IS NOT NULL OR OLD.reminders IS NOT NULL) AND (
  NEW.reminders IS NOT OLD.reminders OR NEW.start_at <> OLD.start_at
  OR (NEW.rrule IS NULL AND NEW.deleted_at IS NULL AND NEW.status <> 'cancelled')
    <> (OLD.rrule IS NULL AND OLD.deleted_at IS NULL AND OLD.status <> 'cancelled')
) BEGIN
  DELETE FROM reminder_times WHERE id >= OLD.id * 32 + 8 AND id < OLD.id * 32 + 16;
  INSERT INTO reminder_times (id, at)
    SELECT NEW.id * 32 + 8 + key, coalesce(value ->> 'at', NEW.start_at - (value ->> 'minutesBefore') * 60000)
    FROM json_each(NEW.reminders) WHERE NEW.rrule IS NULL AND NEW.deleted_at IS NULL AND NEW.status <> 'cancelled';
END;

CREATE TRIGGER reminder_times_event_delete AFTER DELETE ON events WHEN OLD.reminders IS NOT NULL BEGIN
  DELETE FROM reminder_times WHERE id >= OLD.id * 32 + 8 AND id < OLD.id * 32 + 16;
END;

-- SQL cannot find the occurrences of a series: the job that fires reminders looks at it, and says when to look again.
CREATE TRIGGER series_reminders_insert AFTER INSERT ON events
WHEN NEW.rrule IS NOT NULL AND NEW.deleted_at IS NULL AND NEW.status <> 'cancelled' BEGIN
  INSERT INTO series_reminders (event_id, look_at) VALUES (NEW.id, 0);
END;

CREATE TRIGGER series_reminders_update
AFTER UPDATE OF reminders, start_at, time_zone, rrule, exdates, overrides, status, deleted_at, awaits_answer ON events
WHEN (NEW.rrule IS NOT NULL OR OLD.rrule IS NOT NULL) AND (
  NEW.reminders IS NOT OLD.reminders OR NEW.start_at <> OLD.start_at OR NEW.time_zone <> OLD.time_zone
  OR NEW.rrule IS NOT OLD.rrule OR NEW.exdates <> OLD.exdates OR NEW.overrides <> OLD.overrides
  OR NEW.status <> OLD.status OR NEW.deleted_at IS NOT OLD.deleted_at OR NEW.awaits_answer <> OLD.awaits_answer
) BEGIN
  DELETE FROM series_reminders
    WHERE event_id = NEW.id AND NOT (NEW.rrule IS NOT NULL AND NEW.deleted_at IS NULL AND NEW.status <> 'cancelled');
  INSERT INTO series_reminders (event_id, look_at)
    SELECT NEW.id, 0 WHERE NEW.rrule IS NOT NULL AND NEW.deleted_at IS NULL AND NEW.status <> 'cancelled'
    ON CONFLICT (event_id) DO UPDATE SET look_at = 0;
END;

CREATE TRIGGER series_reminders_delete AFTER DELETE ON events WHEN OLD.rrule IS NOT NULL BEGIN
  DELETE FROM series_reminders WHERE event_id = OLD.id;
END;

-- What the defaults are decides when a series is looked at. The job goes through all of them again, a part at a time. It
-- begins below all ids, with a number that tells one change from the next.
CREATE TRIGGER series_reminders_default AFTER UPDATE OF reminders, event_reminder ON notification_preferences
WHEN NEW.event_reminder IS NOT OLD.event_reminder OR NEW.reminders <> OLD.reminders BEGIN
  UPDATE reminder_state SET recheck_after = -1 - abs(random() % 1000000000);
END;

CREATE TRIGGER series_reminders_person AFTER INSERT ON notification_preferences
WHEN EXISTS (SELECT 1 FROM series_reminders) BEGIN
  UPDATE reminder_state SET recheck_after = -1 - abs(random() % 1000000000);
END;

-- Outbound events: when a reminder fires, and when it fires again after a snooze. Only for whom it reminds.
CREATE TRIGGER outbox_reminder_fired AFTER INSERT ON reminders
WHEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1 AND user_id = NEW.user_id) BEGIN
  INSERT INTO outbox (type, record_id, at)
    VALUES (iif(NEW.kind = 'task', 'task.due', 'event.starting'), NEW.id, NEW.fired_at);
END;

CREATE TRIGGER outbox_reminder_again AFTER UPDATE OF fired_at ON reminders
WHEN NEW.fired_at <> OLD.fired_at
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1 AND user_id = NEW.user_id) BEGIN
  INSERT INTO outbox (type, record_id, at)
    VALUES (iif(NEW.kind = 'task', 'task.due', 'event.starting'), NEW.id, NEW.fired_at);
END;
