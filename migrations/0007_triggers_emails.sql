-- Search. The rowid is the email's place in time: milliseconds, then the last 20 bits of its id. Reading the index
-- backwards gives the newest email first, so a search can stop early. The index stores no text (`content = ''`).
CREATE VIRTUAL TABLE emails_search USING fts5(
  subject, people, body,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TRIGGER emails_search_insert AFTER INSERT ON emails BEGIN
  INSERT INTO emails_search (rowid, subject, people, body) VALUES (
    (NEW.received_at << 20) | (NEW.id & 1048575),
    NEW.subject,
    NEW.from_name || ' ' || NEW.from_email || ' ' || coalesce((
      SELECT group_concat(json_extract(value, '$.name') || ' ' || json_extract(value, '$.email'), ' ')
      FROM json_each(NEW.to_recipients)
    ), ''),
    substr(NEW.body, 1, 200000)
  );
END;

CREATE TRIGGER emails_search_delete AFTER DELETE ON emails BEGIN
  DELETE FROM emails_search WHERE rowid = ((OLD.received_at << 20) | (OLD.id & 1048575));
END;

-- `threads` counts the emails of a thread from the second one on. At the second, both emails learn that there is a
-- count; every later one does when it arrives. The count may go down to 1 again: then the last email still looks it up.
CREATE TRIGGER threads_insert AFTER INSERT ON emails
WHEN EXISTS (SELECT 1 FROM emails WHERE thread_id = NEW.thread_id AND id <> NEW.id) BEGIN
  INSERT INTO threads (id, email_count) VALUES (NEW.thread_id, 2)
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + 1;
  UPDATE emails SET has_thread_count = 1
  WHERE has_thread_count = 0
    AND id IN (NEW.id, (SELECT id FROM emails WHERE thread_id = NEW.thread_id AND id <> NEW.id LIMIT 1));
END;

-- Emails change threads only when two threads are merged. The Message-IDs of the old thread move along, so that later
-- replies to its emails find the merged thread.
CREATE TRIGGER threads_move AFTER UPDATE OF thread_id ON emails WHEN NEW.thread_id <> OLD.thread_id BEGIN
  UPDATE thread_messages SET thread_id = NEW.thread_id WHERE thread_id = OLD.thread_id;
  INSERT INTO threads (id, email_count) VALUES (NEW.thread_id, 2)
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + 1;
  UPDATE emails SET has_thread_count = 1
  WHERE has_thread_count = 0
    AND id IN (NEW.id, (SELECT id FROM emails WHERE thread_id = NEW.thread_id AND id <> NEW.id LIMIT 1));
  UPDATE threads SET email_count = email_count - 1 WHERE id = OLD.thread_id;
  DELETE FROM threads WHERE id = OLD.thread_id AND email_count = 0;
END;

-- While the thread has other emails, a later reply to the deleted one still joins it.
CREATE TRIGGER threads_delete AFTER DELETE ON emails BEGIN
  UPDATE threads SET email_count = email_count - 1 WHERE id = OLD.thread_id;
  DELETE FROM threads WHERE id = OLD.thread_id AND email_count = 0;
  INSERT INTO thread_messages (message_id, thread_id)
  SELECT OLD.message_key, OLD.thread_id WHERE EXISTS (SELECT 1 FROM emails WHERE thread_id = OLD.thread_id)
  ON CONFLICT (message_id) DO NOTHING;
  DELETE FROM thread_messages
  WHERE thread_id = OLD.thread_id AND NOT EXISTS (SELECT 1 FROM emails WHERE thread_id = OLD.thread_id);
END;

-- `email_tags` repeats an email's tags as rows, with what lists filter by, so that a tag's newest emails are one index
-- range. An email's `received_at` never changes.
CREATE TRIGGER email_tags_insert AFTER INSERT ON emails BEGIN
  INSERT INTO email_tags (tag, received_at, email_id, status, is_read)
  SELECT DISTINCT value, NEW.received_at, NEW.id, NEW.status, NEW.is_read FROM json_each(NEW.tags);
END;

CREATE TRIGGER email_tags_replace AFTER UPDATE OF tags ON emails WHEN NEW.tags <> OLD.tags BEGIN
  DELETE FROM email_tags
  WHERE tag IN (SELECT value FROM json_each(OLD.tags)) AND received_at = OLD.received_at AND email_id = OLD.id;
  INSERT INTO email_tags (tag, received_at, email_id, status, is_read)
  SELECT DISTINCT value, NEW.received_at, NEW.id, NEW.status, NEW.is_read FROM json_each(NEW.tags);
END;

-- An update writes every index of a column that it sets, whether or not the value changes. So a change of one column
-- has a trigger that sets only that one. Where the tags change as well, they have been replaced with the new values.
CREATE TRIGGER email_tags_status AFTER UPDATE OF status ON emails
WHEN NEW.status <> OLD.status AND NEW.is_read = OLD.is_read BEGIN
  UPDATE email_tags SET status = NEW.status
  WHERE tag IN (SELECT value FROM json_each(NEW.tags)) AND received_at = NEW.received_at AND email_id = NEW.id;
END;

CREATE TRIGGER email_tags_read AFTER UPDATE OF is_read ON emails
WHEN NEW.is_read <> OLD.is_read AND NEW.status = OLD.status BEGIN
  UPDATE email_tags SET is_read = NEW.is_read
  WHERE tag IN (SELECT value FROM json_each(NEW.tags)) AND received_at = NEW.received_at AND email_id = NEW.id;
END;

CREATE TRIGGER email_tags_follow AFTER UPDATE OF status, is_read ON emails
WHEN NEW.status <> OLD.status AND NEW.is_read <> OLD.is_read BEGIN
  UPDATE email_tags SET status = NEW.status, is_read = NEW.is_read
  WHERE tag IN (SELECT value FROM json_each(NEW.tags)) AND received_at = NEW.received_at AND email_id = NEW.id;
END;

CREATE TRIGGER email_tags_delete AFTER DELETE ON emails BEGIN
  DELETE FROM email_tags
  WHERE tag IN (SELECT value FROM json_each(OLD.tags)) AND received_at = OLD.received_at AND email_id = OLD.id;
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

-- Statistics. `quarters` has an array of 384 counts for four days (UTC), one for each quarter of an hour: every time
-- zone's days begin on a quarter of an hour, so the days of any zone are sums of few rows.
CREATE TRIGGER statistics_email_insert AFTER INSERT ON emails BEGIN
  UPDATE counters SET value = value + 1 WHERE area = 'emails' AND key = 'unread' AND NEW.is_read = 0;
  INSERT INTO quarters (id, emails)
  VALUES (NEW.received_at / 345600000, json_set('[' || substr(replace(hex(zeroblob(384)), '00', '0,'), 1, 767) || ']', '$[' || (NEW.received_at % 345600000 / 900000) || ']', 1))
  ON CONFLICT (id) DO UPDATE SET
    emails = json_set(emails, '$[' || (NEW.received_at % 345600000 / 900000) || ']', (emails ->> (NEW.received_at % 345600000 / 900000)) + 1);
END;

CREATE TRIGGER statistics_email_urgency_insert AFTER INSERT ON emails WHEN NEW.urgency IS NOT NULL BEGIN
  INSERT INTO counters (area, key, value) VALUES ('emails_by_urgency', NEW.urgency, 1)
  ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER statistics_email_read AFTER UPDATE OF is_read ON emails WHEN NEW.is_read <> OLD.is_read BEGIN
  UPDATE counters SET value = value + (NEW.is_read = 0) - (OLD.is_read = 0) WHERE area = 'emails' AND key = 'unread';
END;

CREATE TRIGGER statistics_email_urgency AFTER UPDATE OF urgency ON emails WHEN NEW.urgency IS NOT OLD.urgency BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'emails_by_urgency' AND key = OLD.urgency;
  INSERT INTO counters (area, key, value) SELECT 'emails_by_urgency', NEW.urgency, 1 WHERE NEW.urgency IS NOT NULL
  ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER statistics_email_delete AFTER DELETE ON emails BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'emails' AND key = 'unread' AND OLD.is_read = 0;
  UPDATE counters SET value = value - 1 WHERE area = 'emails_by_urgency' AND key = OLD.urgency;
  UPDATE quarters SET
    emails = json_set(emails, '$[' || (OLD.received_at % 345600000 / 900000) || ']', (emails ->> (OLD.received_at % 345600000 / 900000)) - 1)
  WHERE id = OLD.received_at / 345600000;
END;

-- Emails by status (all together are the total), kind, starred and outbound: a search with such a filter reads the filtered emails when they are few.
CREATE TRIGGER statistics_email_status_insert AFTER INSERT ON emails BEGIN
  INSERT INTO counters (area, key, value) VALUES ('emails_by_status', NEW.status, 1), ('emails_by_kind', NEW.kind, 1)
  ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER statistics_email_status AFTER UPDATE OF status ON emails WHEN NEW.status <> OLD.status BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'emails_by_status' AND key = OLD.status;
  INSERT INTO counters (area, key, value) VALUES ('emails_by_status', NEW.status, 1)
  ON CONFLICT (area, key) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER statistics_email_status_delete AFTER DELETE ON emails BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'emails_by_status' AND key = OLD.status;
  UPDATE counters SET value = value - 1 WHERE area = 'emails_by_kind' AND key = OLD.kind;
END;

CREATE TRIGGER statistics_email_starred_insert AFTER INSERT ON emails WHEN NEW.is_starred = 1 BEGIN
  UPDATE counters SET value = value + 1 WHERE area = 'emails' AND key = 'starred';
END;

CREATE TRIGGER statistics_email_starred AFTER UPDATE OF is_starred ON emails
WHEN NEW.is_starred <> OLD.is_starred BEGIN
  UPDATE counters SET value = value + NEW.is_starred - OLD.is_starred WHERE area = 'emails' AND key = 'starred';
END;

CREATE TRIGGER statistics_email_starred_delete AFTER DELETE ON emails WHEN OLD.is_starred = 1 BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'emails' AND key = 'starred';
END;

CREATE TRIGGER statistics_email_outbound_insert AFTER INSERT ON emails WHEN NEW.direction = 'outbound' BEGIN
  UPDATE counters SET value = value + 1 WHERE area = 'emails' AND key = 'outbound';
END;

CREATE TRIGGER statistics_email_outbound_delete AFTER DELETE ON emails WHEN OLD.direction = 'outbound' BEGIN
  UPDATE counters SET value = value - 1 WHERE area = 'emails' AND key = 'outbound';
END;

-- Outbound events. Nothing is written while no webhook endpoint is enabled, nor for an email that arrives in the trash:
-- its sender is blocked, or a rule put it there.
CREATE TRIGGER outbox_email_received AFTER INSERT ON emails
WHEN NEW.direction = 'inbound' AND NEW.status <> 'trash' AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('email.received', NEW.id, NEW.created_at);
END;

CREATE TRIGGER outbox_email_analyzed AFTER UPDATE OF analysis ON emails
WHEN NEW.analysis IS NOT NULL AND NEW.analysis IS NOT OLD.analysis
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('email.analyzed', NEW.id, NEW.updated_at);
END;
