CREATE TABLE `assertions` (
	`name` text NOT NULL
);

--> statement-breakpoint
CREATE TRIGGER `assertions_fail` BEFORE INSERT ON `assertions` BEGIN
	SELECT RAISE(ABORT, 'assertion failed: ' || NEW.`name`);
END;
