-- The objects of a deleted email are deleted three days later: restoring the database by Time Travel brings back its row,
-- but no object. An object belongs to one email.
CREATE TRIGGER emails_objects_delete AFTER DELETE ON emails
WHEN OLD.raw_key IS NOT NULL OR OLD.content_key IS NOT NULL OR OLD.attachments LIKE '%"key":%' BEGIN
  INSERT INTO files_to_delete (key, store, due_at)
  SELECT DISTINCT key, 'r2', CAST(unixepoch('subsec') * 1000 AS INTEGER) + 259200000 FROM (
    SELECT OLD.raw_key AS key UNION ALL SELECT OLD.content_key
    UNION ALL SELECT value ->> 'key' FROM json_each(OLD.attachments))
  WHERE key IS NOT NULL
  ON CONFLICT (key) DO NOTHING;
END;

-- For a month, a received email that was deleted for good stays deleted when it is delivered again.
CREATE TRIGGER emails_mark_deleted AFTER DELETE ON emails WHEN OLD.source = 'inbound' BEGIN
  INSERT INTO deleted_emails (message_key, from_email, source, authentication, expires_at)
  VALUES (OLD.message_key, OLD.from_email, OLD.source, OLD.authentication,
    CAST(unixepoch('subsec') * 1000 AS INTEGER) + 2592000000)
  ON CONFLICT (message_key) DO UPDATE SET from_email = excluded.from_email, source = excluded.source,
    authentication = excluded.authentication, expires_at = excluded.expires_at;
END;

CREATE TRIGGER emails_aside_insert AFTER INSERT ON emails WHEN NEW.status IN ('spam', 'trash') AND NEW.is_aside = 0 BEGIN
  UPDATE emails SET is_aside = 1 WHERE id = NEW.id;
END;

CREATE TRIGGER emails_aside AFTER UPDATE OF status ON emails WHEN (NEW.status IN ('spam', 'trash')) <> NEW.is_aside BEGIN
  UPDATE emails SET is_aside = (NEW.status IN ('spam', 'trash')) WHERE id = NEW.id;
END;

CREATE TRIGGER thread_messages_delete AFTER DELETE ON emails BEGIN
  DELETE FROM thread_messages
  WHERE thread_id = OLD.thread_id
    AND NOT EXISTS (SELECT 1 FROM emails WHERE thread_id = OLD.thread_id AND has_thread_count = 1);
END;

-- `email_tags` repeats the tags of emails outside spam and trash as rows, with what lists filter by, so that a tag's newest
-- emails are a few ranges of its key. An email's `received_at` never changes.
CREATE TRIGGER email_tags_insert AFTER INSERT ON emails WHEN NEW.status NOT IN ('spam', 'trash') BEGIN
  INSERT INTO email_tags (tag, status, is_read, received_at, email_id)
  SELECT value, NEW.status, NEW.is_read, NEW.received_at, NEW.id FROM json_each(NEW.tags) WHERE true
  -- A tag that is there twice. DISTINCT would take a table of its own.
  ON CONFLICT DO NOTHING;
END;

-- The tags change, or the email goes into spam or the trash or comes back: its rows are replaced.
CREATE TRIGGER email_tags_replace AFTER UPDATE OF tags, status ON emails
WHEN NEW.tags <> OLD.tags OR (NEW.status IN ('spam', 'trash')) <> (OLD.status IN ('spam', 'trash')) BEGIN
  DELETE FROM email_tags
  WHERE tag IN (SELECT value FROM json_each(OLD.tags)) AND status = OLD.status AND is_read = OLD.is_read
    AND received_at = OLD.received_at AND email_id = OLD.id;
  INSERT INTO email_tags (tag, status, is_read, received_at, email_id)
  SELECT DISTINCT value, NEW.status, NEW.is_read, NEW.received_at, NEW.id FROM json_each(NEW.tags)
  WHERE NEW.status NOT IN ('spam', 'trash');
END;

-- The status or the read flag changes, and the tags stay. An email in spam or in the trash has no rows.
CREATE TRIGGER email_tags_follow AFTER UPDATE OF status, is_read ON emails
WHEN (NEW.status, NEW.is_read) <> (OLD.status, OLD.is_read) AND NEW.tags = OLD.tags
  AND NEW.status NOT IN ('spam', 'trash') AND OLD.status NOT IN ('spam', 'trash') BEGIN
  UPDATE email_tags SET status = NEW.status, is_read = NEW.is_read
  WHERE tag IN (SELECT value FROM json_each(NEW.tags)) AND status = OLD.status AND is_read = OLD.is_read
    AND received_at = NEW.received_at AND email_id = NEW.id;
END;

CREATE TRIGGER email_tags_delete AFTER DELETE ON emails BEGIN
  DELETE FROM email_tags
  WHERE tag IN (SELECT value FROM json_each(OLD.tags)) AND status = OLD.status AND is_read = OLD.is_read
    AND received_at = OLD.received_at AND email_id = OLD.id;
END;

-- `tags` counts the rows of `email_tags`. A tag without emails has no row.
CREATE TRIGGER tags_insert AFTER INSERT ON email_tags BEGIN
  INSERT INTO tags (tag, count, unread) VALUES (NEW.tag, 1, NEW.is_read = 0)
  ON CONFLICT (tag) DO UPDATE SET count = count + 1, unread = unread + excluded.unread;
END;

CREATE TRIGGER tags_update AFTER UPDATE OF is_read ON email_tags WHEN NEW.is_read <> OLD.is_read BEGIN
  UPDATE tags SET unread = unread + (NEW.is_read = 0) - (OLD.is_read = 0) WHERE tag = NEW.tag;
END;

CREATE TRIGGER tags_delete AFTER DELETE ON email_tags BEGIN
  UPDATE tags SET count = count - 1, unread = unread - (OLD.is_read = 0) WHERE tag = OLD.tag;
  DELETE FROM tags WHERE tag = OLD.tag AND count = 0;
END;

-- The file of an upload goes with it, after as long as those of deleted emails. An email that takes it over keeps it: the
-- batch removes this row again.
CREATE TRIGGER email_uploads_delete AFTER DELETE ON email_uploads BEGIN
  INSERT INTO files_to_delete (key, store, due_at)
  VALUES (OLD.key, 'r2', CAST(unixepoch('subsec') * 1000 AS INTEGER) + 259200000)
  ON CONFLICT (key) DO NOTHING;
  UPDATE email_totals SET uploads = uploads - 1, upload_bytes = upload_bytes - OLD.size;
END;

CREATE TRIGGER email_uploads_insert AFTER INSERT ON email_uploads BEGIN
  UPDATE email_totals SET uploads = uploads + 1, upload_bytes = upload_bytes + NEW.size;
END;
