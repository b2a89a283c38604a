-- Search. The index stores no text (`content = ''`), so a changed row is deleted and inserted again.
CREATE VIRTUAL TABLE tasks_search USING fts5(
  title, description,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TRIGGER tasks_search_insert AFTER INSERT ON tasks BEGIN
  INSERT INTO tasks_search (rowid, title, description) VALUES (NEW.id, NEW.title, NEW.description);
END;

CREATE TRIGGER tasks_search_update AFTER UPDATE OF title, description ON tasks
WHEN NEW.title <> OLD.title OR NEW.description <> OLD.description BEGIN
  DELETE FROM tasks_search WHERE rowid = OLD.id;
  INSERT INTO tasks_search (rowid, title, description) VALUES (NEW.id, NEW.title, NEW.description);
END;

CREATE TRIGGER tasks_search_delete AFTER DELETE ON tasks BEGIN
  DELETE FROM tasks_search WHERE rowid = OLD.id;
END;

-- `task_tags` repeats a task's tags as rows, with what lists are ordered by, so that a tag's first tasks are one index
-- range.
CREATE TRIGGER task_tags_insert AFTER INSERT ON tasks BEGIN
  INSERT INTO task_tags (tag, task_id, due_order, priority_order)
  SELECT DISTINCT value, NEW.id, NEW.due_order, NEW.priority_order FROM json_each(NEW.tags);
END;

CREATE TRIGGER task_tags_replace AFTER UPDATE OF tags ON tasks WHEN NEW.tags <> OLD.tags BEGIN
  DELETE FROM task_tags WHERE task_id = OLD.id;
  INSERT INTO task_tags (tag, task_id, due_order, priority_order)
  SELECT DISTINCT value, NEW.id, NEW.due_order, NEW.priority_order FROM json_each(NEW.tags);
END;

CREATE TRIGGER task_tags_follow AFTER UPDATE OF due_at, priority ON tasks
WHEN NEW.due_at IS NOT OLD.due_at OR NEW.priority <> OLD.priority BEGIN
  UPDATE task_tags SET due_order = NEW.due_order, priority_order = NEW.priority_order WHERE task_id = NEW.id;
END;

CREATE TRIGGER task_tags_delete AFTER DELETE ON tasks BEGIN
  DELETE FROM task_tags WHERE task_id = OLD.id;
END;

-- Tasks by status.
CREATE TRIGGER statistics_task_insert AFTER INSERT ON tasks BEGIN
  INSERT INTO counters (area, key, value) VALUES ('tasks_by_status', NEW.status, 1)
  ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER statistics_task_status AFTER UPDATE OF status ON tasks WHEN NEW.status <> OLD.status BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'tasks_by_status' AND key = OLD.status;
  INSERT INTO counters (area, key, value) VALUES ('tasks_by_status', NEW.status, 1)
  ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER statistics_task_delete AFTER DELETE ON tasks BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'tasks_by_status' AND key = OLD.status;
END;

-- Completed tasks by blocks of time (see emails.sql). An update takes the old completion out and puts the new one in.
CREATE TRIGGER statistics_task_done_insert AFTER INSERT ON tasks
WHEN NEW.status = 'done' AND NEW.completed_at IS NOT NULL BEGIN
  INSERT INTO activity (span, start, emails, tasks_done)
  VALUES
    (180, NEW.completed_at - NEW.completed_at % 10800000, 0, 1),
    (15, NEW.completed_at - NEW.completed_at % 900000, 0, 1)
  ON CONFLICT (span, start) DO UPDATE SET tasks_done = tasks_done + 1;
END;

CREATE TRIGGER statistics_task_undone AFTER UPDATE OF status, completed_at ON tasks
WHEN OLD.status = 'done' AND OLD.completed_at IS NOT NULL BEGIN
  UPDATE activity SET tasks_done = tasks_done - 1
  WHERE (span, start) IN (
    VALUES (180, OLD.completed_at - OLD.completed_at % 10800000), (15, OLD.completed_at - OLD.completed_at % 900000)
  );
END;

CREATE TRIGGER statistics_task_done AFTER UPDATE OF status, completed_at ON tasks
WHEN NEW.status = 'done' AND NEW.completed_at IS NOT NULL BEGIN
  INSERT INTO activity (span, start, emails, tasks_done)
  VALUES
    (180, NEW.completed_at - NEW.completed_at % 10800000, 0, 1),
    (15, NEW.completed_at - NEW.completed_at % 900000, 0, 1)
  ON CONFLICT (span, start) DO UPDATE SET tasks_done = tasks_done + 1;
END;

CREATE TRIGGER statistics_task_done_delete AFTER DELETE ON tasks
WHEN OLD.status = 'done' AND OLD.completed_at IS NOT NULL BEGIN
  UPDATE activity SET tasks_done = tasks_done - 1
  WHERE (span, start) IN (
    VALUES (180, OLD.completed_at - OLD.completed_at % 10800000), (15, OLD.completed_at - OLD.completed_at % 900000)
  );
END;

-- Outbound events. Nothing is written while no webhook endpoint is enabled.
CREATE TRIGGER outbox_task_created AFTER INSERT ON tasks
WHEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('task.created', NEW.id, NEW.created_at);
  INSERT INTO outbox (type, record_id, at) SELECT 'task.completed', NEW.id, NEW.created_at WHERE NEW.status = 'done';
END;

CREATE TRIGGER outbox_task_completed AFTER UPDATE OF status ON tasks
WHEN NEW.status = 'done' AND OLD.status <> 'done' AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('task.completed', NEW.id, NEW.updated_at);
END;

-- A task stays without its event, whether the event is deleted or leaves a mark.
CREATE TRIGGER task_event_deleted AFTER DELETE ON events BEGIN
  UPDATE tasks SET event_id = NULL WHERE event_id = OLD.id;
END;

CREATE TRIGGER task_event_marked AFTER UPDATE OF deleted_at ON events
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
  UPDATE tasks SET event_id = NULL WHERE event_id = NEW.id;
END;
