INSERT INTO `profiles` (`user_id`) SELECT `id` FROM `users`;
--> statement-breakpoint
INSERT INTO `notification_preferences` (`user_id`) SELECT `id` FROM `users`;
--> statement-breakpoint
CREATE TRIGGER `users_inserted` AFTER INSERT ON `users` BEGIN
	INSERT INTO `profiles` (`user_id`) VALUES (NEW.`id`);
	INSERT INTO `notification_preferences` (`user_id`) VALUES (NEW.`id`);
END;
