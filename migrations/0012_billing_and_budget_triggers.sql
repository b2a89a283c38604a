INSERT INTO `billing_account` (`id`, `reference`) VALUES (1, lower(hex(randomblob(16))));
--> statement-breakpoint
INSERT INTO `ai_usage_days` (`day`, `model`, `calls`, `fallbacks`, `input_tokens`, `output_tokens`)
	SELECT `at` - `at` % 86400000, `model`, count(*), count(`fallback_reason`), sum(`input_tokens`), sum(`output_tokens`)
	FROM `ai_calls` GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO `ai_usage_months` (`month`, `calls`, `fallbacks`, `input_tokens`, `output_tokens`)
	SELECT strftime('%Y-%m', `at` / 1000, 'unixepoch'), count(*), count(`fallback_reason`), sum(`input_tokens`), sum(`output_tokens`)
	FROM `ai_calls` GROUP BY 1;
--> statement-breakpoint
CREATE TRIGGER `ai_calls_by_day` AFTER INSERT ON `ai_calls` BEGIN
	INSERT INTO `ai_usage_days` (`day`, `model`, `calls`, `fallbacks`, `input_tokens`, `output_tokens`)
		VALUES (
			NEW.`at` - NEW.`at` % 86400000, NEW.`model`, 1, NEW.`fallback_reason` IS NOT NULL,
			NEW.`input_tokens`, NEW.`output_tokens`
		)
		ON CONFLICT (`day`, `model`) DO UPDATE SET
			`calls` = `calls` + 1,
			`fallbacks` = `fallbacks` + excluded.`fallbacks`,
			`input_tokens` = `input_tokens` + excluded.`input_tokens`,
			`output_tokens` = `output_tokens` + excluded.`output_tokens`;
END;
--> statement-breakpoint
CREATE TRIGGER `ai_calls_by_month` AFTER INSERT ON `ai_calls` BEGIN
	INSERT INTO `ai_usage_months` (`month`, `calls`, `fallbacks`, `input_tokens`, `output_tokens`)
		VALUES (
			strftime('%Y-%m', NEW.`at` / 1000, 'unixepoch'), 1, NEW.`fallback_reason` IS NOT NULL,
			NEW.`input_tokens`, NEW.`output_tokens`
		)
		ON CONFLICT (`month`) DO UPDATE SET
			`calls` = `calls` + 1,
			`fallbacks` = `fallbacks` + excluded.`fallbacks`,
			`input_tokens` = `input_tokens` + excluded.`input_tokens`,
			`output_tokens` = `output_tokens` + excluded.`output_tokens`;
END;
--> statement-breakpoint
CREATE TRIGGER `outbox_token_alert` AFTER UPDATE OF `fired_month` ON `token_alerts`
WHEN NEW.`fired_month` IS NOT NULL AND NEW.`fired_month` IS NOT OLD.`fired_month` BEGIN
	INSERT INTO `outbox` (`type`, `record_id`, `at`)
		SELECT 'tokens.alert', NEW.`id`, NEW.`fired_at`
		WHERE EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `enabled` = 1);
END;
--> statement-breakpoint
CREATE TRIGGER `billing_purchase_credited` AFTER INSERT ON `billing_purchases` BEGIN
	UPDATE `billing_account` SET `purchased_tokens` = `purchased_tokens` + NEW.`tokens` - NEW.`refunded_tokens` WHERE `id` = 1;
END;
--> statement-breakpoint
CREATE TRIGGER `billing_purchase_refunded` AFTER UPDATE OF `refunded_tokens` ON `billing_purchases` BEGIN
	UPDATE `billing_account` SET `purchased_tokens` = `purchased_tokens` + OLD.`refunded_tokens` - NEW.`refunded_tokens` WHERE `id` = 1;
END;
--> statement-breakpoint
INSERT INTO counters (area, key, value)
	SELECT 'service', 'api_keys', count(*) FROM api_keys
	UNION ALL SELECT 'service', 'webhooks', count(*) FROM webhook_endpoints;
--> statement-breakpoint
CREATE TRIGGER `statistics_api_key_insert` AFTER INSERT ON `api_keys` BEGIN
	UPDATE counters SET value = value + 1 WHERE area = 'service' AND key = 'api_keys';
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_api_key_delete` AFTER DELETE ON `api_keys` BEGIN
	UPDATE counters SET value = value - 1 WHERE area = 'service' AND key = 'api_keys';
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_webhook_insert` AFTER INSERT ON `webhook_endpoints` BEGIN
	UPDATE counters SET value = value + 1 WHERE area = 'service' AND key = 'webhooks';
END;
--> statement-breakpoint
CREATE TRIGGER `statistics_webhook_delete` AFTER DELETE ON `webhook_endpoints` BEGIN
	UPDATE counters SET value = value - 1 WHERE area = 'service' AND key = 'webhooks';
END;
