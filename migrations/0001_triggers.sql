CREATE VIRTUAL TABLE emails_search USING fts5(subject, sender, recipients, cc, body, files, facets, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2');

INSERT INTO emails_search (emails_search, rank) VALUES ('automerge', 8);

CREATE TRIGGER emails_search_insert AFTER INSERT ON emails WHEN NEW.content_key IS NULL BEGIN
  INSERT INTO emails_search (rowid, subject, sender, recipients, cc, body, files, facets) VALUES (((NEW.received_at << 20) | (NEW.id & 1048575)),
    NEW.subject,
    NEW.from_name || ' ' || NEW.from_email,
    coalesce((
    SELECT group_concat((value ->> 'name') || ' ' || (value ->> 'email'), ' ') FROM json_each(NEW.to_recipients)), ''),
    coalesce((
    SELECT group_concat((value ->> 'name') || ' ' || (value ->> 'email'), ' ') FROM json_each(NEW.cc_recipients)), '') || coalesce((
    SELECT group_concat(' ' || (value ->> 'name') || ' ' || (value ->> 'email'), ' ') FROM json_each(NEW.bcc_recipients)), ''),
    substr(coalesce(NEW.body, NEW.snippet || ' '), 1, 200000),
    coalesce((SELECT group_concat(value ->> 'name', ' ') FROM json_each(NEW.attachments)), ''),
    'd' || NEW.direction || ' k' || replace(NEW.kind, '_', '') || iif(NEW.has_attachments, ' hattachment', ''));
END;

CREATE TRIGGER emails_search_delete AFTER DELETE ON emails BEGIN
  DELETE FROM emails_search WHERE rowid = ((OLD.received_at << 20) | (OLD.id & 1048575));
END;

CREATE VIRTUAL TABLE tasks_search USING fts5(title, description, facets, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');

INSERT INTO tasks_search (tasks_search, rank) VALUES ('automerge', 8);

CREATE VIRTUAL TABLE tasks_by_due USING fts5(title, description, facets, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');

INSERT INTO tasks_by_due (tasks_by_due, rank) VALUES ('automerge', 8);

CREATE TRIGGER tasks_search_insert AFTER INSERT ON tasks BEGIN
  INSERT INTO tasks_search (rowid, title, description, facets) VALUES (NEW.id,
    NEW.title,
    NEW.description,
    ' s' || replace(NEW.status, '_', '') || ' p' || replace(NEW.priority, '_', '') || ' o' || replace(NEW.source, '_', '') || ' e' || coalesce(NEW.email_id, 'none') || ' l' || coalesce(NEW.list_id, 'none') || ' c' || coalesce(NEW.parent_id, 'none') || coalesce((SELECT group_concat(' t' || hex(value), '') FROM json_each(NEW.tags)), ''));
  UPDATE tasks SET due_slot = (
    SELECT taken.rowid + 1 - (NEW.due_at << 18) FROM tasks_by_due AS taken
    WHERE taken.rowid >= tasks.place
      AND NOT EXISTS (SELECT 1 FROM tasks_by_due AS next WHERE next.rowid = taken.rowid + 1)
    ORDER BY taken.rowid LIMIT 1
  ) WHERE id = NEW.id AND EXISTS (SELECT 1 FROM tasks_by_due WHERE rowid = tasks.place);
  INSERT INTO tasks_by_due (rowid, title, description, facets) VALUES ((SELECT place FROM tasks WHERE id = NEW.id),
    NEW.title,
    NEW.description,
    ' s' || replace(NEW.status, '_', '') || ' p' || replace(NEW.priority, '_', '') || ' o' || replace(NEW.source, '_', '') || ' e' || coalesce(NEW.email_id, 'none') || ' l' || coalesce(NEW.list_id, 'none') || ' c' || coalesce(NEW.parent_id, 'none') || coalesce((SELECT group_concat(' t' || hex(value), '') FROM json_each(NEW.tags)), ''));
END;

CREATE TRIGGER tasks_search_update AFTER UPDATE OF title, description, status, priority, source, email_id, list_id, parent_id, tags ON tasks WHEN NEW.title IS NOT OLD.title OR NEW.description IS NOT OLD.description OR NEW.status IS NOT OLD.status OR NEW.priority IS NOT OLD.priority OR NEW.source IS NOT OLD.source OR NEW.email_id IS NOT OLD.email_id OR NEW.list_id IS NOT OLD.list_id OR NEW.parent_id IS NOT OLD.parent_id OR NEW.tags IS NOT OLD.tags BEGIN
  UPDATE tasks_search SET title = NEW.title,
    description = NEW.description,
    facets = ' s' || replace(NEW.status, '_', '') || ' p' || replace(NEW.priority, '_', '') || ' o' || replace(NEW.source, '_', '') || ' e' || coalesce(NEW.email_id, 'none') || ' l' || coalesce(NEW.list_id, 'none') || ' c' || coalesce(NEW.parent_id, 'none') || coalesce((SELECT group_concat(' t' || hex(value), '') FROM json_each(NEW.tags)), '') WHERE rowid = OLD.id;
END;

CREATE TRIGGER tasks_by_due_update AFTER UPDATE OF title, description, status, priority, source, email_id, list_id, parent_id, tags ON tasks WHEN NEW.due_at IS OLD.due_at AND (NEW.title IS NOT OLD.title OR NEW.description IS NOT OLD.description OR NEW.status IS NOT OLD.status OR NEW.priority IS NOT OLD.priority OR NEW.source IS NOT OLD.source OR NEW.email_id IS NOT OLD.email_id OR NEW.list_id IS NOT OLD.list_id OR NEW.parent_id IS NOT OLD.parent_id OR NEW.tags IS NOT OLD.tags) BEGIN
  UPDATE tasks_by_due SET title = NEW.title,
    description = NEW.description,
    facets = ' s' || replace(NEW.status, '_', '') || ' p' || replace(NEW.priority, '_', '') || ' o' || replace(NEW.source, '_', '') || ' e' || coalesce(NEW.email_id, 'none') || ' l' || coalesce(NEW.list_id, 'none') || ' c' || coalesce(NEW.parent_id, 'none') || coalesce((SELECT group_concat(' t' || hex(value), '') FROM json_each(NEW.tags)), '') WHERE rowid = OLD.place;
END;

CREATE TRIGGER tasks_by_due_move AFTER UPDATE OF due_at ON tasks WHEN NEW.due_at IS NOT OLD.due_at BEGIN
  UPDATE tasks SET due_slot = NULL WHERE id = NEW.id AND due_slot IS NOT NULL;
  UPDATE tasks SET due_slot = (
    SELECT taken.rowid + 1 - (NEW.due_at << 18) FROM tasks_by_due AS taken
    WHERE taken.rowid >= tasks.place
      AND NOT EXISTS (SELECT 1 FROM tasks_by_due AS next WHERE next.rowid = taken.rowid + 1)
    ORDER BY taken.rowid LIMIT 1
  ) WHERE id = NEW.id AND EXISTS (SELECT 1 FROM tasks_by_due WHERE rowid = tasks.place);
  UPDATE tasks_by_due SET rowid = (SELECT place FROM tasks WHERE id = NEW.id), title = NEW.title,
    description = NEW.description,
    facets = ' s' || replace(NEW.status, '_', '') || ' p' || replace(NEW.priority, '_', '') || ' o' || replace(NEW.source, '_', '') || ' e' || coalesce(NEW.email_id, 'none') || ' l' || coalesce(NEW.list_id, 'none') || ' c' || coalesce(NEW.parent_id, 'none') || coalesce((SELECT group_concat(' t' || hex(value), '') FROM json_each(NEW.tags)), '') WHERE rowid = OLD.place;
END;

CREATE TRIGGER tasks_search_delete AFTER DELETE ON tasks BEGIN
  DELETE FROM tasks_search WHERE rowid = OLD.id;
  DELETE FROM tasks_by_due WHERE rowid = OLD.place;
END;

CREATE TRIGGER email_totals_insert AFTER INSERT ON emails BEGIN
  UPDATE email_totals SET
    last_id = max(last_id, NEW.id),
    inbox = inbox + (NEW.status = 'inbox'),
    inbox_unread = inbox_unread + (NEW.status = 'inbox' AND NEW.is_read = 0),
    archived = archived + (NEW.status = 'archived'),
    archived_unread = archived_unread + (NEW.status = 'archived' AND NEW.is_read = 0),
    spam = spam + (NEW.status = 'spam'),
    spam_unread = spam_unread + (NEW.status = 'spam' AND NEW.is_read = 0),
    trash = trash + (NEW.status = 'trash'),
    trash_unread = trash_unread + (NEW.status = 'trash' AND NEW.is_read = 0),
    starred = starred + (NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1),
    starred_unread = starred_unread + (NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1 AND NEW.is_read = 0),
    outbound = outbound + (NEW.status NOT IN ('spam', 'trash') AND NEW.direction = 'outbound'),
    outbound_unread = outbound_unread + (NEW.status NOT IN ('spam', 'trash') AND NEW.direction = 'outbound' AND NEW.is_read = 0),
    reply_needed = reply_needed + (NEW.status NOT IN ('spam', 'trash') AND NEW.reply_needed IS 1),
    low = low + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'low'),
    normal = normal + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'normal'),
    high = high + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'high'),
    critical = critical + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'critical'),
    personal = personal + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'personal'),
    work = work + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'work'),
    meeting = meeting + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'meeting'),
    invoice = invoice + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'invoice'),
    receipt = receipt + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'receipt'),
    newsletter = newsletter + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'newsletter'),
    notification = notification + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'notification'),
    spam_like = spam_like + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'spam-like'),
    objects = objects + ((NEW.raw_key IS NOT NULL) + (NEW.content_key IS NOT NULL) + iif(NEW.attachments LIKE '%"key":%',
    (SELECT count(*) FROM json_each(NEW.attachments) WHERE value ->> 'key' IS NOT NULL), 0)),
    object_bytes = object_bytes + (coalesce(NEW.raw_size, 0) + coalesce(NEW.content_size, 0) + iif(NEW.attachments LIKE '%"key":%',
    (SELECT coalesce(sum(value ->> 'size'), 0) FROM json_each(NEW.attachments) WHERE value ->> 'key' IS NOT NULL), 0));
END;

CREATE TRIGGER email_totals_update AFTER UPDATE OF status, is_read, is_starred, urgency, category, reply_needed ON emails WHEN NEW.status IS NOT OLD.status OR NEW.is_read IS NOT OLD.is_read OR NEW.is_starred IS NOT OLD.is_starred OR NEW.urgency IS NOT OLD.urgency OR NEW.category IS NOT OLD.category OR NEW.reply_needed IS NOT OLD.reply_needed BEGIN
  UPDATE email_totals SET
    inbox = inbox + (NEW.status = 'inbox') - (OLD.status = 'inbox'),
    inbox_unread = inbox_unread + (NEW.status = 'inbox' AND NEW.is_read = 0) - (OLD.status = 'inbox' AND OLD.is_read = 0),
    archived = archived + (NEW.status = 'archived') - (OLD.status = 'archived'),
    archived_unread = archived_unread + (NEW.status = 'archived' AND NEW.is_read = 0) - (OLD.status = 'archived' AND OLD.is_read = 0),
    spam = spam + (NEW.status = 'spam') - (OLD.status = 'spam'),
    spam_unread = spam_unread + (NEW.status = 'spam' AND NEW.is_read = 0) - (OLD.status = 'spam' AND OLD.is_read = 0),
    trash = trash + (NEW.status = 'trash') - (OLD.status = 'trash'),
    trash_unread = trash_unread + (NEW.status = 'trash' AND NEW.is_read = 0) - (OLD.status = 'trash' AND OLD.is_read = 0),
    starred = starred + (NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1) - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_starred = 1),
    starred_unread = starred_unread + (NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1 AND NEW.is_read = 0) - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_starred = 1 AND OLD.is_read = 0),
    outbound = outbound + (NEW.status NOT IN ('spam', 'trash') AND NEW.direction = 'outbound') - (OLD.status NOT IN ('spam', 'trash') AND OLD.direction = 'outbound'),
    outbound_unread = outbound_unread + (NEW.status NOT IN ('spam', 'trash') AND NEW.direction = 'outbound' AND NEW.is_read = 0) - (OLD.status NOT IN ('spam', 'trash') AND OLD.direction = 'outbound' AND OLD.is_read = 0),
    reply_needed = reply_needed + (NEW.status NOT IN ('spam', 'trash') AND NEW.reply_needed IS 1) - (OLD.status NOT IN ('spam', 'trash') AND OLD.reply_needed IS 1),
    low = low + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'low') - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'low'),
    normal = normal + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'normal') - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'normal'),
    high = high + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'high') - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'high'),
    critical = critical + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'critical') - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'critical'),
    personal = personal + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'personal') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'personal'),
    work = work + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'work') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'work'),
    meeting = meeting + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'meeting') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'meeting'),
    invoice = invoice + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'invoice') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'invoice'),
    receipt = receipt + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'receipt') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'receipt'),
    newsletter = newsletter + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'newsletter') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'newsletter'),
    notification = notification + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'notification') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'notification'),
    spam_like = spam_like + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'spam-like') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'spam-like');
END;

CREATE TRIGGER email_totals_delete AFTER DELETE ON emails BEGIN
  UPDATE email_totals SET
    inbox = inbox - (OLD.status = 'inbox'),
    inbox_unread = inbox_unread - (OLD.status = 'inbox' AND OLD.is_read = 0),
    archived = archived - (OLD.status = 'archived'),
    archived_unread = archived_unread - (OLD.status = 'archived' AND OLD.is_read = 0),
    spam = spam - (OLD.status = 'spam'),
    spam_unread = spam_unread - (OLD.status = 'spam' AND OLD.is_read = 0),
    trash = trash - (OLD.status = 'trash'),
    trash_unread = trash_unread - (OLD.status = 'trash' AND OLD.is_read = 0),
    starred = starred - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_starred = 1),
    starred_unread = starred_unread - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_starred = 1 AND OLD.is_read = 0),
    outbound = outbound - (OLD.status NOT IN ('spam', 'trash') AND OLD.direction = 'outbound'),
    outbound_unread = outbound_unread - (OLD.status NOT IN ('spam', 'trash') AND OLD.direction = 'outbound' AND OLD.is_read = 0),
    reply_needed = reply_needed - (OLD.status NOT IN ('spam', 'trash') AND OLD.reply_needed IS 1),
    low = low - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'low'),
    normal = normal - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'normal'),
    high = high - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'high'),
    critical = critical - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'critical'),
    personal = personal - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'personal'),
    work = work - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'work'),
    meeting = meeting - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'meeting'),
    invoice = invoice - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'invoice'),
    receipt = receipt - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'receipt'),
    newsletter = newsletter - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'newsletter'),
    notification = notification - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'notification'),
    spam_like = spam_like - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'spam-like'),
    objects = objects - ((OLD.raw_key IS NOT NULL) + (OLD.content_key IS NOT NULL) + iif(OLD.attachments LIKE '%"key":%',
    (SELECT count(*) FROM json_each(OLD.attachments) WHERE value ->> 'key' IS NOT NULL), 0)),
    object_bytes = object_bytes - (coalesce(OLD.raw_size, 0) + coalesce(OLD.content_size, 0) + iif(OLD.attachments LIKE '%"key":%',
    (SELECT coalesce(sum(value ->> 'size'), 0) FROM json_each(OLD.attachments) WHERE value ->> 'key' IS NOT NULL), 0));
END;

CREATE TRIGGER task_totals_insert AFTER INSERT ON tasks BEGIN
  UPDATE task_totals SET
    last_id = max(last_id, NEW.id),
    todo = todo + (NEW.status = 'todo'),
    in_progress = in_progress + (NEW.status = 'in_progress'),
    waiting = waiting + (NEW.status = 'waiting'),
    done = done + (NEW.status = 'done'),
    cancelled = cancelled + (NEW.status = 'cancelled');
END;

CREATE TRIGGER task_totals_update AFTER UPDATE OF status ON tasks WHEN NEW.status IS NOT OLD.status BEGIN
  UPDATE task_totals SET
    todo = todo + (NEW.status = 'todo') - (OLD.status = 'todo'),
    in_progress = in_progress + (NEW.status = 'in_progress') - (OLD.status = 'in_progress'),
    waiting = waiting + (NEW.status = 'waiting') - (OLD.status = 'waiting'),
    done = done + (NEW.status = 'done') - (OLD.status = 'done'),
    cancelled = cancelled + (NEW.status = 'cancelled') - (OLD.status = 'cancelled');
END;

CREATE TRIGGER task_totals_delete AFTER DELETE ON tasks BEGIN
  UPDATE task_totals SET
    todo = todo - (OLD.status = 'todo'),
    in_progress = in_progress - (OLD.status = 'in_progress'),
    waiting = waiting - (OLD.status = 'waiting'),
    done = done - (OLD.status = 'done'),
    cancelled = cancelled - (OLD.status = 'cancelled');
END;

CREATE TRIGGER stream_totals_insert AFTER INSERT ON stream_sessions BEGIN
  UPDATE stream_totals SET
    scheduled = scheduled + (NEW.state = 'scheduled'),
    live = live + (NEW.state = 'live'),
    ended = ended + (NEW.state = 'ended'),
    cancelled = cancelled + (NEW.state = 'cancelled'),
    streamed_ms = streamed_ms + (iif(NEW.state = 'ended', NEW.ended_at - NEW.started_at, 0)),
    peak_sum = peak_sum + (iif(NEW.state = 'ended', NEW.peak_viewers, 0)) WHERE platform = NEW.platform;
END;

CREATE TRIGGER stream_totals_update AFTER UPDATE OF state, started_at, ended_at, peak_viewers ON stream_sessions WHEN NEW.state IS NOT OLD.state OR NEW.started_at IS NOT OLD.started_at OR NEW.ended_at IS NOT OLD.ended_at OR NEW.peak_viewers IS NOT OLD.peak_viewers BEGIN
  UPDATE stream_totals SET
    scheduled = scheduled + (NEW.state = 'scheduled') - (OLD.state = 'scheduled'),
    live = live + (NEW.state = 'live') - (OLD.state = 'live'),
    ended = ended + (NEW.state = 'ended') - (OLD.state = 'ended'),
    cancelled = cancelled + (NEW.state = 'cancelled') - (OLD.state = 'cancelled'),
    streamed_ms = streamed_ms + (iif(NEW.state = 'ended', NEW.ended_at - NEW.started_at, 0)) - (iif(OLD.state = 'ended', OLD.ended_at - OLD.started_at, 0)),
    peak_sum = peak_sum + (iif(NEW.state = 'ended', NEW.peak_viewers, 0)) - (iif(OLD.state = 'ended', OLD.peak_viewers, 0)) WHERE platform = NEW.platform;
END;

CREATE TRIGGER stream_totals_delete AFTER DELETE ON stream_sessions BEGIN
  UPDATE stream_totals SET
    scheduled = scheduled - (OLD.state = 'scheduled'),
    live = live - (OLD.state = 'live'),
    ended = ended - (OLD.state = 'ended'),
    cancelled = cancelled - (OLD.state = 'cancelled'),
    streamed_ms = streamed_ms - (iif(OLD.state = 'ended', OLD.ended_at - OLD.started_at, 0)),
    peak_sum = peak_sum - (iif(OLD.state = 'ended', OLD.peak_viewers, 0)) WHERE platform = OLD.platform;
END;

CREATE TRIGGER count_api_keys_insert AFTER INSERT ON api_keys BEGIN
  UPDATE counters SET value = value + 1 WHERE area = 'service' AND key = 'api_keys';
END;

CREATE TRIGGER count_api_keys_delete AFTER DELETE ON api_keys BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'service' AND key = 'api_keys';
END;

CREATE TRIGGER count_webhooks_insert AFTER INSERT ON webhook_endpoints BEGIN
  UPDATE counters SET value = value + 1 WHERE area = 'service' AND key = 'webhooks';
END;

CREATE TRIGGER count_webhooks_delete AFTER DELETE ON webhook_endpoints BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'service' AND key = 'webhooks';
END;

CREATE TRIGGER ai_usage_insert AFTER INSERT ON ai_calls BEGIN
  INSERT INTO ai_usage (hour, model, calls, fallbacks, input_tokens, output_tokens)
    VALUES (NEW.at - NEW.at % 3600000, NEW.model, 1, NEW.fallback_reason IS NOT NULL, NEW.input_tokens, NEW.output_tokens)
    ON CONFLICT (hour, model) DO UPDATE SET calls = calls + excluded.calls, fallbacks = fallbacks + excluded.fallbacks, input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens;
END;

CREATE TRIGGER ai_usage_days_insert AFTER INSERT ON ai_calls BEGIN
  INSERT INTO ai_usage_days (day, model, calls, fallbacks, input_tokens, output_tokens)
    VALUES (NEW.at - NEW.at % 86400000, NEW.model, 1, NEW.fallback_reason IS NOT NULL, NEW.input_tokens, NEW.output_tokens)
    ON CONFLICT (day, model) DO UPDATE SET calls = calls + excluded.calls, fallbacks = fallbacks + excluded.fallbacks, input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens;
END;

CREATE TRIGGER ai_usage_months_insert AFTER INSERT ON ai_calls BEGIN
  INSERT INTO ai_usage_months (month, calls, fallbacks, input_tokens, output_tokens)
    VALUES (strftime('%Y-%m', NEW.at / 1000, 'unixepoch'), 1, NEW.fallback_reason IS NOT NULL, NEW.input_tokens, NEW.output_tokens)
    ON CONFLICT (month) DO UPDATE SET calls = calls + excluded.calls, fallbacks = fallbacks + excluded.fallbacks, input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens;
END;

CREATE TRIGGER quarters_email_insert AFTER INSERT ON emails BEGIN
  UPDATE quarters SET emails = iif(id = NEW.received_at / 172800000, json_set(emails, '$[' || (NEW.received_at % 172800000 / 900000) || ']', (emails ->> (NEW.received_at % 172800000 / 900000)) + 1), emails) WHERE id IN (NEW.received_at / 172800000);
  INSERT INTO quarters (id, emails)
    SELECT block, iif(block = NEW.received_at / 172800000, json_set(zeros, '$[' || (NEW.received_at % 172800000 / 900000) || ']', 1), zeros)
    FROM (SELECT NEW.received_at / 172800000 AS block), (SELECT '[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']' AS zeros)
    WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = block);
END;

CREATE TRIGGER quarters_email_delete AFTER DELETE ON emails BEGIN
  UPDATE quarters SET emails = iif(id = OLD.received_at / 172800000, json_set(emails, '$[' || (OLD.received_at % 172800000 / 900000) || ']', (emails ->> (OLD.received_at % 172800000 / 900000)) - 1), emails) WHERE id IN (OLD.received_at / 172800000);
END;

CREATE TRIGGER quarters_task_done_insert AFTER INSERT ON tasks WHEN NEW.status = 'done' AND NEW.completed_at IS NOT NULL BEGIN
  UPDATE quarters SET tasks_done = iif(id = NEW.completed_at / 172800000, json_set(tasks_done, '$[' || (NEW.completed_at % 172800000 / 900000) || ']', (tasks_done ->> (NEW.completed_at % 172800000 / 900000)) + 1), tasks_done) WHERE id IN (NEW.completed_at / 172800000);
  INSERT INTO quarters (id, tasks_done)
    SELECT block, iif(block = NEW.completed_at / 172800000, json_set(zeros, '$[' || (NEW.completed_at % 172800000 / 900000) || ']', 1), zeros)
    FROM (SELECT NEW.completed_at / 172800000 AS block), (SELECT '[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']' AS zeros)
    WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = block);
END;

CREATE TRIGGER quarters_task_done_out AFTER UPDATE OF status, completed_at ON tasks WHEN OLD.status = 'done' AND OLD.completed_at IS NOT NULL AND NOT (NEW.status = 'done' AND NEW.completed_at IS NOT NULL AND NEW.completed_at = OLD.completed_at) BEGIN
  UPDATE quarters SET tasks_done = iif(id = OLD.completed_at / 172800000, json_set(tasks_done, '$[' || (OLD.completed_at % 172800000 / 900000) || ']', (tasks_done ->> (OLD.completed_at % 172800000 / 900000)) - 1), tasks_done) WHERE id IN (OLD.completed_at / 172800000);
END;

CREATE TRIGGER quarters_task_done_in AFTER UPDATE OF status, completed_at ON tasks WHEN NEW.status = 'done' AND NEW.completed_at IS NOT NULL AND NOT (OLD.status = 'done' AND OLD.completed_at IS NOT NULL AND NEW.completed_at = OLD.completed_at) BEGIN
  UPDATE quarters SET tasks_done = iif(id = NEW.completed_at / 172800000, json_set(tasks_done, '$[' || (NEW.completed_at % 172800000 / 900000) || ']', (tasks_done ->> (NEW.completed_at % 172800000 / 900000)) + 1), tasks_done) WHERE id IN (NEW.completed_at / 172800000);
  INSERT INTO quarters (id, tasks_done)
    SELECT block, iif(block = NEW.completed_at / 172800000, json_set(zeros, '$[' || (NEW.completed_at % 172800000 / 900000) || ']', 1), zeros)
    FROM (SELECT NEW.completed_at / 172800000 AS block), (SELECT '[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']' AS zeros)
    WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = block);
END;

CREATE TRIGGER quarters_task_done_delete AFTER DELETE ON tasks WHEN OLD.status = 'done' AND OLD.completed_at IS NOT NULL BEGIN
  UPDATE quarters SET tasks_done = iif(id = OLD.completed_at / 172800000, json_set(tasks_done, '$[' || (OLD.completed_at % 172800000 / 900000) || ']', (tasks_done ->> (OLD.completed_at % 172800000 / 900000)) - 1), tasks_done) WHERE id IN (OLD.completed_at / 172800000);
END;

CREATE TRIGGER quarters_task_due_insert AFTER INSERT ON tasks WHEN NEW.status NOT IN ('done', 'cancelled') AND NEW.due_at IS NOT NULL BEGIN
  UPDATE quarters SET tasks_due = iif(id = NEW.due_at / 172800000, json_set(tasks_due, '$[' || (NEW.due_at % 172800000 / 900000) || ']', (tasks_due ->> (NEW.due_at % 172800000 / 900000)) + 1), tasks_due) WHERE id IN (NEW.due_at / 172800000);
  INSERT INTO quarters (id, tasks_due)
    SELECT block, iif(block = NEW.due_at / 172800000, json_set(zeros, '$[' || (NEW.due_at % 172800000 / 900000) || ']', 1), zeros)
    FROM (SELECT NEW.due_at / 172800000 AS block), (SELECT '[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']' AS zeros)
    WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = block);
  UPDATE quarters_before SET tasks_due = tasks_due + (until > NEW.due_at / 172800000) WHERE until > NEW.due_at / 172800000;
END;

CREATE TRIGGER quarters_task_due_out AFTER UPDATE OF status, due_at ON tasks WHEN OLD.status NOT IN ('done', 'cancelled') AND OLD.due_at IS NOT NULL AND NOT (NEW.status NOT IN ('done', 'cancelled') AND NEW.due_at IS NOT NULL AND NEW.due_at = OLD.due_at) BEGIN
  UPDATE quarters SET tasks_due = iif(id = OLD.due_at / 172800000, json_set(tasks_due, '$[' || (OLD.due_at % 172800000 / 900000) || ']', (tasks_due ->> (OLD.due_at % 172800000 / 900000)) - 1), tasks_due) WHERE id IN (OLD.due_at / 172800000);
  UPDATE quarters_before SET tasks_due = tasks_due - (until > OLD.due_at / 172800000) WHERE until > OLD.due_at / 172800000;
END;

CREATE TRIGGER quarters_task_due_in AFTER UPDATE OF status, due_at ON tasks WHEN NEW.status NOT IN ('done', 'cancelled') AND NEW.due_at IS NOT NULL AND NOT (OLD.status NOT IN ('done', 'cancelled') AND OLD.due_at IS NOT NULL AND NEW.due_at = OLD.due_at) BEGIN
  UPDATE quarters SET tasks_due = iif(id = NEW.due_at / 172800000, json_set(tasks_due, '$[' || (NEW.due_at % 172800000 / 900000) || ']', (tasks_due ->> (NEW.due_at % 172800000 / 900000)) + 1), tasks_due) WHERE id IN (NEW.due_at / 172800000);
  INSERT INTO quarters (id, tasks_due)
    SELECT block, iif(block = NEW.due_at / 172800000, json_set(zeros, '$[' || (NEW.due_at % 172800000 / 900000) || ']', 1), zeros)
    FROM (SELECT NEW.due_at / 172800000 AS block), (SELECT '[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']' AS zeros)
    WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = block);
  UPDATE quarters_before SET tasks_due = tasks_due + (until > NEW.due_at / 172800000) WHERE until > NEW.due_at / 172800000;
END;

CREATE TRIGGER quarters_task_due_delete AFTER DELETE ON tasks WHEN OLD.status NOT IN ('done', 'cancelled') AND OLD.due_at IS NOT NULL BEGIN
  UPDATE quarters SET tasks_due = iif(id = OLD.due_at / 172800000, json_set(tasks_due, '$[' || (OLD.due_at % 172800000 / 900000) || ']', (tasks_due ->> (OLD.due_at % 172800000 / 900000)) - 1), tasks_due) WHERE id IN (OLD.due_at / 172800000);
  UPDATE quarters_before SET tasks_due = tasks_due - (until > OLD.due_at / 172800000) WHERE until > OLD.due_at / 172800000;
END;

CREATE TRIGGER quarters_event_insert AFTER INSERT ON events WHEN NEW.span IS NOT NULL AND NEW.status <> 'cancelled' BEGIN
  UPDATE quarters SET event_starts = iif(id = max(NEW.start_at, 0) / 172800000, json_set(event_starts, '$[' || (max(NEW.start_at, 0) % 172800000 / 900000) || ']', (event_starts ->> (max(NEW.start_at, 0) % 172800000 / 900000)) + 1), event_starts), event_ends = iif(id = max(NEW.end_at - 1, 0) / 172800000, json_set(event_ends, '$[' || (max(NEW.end_at - 1, 0) % 172800000 / 900000) || ']', (event_ends ->> (max(NEW.end_at - 1, 0) % 172800000 / 900000)) + 1), event_ends) WHERE id IN (max(NEW.start_at, 0) / 172800000, max(NEW.end_at - 1, 0) / 172800000);
  INSERT INTO quarters (id, event_starts, event_ends)
    SELECT block, iif(block = max(NEW.start_at, 0) / 172800000, json_set(zeros, '$[' || (max(NEW.start_at, 0) % 172800000 / 900000) || ']', 1), zeros), iif(block = max(NEW.end_at - 1, 0) / 172800000, json_set(zeros, '$[' || (max(NEW.end_at - 1, 0) % 172800000 / 900000) || ']', 1), zeros)
    FROM (SELECT max(NEW.start_at, 0) / 172800000 AS block UNION SELECT max(NEW.end_at - 1, 0) / 172800000), (SELECT '[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']' AS zeros)
    WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = block);
  UPDATE quarters_before SET event_starts = event_starts + (until > max(NEW.start_at, 0) / 172800000), event_ends = event_ends + (until > max(NEW.end_at - 1, 0) / 172800000) WHERE until > max(NEW.start_at, 0) / 172800000;
END;

CREATE TRIGGER quarters_event_out AFTER UPDATE OF start_at, end_at, span, status ON events WHEN OLD.span IS NOT NULL AND OLD.status <> 'cancelled' AND NOT (NEW.span IS NOT NULL AND NEW.status <> 'cancelled' AND max(NEW.start_at, 0) = max(OLD.start_at, 0) AND max(NEW.end_at - 1, 0) = max(OLD.end_at - 1, 0)) BEGIN
  UPDATE quarters SET event_starts = iif(id = max(OLD.start_at, 0) / 172800000, json_set(event_starts, '$[' || (max(OLD.start_at, 0) % 172800000 / 900000) || ']', (event_starts ->> (max(OLD.start_at, 0) % 172800000 / 900000)) - 1), event_starts), event_ends = iif(id = max(OLD.end_at - 1, 0) / 172800000, json_set(event_ends, '$[' || (max(OLD.end_at - 1, 0) % 172800000 / 900000) || ']', (event_ends ->> (max(OLD.end_at - 1, 0) % 172800000 / 900000)) - 1), event_ends) WHERE id IN (max(OLD.start_at, 0) / 172800000, max(OLD.end_at - 1, 0) / 172800000);
  UPDATE quarters_before SET event_starts = event_starts - (until > max(OLD.start_at, 0) / 172800000), event_ends = event_ends - (until > max(OLD.end_at - 1, 0) / 172800000) WHERE until > max(OLD.start_at, 0) / 172800000;
END;

CREATE TRIGGER quarters_event_in AFTER UPDATE OF start_at, end_at, span, status ON events WHEN NEW.span IS NOT NULL AND NEW.status <> 'cancelled' AND NOT (OLD.span IS NOT NULL AND OLD.status <> 'cancelled' AND max(NEW.start_at, 0) = max(OLD.start_at, 0) AND max(NEW.end_at - 1, 0) = max(OLD.end_at - 1, 0)) BEGIN
  UPDATE quarters SET event_starts = iif(id = max(NEW.start_at, 0) / 172800000, json_set(event_starts, '$[' || (max(NEW.start_at, 0) % 172800000 / 900000) || ']', (event_starts ->> (max(NEW.start_at, 0) % 172800000 / 900000)) + 1), event_starts), event_ends = iif(id = max(NEW.end_at - 1, 0) / 172800000, json_set(event_ends, '$[' || (max(NEW.end_at - 1, 0) % 172800000 / 900000) || ']', (event_ends ->> (max(NEW.end_at - 1, 0) % 172800000 / 900000)) + 1), event_ends) WHERE id IN (max(NEW.start_at, 0) / 172800000, max(NEW.end_at - 1, 0) / 172800000);
  INSERT INTO quarters (id, event_starts, event_ends)
    SELECT block, iif(block = max(NEW.start_at, 0) / 172800000, json_set(zeros, '$[' || (max(NEW.start_at, 0) % 172800000 / 900000) || ']', 1), zeros), iif(block = max(NEW.end_at - 1, 0) / 172800000, json_set(zeros, '$[' || (max(NEW.end_at - 1, 0) % 172800000 / 900000) || ']', 1), zeros)
    FROM (SELECT max(NEW.start_at, 0) / 172800000 AS block UNION SELECT max(NEW.end_at - 1, 0) / 172800000), (SELECT '[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']' AS zeros)
    WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = block);
  UPDATE quarters_before SET event_starts = event_starts + (until > max(NEW.start_at, 0) / 172800000), event_ends = event_ends + (until > max(NEW.end_at - 1, 0) / 172800000) WHERE until > max(NEW.start_at, 0) / 172800000;
END;

CREATE TRIGGER quarters_event_delete AFTER DELETE ON events WHEN OLD.span IS NOT NULL AND OLD.status <> 'cancelled' BEGIN
  UPDATE quarters SET event_starts = iif(id = max(OLD.start_at, 0) / 172800000, json_set(event_starts, '$[' || (max(OLD.start_at, 0) % 172800000 / 900000) || ']', (event_starts ->> (max(OLD.start_at, 0) % 172800000 / 900000)) - 1), event_starts), event_ends = iif(id = max(OLD.end_at - 1, 0) / 172800000, json_set(event_ends, '$[' || (max(OLD.end_at - 1, 0) % 172800000 / 900000) || ']', (event_ends ->> (max(OLD.end_at - 1, 0) % 172800000 / 900000)) - 1), event_ends) WHERE id IN (max(OLD.start_at, 0) / 172800000, max(OLD.end_at - 1, 0) / 172800000);
  UPDATE quarters_before SET event_starts = event_starts - (until > max(OLD.start_at, 0) / 172800000), event_ends = event_ends - (until > max(OLD.end_at - 1, 0) / 172800000) WHERE until > max(OLD.start_at, 0) / 172800000;
END;

CREATE TRIGGER changes_email_inserted AFTER INSERT ON emails BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (iif(NEW.direction = 'inbound', 'email.received', 'email.created'), NEW.id, NEW.version);
END;

CREATE TRIGGER changes_email_updated AFTER UPDATE OF version, thread_id ON emails WHEN NEW.version IS NOT OLD.version OR NEW.thread_id IS NOT OLD.thread_id BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (CASE
    WHEN NEW.analysis IS NOT NULL AND NEW.analysis IS NOT OLD.analysis THEN 'email.analyzed'
    WHEN NEW.delivery = 'sent' AND OLD.delivery IS NOT 'sent' THEN 'email.sent'
    ELSE 'email.updated' END, NEW.id, NEW.version);
END;

CREATE TRIGGER changes_email_deleted AFTER DELETE ON emails BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('email.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_draft_inserted AFTER INSERT ON email_drafts BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('draft.created', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_draft_updated AFTER UPDATE OF version ON email_drafts WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('draft.updated', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_draft_deleted AFTER DELETE ON email_drafts BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('draft.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_task_inserted AFTER INSERT ON tasks BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('task.created', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_task_updated AFTER UPDATE OF version, email_id, event_id ON tasks WHEN NEW.version IS NOT OLD.version OR NEW.email_id IS NOT OLD.email_id OR NEW.event_id IS NOT OLD.event_id BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (iif(NEW.status = 'done' AND OLD.status <> 'done', 'task.completed', 'task.updated'), NEW.id, NEW.version);
END;

CREATE TRIGGER changes_task_deleted AFTER DELETE ON tasks BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('task.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_list_inserted AFTER INSERT ON task_lists BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('list.created', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_list_updated AFTER UPDATE OF version ON task_lists WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('list.updated', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_list_deleted AFTER DELETE ON task_lists BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('list.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_event_inserted AFTER INSERT ON events WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (CASE
    WHEN NEW.recurring_event_id IS NULL THEN 'event.created'
    WHEN NEW.status = 'cancelled' THEN 'event.cancelled'
    ELSE 'event.updated' END, NEW.id, NEW.version);
END;

CREATE TRIGGER changes_event_updated AFTER UPDATE OF version ON events WHEN (NEW.version IS NOT OLD.version) AND (NEW.deleted_at IS NULL OR OLD.deleted_at IS NULL) BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (CASE
    WHEN NEW.deleted_at IS NOT NULL THEN 'event.deleted'
    WHEN OLD.deleted_at IS NOT NULL THEN 'event.created'
    WHEN NEW.status = 'cancelled' AND OLD.status <> 'cancelled' THEN 'event.cancelled'
    ELSE 'event.updated' END, NEW.id, NEW.version);
END;

CREATE TRIGGER changes_event_deleted AFTER DELETE ON events WHEN OLD.deleted_at IS NULL BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('event.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_stream_inserted AFTER INSERT ON stream_sessions BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('stream.' || iif(NEW.state IN ('live', 'ended'), NEW.state, 'created'), NEW.id, NEW.version);
END;

CREATE TRIGGER changes_stream_updated AFTER UPDATE OF version ON stream_sessions WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('stream.' || iif(NEW.state <> OLD.state AND NEW.state IN ('live', 'ended'), NEW.state, 'updated'), NEW.id, NEW.version);
END;

CREATE TRIGGER changes_stream_deleted AFTER DELETE ON stream_sessions BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('stream.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_milestone_inserted AFTER INSERT ON stream_milestones BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('milestone.created', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_milestone_updated AFTER UPDATE OF version ON stream_milestones WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO changes (type, record_id, version) VALUES (iif(OLD.reached_at IS NULL AND NEW.reached_at IS NOT NULL AND NOT NEW.passed_before, 'milestone.reached', 'milestone.updated'), NEW.id, NEW.version);
END;

CREATE TRIGGER changes_milestone_deleted AFTER DELETE ON stream_milestones BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('milestone.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER changes_caption_inserted AFTER INSERT ON captions BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('caption.created', NEW.id, NEW.version);
END;

CREATE TRIGGER changes_caption_updated AFTER UPDATE OF version ON captions WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('caption.' || iif(NEW.status <> OLD.status AND NEW.status IN ('posted', 'failed'), NEW.status, 'updated'), NEW.id, NEW.version);
END;

CREATE TRIGGER changes_caption_deleted AFTER DELETE ON captions BEGIN
  INSERT INTO changes (type, record_id, version) VALUES ('caption.deleted', OLD.id, OLD.version);
END;

CREATE TRIGGER outbox_email_received AFTER INSERT ON emails WHEN (NEW.direction = 'inbound' AND NEW.source <> 'import' AND NEW.status NOT IN ('spam', 'trash')) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('email.received', NEW.id, NEW.created_at);
END;

CREATE TRIGGER outbox_email_analyzed AFTER UPDATE OF analysis ON emails WHEN (NEW.analysis IS NOT NULL AND NEW.analysis IS NOT OLD.analysis AND NEW.status <> 'spam') AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('email.analyzed', NEW.id, NEW.updated_at);
END;

CREATE TRIGGER outbox_email_sent AFTER UPDATE OF delivery ON emails WHEN (NEW.delivery = 'sent' AND OLD.delivery IS NOT 'sent') AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('email.sent', NEW.id, NEW.updated_at);
END;

CREATE TRIGGER outbox_email_updated AFTER UPDATE OF status, is_read, is_starred, tags, snoozed_until, reply_needed ON emails WHEN (NEW.status IS NOT OLD.status OR NEW.is_read IS NOT OLD.is_read OR NEW.is_starred IS NOT OLD.is_starred OR NEW.tags IS NOT OLD.tags OR NEW.snoozed_until IS NOT OLD.snoozed_until
      OR (NEW.reply_needed IS NOT OLD.reply_needed AND NEW.analysis IS OLD.analysis)) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('email.updated', NEW.id, NEW.updated_at);
END;

CREATE TRIGGER outbox_task_updated AFTER UPDATE OF version ON tasks WHEN (NEW.version IS NOT OLD.version) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES (iif(NEW.status = 'done' AND OLD.status <> 'done', 'task.completed', 'task.updated'), NEW.id, NEW.updated_at);
END;

CREATE TRIGGER outbox_task_deleted AFTER DELETE ON tasks WHEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('task.deleted', OLD.id, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER outbox_event_inserted AFTER INSERT ON events WHEN (NEW.deleted_at IS NULL) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES (CASE
    WHEN NEW.recurring_event_id IS NULL THEN 'event.created'
    WHEN NEW.status = 'cancelled' THEN 'event.cancelled'
    ELSE 'event.updated' END, NEW.id, NEW.created_at);
END;

CREATE TRIGGER outbox_event_marked AFTER UPDATE OF deleted_at ON events WHEN ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) AND NEW.recurring_event_id IS NULL) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES (iif(NEW.deleted_at IS NULL, 'event.created', 'event.deleted'), NEW.id, NEW.updated_at);
END;

CREATE TRIGGER outbox_event_updated AFTER UPDATE OF title, description, start_at, end_at, start_date, end_date, time_zone, location, meeting_url, status, busy, awaits_answer, cancel_reason, external_status, organizer, attendees, tags, notes, reminders, rrule, exdates ON events WHEN (NEW.deleted_at IS NULL AND OLD.deleted_at IS NULL AND (NEW.title IS NOT OLD.title OR NEW.description IS NOT OLD.description OR NEW.start_at IS NOT OLD.start_at OR NEW.end_at IS NOT OLD.end_at OR NEW.start_date IS NOT OLD.start_date OR NEW.end_date IS NOT OLD.end_date OR NEW.time_zone IS NOT OLD.time_zone OR NEW.location IS NOT OLD.location OR NEW.meeting_url IS NOT OLD.meeting_url OR NEW.status IS NOT OLD.status OR NEW.busy IS NOT OLD.busy OR NEW.awaits_answer IS NOT OLD.awaits_answer OR NEW.cancel_reason IS NOT OLD.cancel_reason OR NEW.external_status IS NOT OLD.external_status OR NEW.organizer IS NOT OLD.organizer OR NEW.attendees IS NOT OLD.attendees OR NEW.tags IS NOT OLD.tags OR NEW.notes IS NOT OLD.notes OR NEW.reminders IS NOT OLD.reminders OR NEW.rrule IS NOT OLD.rrule OR NEW.exdates IS NOT OLD.exdates)) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES (iif(NEW.status = 'cancelled' AND OLD.status <> 'cancelled', 'event.cancelled', 'event.updated'), NEW.id, NEW.updated_at);
END;

CREATE TRIGGER outbox_event_deleted AFTER DELETE ON events WHEN (OLD.deleted_at IS NULL AND OLD.recurring_event_id IS NULL) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('event.deleted', OLD.id, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER outbox_sync_finished AFTER UPDATE OF status ON sync_runs WHEN (OLD.status = 'running' AND NEW.status <> 'running') AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES (CASE NEW.status WHEN 'failed' THEN 'sync.failed' ELSE 'sync.completed' END, NEW.id, NEW.finished_at);
END;

CREATE TRIGGER outbox_sync_recorded AFTER INSERT ON sync_runs WHEN (NEW.status <> 'running') AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES (CASE NEW.status WHEN 'failed' THEN 'sync.failed' ELSE 'sync.completed' END, NEW.id, NEW.finished_at);
END;

CREATE TRIGGER outbox_stream_inserted AFTER INSERT ON stream_sessions WHEN (NEW.state = 'live') AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('stream.live', NEW.id, NEW.updated_at);
END;

CREATE TRIGGER outbox_stream_updated AFTER UPDATE OF state ON stream_sessions WHEN (NEW.state <> OLD.state AND NEW.state IN ('live', 'ended')) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('stream.' || NEW.state, NEW.id, NEW.updated_at);
END;

CREATE TRIGGER outbox_milestone_reached AFTER UPDATE OF reached_at ON stream_milestones WHEN (OLD.reached_at IS NULL AND NEW.reached_at IS NOT NULL AND NOT NEW.passed_before) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('milestone.reached', NEW.id, NEW.updated_at);
END;

CREATE TRIGGER outbox_caption_status AFTER UPDATE OF status ON captions WHEN (NEW.status IN ('posted', 'failed') AND NEW.status <> OLD.status) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('caption.' || NEW.status, NEW.id, NEW.updated_at);
END;

CREATE TRIGGER outbox_token_alert AFTER UPDATE OF fired_month ON token_alerts WHEN (NEW.fired_month IS NOT NULL AND NEW.fired_month IS NOT OLD.fired_month) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('tokens.alert', NEW.id, NEW.fired_at);
END;

CREATE TRIGGER outbox_alert_opened AFTER INSERT ON service_alerts WHEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('service.alert', NEW.id || ':open', NEW.opened_at);
END;

CREATE TRIGGER outbox_alert_resolved AFTER UPDATE OF resolved_at ON service_alerts WHEN (OLD.resolved_at IS NULL AND NEW.resolved_at IS NOT NULL) AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('service.alert', NEW.id || ':resolved', NEW.resolved_at);
END;

CREATE TRIGGER profiles_inserted AFTER INSERT ON profiles BEGIN
  UPDATE users SET habits = (
    SELECT json_array(p.locale, p.time_format, p.week_start,
      json((SELECT w.days FROM working_hours w WHERE w.user_id = p.user_id)))
    FROM profiles p WHERE p.user_id = NEW.user_id
  ) WHERE id = NEW.user_id;
END;

CREATE TRIGGER profiles_habits_changed AFTER UPDATE OF locale, time_format, week_start ON profiles BEGIN
  UPDATE users SET habits = (
    SELECT json_array(p.locale, p.time_format, p.week_start,
      json((SELECT w.days FROM working_hours w WHERE w.user_id = p.user_id)))
    FROM profiles p WHERE p.user_id = NEW.user_id
  ) WHERE id = NEW.user_id;
END;

CREATE TRIGGER working_hours_inserted AFTER INSERT ON working_hours BEGIN
  UPDATE users SET habits = (
    SELECT json_array(p.locale, p.time_format, p.week_start,
      json((SELECT w.days FROM working_hours w WHERE w.user_id = p.user_id)))
    FROM profiles p WHERE p.user_id = NEW.user_id
  ) WHERE id = NEW.user_id;
END;

CREATE TRIGGER working_hours_changed AFTER UPDATE OF days ON working_hours BEGIN
  UPDATE users SET habits = (
    SELECT json_array(p.locale, p.time_format, p.week_start,
      json((SELECT w.days FROM working_hours w WHERE w.user_id = p.user_id)))
    FROM profiles p WHERE p.user_id = NEW.user_id
  ) WHERE id = NEW.user_id;
END;

CREATE TRIGGER working_hours_deleted AFTER DELETE ON working_hours BEGIN
  UPDATE users SET habits = (
    SELECT json_array(p.locale, p.time_format, p.week_start,
      json((SELECT w.days FROM working_hours w WHERE w.user_id = p.user_id)))
    FROM profiles p WHERE p.user_id = OLD.user_id
  ) WHERE id = OLD.user_id;
END;

CREATE TRIGGER event_days_insert AFTER INSERT ON events WHEN NEW.span <= 2 AND NEW.status <> 'cancelled' BEGIN
  INSERT INTO event_days (day, events)
    SELECT day, (
      SELECT iif(count(*) > 200, NULL, json_group_array(json_array(start_at, end_at, busy, start_date IS NOT NULL)))
      FROM (
        SELECT start_at, end_at, busy, start_date FROM events WHERE span IN (0, 1, 2) AND start_at >= changed.day AND start_at < changed.day + 86400000 AND status <> 'cancelled'
        ORDER BY span, start_at, id LIMIT 201
      )
    ) FROM (SELECT NEW.start_at - (NEW.start_at % 86400000 + 86400000) % 86400000 AS day) AS changed
    WHERE EXISTS (SELECT 1 FROM events WHERE span IN (0, 1, 2) AND start_at >= changed.day AND start_at < changed.day + 86400000 AND status <> 'cancelled')
    ON CONFLICT (day) DO UPDATE SET events = excluded.events;
  DELETE FROM event_days WHERE day IN (NEW.start_at - (NEW.start_at % 86400000 + 86400000) % 86400000)
    AND NOT EXISTS (SELECT 1 FROM events WHERE span IN (0, 1, 2) AND start_at >= event_days.day AND start_at < event_days.day + 86400000 AND status <> 'cancelled');
END;

CREATE TRIGGER event_days_update AFTER UPDATE OF start_at, end_at, start_date, span, status, busy ON events WHEN NEW.start_at IS NOT OLD.start_at OR NEW.end_at IS NOT OLD.end_at OR NEW.span IS NOT OLD.span OR NEW.busy IS NOT OLD.busy OR (NEW.start_date IS NULL) <> (OLD.start_date IS NULL)
    OR (NEW.status = 'cancelled') <> (OLD.status = 'cancelled') BEGIN
  INSERT INTO event_days (day, events)
    SELECT day, (
      SELECT iif(count(*) > 200, NULL, json_group_array(json_array(start_at, end_at, busy, start_date IS NOT NULL)))
      FROM (
        SELECT start_at, end_at, busy, start_date FROM events WHERE span IN (0, 1, 2) AND start_at >= changed.day AND start_at < changed.day + 86400000 AND status <> 'cancelled'
        ORDER BY span, start_at, id LIMIT 201
      )
    ) FROM (SELECT OLD.start_at - (OLD.start_at % 86400000 + 86400000) % 86400000 AS day UNION SELECT NEW.start_at - (NEW.start_at % 86400000 + 86400000) % 86400000) AS changed
    WHERE EXISTS (SELECT 1 FROM events WHERE span IN (0, 1, 2) AND start_at >= changed.day AND start_at < changed.day + 86400000 AND status <> 'cancelled')
    ON CONFLICT (day) DO UPDATE SET events = excluded.events;
  DELETE FROM event_days WHERE day IN (OLD.start_at - (OLD.start_at % 86400000 + 86400000) % 86400000, NEW.start_at - (NEW.start_at % 86400000 + 86400000) % 86400000)
    AND NOT EXISTS (SELECT 1 FROM events WHERE span IN (0, 1, 2) AND start_at >= event_days.day AND start_at < event_days.day + 86400000 AND status <> 'cancelled');
END;

CREATE TRIGGER event_days_delete AFTER DELETE ON events WHEN OLD.span <= 2 AND OLD.status <> 'cancelled' BEGIN
  INSERT INTO event_days (day, events)
    SELECT day, (
      SELECT iif(count(*) > 200, NULL, json_group_array(json_array(start_at, end_at, busy, start_date IS NOT NULL)))
      FROM (
        SELECT start_at, end_at, busy, start_date FROM events WHERE span IN (0, 1, 2) AND start_at >= changed.day AND start_at < changed.day + 86400000 AND status <> 'cancelled'
        ORDER BY span, start_at, id LIMIT 201
      )
    ) FROM (SELECT OLD.start_at - (OLD.start_at % 86400000 + 86400000) % 86400000 AS day) AS changed
    WHERE EXISTS (SELECT 1 FROM events WHERE span IN (0, 1, 2) AND start_at >= changed.day AND start_at < changed.day + 86400000 AND status <> 'cancelled')
    ON CONFLICT (day) DO UPDATE SET events = excluded.events;
  DELETE FROM event_days WHERE day IN (OLD.start_at - (OLD.start_at % 86400000 + 86400000) % 86400000)
    AND NOT EXISTS (SELECT 1 FROM events WHERE span IN (0, 1, 2) AND start_at >= event_days.day AND start_at < event_days.day + 86400000 AND status <> 'cancelled');
END;

-- Every insert fails with the assertion's name, which undoes the batch that it is part of: see db/assert.ts.
CREATE TRIGGER assertions_fail BEFORE INSERT ON assertions BEGIN
  SELECT RAISE(ABORT, 'assertion failed: ' || NEW.name);
END;

-- The tokens ever bought, less those refunded.
CREATE TRIGGER billing_purchase_credited AFTER INSERT ON billing_purchases BEGIN
  UPDATE billing_account SET purchased_tokens = purchased_tokens + NEW.tokens - NEW.refunded_tokens WHERE id = 1;
END;

CREATE TRIGGER billing_purchase_refunded AFTER UPDATE OF refunded_tokens ON billing_purchases BEGIN
  UPDATE billing_account SET purchased_tokens = purchased_tokens + OLD.refunded_tokens - NEW.refunded_tokens
  WHERE id = 1;
END;

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

-- The objects of a deleted email are deleted three days later: restoring the database by Time Travel brings back its row,
-- but no object. An object belongs to one email.
CREATE TRIGGER emails_objects_delete AFTER DELETE ON emails
WHEN OLD.raw_key IS NOT NULL OR OLD.content_key IS NOT NULL OR OLD.attachments LIKE '%"key":%' BEGIN
  INSERT INTO files_to_delete (key, store, due_at)
  SELECT DISTINCT key, 'r2', CAST(unixepoch('subsec') * 1000 AS INTEGER) + 259200000 FROM (
    SELECT OLD.raw_key AS key UNION ALL SELECT OLD.content_key
    UNION ALL SELECT value ->> 'key' FROM json_each(OLD.attachments))
  WHERE key IS NOT NULL
  ON CONFLICT (key) DO NOTHING;
END;

-- For a month, a received email that was deleted for good stays deleted when it is delivered again.
CREATE TRIGGER emails_mark_deleted AFTER DELETE ON emails WHEN OLD.source = 'inbound' BEGIN
  INSERT INTO deleted_emails (message_key, from_email, source, authentication, expires_at)
  VALUES (OLD.message_key, OLD.from_email, OLD.source, OLD.authentication,
    CAST(unixepoch('subsec') * 1000 AS INTEGER) + 2592000000)
  ON CONFLICT (message_key) DO UPDATE SET from_email = excluded.from_email, source = excluded.source,
    authentication = excluded.authentication, expires_at = excluded.expires_at;
END;

CREATE TRIGGER emails_aside_insert AFTER INSERT ON emails WHEN NEW.status IN ('spam', 'trash') AND NEW.is_aside = 0 BEGIN
  UPDATE emails SET is_aside = 1 WHERE id = NEW.id;
END;

CREATE TRIGGER emails_aside AFTER UPDATE OF status ON emails WHEN (NEW.status IN ('spam', 'trash')) <> NEW.is_aside BEGIN
  UPDATE emails SET is_aside = (NEW.status IN ('spam', 'trash')) WHERE id = NEW.id;
END;

CREATE TRIGGER thread_messages_delete AFTER DELETE ON emails BEGIN
  DELETE FROM thread_messages
  WHERE thread_id = OLD.thread_id
    AND NOT EXISTS (SELECT 1 FROM emails WHERE thread_id = OLD.thread_id AND has_thread_count = 1);
END;

-- `email_tags` repeats the tags of emails outside spam and trash as rows, with what lists filter by, so that a tag's newest
-- emails are a few ranges of its key. An email's `received_at` never changes.
CREATE TRIGGER email_tags_insert AFTER INSERT ON emails WHEN NEW.status NOT IN ('spam', 'trash') BEGIN
  INSERT INTO email_tags (tag, status, is_read, received_at, email_id)
  SELECT value, NEW.status, NEW.is_read, NEW.received_at, NEW.id FROM json_each(NEW.tags) WHERE true
  -- A tag that is there twice. DISTINCT would take a table of its own.
  ON CONFLICT DO NOTHING;
END;

-- The tags change, or the email goes into spam or the trash or comes back: its rows are replaced.
CREATE TRIGGER email_tags_replace AFTER UPDATE OF tags, status ON emails
WHEN NEW.tags <> OLD.tags OR (NEW.status IN ('spam', 'trash')) <> (OLD.status IN ('spam', 'trash')) BEGIN
  DELETE FROM email_tags
  WHERE tag IN (SELECT value FROM json_each(OLD.tags)) AND status = OLD.status AND is_read = OLD.is_read
    AND received_at = OLD.received_at AND email_id = OLD.id;
  INSERT INTO email_tags (tag, status, is_read, received_at, email_id)
  SELECT DISTINCT value, NEW.status, NEW.is_read, NEW.received_at, NEW.id FROM json_each(NEW.tags)
  WHERE NEW.status NOT IN ('spam', 'trash');
END;

-- The status or the read flag changes, and the tags stay. An email in spam or in the trash has no rows.
CREATE TRIGGER email_tags_follow AFTER UPDATE OF status, is_read ON emails
WHEN (NEW.status, NEW.is_read) <> (OLD.status, OLD.is_read) AND NEW.tags = OLD.tags
  AND NEW.status NOT IN ('spam', 'trash') AND OLD.status NOT IN ('spam', 'trash') BEGIN
  UPDATE email_tags SET status = NEW.status, is_read = NEW.is_read
  WHERE tag IN (SELECT value FROM json_each(NEW.tags)) AND status = OLD.status AND is_read = OLD.is_read
    AND received_at = NEW.received_at AND email_id = NEW.id;
END;

CREATE TRIGGER email_tags_delete AFTER DELETE ON emails BEGIN
  DELETE FROM email_tags
  WHERE tag IN (SELECT value FROM json_each(OLD.tags)) AND status = OLD.status AND is_read = OLD.is_read
    AND received_at = OLD.received_at AND email_id = OLD.id;
END;

-- `tags` counts the rows of `email_tags`. A tag without emails has no row.
CREATE TRIGGER tags_insert AFTER INSERT ON email_tags BEGIN
  INSERT INTO tags (tag, count, unread) VALUES (NEW.tag, 1, NEW.is_read = 0)
  ON CONFLICT (tag) DO UPDATE SET count = count + 1, unread = unread + excluded.unread;
END;

CREATE TRIGGER tags_update AFTER UPDATE OF is_read ON email_tags WHEN NEW.is_read <> OLD.is_read BEGIN
  UPDATE tags SET unread = unread + (NEW.is_read = 0) - (OLD.is_read = 0) WHERE tag = NEW.tag;
END;

CREATE TRIGGER tags_delete AFTER DELETE ON email_tags BEGIN
  UPDATE tags SET count = count - 1, unread = unread - (OLD.is_read = 0) WHERE tag = OLD.tag;
  DELETE FROM tags WHERE tag = OLD.tag AND count = 0;
END;

-- The file of an upload goes with it, after as long as those of deleted emails. An email that takes it over keeps it: the
-- batch removes this row again.
CREATE TRIGGER email_uploads_delete AFTER DELETE ON email_uploads BEGIN
  INSERT INTO files_to_delete (key, store, due_at)
  VALUES (OLD.key, 'r2', CAST(unixepoch('subsec') * 1000 AS INTEGER) + 259200000)
  ON CONFLICT (key) DO NOTHING;
  UPDATE email_totals SET uploads = uploads - 1, upload_bytes = upload_bytes - OLD.size;
END;

CREATE TRIGGER email_uploads_insert AFTER INSERT ON email_uploads BEGIN
  UPDATE email_totals SET uploads = uploads + 1, upload_bytes = upload_bytes + NEW.size;
END;

-- The log behind GET /api/live: one row for each change that a client can see. A move that has a name of its own, as in
-- outbound events, is written instead of `updated`. `lib/live-kinds.ts` lists the types and who may read them.

-- A statement that changes more than 200 records (the deletion of everything, an import) names the first 200. Then it
-- leaves one `reset`: read everything again.
CREATE TRIGGER changes_of_many BEFORE INSERT ON changes
WHEN NEW.type <> 'reset' AND NEW.at = (SELECT at FROM changes WHERE id = (SELECT max(id) FROM changes) - 199) BEGIN
  INSERT INTO changes (at, type)
    SELECT NEW.at, 'reset' WHERE (SELECT type FROM changes ORDER BY id DESC LIMIT 1) <> 'reset';
  SELECT RAISE(IGNORE);
END;

-- Runs of the booking sync. The webhooks of the provider are recorded as runs that are over. Old runs are purged
-- without a word.
CREATE TRIGGER changes_sync_inserted AFTER INSERT ON sync_runs BEGIN
  INSERT INTO changes (type, record_id) VALUES (
    CASE NEW.status WHEN 'running' THEN 'sync.created' WHEN 'failed' THEN 'sync.failed' ELSE 'sync.completed' END,
    NEW.id
  );
END;

-- Not every renewal of the lease.
CREATE TRIGGER changes_sync_updated AFTER UPDATE ON sync_runs
WHEN NEW.status <> OLD.status OR NEW.fetched <> OLD.fetched BEGIN
  INSERT INTO changes (type, record_id) VALUES (
    CASE
      WHEN NEW.status = OLD.status OR NEW.status = 'running' THEN 'sync.updated'
      WHEN NEW.status = 'failed' THEN 'sync.failed'
      ELSE 'sync.completed'
    END,
    NEW.id
  );
END;

-- Proposals of the assistant, for whoever may read their conversation: callers without a credential share theirs, and an
-- API key sees only what it started.
CREATE TRIGGER changes_proposal_inserted AFTER INSERT ON chat_proposals BEGIN
  INSERT INTO changes (type, record_id, audience)
    SELECT 'proposal.created', NEW.id, coalesce('user:' || user_id || coalesce(' key:' || api_key_id, ''), 'anonymous')
    FROM chat_conversations WHERE id = NEW.conversation_id;
END;

CREATE TRIGGER changes_proposal_updated AFTER UPDATE OF status, result ON chat_proposals
WHEN NEW.status <> OLD.status OR NEW.result IS NOT OLD.result BEGIN
  INSERT INTO changes (type, record_id, audience)
    SELECT 'proposal.' || iif(NEW.status <> OLD.status AND NEW.status <> 'open', NEW.status, 'updated'), NEW.id,
      coalesce('user:' || user_id || coalesce(' key:' || api_key_id, ''), 'anonymous')
    FROM chat_conversations WHERE id = NEW.conversation_id;
END;

-- They are deleted only with their conversation, and after a day nobody can decide about them any more.
CREATE TRIGGER changes_proposal_deleted BEFORE DELETE ON chat_conversations BEGIN
  INSERT INTO changes (type, record_id, audience)
    SELECT 'proposal.deleted', id,
      coalesce('user:' || OLD.user_id || coalesce(' key:' || OLD.api_key_id, ''), 'anonymous')
    FROM chat_proposals
    WHERE conversation_id = OLD.id AND status = 'open' AND expires_at > unixepoch('subsec') * 1000;
END;

-- Deliveries of outbound events, for the person whose endpoint it is: when they are made, and when an attempt has ended.
-- They are deleted only with their endpoint, and after 30 days.
CREATE TRIGGER changes_delivery_inserted AFTER INSERT ON webhook_deliveries BEGIN
  INSERT INTO changes (type, record_id, audience)
    SELECT 'delivery.created', NEW.id, 'user:' || user_id FROM webhook_endpoints WHERE id = NEW.endpoint_id;
END;

CREATE TRIGGER changes_delivery_updated AFTER UPDATE ON webhook_deliveries
WHEN NEW.status <> OLD.status OR NEW.response_status IS NOT OLD.response_status OR NEW.error IS NOT OLD.error
  OR NEW.duration_ms IS NOT OLD.duration_ms BEGIN
  INSERT INTO changes (type, record_id, audience)
    SELECT 'delivery.' || iif(NEW.status <> OLD.status AND NEW.status <> 'pending', NEW.status, 'updated'), NEW.id,
      'user:' || user_id
    FROM webhook_endpoints WHERE id = NEW.endpoint_id;
END;

-- Reminders, for the person they remind: when they fire, also again after a snooze, and when that person has answered.
-- They are deleted only with the account, and after 90 days.
CREATE TRIGGER changes_reminder_inserted AFTER INSERT ON reminders BEGIN
  INSERT INTO changes (type, record_id, version, audience)
    VALUES ('reminder.fired', NEW.id, NEW.version, 'user:' || NEW.user_id);
END;

CREATE TRIGGER changes_reminder_updated AFTER UPDATE OF version ON reminders WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO changes (type, record_id, version, audience) VALUES (
    CASE
      WHEN NEW.fired_at <> OLD.fired_at THEN 'reminder.fired'
      WHEN NEW.state <> OLD.state AND NEW.state <> 'fired' THEN 'reminder.' || NEW.state
      ELSE 'reminder.updated'
    END,
    NEW.id, NEW.version, 'user:' || NEW.user_id
  );
END;

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

-- The files of an import or export are deleted with it, also when it goes with its account. 0: due at once.
CREATE TRIGGER transfers_deleted AFTER DELETE ON transfers BEGIN
  INSERT INTO files_to_delete (key, store, due_at)
    SELECT value, 'r2', 0 FROM json_each(json_insert(OLD.scratch_keys, '$[#]', OLD.file_key)) WHERE value IS NOT NULL
    ON CONFLICT (key) DO UPDATE SET due_at = 0;
END;

-- Every account has a profile and notification preferences from the start, so that changing them is always an update.
CREATE TRIGGER users_inserted AFTER INSERT ON users BEGIN
  INSERT INTO profiles (user_id) VALUES (NEW.id);
  INSERT INTO notification_preferences (user_id) VALUES (NEW.id);
END;

-- An uploaded picture that no profile refers to any more is deleted from its store: when it is replaced or removed, and
-- when the profile goes with its account. 0: due at once.
CREATE TRIGGER profiles_avatar_replaced AFTER UPDATE OF avatar ON profiles
WHEN json_extract(OLD.avatar, '$.key') IS NOT NULL
  AND json_extract(OLD.avatar, '$.key') IS NOT json_extract(NEW.avatar, '$.key') BEGIN
  INSERT INTO files_to_delete (key, store, due_at) VALUES (json_extract(OLD.avatar, '$.key'), 'kv', 0)
    ON CONFLICT (key) DO UPDATE SET due_at = 0;
END;

CREATE TRIGGER profiles_deleted AFTER DELETE ON profiles WHEN json_extract(OLD.avatar, '$.key') IS NOT NULL BEGIN
  INSERT INTO files_to_delete (key, store, due_at) VALUES (json_extract(OLD.avatar, '$.key'), 'kv', 0)
    ON CONFLICT (key) DO UPDATE SET due_at = 0;
END;

CREATE TRIGGER contact_addresses_delete AFTER DELETE ON contacts BEGIN
  DELETE FROM contact_addresses WHERE address IN (SELECT value FROM json_each(OLD.addresses));
END;

CREATE TRIGGER contact_addresses_insert AFTER INSERT ON contacts BEGIN
  INSERT INTO contact_addresses (address, contact_id) SELECT value, NEW.id FROM json_each(NEW.addresses);
END;

CREATE TRIGGER contact_addresses_update AFTER UPDATE OF addresses ON contacts WHEN NEW.addresses <> OLD.addresses BEGIN
  DELETE FROM contact_addresses WHERE address IN (SELECT value FROM json_each(OLD.addresses));
  INSERT INTO contact_addresses (address, contact_id) SELECT value, NEW.id FROM json_each(NEW.addresses);
END;

CREATE TRIGGER contacts_met AFTER INSERT ON events
WHEN (NEW.attendees <> '[]' OR NEW.organizer IS NOT NULL) AND NEW.deleted_at IS NULL
  AND NEW.recurring_event_id IS NULL AND json_array_length(NEW.attendees) <= 50 BEGIN
  UPDATE contacts SET last_at = max(coalesce(last_at, 0), NEW.created_at)
  WHERE id IN (SELECT contact_id FROM contact_addresses WHERE address IN (
    SELECT lower(value ->> 'email') FROM json_each(NEW.attendees) UNION ALL SELECT lower(NEW.organizer ->> 'email')));
  INSERT INTO contacts (name, addresses, last_at, version, created_at, updated_at)
  SELECT max(coalesce(value ->> 'name', '')), json_array(lower(value ->> 'email')), NEW.created_at, 1, NEW.created_at,
    NEW.created_at
  FROM (SELECT value FROM json_each(NEW.attendees) UNION ALL SELECT NEW.organizer)
  WHERE value ->> 'email' LIKE '%_@_%'
    AND NOT EXISTS (SELECT 1 FROM contact_addresses WHERE address = lower(value ->> 'email'))
    AND NOT EXISTS (SELECT 1 FROM users WHERE email = lower(value ->> 'email'))
    AND NOT EXISTS (SELECT 1 FROM identities WHERE lower(address) = lower(value ->> 'email'))
    AND lower(value ->> 'email') IS NOT lower(NEW.invitation ->> 'attendee')
  GROUP BY lower(value ->> 'email');
END;

CREATE TRIGGER contacts_received AFTER INSERT ON emails
WHEN NEW.direction = 'inbound' AND NEW.kind = 'person' AND NEW.status NOT IN ('spam', 'trash') BEGIN
  UPDATE contacts SET received = received + 1, last_at = max(coalesce(last_at, 0), min(NEW.received_at, NEW.created_at))
  WHERE id = (SELECT contact_id FROM contact_addresses WHERE address = lower(NEW.from_email));
  UPDATE contacts SET name = NEW.from_name
  WHERE id = (SELECT contact_id FROM contact_addresses WHERE address = lower(NEW.from_email))
    AND NOT is_saved AND name <> NEW.from_name AND NEW.from_name <> '' AND last_at <= NEW.received_at;
  INSERT INTO contacts (name, addresses, received, last_at, version, created_at, updated_at)
  SELECT NEW.from_name, json_array(lower(NEW.from_email)), 1, min(NEW.received_at, NEW.created_at), 1, NEW.created_at, NEW.created_at
  WHERE NEW.from_email LIKE '%_@_%'
    AND NOT EXISTS (SELECT 1 FROM contact_addresses WHERE address = lower(NEW.from_email))
    AND NOT EXISTS (SELECT 1 FROM users WHERE email = lower(NEW.from_email))
    AND NOT EXISTS (SELECT 1 FROM identities WHERE lower(address) = lower(NEW.from_email));
END;

CREATE VIRTUAL TABLE contacts_search USING fts5(name, addresses, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');

CREATE TRIGGER contacts_search_delete AFTER DELETE ON contacts BEGIN
  DELETE FROM contacts_search WHERE rowid = OLD.place;
END;

CREATE TRIGGER contacts_search_insert AFTER INSERT ON contacts BEGIN
  INSERT INTO contacts_search (rowid, name, addresses) VALUES (NEW.place,
    NEW.name || ' ' || NEW.company,
    coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.addresses)), ''));
END;

CREATE TRIGGER contacts_search_update AFTER UPDATE OF name, company, addresses, is_saved, sent, last_at ON contacts WHEN NEW.name IS NOT OLD.name OR NEW.company IS NOT OLD.company OR NEW.addresses IS NOT OLD.addresses OR NEW.place IS NOT OLD.place BEGIN
  UPDATE contacts_search SET rowid = NEW.place, name = NEW.name || ' ' || NEW.company,
    addresses = coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.addresses)), '') WHERE rowid = OLD.place;
END;

CREATE TRIGGER contacts_sent AFTER INSERT ON emails
WHEN NEW.direction = 'outbound' AND NEW.status NOT IN ('spam', 'trash') BEGIN
  UPDATE contacts SET sent = sent + 1, last_at = max(coalesce(last_at, 0), min(NEW.received_at, NEW.created_at))
  WHERE id IN (SELECT contact_id FROM contact_addresses WHERE address IN (
    SELECT lower(value ->> 'email') FROM json_each(NEW.to_recipients)
    UNION ALL SELECT lower(value ->> 'email') FROM json_each(NEW.cc_recipients)
    UNION ALL SELECT lower(value ->> 'email') FROM json_each(coalesce(NEW.bcc_recipients, '[]'))));
  INSERT INTO contacts (name, addresses, sent, last_at, version, created_at, updated_at)
  SELECT max(value ->> 'name'), json_array(lower(value ->> 'email')), 1, min(NEW.received_at, NEW.created_at), 1, NEW.created_at, NEW.created_at
  FROM (SELECT value FROM json_each(NEW.to_recipients) UNION ALL SELECT value FROM json_each(NEW.cc_recipients)
    UNION ALL SELECT value FROM json_each(coalesce(NEW.bcc_recipients, '[]')))
  WHERE value ->> 'email' LIKE '%_@_%'
    AND NOT EXISTS (SELECT 1 FROM contact_addresses WHERE address = lower(value ->> 'email'))
    AND NOT EXISTS (SELECT 1 FROM users WHERE email = lower(value ->> 'email'))
    AND NOT EXISTS (SELECT 1 FROM identities WHERE lower(address) = lower(value ->> 'email'))
  GROUP BY lower(value ->> 'email');
END;

CREATE TRIGGER emails_has_thread_count AFTER INSERT ON emails WHEN NEW.thread_id <> NEW.id OR NEW.has_thread_count = 1
  OR EXISTS (SELECT 1 FROM emails WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND id <> NEW.id) BEGIN
  UPDATE emails SET has_thread_count = 1
  WHERE has_thread_count = 0 AND thread_id = NEW.thread_id AND id IN (NEW.id, NEW.thread_id);
END;

CREATE TRIGGER threads_delete AFTER DELETE ON emails BEGIN
  DELETE FROM threads WHERE id = OLD.thread_id AND email_count = 1;
  UPDATE threads SET email_count = email_count - 1,
    kept_count = kept_count - (OLD.status NOT IN ('spam', 'trash')),
    kept_unread = kept_unread - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_read = 0),
    kept_starred = kept_starred - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_starred = 1),
    kept_files = kept_files - (OLD.status NOT IN ('spam', 'trash') AND OLD.has_attachments = 1),
    spam_count = spam_count - (OLD.status = 'spam'),
    spam_unread = spam_unread - (OLD.status = 'spam' AND OLD.is_read = 0),
    spam_starred = spam_starred - (OLD.status = 'spam' AND OLD.is_starred = 1),
    spam_files = spam_files - (OLD.status = 'spam' AND OLD.has_attachments = 1),
    trash_count = trash_count - (OLD.status = 'trash'),
    trash_unread = trash_unread - (OLD.status = 'trash' AND OLD.is_read = 0),
    trash_starred = trash_starred - (OLD.status = 'trash' AND OLD.is_starred = 1),
    trash_files = trash_files - (OLD.status = 'trash' AND OLD.has_attachments = 1),
    snoozed_count = snoozed_count - (OLD.snoozed_until IS NOT NULL),
    participants = (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', e.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', e.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND e.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', e.received_at, e.id, p.type <> 'null', p.key)) AS place
    FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND 1
      ORDER BY received_at ASC, id ASC LIMIT 50)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND 1) e CROSS JOIN json_each(iif(e.direction = 'outbound', json_insert(e.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', e.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5))
  WHERE id = OLD.thread_id;
  UPDATE threads SET (kept_at, kept_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND status IN ('inbox', 'archived') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('inbox', 'archived') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = OLD.thread_id AND kept_id = OLD.id;
  UPDATE threads SET (inbox_at, inbox_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND status IN ('inbox') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('inbox') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = OLD.thread_id AND inbox_id = OLD.id;
  UPDATE threads SET (archived_at, archived_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND status IN ('archived') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('archived') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = OLD.thread_id AND archived_id = OLD.id;
  UPDATE threads SET (spam_at, spam_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND status IN ('spam') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('spam') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = OLD.thread_id AND spam_id = OLD.id;
  UPDATE threads SET (trash_at, trash_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND status IN ('trash') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('trash') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = OLD.thread_id AND trash_id = OLD.id;
  INSERT INTO thread_messages (message_id, thread_id)
  SELECT OLD.message_key, OLD.thread_id
  WHERE OLD.has_thread_count = 1 AND EXISTS (SELECT 1 FROM threads WHERE id = OLD.thread_id)
  ON CONFLICT (message_id) DO NOTHING;
END;

CREATE TRIGGER threads_gone AFTER DELETE ON threads BEGIN
  DELETE FROM muted_threads WHERE thread_id = OLD.id;
END;

CREATE TRIGGER threads_insert_archived AFTER INSERT ON emails WHEN NEW.status = 'archived' BEGIN
  INSERT INTO threads (id, email_count, kept_count, kept_unread, kept_starred, kept_files, spam_count, spam_unread, spam_starred, spam_files, trash_count, trash_unread, trash_starred, trash_files, snoozed_count, kept_at, kept_id, archived_at, archived_id, participants) VALUES (NEW.thread_id,
    1,
    NEW.status NOT IN ('spam', 'trash'),
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_read = 0,
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1,
    NEW.status NOT IN ('spam', 'trash') AND NEW.has_attachments = 1,
    NEW.status = 'spam',
    NEW.status = 'spam' AND NEW.is_read = 0,
    NEW.status = 'spam' AND NEW.is_starred = 1,
    NEW.status = 'spam' AND NEW.has_attachments = 1,
    NEW.status = 'trash',
    NEW.status = 'trash' AND NEW.is_read = 0,
    NEW.status = 'trash' AND NEW.is_starred = 1,
    NEW.status = 'trash' AND NEW.has_attachments = 1,
    NEW.snoozed_until IS NOT NULL,
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', NEW.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', NEW.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND NEW.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', NEW.received_at, NEW.id, p.type <> 'null', p.key)) AS place
    FROM  json_each(iif(NEW.direction = 'outbound', json_insert(NEW.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', NEW.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)))
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + excluded.email_count,
    kept_count = kept_count + excluded.kept_count,
    kept_unread = kept_unread + excluded.kept_unread,
    kept_starred = kept_starred + excluded.kept_starred,
    kept_files = kept_files + excluded.kept_files,
    spam_count = spam_count + excluded.spam_count,
    spam_unread = spam_unread + excluded.spam_unread,
    spam_starred = spam_starred + excluded.spam_starred,
    spam_files = spam_files + excluded.spam_files,
    trash_count = trash_count + excluded.trash_count,
    trash_unread = trash_unread + excluded.trash_unread,
    trash_starred = trash_starred + excluded.trash_starred,
    trash_files = trash_files + excluded.trash_files,
    snoozed_count = snoozed_count + excluded.snoozed_count,
    kept_at = iif(NEW.snoozed_until IS NULL AND (kept_at IS NULL OR (kept_at, kept_id) < (NEW.received_at, NEW.id)), NEW.received_at, kept_at),
    kept_id = iif(NEW.snoozed_until IS NULL AND (kept_at IS NULL OR (kept_at, kept_id) < (NEW.received_at, NEW.id)), NEW.id, kept_id),
    archived_at = iif(NEW.snoozed_until IS NULL AND (archived_at IS NULL OR (archived_at, archived_id) < (NEW.received_at, NEW.id)), NEW.received_at, archived_at),
    archived_id = iif(NEW.snoozed_until IS NULL AND (archived_at IS NULL OR (archived_at, archived_id) < (NEW.received_at, NEW.id)), NEW.id, archived_id),
    participants = iif(json_array_length(threads.participants) < 5 AND (NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(NEW.from_email))
      OR (NEW.direction = 'outbound' AND EXISTS (
        SELECT 1 FROM json_each(NEW.to_recipients) r WHERE NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(r.value ->> 'email'))))), (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', e.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', e.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND e.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', e.received_at, e.id, p.type <> 'null', p.key)) AS place
    FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND 1
      ORDER BY received_at ASC, id ASC LIMIT 50)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND 1) e CROSS JOIN json_each(iif(e.direction = 'outbound', json_insert(e.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', e.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)), participants);
END;

CREATE TRIGGER threads_insert_inbox AFTER INSERT ON emails WHEN NEW.status = 'inbox' BEGIN
  INSERT INTO threads (id, email_count, kept_count, kept_unread, kept_starred, kept_files, spam_count, spam_unread, spam_starred, spam_files, trash_count, trash_unread, trash_starred, trash_files, snoozed_count, kept_at, kept_id, inbox_at, inbox_id, participants) VALUES (NEW.thread_id,
    1,
    NEW.status NOT IN ('spam', 'trash'),
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_read = 0,
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1,
    NEW.status NOT IN ('spam', 'trash') AND NEW.has_attachments = 1,
    NEW.status = 'spam',
    NEW.status = 'spam' AND NEW.is_read = 0,
    NEW.status = 'spam' AND NEW.is_starred = 1,
    NEW.status = 'spam' AND NEW.has_attachments = 1,
    NEW.status = 'trash',
    NEW.status = 'trash' AND NEW.is_read = 0,
    NEW.status = 'trash' AND NEW.is_starred = 1,
    NEW.status = 'trash' AND NEW.has_attachments = 1,
    NEW.snoozed_until IS NOT NULL,
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', NEW.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', NEW.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND NEW.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', NEW.received_at, NEW.id, p.type <> 'null', p.key)) AS place
    FROM  json_each(iif(NEW.direction = 'outbound', json_insert(NEW.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', NEW.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)))
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + excluded.email_count,
    kept_count = kept_count + excluded.kept_count,
    kept_unread = kept_unread + excluded.kept_unread,
    kept_starred = kept_starred + excluded.kept_starred,
    kept_files = kept_files + excluded.kept_files,
    spam_count = spam_count + excluded.spam_count,
    spam_unread = spam_unread + excluded.spam_unread,
    spam_starred = spam_starred + excluded.spam_starred,
    spam_files = spam_files + excluded.spam_files,
    trash_count = trash_count + excluded.trash_count,
    trash_unread = trash_unread + excluded.trash_unread,
    trash_starred = trash_starred + excluded.trash_starred,
    trash_files = trash_files + excluded.trash_files,
    snoozed_count = snoozed_count + excluded.snoozed_count,
    kept_at = iif(NEW.snoozed_until IS NULL AND (kept_at IS NULL OR (kept_at, kept_id) < (NEW.received_at, NEW.id)), NEW.received_at, kept_at),
    kept_id = iif(NEW.snoozed_until IS NULL AND (kept_at IS NULL OR (kept_at, kept_id) < (NEW.received_at, NEW.id)), NEW.id, kept_id),
    inbox_at = iif(NEW.snoozed_until IS NULL AND (inbox_at IS NULL OR (inbox_at, inbox_id) < (NEW.received_at, NEW.id)), NEW.received_at, inbox_at),
    inbox_id = iif(NEW.snoozed_until IS NULL AND (inbox_at IS NULL OR (inbox_at, inbox_id) < (NEW.received_at, NEW.id)), NEW.id, inbox_id),
    participants = iif(json_array_length(threads.participants) < 5 AND (NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(NEW.from_email))
      OR (NEW.direction = 'outbound' AND EXISTS (
        SELECT 1 FROM json_each(NEW.to_recipients) r WHERE NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(r.value ->> 'email'))))), (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', e.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', e.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND e.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', e.received_at, e.id, p.type <> 'null', p.key)) AS place
    FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND 1
      ORDER BY received_at ASC, id ASC LIMIT 50)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND 1) e CROSS JOIN json_each(iif(e.direction = 'outbound', json_insert(e.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', e.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)), participants);
END;

CREATE TRIGGER threads_insert_spam AFTER INSERT ON emails WHEN NEW.status = 'spam' BEGIN
  INSERT INTO threads (id, email_count, kept_count, kept_unread, kept_starred, kept_files, spam_count, spam_unread, spam_starred, spam_files, trash_count, trash_unread, trash_starred, trash_files, snoozed_count, spam_at, spam_id, participants) VALUES (NEW.thread_id,
    1,
    NEW.status NOT IN ('spam', 'trash'),
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_read = 0,
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1,
    NEW.status NOT IN ('spam', 'trash') AND NEW.has_attachments = 1,
    NEW.status = 'spam',
    NEW.status = 'spam' AND NEW.is_read = 0,
    NEW.status = 'spam' AND NEW.is_starred = 1,
    NEW.status = 'spam' AND NEW.has_attachments = 1,
    NEW.status = 'trash',
    NEW.status = 'trash' AND NEW.is_read = 0,
    NEW.status = 'trash' AND NEW.is_starred = 1,
    NEW.status = 'trash' AND NEW.has_attachments = 1,
    NEW.snoozed_until IS NOT NULL,
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', NEW.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', NEW.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND NEW.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', NEW.received_at, NEW.id, p.type <> 'null', p.key)) AS place
    FROM  json_each(iif(NEW.direction = 'outbound', json_insert(NEW.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', NEW.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)))
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + excluded.email_count,
    kept_count = kept_count + excluded.kept_count,
    kept_unread = kept_unread + excluded.kept_unread,
    kept_starred = kept_starred + excluded.kept_starred,
    kept_files = kept_files + excluded.kept_files,
    spam_count = spam_count + excluded.spam_count,
    spam_unread = spam_unread + excluded.spam_unread,
    spam_starred = spam_starred + excluded.spam_starred,
    spam_files = spam_files + excluded.spam_files,
    trash_count = trash_count + excluded.trash_count,
    trash_unread = trash_unread + excluded.trash_unread,
    trash_starred = trash_starred + excluded.trash_starred,
    trash_files = trash_files + excluded.trash_files,
    snoozed_count = snoozed_count + excluded.snoozed_count,
    spam_at = iif(NEW.snoozed_until IS NULL AND (spam_at IS NULL OR (spam_at, spam_id) < (NEW.received_at, NEW.id)), NEW.received_at, spam_at),
    spam_id = iif(NEW.snoozed_until IS NULL AND (spam_at IS NULL OR (spam_at, spam_id) < (NEW.received_at, NEW.id)), NEW.id, spam_id),
    participants = iif(json_array_length(threads.participants) < 5 AND (NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(NEW.from_email))
      OR (NEW.direction = 'outbound' AND EXISTS (
        SELECT 1 FROM json_each(NEW.to_recipients) r WHERE NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(r.value ->> 'email'))))), (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', e.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', e.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND e.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', e.received_at, e.id, p.type <> 'null', p.key)) AS place
    FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND 1
      ORDER BY received_at ASC, id ASC LIMIT 50)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND 1) e CROSS JOIN json_each(iif(e.direction = 'outbound', json_insert(e.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', e.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)), participants);
END;

CREATE TRIGGER threads_insert_trash AFTER INSERT ON emails WHEN NEW.status = 'trash' BEGIN
  INSERT INTO threads (id, email_count, kept_count, kept_unread, kept_starred, kept_files, spam_count, spam_unread, spam_starred, spam_files, trash_count, trash_unread, trash_starred, trash_files, snoozed_count, trash_at, trash_id, participants) VALUES (NEW.thread_id,
    1,
    NEW.status NOT IN ('spam', 'trash'),
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_read = 0,
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1,
    NEW.status NOT IN ('spam', 'trash') AND NEW.has_attachments = 1,
    NEW.status = 'spam',
    NEW.status = 'spam' AND NEW.is_read = 0,
    NEW.status = 'spam' AND NEW.is_starred = 1,
    NEW.status = 'spam' AND NEW.has_attachments = 1,
    NEW.status = 'trash',
    NEW.status = 'trash' AND NEW.is_read = 0,
    NEW.status = 'trash' AND NEW.is_starred = 1,
    NEW.status = 'trash' AND NEW.has_attachments = 1,
    NEW.snoozed_until IS NOT NULL,
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', NEW.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', NEW.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND NEW.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', NEW.received_at, NEW.id, p.type <> 'null', p.key)) AS place
    FROM  json_each(iif(NEW.direction = 'outbound', json_insert(NEW.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', NEW.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)))
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + excluded.email_count,
    kept_count = kept_count + excluded.kept_count,
    kept_unread = kept_unread + excluded.kept_unread,
    kept_starred = kept_starred + excluded.kept_starred,
    kept_files = kept_files + excluded.kept_files,
    spam_count = spam_count + excluded.spam_count,
    spam_unread = spam_unread + excluded.spam_unread,
    spam_starred = spam_starred + excluded.spam_starred,
    spam_files = spam_files + excluded.spam_files,
    trash_count = trash_count + excluded.trash_count,
    trash_unread = trash_unread + excluded.trash_unread,
    trash_starred = trash_starred + excluded.trash_starred,
    trash_files = trash_files + excluded.trash_files,
    snoozed_count = snoozed_count + excluded.snoozed_count,
    trash_at = iif(NEW.snoozed_until IS NULL AND (trash_at IS NULL OR (trash_at, trash_id) < (NEW.received_at, NEW.id)), NEW.received_at, trash_at),
    trash_id = iif(NEW.snoozed_until IS NULL AND (trash_at IS NULL OR (trash_at, trash_id) < (NEW.received_at, NEW.id)), NEW.id, trash_id),
    participants = iif(json_array_length(threads.participants) < 5 AND (NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(NEW.from_email))
      OR (NEW.direction = 'outbound' AND EXISTS (
        SELECT 1 FROM json_each(NEW.to_recipients) r WHERE NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(r.value ->> 'email'))))), (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', e.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', e.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND e.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', e.received_at, e.id, p.type <> 'null', p.key)) AS place
    FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND 1
      ORDER BY received_at ASC, id ASC LIMIT 50)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND 1) e CROSS JOIN json_each(iif(e.direction = 'outbound', json_insert(e.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', e.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)), participants);
END;

CREATE TRIGGER threads_join_archived AFTER UPDATE OF thread_id ON emails WHEN NEW.status = 'archived' AND NEW.thread_id <> OLD.thread_id BEGIN
  INSERT INTO threads (id, email_count, kept_count, kept_unread, kept_starred, kept_files, spam_count, spam_unread, spam_starred, spam_files, trash_count, trash_unread, trash_starred, trash_files, snoozed_count, kept_at, kept_id, archived_at, archived_id, participants) VALUES (NEW.thread_id,
    1,
    NEW.status NOT IN ('spam', 'trash'),
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_read = 0,
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1,
    NEW.status NOT IN ('spam', 'trash') AND NEW.has_attachments = 1,
    NEW.status = 'spam',
    NEW.status = 'spam' AND NEW.is_read = 0,
    NEW.status = 'spam' AND NEW.is_starred = 1,
    NEW.status = 'spam' AND NEW.has_attachments = 1,
    NEW.status = 'trash',
    NEW.status = 'trash' AND NEW.is_read = 0,
    NEW.status = 'trash' AND NEW.is_starred = 1,
    NEW.status = 'trash' AND NEW.has_attachments = 1,
    NEW.snoozed_until IS NOT NULL,
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', NEW.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', NEW.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND NEW.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', NEW.received_at, NEW.id, p.type <> 'null', p.key)) AS place
    FROM  json_each(iif(NEW.direction = 'outbound', json_insert(NEW.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', NEW.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)))
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + excluded.email_count,
    kept_count = kept_count + excluded.kept_count,
    kept_unread = kept_unread + excluded.kept_unread,
    kept_starred = kept_starred + excluded.kept_starred,
    kept_files = kept_files + excluded.kept_files,
    spam_count = spam_count + excluded.spam_count,
    spam_unread = spam_unread + excluded.spam_unread,
    spam_starred = spam_starred + excluded.spam_starred,
    spam_files = spam_files + excluded.spam_files,
    trash_count = trash_count + excluded.trash_count,
    trash_unread = trash_unread + excluded.trash_unread,
    trash_starred = trash_starred + excluded.trash_starred,
    trash_files = trash_files + excluded.trash_files,
    snoozed_count = snoozed_count + excluded.snoozed_count,
    kept_at = iif(NEW.snoozed_until IS NULL AND (kept_at IS NULL OR (kept_at, kept_id) < (NEW.received_at, NEW.id)), NEW.received_at, kept_at),
    kept_id = iif(NEW.snoozed_until IS NULL AND (kept_at IS NULL OR (kept_at, kept_id) < (NEW.received_at, NEW.id)), NEW.id, kept_id),
    archived_at = iif(NEW.snoozed_until IS NULL AND (archived_at IS NULL OR (archived_at, archived_id) < (NEW.received_at, NEW.id)), NEW.received_at, archived_at),
    archived_id = iif(NEW.snoozed_until IS NULL AND (archived_at IS NULL OR (archived_at, archived_id) < (NEW.received_at, NEW.id)), NEW.id, archived_id),
    participants = iif(json_array_length(threads.participants) < 5 AND (NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(NEW.from_email))
      OR (NEW.direction = 'outbound' AND EXISTS (
        SELECT 1 FROM json_each(NEW.to_recipients) r WHERE NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(r.value ->> 'email'))))), (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', e.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', e.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND e.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', e.received_at, e.id, p.type <> 'null', p.key)) AS place
    FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND 1
      ORDER BY received_at ASC, id ASC LIMIT 50)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND 1) e CROSS JOIN json_each(iif(e.direction = 'outbound', json_insert(e.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', e.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)), participants);
END;

CREATE TRIGGER threads_join_inbox AFTER UPDATE OF thread_id ON emails WHEN NEW.status = 'inbox' AND NEW.thread_id <> OLD.thread_id BEGIN
  INSERT INTO threads (id, email_count, kept_count, kept_unread, kept_starred, kept_files, spam_count, spam_unread, spam_starred, spam_files, trash_count, trash_unread, trash_starred, trash_files, snoozed_count, kept_at, kept_id, inbox_at, inbox_id, participants) VALUES (NEW.thread_id,
    1,
    NEW.status NOT IN ('spam', 'trash'),
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_read = 0,
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1,
    NEW.status NOT IN ('spam', 'trash') AND NEW.has_attachments = 1,
    NEW.status = 'spam',
    NEW.status = 'spam' AND NEW.is_read = 0,
    NEW.status = 'spam' AND NEW.is_starred = 1,
    NEW.status = 'spam' AND NEW.has_attachments = 1,
    NEW.status = 'trash',
    NEW.status = 'trash' AND NEW.is_read = 0,
    NEW.status = 'trash' AND NEW.is_starred = 1,
    NEW.status = 'trash' AND NEW.has_attachments = 1,
    NEW.snoozed_until IS NOT NULL,
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', NEW.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', NEW.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND NEW.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', NEW.received_at, NEW.id, p.type <> 'null', p.key)) AS place
    FROM  json_each(iif(NEW.direction = 'outbound', json_insert(NEW.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', NEW.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)))
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + excluded.email_count,
    kept_count = kept_count + excluded.kept_count,
    kept_unread = kept_unread + excluded.kept_unread,
    kept_starred = kept_starred + excluded.kept_starred,
    kept_files = kept_files + excluded.kept_files,
    spam_count = spam_count + excluded.spam_count,
    spam_unread = spam_unread + excluded.spam_unread,
    spam_starred = spam_starred + excluded.spam_starred,
    spam_files = spam_files + excluded.spam_files,
    trash_count = trash_count + excluded.trash_count,
    trash_unread = trash_unread + excluded.trash_unread,
    trash_starred = trash_starred + excluded.trash_starred,
    trash_files = trash_files + excluded.trash_files,
    snoozed_count = snoozed_count + excluded.snoozed_count,
    kept_at = iif(NEW.snoozed_until IS NULL AND (kept_at IS NULL OR (kept_at, kept_id) < (NEW.received_at, NEW.id)), NEW.received_at, kept_at),
    kept_id = iif(NEW.snoozed_until IS NULL AND (kept_at IS NULL OR (kept_at, kept_id) < (NEW.received_at, NEW.id)), NEW.id, kept_id),
    inbox_at = iif(NEW.snoozed_until IS NULL AND (inbox_at IS NULL OR (inbox_at, inbox_id) < (NEW.received_at, NEW.id)), NEW.received_at, inbox_at),
    inbox_id = iif(NEW.snoozed_until IS NULL AND (inbox_at IS NULL OR (inbox_at, inbox_id) < (NEW.received_at, NEW.id)), NEW.id, inbox_id),
    participants = iif(json_array_length(threads.participants) < 5 AND (NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(NEW.from_email))
      OR (NEW.direction = 'outbound' AND EXISTS (
        SELECT 1 FROM json_each(NEW.to_recipients) r WHERE NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(r.value ->> 'email'))))), (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', e.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', e.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND e.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', e.received_at, e.id, p.type <> 'null', p.key)) AS place
    FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND 1
      ORDER BY received_at ASC, id ASC LIMIT 50)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND 1) e CROSS JOIN json_each(iif(e.direction = 'outbound', json_insert(e.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', e.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)), participants);
END;

CREATE TRIGGER threads_join_spam AFTER UPDATE OF thread_id ON emails WHEN NEW.status = 'spam' AND NEW.thread_id <> OLD.thread_id BEGIN
  INSERT INTO threads (id, email_count, kept_count, kept_unread, kept_starred, kept_files, spam_count, spam_unread, spam_starred, spam_files, trash_count, trash_unread, trash_starred, trash_files, snoozed_count, spam_at, spam_id, participants) VALUES (NEW.thread_id,
    1,
    NEW.status NOT IN ('spam', 'trash'),
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_read = 0,
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1,
    NEW.status NOT IN ('spam', 'trash') AND NEW.has_attachments = 1,
    NEW.status = 'spam',
    NEW.status = 'spam' AND NEW.is_read = 0,
    NEW.status = 'spam' AND NEW.is_starred = 1,
    NEW.status = 'spam' AND NEW.has_attachments = 1,
    NEW.status = 'trash',
    NEW.status = 'trash' AND NEW.is_read = 0,
    NEW.status = 'trash' AND NEW.is_starred = 1,
    NEW.status = 'trash' AND NEW.has_attachments = 1,
    NEW.snoozed_until IS NOT NULL,
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', NEW.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', NEW.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND NEW.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', NEW.received_at, NEW.id, p.type <> 'null', p.key)) AS place
    FROM  json_each(iif(NEW.direction = 'outbound', json_insert(NEW.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', NEW.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)))
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + excluded.email_count,
    kept_count = kept_count + excluded.kept_count,
    kept_unread = kept_unread + excluded.kept_unread,
    kept_starred = kept_starred + excluded.kept_starred,
    kept_files = kept_files + excluded.kept_files,
    spam_count = spam_count + excluded.spam_count,
    spam_unread = spam_unread + excluded.spam_unread,
    spam_starred = spam_starred + excluded.spam_starred,
    spam_files = spam_files + excluded.spam_files,
    trash_count = trash_count + excluded.trash_count,
    trash_unread = trash_unread + excluded.trash_unread,
    trash_starred = trash_starred + excluded.trash_starred,
    trash_files = trash_files + excluded.trash_files,
    snoozed_count = snoozed_count + excluded.snoozed_count,
    spam_at = iif(NEW.snoozed_until IS NULL AND (spam_at IS NULL OR (spam_at, spam_id) < (NEW.received_at, NEW.id)), NEW.received_at, spam_at),
    spam_id = iif(NEW.snoozed_until IS NULL AND (spam_at IS NULL OR (spam_at, spam_id) < (NEW.received_at, NEW.id)), NEW.id, spam_id),
    participants = iif(json_array_length(threads.participants) < 5 AND (NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(NEW.from_email))
      OR (NEW.direction = 'outbound' AND EXISTS (
        SELECT 1 FROM json_each(NEW.to_recipients) r WHERE NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(r.value ->> 'email'))))), (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', e.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', e.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND e.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', e.received_at, e.id, p.type <> 'null', p.key)) AS place
    FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND 1
      ORDER BY received_at ASC, id ASC LIMIT 50)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND 1) e CROSS JOIN json_each(iif(e.direction = 'outbound', json_insert(e.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', e.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)), participants);
END;

CREATE TRIGGER threads_join_trash AFTER UPDATE OF thread_id ON emails WHEN NEW.status = 'trash' AND NEW.thread_id <> OLD.thread_id BEGIN
  INSERT INTO threads (id, email_count, kept_count, kept_unread, kept_starred, kept_files, spam_count, spam_unread, spam_starred, spam_files, trash_count, trash_unread, trash_starred, trash_files, snoozed_count, trash_at, trash_id, participants) VALUES (NEW.thread_id,
    1,
    NEW.status NOT IN ('spam', 'trash'),
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_read = 0,
    NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1,
    NEW.status NOT IN ('spam', 'trash') AND NEW.has_attachments = 1,
    NEW.status = 'spam',
    NEW.status = 'spam' AND NEW.is_read = 0,
    NEW.status = 'spam' AND NEW.is_starred = 1,
    NEW.status = 'spam' AND NEW.has_attachments = 1,
    NEW.status = 'trash',
    NEW.status = 'trash' AND NEW.is_read = 0,
    NEW.status = 'trash' AND NEW.is_starred = 1,
    NEW.status = 'trash' AND NEW.has_attachments = 1,
    NEW.snoozed_until IS NOT NULL,
    iif(NEW.snoozed_until IS NULL, NEW.received_at, NULL),
    iif(NEW.snoozed_until IS NULL, NEW.id, NULL),
    (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', NEW.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', NEW.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND NEW.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', NEW.received_at, NEW.id, p.type <> 'null', p.key)) AS place
    FROM  json_each(iif(NEW.direction = 'outbound', json_insert(NEW.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', NEW.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)))
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + excluded.email_count,
    kept_count = kept_count + excluded.kept_count,
    kept_unread = kept_unread + excluded.kept_unread,
    kept_starred = kept_starred + excluded.kept_starred,
    kept_files = kept_files + excluded.kept_files,
    spam_count = spam_count + excluded.spam_count,
    spam_unread = spam_unread + excluded.spam_unread,
    spam_starred = spam_starred + excluded.spam_starred,
    spam_files = spam_files + excluded.spam_files,
    trash_count = trash_count + excluded.trash_count,
    trash_unread = trash_unread + excluded.trash_unread,
    trash_starred = trash_starred + excluded.trash_starred,
    trash_files = trash_files + excluded.trash_files,
    snoozed_count = snoozed_count + excluded.snoozed_count,
    trash_at = iif(NEW.snoozed_until IS NULL AND (trash_at IS NULL OR (trash_at, trash_id) < (NEW.received_at, NEW.id)), NEW.received_at, trash_at),
    trash_id = iif(NEW.snoozed_until IS NULL AND (trash_at IS NULL OR (trash_at, trash_id) < (NEW.received_at, NEW.id)), NEW.id, trash_id),
    participants = iif(json_array_length(threads.participants) < 5 AND (NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(NEW.from_email))
      OR (NEW.direction = 'outbound' AND EXISTS (
        SELECT 1 FROM json_each(NEW.to_recipients) r WHERE NOT EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(r.value ->> 'email'))))), (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', e.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', e.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND e.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', e.received_at, e.id, p.type <> 'null', p.key)) AS place
    FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND 1
      ORDER BY received_at ASC, id ASC LIMIT 50)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND 1) e CROSS JOIN json_each(iif(e.direction = 'outbound', json_insert(e.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', e.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5)), participants);
END;

CREATE TRIGGER threads_move AFTER UPDATE OF thread_id ON emails WHEN NEW.thread_id <> OLD.thread_id BEGIN
  UPDATE thread_messages SET thread_id = NEW.thread_id WHERE thread_id = OLD.thread_id;
  DELETE FROM muted_threads WHERE thread_id = NEW.thread_id
    AND NOT EXISTS (SELECT 1 FROM muted_threads WHERE thread_id = OLD.thread_id);
  UPDATE emails SET has_thread_count = 1
  WHERE has_thread_count = 0 AND thread_id = NEW.thread_id AND id IN (NEW.id, NEW.thread_id);
  DELETE FROM threads WHERE id = OLD.thread_id AND email_count = 1;
  UPDATE threads SET email_count = email_count - 1,
    kept_count = kept_count - (OLD.status NOT IN ('spam', 'trash')),
    kept_unread = kept_unread - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_read = 0),
    kept_starred = kept_starred - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_starred = 1),
    kept_files = kept_files - (OLD.status NOT IN ('spam', 'trash') AND OLD.has_attachments = 1),
    spam_count = spam_count - (OLD.status = 'spam'),
    spam_unread = spam_unread - (OLD.status = 'spam' AND OLD.is_read = 0),
    spam_starred = spam_starred - (OLD.status = 'spam' AND OLD.is_starred = 1),
    spam_files = spam_files - (OLD.status = 'spam' AND OLD.has_attachments = 1),
    trash_count = trash_count - (OLD.status = 'trash'),
    trash_unread = trash_unread - (OLD.status = 'trash' AND OLD.is_read = 0),
    trash_starred = trash_starred - (OLD.status = 'trash' AND OLD.is_starred = 1),
    trash_files = trash_files - (OLD.status = 'trash' AND OLD.has_attachments = 1),
    snoozed_count = snoozed_count - (OLD.snoozed_until IS NOT NULL),
    participants = (SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT iif(p.type = 'null', e.from_name, p.value ->> 'name') AS name, iif(p.type = 'null', e.from_email, p.value ->> 'email') AS email,
      p.type = 'null' AND e.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', e.received_at, e.id, p.type <> 'null', p.key)) AS place
    FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND 1
      ORDER BY received_at ASC, id ASC LIMIT 50)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND 1) e CROSS JOIN json_each(iif(e.direction = 'outbound', json_insert(e.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(iif(p.type = 'null', e.from_email, p.value ->> 'email')) ORDER BY place LIMIT 5))
  WHERE id = OLD.thread_id;
  UPDATE threads SET (kept_at, kept_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND status IN ('inbox', 'archived') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('inbox', 'archived') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = OLD.thread_id AND kept_id = OLD.id;
  UPDATE threads SET (inbox_at, inbox_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND status IN ('inbox') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('inbox') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = OLD.thread_id AND inbox_id = OLD.id;
  UPDATE threads SET (archived_at, archived_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND status IN ('archived') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('archived') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = OLD.thread_id AND archived_id = OLD.id;
  UPDATE threads SET (spam_at, spam_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND status IN ('spam') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('spam') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = OLD.thread_id AND spam_id = OLD.id;
  UPDATE threads SET (trash_at, trash_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = OLD.thread_id AND has_thread_count = 1 AND status IN ('trash') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = OLD.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('trash') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = OLD.thread_id AND trash_id = OLD.id;
END;

CREATE TRIGGER threads_newest AFTER UPDATE OF status, snoozed_until ON emails WHEN NEW.status <> OLD.status OR (NEW.snoozed_until IS NULL) <> (OLD.snoozed_until IS NULL) BEGIN
  UPDATE threads SET (kept_at, kept_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND status IN ('inbox', 'archived') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('inbox', 'archived') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = NEW.thread_id AND (NEW.status IN ('inbox', 'archived') AND NEW.snoozed_until IS NULL) <> (OLD.status IN ('inbox', 'archived') AND OLD.snoozed_until IS NULL)
    AND (kept_id IS NULL OR kept_id = NEW.id OR (kept_at, kept_id) < (NEW.received_at, NEW.id));
  UPDATE threads SET (inbox_at, inbox_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND status IN ('inbox') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('inbox') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = NEW.thread_id AND (NEW.status IN ('inbox') AND NEW.snoozed_until IS NULL) <> (OLD.status IN ('inbox') AND OLD.snoozed_until IS NULL)
    AND (inbox_id IS NULL OR inbox_id = NEW.id OR (inbox_at, inbox_id) < (NEW.received_at, NEW.id));
  UPDATE threads SET (archived_at, archived_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND status IN ('archived') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('archived') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = NEW.thread_id AND (NEW.status IN ('archived') AND NEW.snoozed_until IS NULL) <> (OLD.status IN ('archived') AND OLD.snoozed_until IS NULL)
    AND (archived_id IS NULL OR archived_id = NEW.id OR (archived_at, archived_id) < (NEW.received_at, NEW.id));
  UPDATE threads SET (spam_at, spam_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND status IN ('spam') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('spam') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = NEW.thread_id AND (NEW.status IN ('spam') AND NEW.snoozed_until IS NULL) <> (OLD.status IN ('spam') AND OLD.snoozed_until IS NULL)
    AND (spam_id IS NULL OR spam_id = NEW.id OR (spam_at, spam_id) < (NEW.received_at, NEW.id));
  UPDATE threads SET (trash_at, trash_id) = (
    SELECT received_at, id FROM (
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND status IN ('trash') AND snoozed_until IS NULL
      ORDER BY received_at DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM emails WHERE id = NEW.thread_id AND thread_id = id AND has_thread_count = 0 AND status IN ('trash') AND snoozed_until IS NULL) LIMIT 1)
  WHERE id = NEW.thread_id AND (NEW.status IN ('trash') AND NEW.snoozed_until IS NULL) <> (OLD.status IN ('trash') AND OLD.snoozed_until IS NULL)
    AND (trash_id IS NULL OR trash_id = NEW.id OR (trash_at, trash_id) < (NEW.received_at, NEW.id));
END;

CREATE TRIGGER threads_sums AFTER UPDATE OF status, is_read, is_starred, snoozed_until ON emails WHEN (NEW.is_read IS NOT OLD.is_read OR NEW.is_starred IS NOT OLD.is_starred) OR iif(NEW.status IN ('spam', 'trash'), NEW.status, 'kept') <> iif(OLD.status IN ('spam', 'trash'), OLD.status, 'kept') OR (NEW.snoozed_until IS NULL) <> (OLD.snoozed_until IS NULL) BEGIN
  UPDATE threads SET kept_count = kept_count + (NEW.status NOT IN ('spam', 'trash')) - (OLD.status NOT IN ('spam', 'trash')),
    kept_unread = kept_unread + (NEW.status NOT IN ('spam', 'trash') AND NEW.is_read = 0) - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_read = 0),
    kept_starred = kept_starred + (NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1) - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_starred = 1),
    kept_files = kept_files + (NEW.status NOT IN ('spam', 'trash') AND NEW.has_attachments = 1) - (OLD.status NOT IN ('spam', 'trash') AND OLD.has_attachments = 1),
    spam_count = spam_count + (NEW.status = 'spam') - (OLD.status = 'spam'),
    spam_unread = spam_unread + (NEW.status = 'spam' AND NEW.is_read = 0) - (OLD.status = 'spam' AND OLD.is_read = 0),
    spam_starred = spam_starred + (NEW.status = 'spam' AND NEW.is_starred = 1) - (OLD.status = 'spam' AND OLD.is_starred = 1),
    spam_files = spam_files + (NEW.status = 'spam' AND NEW.has_attachments = 1) - (OLD.status = 'spam' AND OLD.has_attachments = 1),
    trash_count = trash_count + (NEW.status = 'trash') - (OLD.status = 'trash'),
    trash_unread = trash_unread + (NEW.status = 'trash' AND NEW.is_read = 0) - (OLD.status = 'trash' AND OLD.is_read = 0),
    trash_starred = trash_starred + (NEW.status = 'trash' AND NEW.is_starred = 1) - (OLD.status = 'trash' AND OLD.is_starred = 1),
    trash_files = trash_files + (NEW.status = 'trash' AND NEW.has_attachments = 1) - (OLD.status = 'trash' AND OLD.has_attachments = 1),
    snoozed_count = snoozed_count + (NEW.snoozed_until IS NOT NULL) - (OLD.snoozed_until IS NOT NULL)
  WHERE id = NEW.thread_id;
END;
