-- Search. A row's number is its mail's place in time: milliseconds, then the last twenty bits of the
-- mail's id. Walking the index backwards therefore gives the newest mail first and can stop early.
CREATE VIRTUAL TABLE `emails_search` USING fts5(
	`subject`, `people`, `body`,
	content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE TRIGGER `emails_search_insert` AFTER INSERT ON `emails` BEGIN
	INSERT INTO emails_search (rowid, subject, people, body) VALUES (
		(NEW.received_at << 20) | (NEW.id & 1048575),
		NEW.subject,
		NEW.from_name || ' ' || NEW.from_email || ' ' || coalesce((
			SELECT group_concat(json_extract(value, '$.name') || ' ' || json_extract(value, '$.email'), ' ')
			FROM json_each(NEW.to_recipients)
		), ''),
		substr(NEW.body, 1, 200000)
	);
END;
--> statement-breakpoint
CREATE TRIGGER `emails_search_delete` AFTER DELETE ON `emails` BEGIN
	DELETE FROM emails_search WHERE rowid = ((OLD.received_at << 20) | (OLD.id & 1048575));
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `tasks_search` USING fts5(
	`title`, `description`,
	content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE TRIGGER `tasks_search_insert` AFTER INSERT ON `tasks` BEGIN
	INSERT INTO tasks_search (rowid, title, description) VALUES (NEW.id, NEW.title, NEW.description);
END;
--> statement-breakpoint
CREATE TRIGGER `tasks_search_update` AFTER UPDATE OF `title`, `description` ON `tasks`
WHEN NEW.title <> OLD.title OR NEW.description <> OLD.description BEGIN
	DELETE FROM tasks_search WHERE rowid = OLD.id;
	INSERT INTO tasks_search (rowid, title, description) VALUES (NEW.id, NEW.title, NEW.description);
END;
--> statement-breakpoint
CREATE TRIGGER `tasks_search_delete` AFTER DELETE ON `tasks` BEGIN
	DELETE FROM tasks_search WHERE rowid = OLD.id;
END;
--> statement-breakpoint
-- Threads count their mails; one that has none left is gone.
CREATE TRIGGER `threads_insert` AFTER INSERT ON `emails` BEGIN
	UPDATE threads SET email_count = email_count + 1 WHERE id = NEW.thread_id;
END;
--> statement-breakpoint
CREATE TRIGGER `threads_move` AFTER UPDATE OF `thread_id` ON `emails` WHEN NEW.thread_id <> OLD.thread_id BEGIN
	UPDATE threads SET email_count = email_count + 1 WHERE id = NEW.thread_id;
	UPDATE threads SET email_count = email_count - 1 WHERE id = OLD.thread_id;
	DELETE FROM threads WHERE id = OLD.thread_id AND email_count = 0;
END;
--> statement-breakpoint
CREATE TRIGGER `threads_delete` AFTER DELETE ON `emails` BEGIN
	UPDATE threads SET email_count = email_count - 1 WHERE id = OLD.thread_id;
	DELETE FROM threads WHERE id = OLD.thread_id AND email_count = 0;
END;
--> statement-breakpoint
CREATE TRIGGER `thread_messages_delete` AFTER DELETE ON `threads` BEGIN
	DELETE FROM thread_messages WHERE thread_id = OLD.id;
END;
--> statement-breakpoint
-- A mail's tags, spread out.
CREATE TRIGGER `email_tags_insert` AFTER INSERT ON `emails` BEGIN
	INSERT INTO email_tags (tag, received_at, email_id, status, is_read)
	SELECT DISTINCT value, NEW.received_at, NEW.id, NEW.status, NEW.is_read FROM json_each(NEW.tags);
END;
--> statement-breakpoint
CREATE TRIGGER `email_tags_replace` AFTER UPDATE OF `tags` ON `emails` WHEN NEW.tags <> OLD.tags BEGIN
	DELETE FROM email_tags WHERE email_id = OLD.id;
	INSERT INTO email_tags (tag, received_at, email_id, status, is_read)
	SELECT DISTINCT value, NEW.received_at, NEW.id, NEW.status, NEW.is_read FROM json_each(NEW.tags);
END;
--> statement-breakpoint
CREATE TRIGGER `email_tags_follow` AFTER UPDATE OF `status`, `is_read` ON `emails`
WHEN NEW.status <> OLD.status OR NEW.is_read <> OLD.is_read BEGIN
	UPDATE email_tags SET status = NEW.status, is_read = NEW.is_read WHERE email_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER `email_tags_delete` AFTER DELETE ON `emails` BEGIN
	DELETE FROM email_tags WHERE email_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER `tags_insert` AFTER INSERT ON `email_tags` BEGIN
	INSERT INTO tags (tag, count, unread) VALUES (NEW.tag, 1, NEW.is_read = 0)
	ON CONFLICT (tag) DO UPDATE SET count = count + 1, unread = unread + excluded.unread;
END;
--> statement-breakpoint
CREATE TRIGGER `tags_update` AFTER UPDATE OF `is_read` ON `email_tags` WHEN NEW.is_read <> OLD.is_read BEGIN
	UPDATE tags SET unread = unread + (NEW.is_read = 0) - (OLD.is_read = 0) WHERE tag = NEW.tag;
END;
--> statement-breakpoint
CREATE TRIGGER `tags_delete` AFTER DELETE ON `email_tags` BEGIN
	UPDATE tags SET count = count - 1, unread = unread - (OLD.is_read = 0) WHERE tag = OLD.tag;
	DELETE FROM tags WHERE tag = OLD.tag AND count = 0;
END;
--> statement-breakpoint
CREATE TRIGGER `task_tags_insert` AFTER INSERT ON `tasks` BEGIN
	INSERT INTO task_tags (tag, task_id) SELECT DISTINCT value, NEW.id FROM json_each(NEW.tags);
END;
--> statement-breakpoint
CREATE TRIGGER `task_tags_replace` AFTER UPDATE OF `tags` ON `tasks` WHEN NEW.tags <> OLD.tags BEGIN
	DELETE FROM task_tags WHERE task_id = OLD.id;
	INSERT INTO task_tags (tag, task_id) SELECT DISTINCT value, NEW.id FROM json_each(NEW.tags);
END;
--> statement-breakpoint
CREATE TRIGGER `task_tags_delete` AFTER DELETE ON `tasks` BEGIN
	DELETE FROM task_tags WHERE task_id = OLD.id;
END;
--> statement-breakpoint
-- Statistics.
CREATE TRIGGER `statistics_email_insert` AFTER INSERT ON `emails` BEGIN
	INSERT INTO counters (area, key, value) VALUES ('emails', 'total', 1), ('emails', 'unread', NEW.is_read = 0)
	ON CONFLICT (area, key) DO UPDATE SET value = value + excluded.value;
	INSERT INTO activity (span, start, emails, tasks_done)
	VALUES (180, NEW.received_at - NEW.received_at % 10800000, 1, 0), (15, NEW.received_at - NEW.received_at % 900000, 1, 0)
	ON CONFLICT (span, start) DO UPDATE SET emails = emails + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_urgency_insert` AFTER INSERT ON `emails` WHEN NEW.urgency IS NOT NULL BEGIN
	INSERT INTO counters (area, key, value) VALUES ('emails_by_urgency', NEW.urgency, 1)
	ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_read` AFTER UPDATE OF `is_read` ON `emails` WHEN NEW.is_read <> OLD.is_read BEGIN
	UPDATE counters SET value = value + (NEW.is_read = 0) - (OLD.is_read = 0) WHERE area = 'emails' AND key = 'unread';
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_urgency` AFTER UPDATE OF `urgency` ON `emails` WHEN NEW.urgency IS NOT OLD.urgency BEGIN
	UPDATE counters SET value = value - 1 WHERE area = 'emails_by_urgency' AND key = OLD.urgency;
	INSERT INTO counters (area, key, value) SELECT 'emails_by_urgency', NEW.urgency, 1 WHERE NEW.urgency IS NOT NULL
	ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_delete` AFTER DELETE ON `emails` BEGIN
	UPDATE counters SET value = value - 1 WHERE area = 'emails' AND key = 'total';
	UPDATE counters SET value = value - (OLD.is_read = 0) WHERE area = 'emails' AND key = 'unread';
	UPDATE counters SET value = value - 1 WHERE area = 'emails_by_urgency' AND key = OLD.urgency;
	UPDATE activity SET emails = emails - 1
	WHERE (span, start) IN (VALUES (180, OLD.received_at - OLD.received_at % 10800000), (15, OLD.received_at - OLD.received_at % 900000));
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_task_insert` AFTER INSERT ON `tasks` BEGIN
	INSERT INTO counters (area, key, value) VALUES ('tasks_by_status', NEW.status, 1)
	ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_task_done_insert` AFTER INSERT ON `tasks` WHEN NEW.status = 'done' AND NEW.completed_at IS NOT NULL BEGIN
	INSERT INTO activity (span, start, emails, tasks_done)
	VALUES (180, NEW.completed_at - NEW.completed_at % 10800000, 0, 1), (15, NEW.completed_at - NEW.completed_at % 900000, 0, 1)
	ON CONFLICT (span, start) DO UPDATE SET tasks_done = tasks_done + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_task_status` AFTER UPDATE OF `status` ON `tasks` WHEN NEW.status <> OLD.status BEGIN
	UPDATE counters SET value = value - 1 WHERE area = 'tasks_by_status' AND key = OLD.status;
	INSERT INTO counters (area, key, value) VALUES ('tasks_by_status', NEW.status, 1)
	ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_task_undone` AFTER UPDATE OF `status`, `completed_at` ON `tasks`
WHEN OLD.status = 'done' AND OLD.completed_at IS NOT NULL BEGIN
	UPDATE activity SET tasks_done = tasks_done - 1
	WHERE (span, start) IN (VALUES (180, OLD.completed_at - OLD.completed_at % 10800000), (15, OLD.completed_at - OLD.completed_at % 900000));
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_task_done` AFTER UPDATE OF `status`, `completed_at` ON `tasks`
WHEN NEW.status = 'done' AND NEW.completed_at IS NOT NULL BEGIN
	INSERT INTO activity (span, start, emails, tasks_done)
	VALUES (180, NEW.completed_at - NEW.completed_at % 10800000, 0, 1), (15, NEW.completed_at - NEW.completed_at % 900000, 0, 1)
	ON CONFLICT (span, start) DO UPDATE SET tasks_done = tasks_done + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_task_delete` AFTER DELETE ON `tasks` BEGIN
	UPDATE counters SET value = value - 1 WHERE area = 'tasks_by_status' AND key = OLD.status;
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_task_done_delete` AFTER DELETE ON `tasks` WHEN OLD.status = 'done' AND OLD.completed_at IS NOT NULL BEGIN
	UPDATE activity SET tasks_done = tasks_done - 1
	WHERE (span, start) IN (VALUES (180, OLD.completed_at - OLD.completed_at % 10800000), (15, OLD.completed_at - OLD.completed_at % 900000));
END;
