-- Mails move to another thread only when two threads become one. The Message-IDs of the old thread go along:
-- deleted with it, later answers to its mails would begin a conversation of their own.
DROP TRIGGER `threads_move`;
--> statement-breakpoint
CREATE TRIGGER `threads_move` AFTER UPDATE OF `thread_id` ON `emails` WHEN NEW.thread_id <> OLD.thread_id BEGIN
	UPDATE thread_messages SET thread_id = NEW.thread_id WHERE thread_id = OLD.thread_id;
	UPDATE threads SET email_count = email_count + 1 WHERE id = NEW.thread_id;
	UPDATE threads SET email_count = email_count - 1 WHERE id = OLD.thread_id;
	DELETE FROM threads WHERE id = OLD.thread_id AND email_count = 0;
END;
