CREATE TABLE `caption_totals` (
	`platform` text NOT NULL,
	`status` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`platform`, `status`)
);
--> statement-breakpoint
CREATE TABLE `captions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`session_id` integer,
	`milestone_id` integer,
	`platform` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`hashtags` text NOT NULL,
	`status` text NOT NULL,
	`uncertain` integer NOT NULL,
	`post_url` text,
	`error` text,
	`retry_at` integer,
	`attempts` integer NOT NULL,
	`engine` text NOT NULL,
	`claimed_at` integer,
	`posted_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `captions_subject` ON `captions` (`subject`,`platform`);--> statement-breakpoint
CREATE INDEX `captions_status` ON `captions` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `captions_platform` ON `captions` (`platform`,`id`);--> statement-breakpoint
CREATE INDEX `captions_session` ON `captions` (`session_id`,`id`);--> statement-breakpoint
CREATE TABLE `stream_credentials` (
	`platform` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`status` text NOT NULL,
	`account` text,
	`checked_at` integer,
	`refreshing_until` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stream_voices` (
	`platform` text PRIMARY KEY NOT NULL,
	`tone` text NOT NULL,
	`custom_prompt` text NOT NULL,
	`hashtags` text NOT NULL,
	`call_to_action` text NOT NULL,
	`format` text NOT NULL,
	`auto_approve` integer NOT NULL,
	`version` integer NOT NULL,
	`updated_at` integer
);
