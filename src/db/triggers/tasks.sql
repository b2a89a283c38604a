-- Subtasks. The list of a subtask is that of its parent, as a filter on the list finds both.
CREATE TRIGGER subtask_inserted AFTER INSERT ON tasks WHEN NEW.parent_id IS NOT NULL BEGIN
  UPDATE tasks SET
    subtasks_total = coalesce(subtasks_total, 0) + (NEW.status <> 'cancelled'),
    subtasks_done = coalesce(subtasks_done, 0) + (NEW.status = 'done')
  WHERE id = NEW.parent_id;
END;

-- An import may bring subtasks before their parent.
CREATE TRIGGER subtasks_found AFTER INSERT ON tasks
WHEN NEW.parent_id IS NULL AND EXISTS (SELECT 1 FROM tasks WHERE parent_id = NEW.id) BEGIN
  UPDATE tasks SET (subtasks_total, subtasks_done) = (
    SELECT sum(status <> 'cancelled'), sum(status = 'done') FROM tasks AS child WHERE child.parent_id = NEW.id
  ) WHERE id = NEW.id;
END;

CREATE TRIGGER subtask_updated AFTER UPDATE OF parent_id, status ON tasks
WHEN (NEW.parent_id IS NOT NULL OR OLD.parent_id IS NOT NULL)
  AND (NEW.parent_id IS NOT OLD.parent_id OR NEW.status <> OLD.status) BEGIN
  UPDATE tasks SET subtasks_total = subtasks_total - (OLD.status <> 'cancelled'),
    subtasks_done = subtasks_done - (OLD.status = 'done') WHERE id = OLD.parent_id;
  UPDATE tasks SET subtasks_total = coalesce(subtasks_total, 0) + (NEW.status <> 'cancelled'),
    subtasks_done = coalesce(subtasks_done, 0) + (NEW.status = 'done') WHERE id = NEW.parent_id;
END;

CREATE TRIGGER subtask_deleted AFTER DELETE ON tasks WHEN OLD.parent_id IS NOT NULL BEGIN
  UPDATE tasks SET subtasks_total = subtasks_total - (OLD.status <> 'cancelled'),
    subtasks_done = subtasks_done - (OLD.status = 'done') WHERE id = OLD.parent_id;
END;

CREATE TRIGGER subtasks_deleted AFTER DELETE ON tasks WHEN OLD.parent_id IS NULL BEGIN
  DELETE FROM tasks WHERE parent_id = OLD.id;
END;

CREATE TRIGGER subtasks_closed AFTER UPDATE OF status ON tasks
WHEN NEW.status IN ('done', 'cancelled') AND OLD.status NOT IN ('done', 'cancelled') AND NEW.subtasks_total > 0 BEGIN
  UPDATE tasks SET status = NEW.status, completed_at = NEW.completed_at, version = version + 1,
    updated_at = NEW.updated_at
  WHERE parent_id = NEW.id AND status NOT IN ('done', 'cancelled');
END;

CREATE TRIGGER subtasks_moved AFTER UPDATE OF list_id ON tasks
WHEN NEW.list_id IS NOT OLD.list_id AND NEW.parent_id IS NULL BEGIN
  UPDATE tasks SET list_id = NEW.list_id, version = version + 1, updated_at = NEW.updated_at
  WHERE parent_id = NEW.id AND list_id IS NOT NEW.list_id;
END;

-- Tasks of each list.
CREATE TRIGGER list_tasks_insert AFTER INSERT ON tasks WHEN NEW.list_id IS NOT NULL BEGIN
  UPDATE task_lists SET total_tasks = total_tasks + 1, open_tasks = open_tasks + (NEW.status NOT IN ('done', 'cancelled'))
  WHERE id = NEW.list_id;
END;

CREATE TRIGGER list_tasks_update AFTER UPDATE OF list_id, status ON tasks
WHEN NEW.list_id IS NOT OLD.list_id OR (NEW.list_id IS NOT NULL
  AND (NEW.status IN ('done', 'cancelled')) <> (OLD.status IN ('done', 'cancelled'))) BEGIN
  UPDATE task_lists SET total_tasks = total_tasks - 1, open_tasks = open_tasks - (OLD.status NOT IN ('done', 'cancelled'))
  WHERE id = OLD.list_id;
  UPDATE task_lists SET total_tasks = total_tasks + 1, open_tasks = open_tasks + (NEW.status NOT IN ('done', 'cancelled'))
  WHERE id = NEW.list_id;
END;

CREATE TRIGGER list_tasks_delete AFTER DELETE ON tasks WHEN OLD.list_id IS NOT NULL BEGIN
  UPDATE task_lists SET total_tasks = total_tasks - 1, open_tasks = open_tasks - (OLD.status NOT IN ('done', 'cancelled'))
  WHERE id = OLD.list_id;
END;

-- A completed occurrence that is opened again takes back the next one, which completing it has made, and its rule.
-- Not if somebody has changed the next one since: then both stay.
CREATE TRIGGER repetition_reopened AFTER UPDATE OF status ON tasks
WHEN OLD.status = 'done' AND NEW.status NOT IN ('done', 'cancelled') AND OLD.repetition ->> 'next' IS NOT NULL BEGIN
  DELETE FROM tasks WHERE id = OLD.repetition ->> 'next' AND version = 1 AND status NOT IN ('done', 'cancelled');
  UPDATE tasks SET repetition = iif(
    EXISTS (SELECT 1 FROM tasks AS later WHERE later.id = OLD.repetition ->> 'next'),
    json_set(repetition, '$.next', OLD.repetition ->> 'next'), json_remove(repetition, '$.next')
  ) WHERE id = NEW.id;
END;

-- A task stays without its event, whether the event is deleted or leaves a mark, and is linked again when it comes back.
CREATE TRIGGER task_event_deleted AFTER DELETE ON events BEGIN
  UPDATE tasks SET event_id = NULL, lost_event_id = OLD.id WHERE event_id = OLD.id;
END;

CREATE TRIGGER task_event_marked AFTER UPDATE OF deleted_at ON events
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
  UPDATE tasks SET event_id = NULL, lost_event_id = OLD.id WHERE event_id = OLD.id;
END;

-- An event that comes back has a higher version than a new one, which no task has lost.
CREATE TRIGGER task_event_inserted AFTER INSERT ON events WHEN NEW.version > 1 AND NEW.deleted_at IS NULL BEGIN
  UPDATE tasks SET event_id = NEW.id, lost_event_id = NULL WHERE lost_event_id = NEW.id;
END;

CREATE TRIGGER task_event_unmarked AFTER UPDATE OF deleted_at ON events
WHEN NEW.deleted_at IS NULL AND OLD.deleted_at IS NOT NULL BEGIN
  UPDATE tasks SET event_id = NEW.id, lost_event_id = NULL WHERE lost_event_id = NEW.id;
END;

-- One trigger, so that a task that is made as done is created before it is completed.
CREATE TRIGGER outbox_task_created AFTER INSERT ON tasks
WHEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('task.created', NEW.id, NEW.created_at);
  INSERT INTO outbox (type, record_id, at) SELECT 'task.completed', NEW.id, NEW.created_at WHERE NEW.status = 'done';
END;
