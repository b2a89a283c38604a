CREATE TABLE `calendar_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`series_revision` integer DEFAULT 0 NOT NULL,
	`feed_token_hash` text,
	`feed_created_at` integer
);
--> statement-breakpoint
CREATE TABLE `event_totals` (
	`status` text NOT NULL,
	`source` text NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_totals_kind` ON `event_totals` (`status`,`source`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`start_date` text,
	`end_date` text,
	`time_zone` text NOT NULL,
	`span` integer,
	`location` text,
	`meeting_url` text,
	`status` text NOT NULL,
	`busy` integer DEFAULT true NOT NULL,
	`source` text NOT NULL,
	`booking_id` text,
	`organizer` text,
	`attendees` text DEFAULT '[]' NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`notes` text,
	`email_id` integer,
	`ical_uid` text NOT NULL,
	`sequence` integer DEFAULT 0 NOT NULL,
	`rescheduled_from_id` integer,
	`cancel_reason` text,
	`external_status` text,
	`external_updated_at` integer,
	`external_sequence` integer,
	`rrule` text,
	`exdates` text DEFAULT '[]' NOT NULL,
	`overrides` text DEFAULT '[]' NOT NULL,
	`series_until` integer,
	`series_end` integer,
	`recurring_event_id` integer,
	`original_start` integer,
	`deleted_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`recurring_event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_booking_id_unique` ON `events` (`booking_id`);--> statement-breakpoint
CREATE INDEX `events_span_start` ON `events` (`span`,`start_at`,`id`,`end_at`,`status`,`busy`);--> statement-breakpoint
CREATE INDEX `events_series_end` ON `events` (`series_end`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_ical_uid` ON `events` (`ical_uid`) WHERE original_start IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `events_occurrence` ON `events` (`ical_uid`,`original_start`);--> statement-breakpoint
CREATE INDEX `events_recurring_event_id` ON `events` (`recurring_event_id`);--> statement-breakpoint
CREATE INDEX `events_email_id` ON `events` (`email_id`);