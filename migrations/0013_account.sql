CREATE TABLE `notification_preferences` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`sync_failure` integer DEFAULT true NOT NULL,
	`token_alerts` integer DEFAULT true NOT NULL,
	`daily_brief` integer DEFAULT false NOT NULL,
	`brief_hour` integer DEFAULT 7 NOT NULL,
	`brief_date` text,
	`brief_status` text,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notification_preferences_brief` ON `notification_preferences` (`user_id`) WHERE daily_brief = 1;--> statement-breakpoint
CREATE TABLE `profiles` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`company` text,
	`phone` text,
	`bio` text,
	`locale` text DEFAULT 'en' NOT NULL,
	`week_start` text DEFAULT 'monday' NOT NULL,
	`time_format` text DEFAULT '24h' NOT NULL,
	`avatar` text,
	`working_hours` text,
	`working_hours_version` integer DEFAULT 1 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `rotated_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `password_changed_at` integer;--> statement-breakpoint
ALTER TABLE `booking_connection` ADD `outage_told_at` integer;--> statement-breakpoint
CREATE INDEX `audit_log_logins` ON `audit_log` (`user_id`,`id`) WHERE action IN ('account.registered', 'login.succeeded', 'login.failed', 'two_factor.failed');