-- A task's tags with what its lists are ordered by.
UPDATE task_tags SET (due_order, priority_order) = (SELECT t.due_order, t.priority_order FROM tasks t WHERE t.id = task_tags.task_id)
WHERE EXISTS (SELECT 1 FROM tasks t WHERE t.id = task_tags.task_id);
--> statement-breakpoint
DROP TRIGGER `task_tags_insert`;
--> statement-breakpoint
CREATE TRIGGER `task_tags_insert` AFTER INSERT ON `tasks` BEGIN
	INSERT INTO task_tags (tag, task_id, due_order, priority_order)
	SELECT DISTINCT value, NEW.id, NEW.due_order, NEW.priority_order FROM json_each(NEW.tags);
END;
--> statement-breakpoint
DROP TRIGGER `task_tags_replace`;
--> statement-breakpoint
CREATE TRIGGER `task_tags_replace` AFTER UPDATE OF `tags` ON `tasks` WHEN NEW.tags <> OLD.tags BEGIN
	DELETE FROM task_tags WHERE task_id = OLD.id;
	INSERT INTO task_tags (tag, task_id, due_order, priority_order)
	SELECT DISTINCT value, NEW.id, NEW.due_order, NEW.priority_order FROM json_each(NEW.tags);
END;
--> statement-breakpoint
CREATE TRIGGER `task_tags_follow` AFTER UPDATE OF `due_at`, `priority` ON `tasks`
WHEN NEW.due_at IS NOT OLD.due_at OR NEW.priority <> OLD.priority BEGIN
	UPDATE task_tags SET due_order = NEW.due_order, priority_order = NEW.priority_order WHERE task_id = NEW.id;
END;
--> statement-breakpoint
-- How many mails a filter lets through: a search looks among those when they are few.
INSERT INTO counters (area, key, value) SELECT 'emails_by_status', status, count(*) FROM emails WHERE true GROUP BY status
ON CONFLICT (area, key) DO UPDATE SET value = excluded.value;
--> statement-breakpoint
INSERT INTO counters (area, key, value)
SELECT 'emails', 'starred', count(*) FROM emails WHERE is_starred = 1
UNION ALL SELECT 'emails', 'outbound', count(*) FROM emails WHERE direction = 'outbound'
ON CONFLICT (area, key) DO UPDATE SET value = excluded.value;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_status_insert` AFTER INSERT ON `emails` BEGIN
	INSERT INTO counters (area, key, value) VALUES ('emails_by_status', NEW.status, 1)
	ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_status` AFTER UPDATE OF `status` ON `emails` WHEN NEW.status <> OLD.status BEGIN
	UPDATE counters SET value = value - 1 WHERE area = 'emails_by_status' AND key = OLD.status;
	INSERT INTO counters (area, key, value) VALUES ('emails_by_status', NEW.status, 1)
	ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_status_delete` AFTER DELETE ON `emails` BEGIN
	UPDATE counters SET value = value - 1 WHERE area = 'emails_by_status' AND key = OLD.status;
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_starred_insert` AFTER INSERT ON `emails` WHEN NEW.is_starred = 1 BEGIN
	UPDATE counters SET value = value + 1 WHERE area = 'emails' AND key = 'starred';
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_starred` AFTER UPDATE OF `is_starred` ON `emails` WHEN NEW.is_starred <> OLD.is_starred BEGIN
	UPDATE counters SET value = value + NEW.is_starred - OLD.is_starred WHERE area = 'emails' AND key = 'starred';
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_starred_delete` AFTER DELETE ON `emails` WHEN OLD.is_starred = 1 BEGIN
	UPDATE counters SET value = value - 1 WHERE area = 'emails' AND key = 'starred';
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_outbound_insert` AFTER INSERT ON `emails` WHEN NEW.direction = 'outbound' BEGIN
	UPDATE counters SET value = value + 1 WHERE area = 'emails' AND key = 'outbound';
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_email_outbound_delete` AFTER DELETE ON `emails` WHEN OLD.direction = 'outbound' BEGIN
	UPDATE counters SET value = value - 1 WHERE area = 'emails' AND key = 'outbound';
END;
