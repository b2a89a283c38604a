-- Search, and every list with a filter: `facets` has the status, priority, source, email, tags, list and parent as
-- words, so that the index finds the tasks that match all of them. One index is in the order of creation, the other in the order of due
-- times: its rowid is `tasks.place`. Neither stores a text. A changed row is one update, which gives all columns.
CREATE VIRTUAL TABLE tasks_search USING fts5(
  title, description, facets,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE tasks_by_due USING fts5(
  title, description, facets,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

-- Each write adds a segment to an index. Merging eight of them instead of four takes a quarter off a write.
INSERT INTO tasks_search (tasks_search, rank) VALUES ('automerge', 8);
INSERT INTO tasks_by_due (tasks_by_due, rank) VALUES ('automerge', 8);

-- `tasks.place` is the due time in milliseconds, then 18 bits of the id; tasks without a due time come after all others.
-- If another task due in the same millisecond has that place, `due_slot` gives the next one that is free.
CREATE TRIGGER tasks_search_insert AFTER INSERT ON tasks BEGIN
  INSERT INTO tasks_search (rowid, title, description, facets) VALUES (
    NEW.id, NEW.title, NEW.description,
    's' || replace(NEW.status, '_', '') || ' p' || NEW.priority || ' o' || NEW.source
      || coalesce(' e' || NEW.email_id, '') || ' l' || coalesce(NEW.list_id, 'none')
      || ' c' || coalesce(NEW.parent_id, 'none')
      || coalesce((SELECT group_concat(' t' || hex(value), '') FROM json_each(NEW.tags)), '')
  );
  UPDATE tasks SET due_slot = (
    SELECT taken.rowid + 1 - (NEW.due_at << 18) FROM tasks_by_due AS taken
    WHERE taken.rowid >= NEW.place AND NOT EXISTS (SELECT 1 FROM tasks_by_due AS next WHERE next.rowid = taken.rowid + 1)
    ORDER BY taken.rowid LIMIT 1
  ) WHERE id = NEW.id AND EXISTS (SELECT 1 FROM tasks_by_due WHERE rowid = NEW.place);
  INSERT INTO tasks_by_due (rowid, title, description, facets) VALUES (
    (SELECT place FROM tasks WHERE id = NEW.id), NEW.title, NEW.description,
    's' || replace(NEW.status, '_', '') || ' p' || NEW.priority || ' o' || NEW.source
      || coalesce(' e' || NEW.email_id, '') || ' l' || coalesce(NEW.list_id, 'none')
      || ' c' || coalesce(NEW.parent_id, 'none')
      || coalesce((SELECT group_concat(' t' || hex(value), '') FROM json_each(NEW.tags)), '')
  );
END;

CREATE TRIGGER tasks_search_update AFTER UPDATE OF title, description, status, priority, source, email_id, tags, list_id,
  parent_id ON tasks
WHEN NEW.title <> OLD.title OR NEW.description <> OLD.description OR NEW.status <> OLD.status
  OR NEW.priority <> OLD.priority OR NEW.source <> OLD.source OR NEW.email_id IS NOT OLD.email_id
  OR NEW.tags <> OLD.tags OR NEW.list_id IS NOT OLD.list_id OR NEW.parent_id IS NOT OLD.parent_id BEGIN
  UPDATE tasks_search SET title = NEW.title, description = NEW.description, facets =
    's' || replace(NEW.status, '_', '') || ' p' || NEW.priority || ' o' || NEW.source
      || coalesce(' e' || NEW.email_id, '') || ' l' || coalesce(NEW.list_id, 'none')
      || ' c' || coalesce(NEW.parent_id, 'none')
      || coalesce((SELECT group_concat(' t' || hex(value), '') FROM json_each(NEW.tags)), '')
  WHERE rowid = OLD.id;
END;

CREATE TRIGGER tasks_by_due_update AFTER UPDATE OF title, description, status, priority, source, email_id, tags, list_id,
  parent_id ON tasks
WHEN NEW.due_at IS OLD.due_at AND (NEW.title <> OLD.title OR NEW.description <> OLD.description
  OR NEW.status <> OLD.status OR NEW.priority <> OLD.priority OR NEW.source <> OLD.source
  OR NEW.email_id IS NOT OLD.email_id OR NEW.tags <> OLD.tags OR NEW.list_id IS NOT OLD.list_id
  OR NEW.parent_id IS NOT OLD.parent_id) BEGIN
  UPDATE tasks_by_due SET title = NEW.title, description = NEW.description, facets =
    's' || replace(NEW.status, '_', '') || ' p' || NEW.priority || ' o' || NEW.source
      || coalesce(' e' || NEW.email_id, '') || ' l' || coalesce(NEW.list_id, 'none')
      || ' c' || coalesce(NEW.parent_id, 'none')
      || coalesce((SELECT group_concat(' t' || hex(value), '') FROM json_each(NEW.tags)), '')
  WHERE rowid = OLD.place;
END;

CREATE TRIGGER tasks_by_due_move AFTER UPDATE OF due_at ON tasks WHEN NEW.due_at IS NOT OLD.due_at BEGIN
  -- The slot was one of the old millisecond.
  UPDATE tasks SET due_slot = NULL WHERE id = NEW.id AND due_slot IS NOT NULL;
  UPDATE tasks SET due_slot = (
    SELECT taken.rowid + 1 - (NEW.due_at << 18) FROM tasks_by_due AS taken
    WHERE taken.rowid >= tasks.place
      AND NOT EXISTS (SELECT 1 FROM tasks_by_due AS next WHERE next.rowid = taken.rowid + 1)
    ORDER BY taken.rowid LIMIT 1
  ) WHERE id = NEW.id AND EXISTS (SELECT 1 FROM tasks_by_due WHERE rowid = tasks.place);
  UPDATE tasks_by_due SET
    rowid = (SELECT place FROM tasks WHERE id = NEW.id), title = NEW.title, description = NEW.description, facets =
    's' || replace(NEW.status, '_', '') || ' p' || NEW.priority || ' o' || NEW.source
      || coalesce(' e' || NEW.email_id, '') || ' l' || coalesce(NEW.list_id, 'none')
      || ' c' || coalesce(NEW.parent_id, 'none')
      || coalesce((SELECT group_concat(' t' || hex(value), '') FROM json_each(NEW.tags)), '')
  WHERE rowid = OLD.place;
END;

CREATE TRIGGER tasks_search_delete AFTER DELETE ON tasks BEGIN
  DELETE FROM tasks_search WHERE rowid = OLD.id;
  DELETE FROM tasks_by_due WHERE rowid = OLD.place;
END;

-- Tasks by status, and the last id, from which the next one is made (db/next-id.ts).
CREATE TRIGGER task_totals_insert AFTER INSERT ON tasks BEGIN
  UPDATE task_totals SET
    last_id = max(last_id, NEW.id),
    todo = todo + (NEW.status = 'todo'), in_progress = in_progress + (NEW.status = 'in_progress'),
    waiting = waiting + (NEW.status = 'waiting'), done = done + (NEW.status = 'done'),
    cancelled = cancelled + (NEW.status = 'cancelled');
END;

CREATE TRIGGER task_totals_status AFTER UPDATE OF status ON tasks WHEN NEW.status <> OLD.status BEGIN
  UPDATE task_totals SET
    todo = todo + (NEW.status = 'todo') - (OLD.status = 'todo'),
    in_progress = in_progress + (NEW.status = 'in_progress') - (OLD.status = 'in_progress'),
    waiting = waiting + (NEW.status = 'waiting') - (OLD.status = 'waiting'),
    done = done + (NEW.status = 'done') - (OLD.status = 'done'),
    cancelled = cancelled + (NEW.status = 'cancelled') - (OLD.status = 'cancelled');
END;

CREATE TRIGGER task_totals_delete AFTER DELETE ON tasks BEGIN
  UPDATE task_totals SET
    todo = todo - (OLD.status = 'todo'), in_progress = in_progress - (OLD.status = 'in_progress'),
    waiting = waiting - (OLD.status = 'waiting'), done = done - (OLD.status = 'done'),
    cancelled = cancelled - (OLD.status = 'cancelled');
END;

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

-- Completed tasks by quarters of an hour (see emails.sql). An update takes the old completion out and puts the new one
-- in.
CREATE TRIGGER quarters_task_done_insert AFTER INSERT ON tasks
WHEN NEW.status = 'done' AND NEW.completed_at IS NOT NULL BEGIN
  UPDATE quarters SET tasks_done = json_set(tasks_done, '$[' || (NEW.completed_at % 172800000 / 900000) || ']', (tasks_done ->> (NEW.completed_at % 172800000 / 900000)) + 1)
  WHERE id = NEW.completed_at / 172800000;
  INSERT INTO quarters (id, tasks_done)
  SELECT NEW.completed_at / 172800000, json_set('[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']', '$[' || (NEW.completed_at % 172800000 / 900000) || ']', 1)
  WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = NEW.completed_at / 172800000);
END;

CREATE TRIGGER quarters_task_undone AFTER UPDATE OF status, completed_at ON tasks
WHEN OLD.status = 'done' AND OLD.completed_at IS NOT NULL AND NOT (NEW.status = 'done' AND NEW.completed_at IS OLD.completed_at) BEGIN
  UPDATE quarters SET
    tasks_done = json_set(tasks_done, '$[' || (OLD.completed_at % 172800000 / 900000) || ']', (tasks_done ->> (OLD.completed_at % 172800000 / 900000)) - 1)
  WHERE id = OLD.completed_at / 172800000;
END;

CREATE TRIGGER quarters_task_done AFTER UPDATE OF status, completed_at ON tasks
WHEN NEW.status = 'done' AND NEW.completed_at IS NOT NULL AND NOT (OLD.status = 'done' AND OLD.completed_at IS NEW.completed_at) BEGIN
  UPDATE quarters SET tasks_done = json_set(tasks_done, '$[' || (NEW.completed_at % 172800000 / 900000) || ']', (tasks_done ->> (NEW.completed_at % 172800000 / 900000)) + 1)
  WHERE id = NEW.completed_at / 172800000;
  INSERT INTO quarters (id, tasks_done)
  SELECT NEW.completed_at / 172800000, json_set('[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']', '$[' || (NEW.completed_at % 172800000 / 900000) || ']', 1)
  WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = NEW.completed_at / 172800000);
END;

CREATE TRIGGER quarters_task_done_delete AFTER DELETE ON tasks
WHEN OLD.status = 'done' AND OLD.completed_at IS NOT NULL BEGIN
  UPDATE quarters SET
    tasks_done = json_set(tasks_done, '$[' || (OLD.completed_at % 172800000 / 900000) || ']', (tasks_done ->> (OLD.completed_at % 172800000 / 900000)) - 1)
  WHERE id = OLD.completed_at / 172800000;
END;

-- Open tasks by when they are due. `quarters_before` has the sum of the rows before its `until`.
CREATE TRIGGER quarters_task_due_insert AFTER INSERT ON tasks
WHEN NEW.due_at IS NOT NULL AND NEW.status NOT IN ('done', 'cancelled') BEGIN
  UPDATE quarters SET tasks_due = json_set(tasks_due, '$[' || (NEW.due_at % 172800000 / 900000) || ']', (tasks_due ->> (NEW.due_at % 172800000 / 900000)) + 1)
  WHERE id = NEW.due_at / 172800000;
  INSERT INTO quarters (id, tasks_due)
  SELECT NEW.due_at / 172800000, json_set('[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']', '$[' || (NEW.due_at % 172800000 / 900000) || ']', 1)
  WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = NEW.due_at / 172800000);
  UPDATE quarters_before SET tasks_due = tasks_due + 1 WHERE until > NEW.due_at / 172800000;
END;

CREATE TRIGGER quarters_task_no_longer_due AFTER UPDATE OF status, due_at ON tasks
WHEN OLD.due_at IS NOT NULL AND OLD.status NOT IN ('done', 'cancelled')
  AND NOT (NEW.due_at IS OLD.due_at AND NEW.status NOT IN ('done', 'cancelled')) BEGIN
  UPDATE quarters SET
    tasks_due = json_set(tasks_due, '$[' || (OLD.due_at % 172800000 / 900000) || ']', (tasks_due ->> (OLD.due_at % 172800000 / 900000)) - 1)
  WHERE id = OLD.due_at / 172800000;
  UPDATE quarters_before SET tasks_due = tasks_due - 1 WHERE until > OLD.due_at / 172800000;
END;

CREATE TRIGGER quarters_task_due AFTER UPDATE OF status, due_at ON tasks
WHEN NEW.due_at IS NOT NULL AND NEW.status NOT IN ('done', 'cancelled')
  AND NOT (OLD.due_at IS NEW.due_at AND OLD.status NOT IN ('done', 'cancelled')) BEGIN
  UPDATE quarters SET tasks_due = json_set(tasks_due, '$[' || (NEW.due_at % 172800000 / 900000) || ']', (tasks_due ->> (NEW.due_at % 172800000 / 900000)) + 1)
  WHERE id = NEW.due_at / 172800000;
  INSERT INTO quarters (id, tasks_due)
  SELECT NEW.due_at / 172800000, json_set('[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']', '$[' || (NEW.due_at % 172800000 / 900000) || ']', 1)
  WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = NEW.due_at / 172800000);
  UPDATE quarters_before SET tasks_due = tasks_due + 1 WHERE until > NEW.due_at / 172800000;
END;

CREATE TRIGGER quarters_task_due_delete AFTER DELETE ON tasks
WHEN OLD.due_at IS NOT NULL AND OLD.status NOT IN ('done', 'cancelled') BEGIN
  UPDATE quarters SET
    tasks_due = json_set(tasks_due, '$[' || (OLD.due_at % 172800000 / 900000) || ']', (tasks_due ->> (OLD.due_at % 172800000 / 900000)) - 1)
  WHERE id = OLD.due_at / 172800000;
  UPDATE quarters_before SET tasks_due = tasks_due - 1 WHERE until > OLD.due_at / 172800000;
END;

-- Outbound events. Nothing is written while no webhook endpoint is enabled.
CREATE TRIGGER outbox_task_created AFTER INSERT ON tasks
WHEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('task.created', NEW.id, NEW.created_at);
  INSERT INTO outbox (type, record_id, at) SELECT 'task.completed', NEW.id, NEW.created_at WHERE NEW.status = 'done';
END;

CREATE TRIGGER outbox_task_updated AFTER UPDATE OF version ON tasks
WHEN NEW.version <> OLD.version AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES (
    iif(NEW.status = 'done' AND OLD.status <> 'done', 'task.completed', 'task.updated'), NEW.id, NEW.updated_at
  );
END;

CREATE TRIGGER outbox_task_deleted AFTER DELETE ON tasks
WHEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('task.deleted', OLD.id, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

-- A task stays without its event, whether the event is deleted or leaves a mark.
CREATE TRIGGER task_event_deleted AFTER DELETE ON events BEGIN
  UPDATE tasks SET event_id = NULL WHERE event_id = OLD.id;
END;

CREATE TRIGGER task_event_marked AFTER UPDATE OF deleted_at ON events
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
  UPDATE tasks SET event_id = NULL WHERE event_id = NEW.id;
END;
