DROP INDEX `tasks_open_due`;--> statement-breakpoint
CREATE INDEX `tasks_priority_created` ON `tasks` (`priority_order`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_status_created` ON `tasks` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_status_priority` ON `tasks` (`status`,`priority_order`,`due_order`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_source_created` ON `tasks` (`source`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_source_priority` ON `tasks` (`source`,`priority_order`,`due_order`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_open_by_due` ON `tasks` (`due_order`,`id`) WHERE status IN ('todo', 'in_progress', 'waiting');--> statement-breakpoint
CREATE INDEX `tasks_open_priority` ON `tasks` (`priority_order`,`due_order`,`id`) WHERE status IN ('todo', 'in_progress', 'waiting');--> statement-breakpoint
DROP INDEX `sessions_user_id`;--> statement-breakpoint
CREATE INDEX `sessions_user_id` ON `sessions` (`user_id`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `task_tags` ADD `due_order` integer DEFAULT 8640000000000001 NOT NULL;--> statement-breakpoint
ALTER TABLE `task_tags` ADD `priority_order` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `task_tags_due` ON `task_tags` (`tag`,`due_order`,`task_id`);--> statement-breakpoint
CREATE INDEX `task_tags_priority` ON `task_tags` (`tag`,`priority_order`,`due_order`,`task_id`);--> statement-breakpoint
CREATE INDEX `events_span_status` ON `events` (`span`,`status`,`start_at`,`id`,`end_at`);--> statement-breakpoint
CREATE INDEX `events_span_source` ON `events` (`span`,`source`,`start_at`,`id`,`end_at`);--> statement-breakpoint
CREATE INDEX `emails_read` ON `emails` (`received_at`,`id`) WHERE is_read = 1;--> statement-breakpoint
CREATE INDEX `emails_inbound` ON `emails` (`received_at`,`id`) WHERE direction = 'inbound';--> statement-breakpoint
CREATE INDEX `stream_milestones_reached` ON `stream_milestones` (`metric`,`threshold`) WHERE reached_at IS NOT NULL;