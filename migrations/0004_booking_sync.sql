CREATE TABLE `booking_connection` (
	`id` integer PRIMARY KEY NOT NULL,
	`api_key` text NOT NULL,
	`webhook_secret` text,
	`status` text NOT NULL,
	`account` text,
	`key_updated_at` integer NOT NULL,
	`watermark` integer,
	`resume_at` integer,
	`first_walk_at` integer,
	`last_full_at` integer
);
--> statement-breakpoint
CREATE TABLE `booking_deliveries` (
	`body_hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `booking_deliveries_expires_at` ON `booking_deliveries` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sync_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`trigger` text NOT NULL,
	`mode` text NOT NULL,
	`status` text NOT NULL,
	`lease_until` integer NOT NULL,
	`fetched` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`errors` text DEFAULT '[]' NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `sync_runs_started_at` ON `sync_runs` (`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `sync_runs_status` ON `sync_runs` (`status`,`lease_until`);--> statement-breakpoint
ALTER TABLE `events` ADD `external_hash` text;--> statement-breakpoint
ALTER TABLE `events` ADD `rescheduled_from_booking_id` text;--> statement-breakpoint
CREATE INDEX `events_waiting_for_link` ON `events` (`rescheduled_from_booking_id`) WHERE rescheduled_from_id IS NULL AND rescheduled_from_booking_id IS NOT NULL;