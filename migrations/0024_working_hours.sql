CREATE TABLE `working_hours` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`time_zone` text NOT NULL,
	`days` text NOT NULL,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `profiles` DROP COLUMN `working_hours`;--> statement-breakpoint
ALTER TABLE `profiles` DROP COLUMN `working_hours_version`;