CREATE TABLE `billing_account` (
	`id` integer PRIMARY KEY NOT NULL,
	`reference` text NOT NULL,
	`customer_id` text,
	`plan` text,
	`subscription_id` text,
	`status` text,
	`interval` text,
	`current_period_start` integer,
	`current_period_end` integer,
	`trial_ends_at` integer,
	`cancel_at_period_end` integer DEFAULT false NOT NULL,
	`purchased_tokens` integer DEFAULT 0 NOT NULL,
	`last_ticket` integer DEFAULT 0 NOT NULL,
	`state_ticket` integer DEFAULT 0 NOT NULL,
	`updated_at` integer
);
--> statement-breakpoint
CREATE TABLE `billing_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `billing_purchases` (
	`checkout_id` text PRIMARY KEY NOT NULL,
	`package` text NOT NULL,
	`tokens` integer NOT NULL,
	`refunded_tokens` integer DEFAULT 0 NOT NULL,
	`payment_id` text,
	`amount` integer,
	`currency` text,
	`user_id` integer,
	`credited_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_purchases_payment_id_unique` ON `billing_purchases` (`payment_id`);--> statement-breakpoint
CREATE TABLE `ai_usage_days` (
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`calls` integer NOT NULL,
	`fallbacks` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	PRIMARY KEY(`day`, `model`)
);
--> statement-breakpoint
CREATE TABLE `ai_usage_months` (
	`month` text PRIMARY KEY NOT NULL,
	`calls` integer NOT NULL,
	`fallbacks` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`drawn` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `token_alerts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`unit` text NOT NULL,
	`threshold` integer NOT NULL,
	`enabled` integer NOT NULL,
	`fired_month` text,
	`fired_at` integer,
	`fired_used` integer,
	`fired_limit` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `token_alerts_threshold` ON `token_alerts` (`user_id`,`unit`,`threshold`);--> statement-breakpoint
CREATE INDEX `ai_calls_model` ON `ai_calls` (`model`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `ai_calls_task` ON `ai_calls` (`task`,`at`,`id`);