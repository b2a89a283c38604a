CREATE TABLE `email_searches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`q` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `email_snippets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`text` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_snippets_name` ON `email_snippets` (`name`);--> statement-breakpoint
CREATE TABLE `email_undos` (
	`id` text PRIMARY KEY NOT NULL,
	`before` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `email_undos_expires` ON `email_undos` (`expires_at`);--> statement-breakpoint
ALTER TABLE `email_drafts` ADD `follow_up_days` integer;--> statement-breakpoint
ALTER TABLE `emails` ADD `follow_up_at` integer;--> statement-breakpoint
CREATE INDEX `emails_large` ON `emails` (`received_at`,`id`) WHERE is_aside = 0 AND (raw_size > 1000000 OR content_size > 1000000 OR (raw_size IS NULL AND attachments <> '[]'));--> statement-breakpoint
CREATE INDEX `emails_follow_up` ON `emails` (`thread_id`) WHERE follow_up_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `profiles` ADD `mail_density` text DEFAULT 'comfortable' NOT NULL;