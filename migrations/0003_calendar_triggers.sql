INSERT INTO `calendar_state` (`id`) VALUES (1);
--> statement-breakpoint
CREATE TRIGGER `events_inserted` AFTER INSERT ON `events` BEGIN
	UPDATE `calendar_state` SET
		`revision` = `revision` + 1,
		`series_revision` = `series_revision` + (NEW.`rrule` IS NOT NULL);
	INSERT INTO `event_totals` (`status`, `source`, `count`)
		SELECT NEW.`status`, NEW.`source`, 1 WHERE NEW.`deleted_at` IS NULL AND NEW.`recurring_event_id` IS NULL
		ON CONFLICT (`status`, `source`) DO UPDATE SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `events_updated` AFTER UPDATE ON `events` BEGIN
	UPDATE `calendar_state` SET
		`revision` = `revision` + 1,
		`series_revision` = `series_revision` + (NEW.`rrule` IS NOT NULL OR OLD.`rrule` IS NOT NULL);
	UPDATE `event_totals` SET `count` = `count` - 1
		WHERE `status` = OLD.`status` AND `source` = OLD.`source`
			AND OLD.`deleted_at` IS NULL AND OLD.`recurring_event_id` IS NULL;
	INSERT INTO `event_totals` (`status`, `source`, `count`)
		SELECT NEW.`status`, NEW.`source`, 1 WHERE NEW.`deleted_at` IS NULL AND NEW.`recurring_event_id` IS NULL
		ON CONFLICT (`status`, `source`) DO UPDATE SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `events_deleted` AFTER DELETE ON `events` BEGIN
	UPDATE `calendar_state` SET
		`revision` = `revision` + 1,
		`series_revision` = `series_revision` + (OLD.`rrule` IS NOT NULL);
	UPDATE `event_totals` SET `count` = `count` - 1
		WHERE `status` = OLD.`status` AND `source` = OLD.`source`
			AND OLD.`deleted_at` IS NULL AND OLD.`recurring_event_id` IS NULL;
END;
