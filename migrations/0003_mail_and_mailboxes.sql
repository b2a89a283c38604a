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
CREATE INDEX `emails_large` ON `emails` (`received_at`,`id`) WHERE is_aside = 0 AND (raw_size > 1000000 OR content_size > 1000000 OR (raw_size IS NULL AND attachments <> '[]'));