CREATE TABLE `email_tags` (
	`tag` text NOT NULL,
	`received_at` integer NOT NULL,
	`email_id` integer NOT NULL,
	`status` text NOT NULL,
	`is_read` integer NOT NULL,
	PRIMARY KEY(`tag`, `received_at`, `email_id`)
);
--> statement-breakpoint
CREATE INDEX `email_tags_email_id` ON `email_tags` (`email_id`);--> statement-breakpoint
CREATE INDEX `email_tags_status` ON `email_tags` (`tag`,`status`,`received_at`,`email_id`);--> statement-breakpoint
CREATE INDEX `email_tags_unread` ON `email_tags` (`tag`,`received_at`,`email_id`) WHERE is_read = 0;--> statement-breakpoint
CREATE TABLE `emails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` text NOT NULL,
	`message_key` text GENERATED ALWAYS AS (trim(message_id, '<>')) VIRTUAL,
	`thread_id` integer NOT NULL,
	`in_reply_to` text,
	`reference_ids` text NOT NULL,
	`direction` text NOT NULL,
	`source` text NOT NULL,
	`from_name` text NOT NULL,
	`from_email` text NOT NULL,
	`to_recipients` text NOT NULL,
	`cc_recipients` text NOT NULL,
	`reply_to` text,
	`subject` text NOT NULL,
	`snippet` text NOT NULL,
	`attachments` text NOT NULL,
	`tags` text NOT NULL,
	`status` text NOT NULL,
	`is_read` integer NOT NULL,
	`is_starred` integer NOT NULL,
	`snoozed_until` integer,
	`received_at` integer NOT NULL,
	`urgency` text,
	`analysis` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`body` text NOT NULL,
	`html` text,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `emails_message_key` ON `emails` (`message_key`);--> statement-breakpoint
CREATE INDEX `emails_received` ON `emails` (`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `emails_status` ON `emails` (`status`,`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `emails_thread` ON `emails` (`thread_id`,`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `emails_unread` ON `emails` (`received_at`,`id`) WHERE is_read = 0;--> statement-breakpoint
CREATE INDEX `emails_status_unread` ON `emails` (`status`,`received_at`,`id`) WHERE is_read = 0;--> statement-breakpoint
CREATE INDEX `emails_starred` ON `emails` (`received_at`,`id`) WHERE is_starred = 1;--> statement-breakpoint
CREATE INDEX `emails_snoozed` ON `emails` (`received_at`,`id`) WHERE snoozed_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `emails_outbound` ON `emails` (`received_at`,`id`) WHERE direction = 'outbound';--> statement-breakpoint
CREATE INDEX `emails_urgency` ON `emails` (`urgency`,`received_at`,`id`) WHERE urgency IS NOT NULL;--> statement-breakpoint
CREATE TABLE `tags` (
	`tag` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`unread` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tags_count` ON `tags` (`count`,`tag`);--> statement-breakpoint
CREATE TABLE `thread_messages` (
	`message_id` text PRIMARY KEY NOT NULL,
	`thread_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `thread_messages_thread_id` ON `thread_messages` (`thread_id`);--> statement-breakpoint
CREATE TABLE `threads` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email_count` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `activity` (
	`span` integer NOT NULL,
	`start` integer NOT NULL,
	`emails` integer NOT NULL,
	`tasks_done` integer NOT NULL,
	PRIMARY KEY(`span`, `start`)
);
--> statement-breakpoint
CREATE TABLE `counters` (
	`area` text NOT NULL,
	`key` text NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`area`, `key`)
);
--> statement-breakpoint
CREATE TABLE `task_tags` (
	`tag` text NOT NULL,
	`task_id` integer NOT NULL,
	PRIMARY KEY(`tag`, `task_id`)
);
--> statement-breakpoint
CREATE INDEX `task_tags_task_id` ON `task_tags` (`task_id`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`priority` text NOT NULL,
	`due_at` integer,
	`tags` text NOT NULL,
	`source` text NOT NULL,
	`email_id` integer,
	`event_id` integer,
	`quote` text,
	`email_part` text,
	`completed_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`due_order` integer GENERATED ALWAYS AS (coalesce(due_at, 8640000000000001)) VIRTUAL,
	`priority_order` integer GENERATED ALWAYS AS (CASE priority WHEN 'urgent' THEN 0 WHEN 'high' THEN 1 WHEN 'medium' THEN 2 ELSE 3 END) VIRTUAL,
	FOREIGN KEY (`email_id`) REFERENCES `emails`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_email_part` ON `tasks` (`email_id`,`email_part`);--> statement-breakpoint
CREATE INDEX `tasks_due` ON `tasks` (`due_order`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_priority` ON `tasks` (`priority_order`,`due_order`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_status_due` ON `tasks` (`status`,`due_order`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_open_due` ON `tasks` (`due_at`,`id`) WHERE status IN ('todo', 'in_progress', 'waiting');