CREATE TABLE `ai_calls` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`task` text NOT NULL,
	`user_id` integer,
	`model` text NOT NULL,
	`provider` text,
	`upstream_model` text,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`fallback_reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `ai_calls_at` ON `ai_calls` (`at`,`id`);--> statement-breakpoint
CREATE TABLE `ai_usage` (
	`hour` integer NOT NULL,
	`model` text NOT NULL,
	`calls` integer NOT NULL,
	`fallbacks` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	PRIMARY KEY(`hour`, `model`)
);
--> statement-breakpoint
CREATE TABLE `model_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`model_updated_at` integer,
	`monthly_limit` integer,
	`budget_updated_at` integer
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` text NOT NULL,
	`record_id` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`event_types` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_secret_until` integer,
	`enabled` integer NOT NULL,
	`disabled_reason` text,
	`failing_since` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_user_id` ON `webhook_endpoints` (`user_id`,`id`);