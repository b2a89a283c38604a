INSERT INTO `stream_voices`
	(`platform`, `tone`, `custom_prompt`, `hashtags`, `call_to_action`, `format`, `auto_approve`, `version`)
VALUES
	('discord', 'friendly', '', '[]', '', 'embed', 0, 1),
	('x', 'hype', '', '[]', '', 'plain', 0, 1),
	('instagram', 'hype', '', '[]', '', 'plain', 0, 1),
	('facebook', 'friendly', '', '[]', '', 'plain', 0, 1),
	('webhook', 'professional', '', '[]', '', 'plain', 0, 1);
--> statement-breakpoint
CREATE TRIGGER `captions_told` AFTER UPDATE OF `status` ON `captions`
WHEN NEW.`status` IN ('posted', 'failed') AND NEW.`status` <> OLD.`status` BEGIN
	INSERT INTO `outbox` (`type`, `record_id`, `at`)
		SELECT 'caption.' || NEW.`status`, NEW.`id`, NEW.`updated_at`
		WHERE EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `enabled` = 1);
	INSERT INTO `stream_events` (`type`, `at`, `data`) VALUES (
		'caption.' || NEW.`status`, NEW.`updated_at`,
		json_object(
			'captionId', NEW.`id`, 'kind', NEW.`kind`, 'platform', NEW.`platform`, 'sessionId', NEW.`session_id`,
			'milestoneId', NEW.`milestone_id`, 'postUrl', NEW.`post_url`,
			'uncertain', json(iif(NEW.`uncertain`, 'true', 'false'))
		)
	);
END;
--> statement-breakpoint
CREATE TRIGGER `captions_counted` AFTER INSERT ON `captions` BEGIN
	INSERT INTO `caption_totals` (`platform`, `status`, `count`) VALUES (NEW.`platform`, NEW.`status`, 1)
		ON CONFLICT (`platform`, `status`) DO UPDATE SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `captions_recounted` AFTER UPDATE OF `status` ON `captions` WHEN NEW.`status` <> OLD.`status` BEGIN
	UPDATE `caption_totals` SET `count` = `count` - 1
		WHERE `platform` = OLD.`platform` AND `status` = OLD.`status`;
	INSERT INTO `caption_totals` (`platform`, `status`, `count`) VALUES (NEW.`platform`, NEW.`status`, 1)
		ON CONFLICT (`platform`, `status`) DO UPDATE SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `captions_discounted` AFTER DELETE ON `captions` BEGIN
	UPDATE `caption_totals` SET `count` = `count` - 1
		WHERE `platform` = OLD.`platform` AND `status` = OLD.`status`;
END;
