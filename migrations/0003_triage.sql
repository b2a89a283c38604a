CREATE TABLE `email_undos` (
	`id` text PRIMARY KEY NOT NULL,
	`before` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `email_undos_expires` ON `email_undos` (`expires_at`);--> statement-breakpoint
ALTER TABLE `email_drafts` ADD `follow_up_days` integer;--> statement-breakpoint
ALTER TABLE `emails` ADD `follow_up_at` integer;--> statement-breakpoint
CREATE INDEX `emails_follow_up` ON `emails` (`thread_id`) WHERE follow_up_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `profiles` ADD `mail_density` text DEFAULT 'comfortable' NOT NULL;