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
--> statement-breakpoint
CREATE TABLE `stream_channels` (
	`platform` text PRIMARY KEY NOT NULL,
	`title` text,
	`subscribers` integer,
	`subscribers_at` integer,
	`last_report_at` integer,
	`last_checked_at` integer,
	`check_problem` text,
	`quiet_until` integer
);
--> statement-breakpoint
CREATE TABLE `stream_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` text NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `stream_events_at` ON `stream_events` (`at`);--> statement-breakpoint
CREATE TABLE `stream_milestones` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`metric` text NOT NULL,
	`threshold` integer NOT NULL,
	`label` text,
	`reached_at` integer,
	`reached_value` integer,
	`platform` text,
	`session_id` integer,
	`captions_owed_since` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `stream_sessions`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stream_milestones_threshold` ON `stream_milestones` (`metric`,`threshold`);--> statement-breakpoint
CREATE INDEX `stream_milestones_ahead` ON `stream_milestones` (`metric`,`threshold`) WHERE reached_at IS NULL;--> statement-breakpoint
CREATE INDEX `stream_milestones_owed` ON `stream_milestones` (`captions_owed_since`) WHERE captions_owed_since IS NOT NULL;--> statement-breakpoint
CREATE TABLE `stream_reports` (
	`platform` text NOT NULL,
	`event_id` text NOT NULL,
	`at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`platform`, `event_id`)
);
--> statement-breakpoint
CREATE INDEX `stream_reports_expires_at` ON `stream_reports` (`expires_at`);--> statement-breakpoint
CREATE TABLE `stream_sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`platform` text NOT NULL,
	`external_id` text,
	`title` text,
	`url` text,
	`thumbnail_url` text,
	`state` text NOT NULL,
	`scheduled_for` integer,
	`started_at` integer,
	`ended_at` integer,
	`viewers` integer DEFAULT 0 NOT NULL,
	`peak_viewers` integer DEFAULT 0 NOT NULL,
	`state_at` integer NOT NULL,
	`reported_at` integer NOT NULL,
	`captions_owed_since` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stream_sessions_one_live` ON `stream_sessions` (`platform`) WHERE state = 'live';--> statement-breakpoint
CREATE UNIQUE INDEX `stream_sessions_one_unnamed_plan` ON `stream_sessions` (`platform`) WHERE state = 'scheduled' AND external_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `stream_sessions_external_id` ON `stream_sessions` (`platform`,`external_id`);--> statement-breakpoint
CREATE INDEX `stream_sessions_platform` ON `stream_sessions` (`platform`,`id`);--> statement-breakpoint
CREATE INDEX `stream_sessions_state` ON `stream_sessions` (`state`,`id`);--> statement-breakpoint
CREATE INDEX `stream_sessions_platform_state` ON `stream_sessions` (`platform`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `stream_sessions_plan` ON `stream_sessions` (`platform`,`scheduled_for`,`id`) WHERE state = 'scheduled';--> statement-breakpoint
CREATE INDEX `stream_sessions_over` ON `stream_sessions` (`platform`,`state_at`) WHERE state IN ('ended', 'cancelled');--> statement-breakpoint
CREATE INDEX `stream_sessions_aired` ON `stream_sessions` (`platform`,`state_at`) WHERE state IN ('live', 'ended');--> statement-breakpoint
CREATE INDEX `stream_sessions_peak` ON `stream_sessions` (`peak_viewers`,`id`);--> statement-breakpoint
CREATE INDEX `stream_sessions_owed` ON `stream_sessions` (`captions_owed_since`) WHERE captions_owed_since IS NOT NULL;--> statement-breakpoint
CREATE TABLE `stream_totals` (
	`platform` text PRIMARY KEY NOT NULL,
	`scheduled` integer DEFAULT 0 NOT NULL,
	`live` integer DEFAULT 0 NOT NULL,
	`ended` integer DEFAULT 0 NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL,
	`streamed_ms` integer DEFAULT 0 NOT NULL,
	`peak_sum` integer DEFAULT 0 NOT NULL
);
