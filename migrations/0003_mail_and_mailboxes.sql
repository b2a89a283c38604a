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
CREATE TABLE `mailbox_dirty` (
	`email_id` integer NOT NULL,
	`mailbox_id` integer NOT NULL,
	PRIMARY KEY(`email_id`, `mailbox_id`),
	FOREIGN KEY (`email_id`) REFERENCES `emails`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`mailbox_id`) REFERENCES `mailboxes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mailbox_dirty_mailbox` ON `mailbox_dirty` (`mailbox_id`,`email_id`);--> statement-breakpoint
CREATE TABLE `mailbox_folders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`mailbox_id` integer NOT NULL,
	`path` text NOT NULL,
	`name` text NOT NULL,
	`role` text,
	`role_is_chosen` integer DEFAULT false NOT NULL,
	`uid_validity` integer,
	`next_uid` integer,
	`mod_seq` text,
	`messages` integer,
	`walk_since` integer,
	`walk_done` integer DEFAULT 0 NOT NULL,
	`walk_waiting` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`mailbox_id`) REFERENCES `mailboxes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mailbox_folders_mailbox` ON `mailbox_folders` (`mailbox_id`,`path`);--> statement-breakpoint
CREATE TABLE `mailbox_messages` (
	`folder_id` integer NOT NULL,
	`uid` integer NOT NULL,
	`mailbox_id` integer NOT NULL,
	`email_id` integer,
	`received_at` integer NOT NULL,
	`seen` integer NOT NULL,
	`flagged` integer NOT NULL,
	PRIMARY KEY(`folder_id`, `uid`),
	FOREIGN KEY (`folder_id`) REFERENCES `mailbox_folders`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`email_id`) REFERENCES `emails`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `mailbox_messages_email` ON `mailbox_messages` (`email_id`,`mailbox_id`);--> statement-breakpoint
CREATE INDEX `mailbox_messages_listed` ON `mailbox_messages` (`mailbox_id`,`received_at`,`email_id`) WHERE email_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `mailbox_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`mailbox_id` integer NOT NULL,
	`trigger` text NOT NULL,
	`full` integer NOT NULL,
	`status` text NOT NULL,
	`fetched` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`known` integer DEFAULT 0 NOT NULL,
	`flags_in` integer DEFAULT 0 NOT NULL,
	`flags_out` integer DEFAULT 0 NOT NULL,
	`moves_in` integer DEFAULT 0 NOT NULL,
	`moves_out` integer DEFAULT 0 NOT NULL,
	`appended` integer DEFAULT 0 NOT NULL,
	`conflicts` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`waiting` integer DEFAULT 0 NOT NULL,
	`errors` text DEFAULT '[]' NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`mailbox_id`) REFERENCES `mailboxes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mailbox_runs_mailbox` ON `mailbox_runs` (`mailbox_id`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `mailbox_runs_started_at` ON `mailbox_runs` (`started_at`);--> statement-breakpoint
CREATE TABLE `mailbox_sent` (
	`email_id` integer PRIMARY KEY NOT NULL,
	`mailbox_id` integer NOT NULL,
	`left_at` integer,
	FOREIGN KEY (`email_id`) REFERENCES `emails`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`mailbox_id`) REFERENCES `mailboxes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mailbox_sent_mailbox` ON `mailbox_sent` (`mailbox_id`,`email_id`);--> statement-breakpoint
CREATE TABLE `mailboxes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`label` text NOT NULL,
	`address` text NOT NULL,
	`name` text,
	`imap` text NOT NULL,
	`smtp` text NOT NULL,
	`username` text NOT NULL,
	`secret` text NOT NULL,
	`connection_changed_at` integer NOT NULL,
	`status` text NOT NULL,
	`problem` text,
	`paused` integer DEFAULT false NOT NULL,
	`history_days` integer NOT NULL,
	`connected_at` integer,
	`last_ok_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`next_try_at` integer,
	`outage_told_at` integer,
	`lease_run_id` text,
	`lease_until` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mailboxes_address` ON `mailboxes` (`address`);--> statement-breakpoint
CREATE INDEX `mailboxes_due` ON `mailboxes` (`next_try_at`) WHERE next_try_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `email_drafts` ADD `follow_up_days` integer;--> statement-breakpoint
ALTER TABLE `emails` ADD `follow_up_at` integer;--> statement-breakpoint
CREATE INDEX `emails_large` ON `emails` (`received_at`,`id`) WHERE is_aside = 0 AND (raw_size > 1000000 OR content_size > 1000000 OR (raw_size IS NULL AND attachments <> '[]'));--> statement-breakpoint
CREATE INDEX `emails_follow_up` ON `emails` (`thread_id`) WHERE follow_up_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `profiles` ADD `mail_density` text DEFAULT 'comfortable' NOT NULL;