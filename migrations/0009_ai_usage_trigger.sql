INSERT INTO `model_state` (`id`, `model`) VALUES (1, 'model_a');
--> statement-breakpoint
CREATE TRIGGER `ai_calls_inserted` AFTER INSERT ON `ai_calls` BEGIN
	INSERT INTO `ai_usage` (`hour`, `model`, `calls`, `fallbacks`, `input_tokens`, `output_tokens`)
		VALUES (
			NEW.`at` - NEW.`at` % 3600000, NEW.`model`, 1, NEW.`fallback_reason` IS NOT NULL,
			NEW.`input_tokens`, NEW.`output_tokens`
		)
		ON CONFLICT (`hour`, `model`) DO UPDATE SET
			`calls` = `calls` + 1,
			`fallbacks` = `fallbacks` + excluded.`fallbacks`,
			`input_tokens` = `input_tokens` + excluded.`input_tokens`,
			`output_tokens` = `output_tokens` + excluded.`output_tokens`;
END;
