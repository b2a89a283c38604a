CREATE TABLE `ai_usage_days` (
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`calls` integer NOT NULL,
	`fallbacks` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	PRIMARY KEY(`day`, `model`)
);
--> statement-breakpoint
CREATE TABLE `ai_usage_months` (
	`month` text PRIMARY KEY NOT NULL,
	`calls` integer NOT NULL,
	`fallbacks` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`drawn` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `token_alerts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`unit` text NOT NULL,
	`threshold` integer NOT NULL,
	`enabled` integer NOT NULL,
	`fired_month` text,
	`fired_at` integer,
	`fired_used` integer,
	`fired_limit` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `token_alerts_threshold` ON `token_alerts` (`user_id`,`unit`,`threshold`);--> statement-breakpoint
CREATE TABLE `token_budget` (
	`id` integer PRIMARY KEY NOT NULL,
	`monthly_limit` integer,
	`updated_at` integer
);
--> statement-breakpoint
CREATE TABLE `ai_calls` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`task` text NOT NULL,
	`user_id` integer,
	`model` text NOT NULL,
	`provider` text,
	`upstream_model` text,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`fallback_reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `ai_calls_at` ON `ai_calls` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `ai_calls_model` ON `ai_calls` (`model`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `ai_calls_task` ON `ai_calls` (`task`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `ai_usage` (
	`hour` integer NOT NULL,
	`model` text NOT NULL,
	`calls` integer NOT NULL,
	`fallbacks` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	PRIMARY KEY(`hour`, `model`)
);
--> statement-breakpoint
CREATE TABLE `model_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`updated_at` integer
);
--> statement-breakpoint
CREATE TABLE `service_alerts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text NOT NULL,
	`since` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`resolved_at` integer,
	`tell_at` integer,
	`tries` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `service_alerts_open` ON `service_alerts` (`code`,`subject`) WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX `service_alerts_untold` ON `service_alerts` (`tell_at`) WHERE tell_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `service_alerts_history` ON `service_alerts` (`code`,`subject`,`opened_at`);--> statement-breakpoint
CREATE INDEX `service_alerts_resolved_at` ON `service_alerts` (`resolved_at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`key_hash` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`expires_at` integer,
	`rotated_at` integer,
	`outside_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_key_hash_unique` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_user_id` ON `api_keys` (`user_id`);--> statement-breakpoint
CREATE TABLE `assertions` (
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`action` text NOT NULL,
	`actor` text NOT NULL,
	`ip` text NOT NULL,
	`user_agent` text,
	`details` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `audit_log_user_id` ON `audit_log` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_logins` ON `audit_log` (`user_id`,`id`) WHERE action IN ('account.registered', 'login.succeeded', 'login.failed', 'two_factor.failed');--> statement-breakpoint
CREATE INDEX `audit_log_failures` ON `audit_log` (`at`) WHERE action IN ('login.failed', 'two_factor.failed', 'session.proof_failed');--> statement-breakpoint
CREATE TABLE `backup_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `backup_codes_user_id` ON `backup_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `login_challenges` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`attempts` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `login_challenges_user_id` ON `login_challenges` (`user_id`);--> statement-breakpoint
CREATE INDEX `login_challenges_expires_at` ON `login_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `login_failures` (
	`email` text NOT NULL,
	`network` text NOT NULL,
	`count` integer NOT NULL,
	`since` integer NOT NULL,
	`locked_until` integer,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`email`, `network`)
);
--> statement-breakpoint
CREATE INDEX `login_failures_expires_at` ON `login_failures` (`expires_at`);--> statement-breakpoint
CREATE TABLE `mail_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`purpose` text NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mail_tokens_user_id` ON `mail_tokens` (`user_id`,`purpose`);--> statement-breakpoint
CREATE INDEX `mail_tokens_expires_at` ON `mail_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`refresh_counter` integer NOT NULL,
	`rotated_at` integer NOT NULL,
	`proved_at` integer,
	`ip` text NOT NULL,
	`user_agent` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user_id` ON `sessions` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_expires_at` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `billing_account` (
	`id` integer PRIMARY KEY NOT NULL,
	`reference` text NOT NULL,
	`customer_id` text,
	`plan` text,
	`subscription_id` text,
	`status` text,
	`interval` text,
	`current_period_start` integer,
	`current_period_end` integer,
	`trial_ends_at` integer,
	`cancel_at_period_end` integer DEFAULT false NOT NULL,
	`purchased_tokens` integer DEFAULT 0 NOT NULL,
	`last_ticket` integer DEFAULT 0 NOT NULL,
	`state_ticket` integer DEFAULT 0 NOT NULL,
	`updated_at` integer
);
--> statement-breakpoint
CREATE TABLE `billing_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `billing_purchases` (
	`checkout_id` text PRIMARY KEY NOT NULL,
	`package` text NOT NULL,
	`tokens` integer NOT NULL,
	`refunded_tokens` integer DEFAULT 0 NOT NULL,
	`payment_id` text,
	`amount` integer,
	`currency` text,
	`user_id` integer,
	`credited_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_purchases_payment_id_unique` ON `billing_purchases` (`payment_id`);--> statement-breakpoint
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
	`full_resume_at` integer,
	`last_full_at` integer,
	`outage_reported_at` integer
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
CREATE TABLE `calendar_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_event_id` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`series_revision` integer DEFAULT 0 NOT NULL,
	`totals` text DEFAULT '{"tentative manual":0,"tentative email":0,"tentative bookingsvc":0,"tentative chat":0,"tentative workflow":0,"confirmed manual":0,"confirmed email":0,"confirmed bookingsvc":0,"confirmed chat":0,"confirmed workflow":0,"cancelled manual":0,"cancelled email":0,"cancelled bookingsvc":0,"cancelled chat":0,"cancelled workflow":0}' NOT NULL,
	`feed_token_hash` text,
	`feed_created_at` integer,
	`feed_user_id` integer,
	FOREIGN KEY (`feed_user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE TABLE `deleted_events` (
	`key` text PRIMARY KEY NOT NULL,
	`id` integer NOT NULL,
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
	`outside` integer DEFAULT true NOT NULL,
	`awaits_answer` integer DEFAULT false NOT NULL,
	`added_by_stranger` text,
	`invitation` text,
	`booking_id` text,
	`organizer` text,
	`attendees` text DEFAULT '[]' NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`notes` text,
	`reminders` text,
	`email_id` integer,
	`ical_uid` text NOT NULL,
	`sequence` integer DEFAULT 0 NOT NULL,
	`rescheduled_from_id` integer,
	`cancel_reason` text,
	`external_status` text,
	`external_updated_at` integer,
	`external_hash` text,
	`rescheduled_from_booking_id` text,
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
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deleted_events_edited` ON `deleted_events` (`id`) WHERE original_start IS NOT NULL;--> statement-breakpoint
CREATE TABLE `event_days` (
	`day` integer PRIMARY KEY NOT NULL,
	`events` text
);
--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY NOT NULL,
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
	`outside` integer DEFAULT true NOT NULL,
	`awaits_answer` integer DEFAULT false NOT NULL,
	`added_by_stranger` text,
	`invitation` text,
	`booking_id` text,
	`organizer` text,
	`attendees` text DEFAULT '[]' NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`notes` text,
	`reminders` text,
	`email_id` integer,
	`ical_uid` text NOT NULL,
	`sequence` integer DEFAULT 0 NOT NULL,
	`rescheduled_from_id` integer,
	`cancel_reason` text,
	`external_status` text,
	`external_updated_at` integer,
	`external_hash` text,
	`rescheduled_from_booking_id` text,
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
CREATE INDEX `events_span_start` ON `events` (`span`,`start_at`,`id`,`end_at`,`status`,`busy`);--> statement-breakpoint
CREATE INDEX `events_span_status` ON `events` (`span`,`status`,`start_at`,`id`,`end_at`);--> statement-breakpoint
CREATE INDEX `events_span_source` ON `events` (`span`,`source`,`start_at`,`id`,`end_at`);--> statement-breakpoint
CREATE INDEX `events_series_end` ON `events` (`series_end`) WHERE series_end IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `events_booking_id` ON `events` (`booking_id`) WHERE booking_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `events_ical_uid` ON `events` (`ical_uid`) WHERE original_start IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `events_occurrence` ON `events` (`ical_uid`,`original_start`) WHERE original_start IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_recurring_event_id` ON `events` (`recurring_event_id`) WHERE recurring_event_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_email_id` ON `events` (`email_id`) WHERE email_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_added_by_stranger` ON `events` (`created_at`) WHERE added_by_stranger IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_awaits_answer` ON `events` (`start_at`,`id`) WHERE awaits_answer = 1;--> statement-breakpoint
CREATE INDEX `events_waiting_for_link` ON `events` (`rescheduled_from_booking_id`) WHERE rescheduled_from_id IS NULL AND rescheduled_from_booking_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `working_hours` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`time_zone` text NOT NULL,
	`days` text NOT NULL,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `chat_actions` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`tool` text NOT NULL,
	`title` text NOT NULL,
	`undo` text,
	`status` text NOT NULL,
	`step` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`conversation_id`) REFERENCES `chat_conversations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chat_actions_conversation` ON `chat_actions` (`conversation_id`,`step`);--> statement-breakpoint
CREATE TABLE `chat_conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer,
	`api_key_id` integer,
	`grant_id` text,
	`title` text NOT NULL,
	`question` text,
	`state` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chat_conversations_user` ON `chat_conversations` (`user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `chat_conversations_updated` ON `chat_conversations` (`updated_at`);--> statement-breakpoint
CREATE TABLE `chat_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`conversation_id` text NOT NULL,
	`role` text NOT NULL,
	`text` text NOT NULL,
	`outside` integer NOT NULL,
	`actions` text NOT NULL,
	`engine` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`conversation_id`) REFERENCES `chat_conversations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chat_messages_conversation` ON `chat_messages` (`conversation_id`,`id`);--> statement-breakpoint
CREATE TABLE `chat_proposals` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`agent` text,
	`tool` text NOT NULL,
	`input` text NOT NULL,
	`reason` text NOT NULL,
	`summary` text NOT NULL,
	`basis` text,
	`time_zone` text NOT NULL,
	`status` text NOT NULL,
	`result` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`settled_at` integer,
	FOREIGN KEY (`conversation_id`) REFERENCES `chat_conversations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chat_proposals_conversation` ON `chat_proposals` (`conversation_id`,`id`);--> statement-breakpoint
CREATE INDEX `chat_proposals_status` ON `chat_proposals` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `blocked_senders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sender` text NOT NULL,
	`unverified_only` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blocked_senders_sender` ON `blocked_senders` (`sender`);--> statement-breakpoint
CREATE TABLE `email_retention` (
	`id` integer PRIMARY KEY NOT NULL,
	`trash_days` integer,
	`spam_days` integer,
	`kind_days` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `email_rules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`enabled` integer NOT NULL,
	`matching` text NOT NULL,
	`conditions` text NOT NULL,
	`actions` text NOT NULL,
	`run_below` integer,
	`run_started_at` integer,
	`run_due_at` integer,
	`run_seen` integer DEFAULT 0 NOT NULL,
	`run_matched` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `email_rules_position` ON `email_rules` (`position`,`id`);--> statement-breakpoint
CREATE INDEX `email_rules_run_due` ON `email_rules` (`run_due_at`) WHERE run_due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `left_lists` (
	`list` text PRIMARY KEY NOT NULL,
	`method` text NOT NULL,
	`trash_later` integer NOT NULL,
	`left_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sender_verdicts` (
	`email_id` integer PRIMARY KEY NOT NULL,
	`sender` text NOT NULL,
	`is_spam` integer NOT NULL,
	`proof` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sender_verdicts_sender` ON `sender_verdicts` (`sender`,`at`);--> statement-breakpoint
CREATE TABLE `email_drafts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`to_recipients` text NOT NULL,
	`cc_recipients` text NOT NULL,
	`bcc_recipients` text NOT NULL,
	`subject` text NOT NULL,
	`identity_id` integer,
	`in_reply_to` integer,
	`forward_of` integer,
	`send_at` integer,
	`quote` integer NOT NULL,
	`signature` integer NOT NULL,
	`sign_in` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`body` text NOT NULL,
	`html` text,
	FOREIGN KEY (`identity_id`) REFERENCES `identities`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `email_drafts_updated` ON `email_drafts` (`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `email_drafts_identity` ON `email_drafts` (`identity_id`) WHERE identity_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `email_drafts_reply` ON `email_drafts` (`in_reply_to`) WHERE in_reply_to IS NOT NULL;--> statement-breakpoint
CREATE INDEX `email_drafts_forward` ON `email_drafts` (`forward_of`) WHERE forward_of IS NOT NULL;--> statement-breakpoint
CREATE TABLE `email_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`size` integer NOT NULL,
	`content_id` text,
	`draft_id` integer,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`draft_id`) REFERENCES `email_drafts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `email_uploads_draft` ON `email_uploads` (`draft_id`) WHERE draft_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `email_uploads_expires` ON `email_uploads` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `identities` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`address` text,
	`reply_to` text,
	`signature_text` text,
	`signature_html` text,
	`undo_send_seconds` integer NOT NULL,
	`is_default` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `identities_user` ON `identities` (`user_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `identities_default` ON `identities` (`user_id`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `deleted_emails` (
	`message_key` text PRIMARY KEY NOT NULL,
	`from_email` text NOT NULL,
	`source` text NOT NULL,
	`authentication` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deleted_emails_expires_at` ON `deleted_emails` (`expires_at`);--> statement-breakpoint
CREATE TABLE `email_tags` (
	`tag` text NOT NULL,
	`status` text NOT NULL,
	`is_read` integer NOT NULL,
	`received_at` integer NOT NULL,
	`email_id` integer NOT NULL,
	PRIMARY KEY(`tag`, `status`, `is_read`, `received_at`, `email_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `email_totals` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_id` integer DEFAULT 0 NOT NULL,
	`inbox` integer DEFAULT 0 NOT NULL,
	`inbox_unread` integer DEFAULT 0 NOT NULL,
	`archived` integer DEFAULT 0 NOT NULL,
	`archived_unread` integer DEFAULT 0 NOT NULL,
	`spam` integer DEFAULT 0 NOT NULL,
	`spam_unread` integer DEFAULT 0 NOT NULL,
	`trash` integer DEFAULT 0 NOT NULL,
	`trash_unread` integer DEFAULT 0 NOT NULL,
	`starred` integer DEFAULT 0 NOT NULL,
	`starred_unread` integer DEFAULT 0 NOT NULL,
	`outbound` integer DEFAULT 0 NOT NULL,
	`outbound_unread` integer DEFAULT 0 NOT NULL,
	`reply_needed` integer DEFAULT 0 NOT NULL,
	`low` integer DEFAULT 0 NOT NULL,
	`normal` integer DEFAULT 0 NOT NULL,
	`high` integer DEFAULT 0 NOT NULL,
	`critical` integer DEFAULT 0 NOT NULL,
	`personal` integer DEFAULT 0 NOT NULL,
	`work` integer DEFAULT 0 NOT NULL,
	`meeting` integer DEFAULT 0 NOT NULL,
	`invoice` integer DEFAULT 0 NOT NULL,
	`receipt` integer DEFAULT 0 NOT NULL,
	`newsletter` integer DEFAULT 0 NOT NULL,
	`notification` integer DEFAULT 0 NOT NULL,
	`spam_like` integer DEFAULT 0 NOT NULL,
	`objects` integer DEFAULT 0 NOT NULL,
	`object_bytes` integer DEFAULT 0 NOT NULL,
	`uploads` integer DEFAULT 0 NOT NULL,
	`upload_bytes` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `emails` (
	`id` integer PRIMARY KEY NOT NULL,
	`message_id` text NOT NULL,
	`message_key` text GENERATED ALWAYS AS (trim(message_id, '<>')) VIRTUAL,
	`thread_id` integer NOT NULL,
	`has_thread_count` integer DEFAULT false NOT NULL,
	`in_reply_to` text,
	`reference_ids` text NOT NULL,
	`direction` text NOT NULL,
	`source` text NOT NULL,
	`from_name` text NOT NULL,
	`from_email` text NOT NULL,
	`to_recipients` text NOT NULL,
	`cc_recipients` text NOT NULL,
	`bcc_recipients` text,
	`reply_to` text,
	`kind` text NOT NULL,
	`authentication` text,
	`delivery` text,
	`delivery_error` text,
	`send_at` integer,
	`identity_id` integer,
	`delivered_to` text,
	`subject` text NOT NULL,
	`snippet` text NOT NULL,
	`attachments` text NOT NULL,
	`raw_key` text,
	`raw_size` integer,
	`content_key` text,
	`content_size` integer,
	`object_key` text GENERATED ALWAYS AS (coalesce(raw_key, content_key)) VIRTUAL,
	`has_attachments` integer DEFAULT false NOT NULL,
	`tags` text NOT NULL,
	`status` text NOT NULL,
	`is_aside` integer DEFAULT false NOT NULL,
	`is_read` integer NOT NULL,
	`is_starred` integer NOT NULL,
	`list` text,
	`applied_rules` text,
	`delete_at` integer,
	`snoozed_until` integer,
	`received_at` integer NOT NULL,
	`urgency` text,
	`category` text,
	`reply_needed` integer,
	`analysis` text,
	`analysis_due_at` integer,
	`analysis_attempts` integer DEFAULT 0 NOT NULL,
	`sign_in` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`body` text,
	`html` text,
	`written_as` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `emails_message_key` ON `emails` (`message_key`);--> statement-breakpoint
CREATE INDEX `emails_object` ON `emails` (`object_key`) WHERE object_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `emails_listed` ON `emails` (`is_aside`,`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `emails_box` ON `emails` (`status`,`is_read`,`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `emails_thread` ON `emails` (`thread_id`,`received_at`,`id`) WHERE has_thread_count = 1;--> statement-breakpoint
CREATE INDEX `emails_starred` ON `emails` (`received_at`,`id`) WHERE is_starred = 1 AND is_aside = 0;--> statement-breakpoint
CREATE INDEX `emails_snoozed` ON `emails` (`received_at`,`id`) WHERE snoozed_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `emails_woken` ON `emails` (`snoozed_until`,`id`) WHERE snoozed_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `emails_woken_thread` ON `emails` (`thread_id`,`snoozed_until`,`id`) WHERE snoozed_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `emails_outbound` ON `emails` (`received_at`,`id`) WHERE direction = 'outbound' AND is_aside = 0;--> statement-breakpoint
CREATE INDEX `emails_kind` ON `emails` (`kind`,`received_at`,`id`) WHERE is_aside = 0;--> statement-breakpoint
CREATE INDEX `emails_sending` ON `emails` (`updated_at`) WHERE delivery = 'sending';--> statement-breakpoint
CREATE INDEX `emails_scheduled` ON `emails` (`send_at`) WHERE delivery = 'scheduled';--> statement-breakpoint
CREATE INDEX `emails_analysis_due` ON `emails` (`analysis_due_at`) WHERE analysis_due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `emails_delete` ON `emails` (`delete_at`) WHERE delete_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `emails_failed` ON `emails` (`received_at`) WHERE delivery = 'failed';--> statement-breakpoint
CREATE INDEX `emails_urgency` ON `emails` (`urgency`,`received_at`,`id`) WHERE urgency IS NOT NULL AND is_aside = 0;--> statement-breakpoint
CREATE INDEX `emails_category` ON `emails` (`category`,`received_at`,`id`) WHERE category IS NOT NULL AND is_aside = 0;--> statement-breakpoint
CREATE INDEX `emails_reply_needed` ON `emails` (`received_at`,`id`) WHERE reply_needed = 1 AND is_aside = 0;--> statement-breakpoint
CREATE TABLE `known_senders` (
	`email` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tags` (
	`tag` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`unread` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `tags_count` ON `tags` (`count`,`tag`);--> statement-breakpoint
CREATE TABLE `thread_messages` (
	`message_id` text PRIMARY KEY NOT NULL,
	`thread_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `thread_messages_thread_id` ON `thread_messages` (`thread_id`);--> statement-breakpoint
CREATE TABLE `threads` (
	`id` integer PRIMARY KEY NOT NULL,
	`email_count` integer NOT NULL,
	`kept_count` integer DEFAULT 0 NOT NULL,
	`kept_unread` integer DEFAULT 0 NOT NULL,
	`kept_starred` integer DEFAULT 0 NOT NULL,
	`kept_files` integer DEFAULT 0 NOT NULL,
	`spam_count` integer DEFAULT 0 NOT NULL,
	`spam_unread` integer DEFAULT 0 NOT NULL,
	`spam_starred` integer DEFAULT 0 NOT NULL,
	`spam_files` integer DEFAULT 0 NOT NULL,
	`trash_count` integer DEFAULT 0 NOT NULL,
	`trash_unread` integer DEFAULT 0 NOT NULL,
	`trash_starred` integer DEFAULT 0 NOT NULL,
	`trash_files` integer DEFAULT 0 NOT NULL,
	`snoozed_count` integer DEFAULT 0 NOT NULL,
	`kept_at` integer,
	`kept_id` integer,
	`inbox_at` integer,
	`inbox_id` integer,
	`archived_at` integer,
	`archived_id` integer,
	`spam_at` integer,
	`spam_id` integer,
	`trash_at` integer,
	`trash_id` integer,
	`participants` text DEFAULT '[]' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `file_checks` (
	`room` text PRIMARY KEY NOT NULL,
	`checked_until` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `files_to_delete` (
	`key` text PRIMARY KEY NOT NULL,
	`store` text NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `files_to_delete_due` ON `files_to_delete` (`store`,`due_at`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`actor` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`claim` text NOT NULL,
	`claimed_at` integer NOT NULL,
	`has_written` integer DEFAULT false NOT NULL,
	`status` integer,
	`headers` text,
	`body` text,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`actor`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expires_at` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`name` text PRIMARY KEY NOT NULL,
	`last_started_at` integer,
	`last_succeeded_at` integer,
	`last_failed_at` integer,
	`last_error` text,
	`last_duration_ms` integer,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)) NOT NULL,
	`type` text NOT NULL,
	`record_id` text,
	`version` integer,
	`audience` text
);
--> statement-breakpoint
CREATE TABLE `live_clients` (
	`id` integer PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notification_preferences` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`sync_failure` integer DEFAULT true NOT NULL,
	`token_alerts` integer DEFAULT true NOT NULL,
	`daily_brief` integer DEFAULT false NOT NULL,
	`brief_hour` integer DEFAULT 7 NOT NULL,
	`brief_date` text,
	`brief_status` text,
	`reminders` integer DEFAULT true NOT NULL,
	`task_reminder` integer DEFAULT 0,
	`event_reminder` integer DEFAULT 10,
	`reminder_channels` text DEFAULT '["push","email"]' NOT NULL,
	`quiet_hours` text,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notification_preferences_brief` ON `notification_preferences` (`user_id`) WHERE daily_brief = 1;--> statement-breakpoint
CREATE TABLE `oauth_access_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`grant_id`) REFERENCES `oauth_grants`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `oauth_access_tokens_grant` ON `oauth_access_tokens` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oauth_access_tokens_expires` ON `oauth_access_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `oauth_clients_created` ON `oauth_clients` (`created_at`);--> statement-breakpoint
CREATE TABLE `oauth_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`session_id` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`challenge` text NOT NULL,
	`scopes` text NOT NULL,
	`resource` text NOT NULL,
	`rule` text NOT NULL,
	`grant_id` text,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `oauth_codes_user` ON `oauth_codes` (`user_id`);--> statement-breakpoint
CREATE INDEX `oauth_codes_expires` ON `oauth_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `oauth_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`redirect_host` text NOT NULL,
	`scopes` text NOT NULL,
	`resource` text NOT NULL,
	`rule` text NOT NULL,
	`refresh_counter` integer NOT NULL,
	`rotated_at` integer NOT NULL,
	`outside_at` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `oauth_grants_user` ON `oauth_grants` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `oauth_grants_client` ON `oauth_grants` (`client_id`);--> statement-breakpoint
CREATE INDEX `oauth_grants_expires` ON `oauth_grants` (`expires_at`);--> statement-breakpoint
CREATE TABLE `profiles` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`company` text,
	`phone` text,
	`bio` text,
	`locale` text DEFAULT 'en' NOT NULL,
	`week_start` text DEFAULT 'monday' NOT NULL,
	`time_format` text DEFAULT '24h' NOT NULL,
	`avatar` text,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer,
	`mail_view` text DEFAULT 'conversations' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`session_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_sent_at` integer,
	`last_error` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_endpoint` ON `push_subscriptions` (`endpoint`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_user` ON `push_subscriptions` (`user_id`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_session` ON `push_subscriptions` (`session_id`);--> statement-breakpoint
CREATE TABLE `reminder_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`checked_until` integer NOT NULL,
	`recheck_after` integer
);
--> statement-breakpoint
CREATE TABLE `reminder_times` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reminder_times_at` ON `reminder_times` (`at`);--> statement-breakpoint
CREATE TABLE `reminders` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`record_id` integer NOT NULL,
	`record_at` integer,
	`at` integer NOT NULL,
	`channel` text NOT NULL,
	`state` text NOT NULL,
	`fired_at` integer NOT NULL,
	`late` integer NOT NULL,
	`deliver_at` integer,
	`sending` text,
	`rounds` integer DEFAULT 0 NOT NULL,
	`deliveries` text DEFAULT '[]' NOT NULL,
	`round_from` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reminders_once` ON `reminders` (`user_id`,`kind`,`record_id`,`at`,`channel`);--> statement-breakpoint
CREATE INDEX `reminders_user` ON `reminders` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `reminders_state` ON `reminders` (`user_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `reminders_owed` ON `reminders` (`deliver_at`) WHERE deliver_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `series_reminders` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`look_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `series_reminders_look_at` ON `series_reminders` (`look_at`);--> statement-breakpoint
CREATE TABLE `counters` (
	`area` text NOT NULL,
	`key` text NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`area`, `key`)
);
--> statement-breakpoint
CREATE TABLE `quarters` (
	`id` integer PRIMARY KEY NOT NULL,
	`emails` text DEFAULT '[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]' NOT NULL,
	`tasks_done` text DEFAULT '[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]' NOT NULL,
	`tasks_due` text DEFAULT '[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]' NOT NULL,
	`event_starts` text DEFAULT '[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]' NOT NULL,
	`event_ends` text DEFAULT '[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `quarters_before` (
	`id` integer PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	`tasks_due` integer DEFAULT 0 NOT NULL,
	`event_starts` integer DEFAULT 0 NOT NULL,
	`event_ends` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
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
	`model_due_at` integer,
	`model_attempts` integer DEFAULT 0 NOT NULL,
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
CREATE INDEX `captions_model_due` ON `captions` (`model_due_at`) WHERE model_due_at IS NOT NULL;--> statement-breakpoint
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
	`channel_id` text,
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
	`passed_before` integer DEFAULT false NOT NULL,
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
CREATE INDEX `stream_milestones_reached` ON `stream_milestones` (`metric`,`threshold`) WHERE reached_at IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX `stream_sessions_next` ON `stream_sessions` (`scheduled_for`,`id`) WHERE state = 'scheduled';--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `task_lists` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`color` text NOT NULL,
	`outside` integer DEFAULT true NOT NULL,
	`position` real NOT NULL,
	`archived_at` integer,
	`open_tasks` integer DEFAULT 0 NOT NULL,
	`total_tasks` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `task_lists_name` ON `task_lists` (`name_key`);--> statement-breakpoint
CREATE TABLE `task_totals` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_id` integer DEFAULT 0 NOT NULL,
	`todo` integer DEFAULT 0 NOT NULL,
	`in_progress` integer DEFAULT 0 NOT NULL,
	`waiting` integer DEFAULT 0 NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `task_undos` (
	`id` text PRIMARY KEY NOT NULL,
	`before` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `task_undos_expires` ON `task_undos` (`expires_at`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` integer PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`priority` text NOT NULL,
	`due_at` integer,
	`due_date` text,
	`tags` text NOT NULL,
	`source` text NOT NULL,
	`outside` integer DEFAULT true NOT NULL,
	`email_id` integer,
	`event_id` integer,
	`lost_event_id` integer,
	`quote` text,
	`email_part` text,
	`completed_at` integer,
	`list_id` integer,
	`parent_id` integer,
	`position` real,
	`estimate_minutes` integer,
	`repetition` text,
	`subtasks_total` integer,
	`subtasks_done` integer,
	`reminders` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`due_slot` integer,
	`place` integer GENERATED ALWAYS AS (iif(due_at IS NULL, 9000000000000000000 + id, (due_at << 18) + coalesce(due_slot, id & 262143))) VIRTUAL,
	`closed` integer GENERATED ALWAYS AS (iif(status IN ('done', 'cancelled'), 1, 0)) VIRTUAL,
	`rank` real GENERATED ALWAYS AS (coalesce(position, id)) VIRTUAL,
	`priority_order` integer GENERATED ALWAYS AS (CASE priority WHEN 'urgent' THEN 0 WHEN 'high' THEN 1 WHEN 'medium' THEN 2 ELSE 3 END) VIRTUAL,
	FOREIGN KEY (`email_id`) REFERENCES `emails`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `tasks_event_id` ON `tasks` (`event_id`) WHERE event_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tasks_lost_event_id` ON `tasks` (`lost_event_id`) WHERE lost_event_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_email_part` ON `tasks` (`email_id`,`email_part`) WHERE email_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tasks_parent` ON `tasks` (`parent_id`) WHERE parent_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tasks_closed_place` ON `tasks` (`closed`,`place`);--> statement-breakpoint
CREATE INDEX `tasks_open_rank` ON `tasks` (`list_id`,`parent_id`,`rank`) WHERE status NOT IN ('done', 'cancelled');--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user_id` integer,
	`state` text NOT NULL,
	`slice` integer NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer,
	`position` text,
	`options` text NOT NULL,
	`done` integer NOT NULL,
	`total` integer,
	`result` text,
	`error` text,
	`file_key` text,
	`file_size` integer,
	`scratch_keys` text NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `transfers_user` ON `transfers` (`user_id`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `transfers_due` ON `transfers` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transfers_expires_at` ON `transfers` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `transfers_under_way` ON `transfers` (`user_id`,`kind`) WHERE due_at IS NOT NULL AND kind IN ('export', 'import');--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`habits` text,
	`password_hash` text NOT NULL,
	`pepper_id` text NOT NULL,
	`password_changed_at` integer,
	`email_verified_at` integer,
	`totp_secret` text,
	`totp_enabled_at` integer,
	`totp_last_step` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` text NOT NULL,
	`record_id` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`message_id` text NOT NULL,
	`endpoint_id` integer NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`last_attempt_at` integer,
	`response_status` integer,
	`error` text,
	`duration_ms` integer,
	`delivered_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`message_id`) REFERENCES `webhook_messages`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_message_id` ON `webhook_deliveries` (`message_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_endpoint` ON `webhook_deliveries` (`endpoint_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_status` ON `webhook_deliveries` (`endpoint_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`attempts`,`next_attempt_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`event_types` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_secret_until` integer,
	`enabled` integer NOT NULL,
	`disabled_reason` text,
	`failing_since` integer,
	`paused_until` integer,
	`slow_responses` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_user_id` ON `webhook_endpoints` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_enabled` ON `webhook_endpoints` (`enabled`) WHERE enabled = 1;--> statement-breakpoint
CREATE TABLE `webhook_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`outbox_id` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_messages_created_at` ON `webhook_messages` (`created_at`);
--> statement-breakpoint
CREATE TABLE `contact_addresses` (
	`address` text PRIMARY KEY NOT NULL,
	`contact_id` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `contacts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`addresses` text NOT NULL,
	`is_saved` integer DEFAULT false NOT NULL,
	`outside` integer DEFAULT true NOT NULL,
	`company` text DEFAULT '' NOT NULL,
	`phones` text DEFAULT '[]' NOT NULL,
	`notes` text DEFAULT '' NOT NULL,
	`received` integer DEFAULT 0 NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`last_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sort_name` text GENERATED ALWAYS AS (lower(iif(name = '', addresses ->> 0, name))) VIRTUAL,
	`place` integer GENERATED ALWAYS AS (((coalesce(last_at, 0) / 2629746000 + iif(is_saved, 6, 0)
          + CASE WHEN sent >= 10 THEN 18 WHEN sent >= 3 THEN 12 WHEN sent >= 1 THEN 6 ELSE 0 END) << 32) | id) VIRTUAL
);
--> statement-breakpoint
CREATE INDEX `contacts_sort_name` ON `contacts` (`sort_name`,`id`);
--> statement-breakpoint
CREATE TABLE `muted_threads` (
	`thread_id` integer PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `muted_threads_thread_id` ON `muted_threads` (`thread_id`);
--> statement-breakpoint
CREATE INDEX `threads_kept` ON `threads` (`kept_at`,`kept_id`) WHERE kept_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `threads_inbox` ON `threads` (`inbox_at`,`inbox_id`) WHERE inbox_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `threads_archived` ON `threads` (`archived_at`,`archived_id`) WHERE archived_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `threads_spam` ON `threads` (`spam_at`,`spam_id`) WHERE spam_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `threads_trash` ON `threads` (`trash_at`,`trash_id`) WHERE trash_at IS NOT NULL;
