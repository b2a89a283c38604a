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
END;
