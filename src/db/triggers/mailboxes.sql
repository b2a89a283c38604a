-- What a person changes of an email that a mailbox elsewhere has, too, is owed to that mailbox. A run of the mailbox that
-- makes such a change itself deletes the row in the same batch.
CREATE TRIGGER mailbox_dirty_update AFTER UPDATE OF is_read, is_starred, status ON emails
WHEN (NEW.is_read, NEW.is_starred, NEW.status) <> (OLD.is_read, OLD.is_starred, OLD.status) BEGIN
  INSERT INTO mailbox_dirty (email_id, mailbox_id)
  SELECT email_id, mailbox_id FROM mailbox_messages WHERE email_id = NEW.id
  ON CONFLICT DO NOTHING;
END;
