-- Search. The rowid is the email's place in time: milliseconds, then the last 20 bits of its id. Reading the index
-- backwards gives the newest email first, so a search can stop early. The index stores no text (`content = ''`).
-- `recipients` are those in To, `cc` those in copy, also blind, `files` the names of the attachments. `facets` are words of our own for what never changes
-- about an email, so that a search can ask for them together with its words.
CREATE VIRTUAL TABLE emails_search USING fts5(
  subject, sender, recipients, cc, body, files, facets,
  content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Each write adds a segment to the index, and by default four of a size are merged. Merging eight takes less time.
INSERT INTO emails_search (emails_search, rank) VALUES ('automerge', 8);

-- An email whose content is in the file store is added by the batch that stores it (features/emails/search-index.ts).
CREATE TRIGGER emails_search_insert AFTER INSERT ON emails WHEN NEW.content_key IS NULL BEGIN
  INSERT INTO emails_search (rowid, subject, sender, recipients, cc, body, files, facets) VALUES (
    (NEW.received_at << 20) | (NEW.id & 1048575),
    NEW.subject,
    NEW.from_name || ' ' || NEW.from_email,
    coalesce((SELECT group_concat((value ->> 'name') || ' ' || (value ->> 'email'), ' ') FROM json_each(NEW.to_recipients)), ''),
    -- Most emails have none of these, and opening an empty list takes as long as reading a name.
    iif(NEW.cc_recipients = '[]', '', coalesce((SELECT group_concat((value ->> 'name') || ' ' || (value ->> 'email'), ' ') FROM json_each(NEW.cc_recipients)), ''))
      || iif(NEW.bcc_recipients IS NULL, '', coalesce((SELECT group_concat(' ' || (value ->> 'name') || ' ' || (value ->> 'email'), ' ') FROM json_each(NEW.bcc_recipients)), '')),
    substr(NEW.body, 1, 200000),
    iif(NEW.attachments = '[]', '', coalesce((SELECT group_concat(value ->> 'name', ' ') FROM json_each(NEW.attachments)), '')),
    'd' || NEW.direction || ' k' || replace(NEW.kind, '_', '') || iif(NEW.has_attachments, ' hattachment', '')
  );
END;

CREATE TRIGGER emails_search_delete AFTER DELETE ON emails BEGIN
  DELETE FROM emails_search WHERE rowid = ((OLD.received_at << 20) | (OLD.id & 1048575));
END;

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

-- `threads` counts the emails of a thread from the second one on. At the second, both emails learn that there is a
-- count; every later one does when it arrives. The count may go down to 1 again: then the last email still looks it up.
-- Until then an email is alone in its thread, whose id is its own.
CREATE TRIGGER threads_insert AFTER INSERT ON emails
WHEN NEW.thread_id <> NEW.id OR NEW.has_thread_count = 1
  OR EXISTS (SELECT 1 FROM emails WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND id <> NEW.id) BEGIN
  INSERT INTO threads (id, email_count) VALUES (NEW.thread_id, 1 + EXISTS (
    SELECT 1 FROM emails WHERE id = NEW.thread_id AND id <> NEW.id AND thread_id = NEW.thread_id))
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + 1;
  UPDATE emails SET has_thread_count = 1
  WHERE has_thread_count = 0 AND thread_id = NEW.thread_id AND id IN (NEW.id, NEW.thread_id);
END;

-- Emails change threads only when two threads are merged. The Message-IDs of the old thread move along, so that later
-- replies to its emails find the merged thread.
CREATE TRIGGER threads_move AFTER UPDATE OF thread_id ON emails WHEN NEW.thread_id <> OLD.thread_id BEGIN
  UPDATE thread_messages SET thread_id = NEW.thread_id WHERE thread_id = OLD.thread_id;
  INSERT INTO threads (id, email_count) VALUES (NEW.thread_id, 1 + EXISTS (
    SELECT 1 FROM emails WHERE id = NEW.thread_id AND id <> NEW.id AND thread_id = NEW.thread_id))
  ON CONFLICT (id) DO UPDATE SET email_count = email_count + 1;
  UPDATE emails SET has_thread_count = 1
  WHERE has_thread_count = 0 AND thread_id = NEW.thread_id AND id IN (NEW.id, NEW.thread_id);
  UPDATE threads SET email_count = email_count - 1 WHERE id = OLD.thread_id;
  DELETE FROM threads WHERE id = OLD.thread_id AND email_count = 0;
END;

-- While the thread has other emails, a later reply to the deleted one still joins it.
CREATE TRIGGER threads_delete AFTER DELETE ON emails WHEN OLD.has_thread_count = 1 BEGIN
  UPDATE threads SET email_count = email_count - 1 WHERE id = OLD.thread_id;
  DELETE FROM threads WHERE id = OLD.thread_id AND email_count = 0;
  INSERT INTO thread_messages (message_id, thread_id)
  SELECT OLD.message_key, OLD.thread_id
  WHERE EXISTS (SELECT 1 FROM emails WHERE thread_id = OLD.thread_id AND has_thread_count = 1)
  ON CONFLICT (message_id) DO NOTHING;
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

-- Statistics. `quarters` has an array of 192 counts for two days (UTC), one for each quarter of an hour: every time
-- zone's days begin on a quarter of an hour, so the days of any zone are sums of few rows.
CREATE TRIGGER statistics_email_insert AFTER INSERT ON emails BEGIN
  UPDATE quarters SET emails = json_set(emails, '$[' || (NEW.received_at % 172800000 / 900000) || ']', (emails ->> (NEW.received_at % 172800000 / 900000)) + 1)
  WHERE id = NEW.received_at / 172800000;
  INSERT INTO quarters (id, emails)
  SELECT NEW.received_at / 172800000, json_set('[' || substr(replace(hex(zeroblob(192)), '00', '0,'), 1, 383) || ']', '$[' || (NEW.received_at % 172800000 / 900000) || ']', 1)
  WHERE NOT EXISTS (SELECT 1 FROM quarters WHERE id = NEW.received_at / 172800000);
END;

CREATE TRIGGER statistics_email_delete AFTER DELETE ON emails BEGIN
  UPDATE quarters SET
    emails = json_set(emails, '$[' || (OLD.received_at % 172800000 / 900000) || ']', (emails ->> (OLD.received_at % 172800000 / 900000)) - 1)
  WHERE id = OLD.received_at / 172800000;
END;

-- `email_totals` is one row for all numbers, so that whatever changes about an email writes one row of it; and for the
-- last id, from which the next one is made (db/next-id.ts).
-- Most emails that arrive change four of the numbers at most.
CREATE TRIGGER email_totals_plain_insert AFTER INSERT ON emails
WHEN NEW.status IN ('inbox', 'archived') AND NEW.direction = 'inbound' AND NEW.is_starred = 0
  AND coalesce(NEW.urgency, NEW.category, NEW.reply_needed, NEW.raw_key, NEW.content_key) IS NULL AND NEW.attachments = '[]' BEGIN
  UPDATE email_totals SET
    last_id = max(last_id, NEW.id),
    inbox = inbox + (NEW.status = 'inbox'),
    inbox_unread = inbox_unread + (NEW.status = 'inbox' AND NEW.is_read = 0),
    archived = archived + (NEW.status = 'archived'),
    archived_unread = archived_unread + (NEW.status = 'archived' AND NEW.is_read = 0);
END;

CREATE TRIGGER email_totals_insert AFTER INSERT ON emails
WHEN NOT (NEW.status IN ('inbox', 'archived') AND NEW.direction = 'inbound' AND NEW.is_starred = 0
  AND coalesce(NEW.urgency, NEW.category, NEW.reply_needed, NEW.raw_key, NEW.content_key) IS NULL AND NEW.attachments = '[]') BEGIN
  UPDATE email_totals SET
    last_id = max(last_id, NEW.id),
    inbox = inbox + (NEW.status = 'inbox'),
    inbox_unread = inbox_unread + (NEW.status = 'inbox' AND NEW.is_read = 0),
    archived = archived + (NEW.status = 'archived'),
    archived_unread = archived_unread + (NEW.status = 'archived' AND NEW.is_read = 0),
    spam = spam + (NEW.status = 'spam'),
    spam_unread = spam_unread + (NEW.status = 'spam' AND NEW.is_read = 0),
    trash = trash + (NEW.status = 'trash'),
    trash_unread = trash_unread + (NEW.status = 'trash' AND NEW.is_read = 0),
    starred = starred + (NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1),
    starred_unread = starred_unread + (NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1 AND NEW.is_read = 0),
    outbound = outbound + (NEW.status NOT IN ('spam', 'trash') AND NEW.direction = 'outbound'),
    outbound_unread = outbound_unread + (NEW.status NOT IN ('spam', 'trash') AND NEW.direction = 'outbound' AND NEW.is_read = 0),
    reply_needed = reply_needed + (NEW.status NOT IN ('spam', 'trash') AND NEW.reply_needed IS 1),
    low = low + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'low'),
    normal = normal + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'normal'),
    high = high + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'high'),
    critical = critical + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'critical'),
    personal = personal + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'personal'),
    work = work + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'work'),
    meeting = meeting + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'meeting'),
    invoice = invoice + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'invoice'),
    receipt = receipt + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'receipt'),
    newsletter = newsletter + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'newsletter'),
    notification = notification + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'notification'),
    spam_like = spam_like + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'spam-like'),
    objects = objects + ((NEW.raw_key IS NOT NULL) + (NEW.content_key IS NOT NULL)
      + iif(NEW.attachments LIKE '%"key":%', (SELECT count(value ->> 'key') FROM json_each(NEW.attachments)), 0)),
    object_bytes = object_bytes + (coalesce(NEW.raw_size, 0) + coalesce(NEW.content_size, 0)
      + iif(NEW.attachments LIKE '%"key":%', (SELECT coalesce(sum(value ->> 'size'), 0) FROM json_each(NEW.attachments) WHERE value ->> 'key' IS NOT NULL), 0));
END;

CREATE TRIGGER email_totals_update AFTER UPDATE OF status, is_read, is_starred, urgency, category, reply_needed ON emails
WHEN (NEW.status, NEW.is_read, NEW.is_starred, NEW.urgency, NEW.category, NEW.reply_needed)
  IS NOT (OLD.status, OLD.is_read, OLD.is_starred, OLD.urgency, OLD.category, OLD.reply_needed) BEGIN
  UPDATE email_totals SET
    inbox = inbox + (NEW.status = 'inbox') - (OLD.status = 'inbox'),
    inbox_unread = inbox_unread + (NEW.status = 'inbox' AND NEW.is_read = 0) - (OLD.status = 'inbox' AND OLD.is_read = 0),
    archived = archived + (NEW.status = 'archived') - (OLD.status = 'archived'),
    archived_unread = archived_unread + (NEW.status = 'archived' AND NEW.is_read = 0) - (OLD.status = 'archived' AND OLD.is_read = 0),
    spam = spam + (NEW.status = 'spam') - (OLD.status = 'spam'),
    spam_unread = spam_unread + (NEW.status = 'spam' AND NEW.is_read = 0) - (OLD.status = 'spam' AND OLD.is_read = 0),
    trash = trash + (NEW.status = 'trash') - (OLD.status = 'trash'),
    trash_unread = trash_unread + (NEW.status = 'trash' AND NEW.is_read = 0) - (OLD.status = 'trash' AND OLD.is_read = 0),
    starred = starred + (NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1) - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_starred = 1),
    starred_unread = starred_unread + (NEW.status NOT IN ('spam', 'trash') AND NEW.is_starred = 1 AND NEW.is_read = 0) - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_starred = 1 AND OLD.is_read = 0),
    outbound = outbound + (NEW.status NOT IN ('spam', 'trash') AND NEW.direction = 'outbound') - (OLD.status NOT IN ('spam', 'trash') AND OLD.direction = 'outbound'),
    outbound_unread = outbound_unread + (NEW.status NOT IN ('spam', 'trash') AND NEW.direction = 'outbound' AND NEW.is_read = 0) - (OLD.status NOT IN ('spam', 'trash') AND OLD.direction = 'outbound' AND OLD.is_read = 0),
    reply_needed = reply_needed + (NEW.status NOT IN ('spam', 'trash') AND NEW.reply_needed IS 1) - (OLD.status NOT IN ('spam', 'trash') AND OLD.reply_needed IS 1),
    low = low + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'low') - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'low'),
    normal = normal + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'normal') - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'normal'),
    high = high + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'high') - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'high'),
    critical = critical + (NEW.status NOT IN ('spam', 'trash') AND NEW.urgency IS 'critical') - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'critical'),
    personal = personal + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'personal') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'personal'),
    work = work + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'work') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'work'),
    meeting = meeting + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'meeting') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'meeting'),
    invoice = invoice + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'invoice') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'invoice'),
    receipt = receipt + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'receipt') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'receipt'),
    newsletter = newsletter + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'newsletter') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'newsletter'),
    notification = notification + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'notification') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'notification'),
    spam_like = spam_like + (NEW.status NOT IN ('spam', 'trash') AND NEW.category IS 'spam-like') - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'spam-like');
END;

CREATE TRIGGER email_totals_plain_delete AFTER DELETE ON emails
WHEN OLD.status IN ('inbox', 'archived') AND OLD.direction = 'inbound' AND OLD.is_starred = 0
  AND coalesce(OLD.urgency, OLD.category, OLD.reply_needed, OLD.raw_key, OLD.content_key) IS NULL AND OLD.attachments = '[]' BEGIN
  UPDATE email_totals SET
    inbox = inbox - (OLD.status = 'inbox'),
    inbox_unread = inbox_unread - (OLD.status = 'inbox' AND OLD.is_read = 0),
    archived = archived - (OLD.status = 'archived'),
    archived_unread = archived_unread - (OLD.status = 'archived' AND OLD.is_read = 0);
END;

CREATE TRIGGER email_totals_delete AFTER DELETE ON emails
WHEN NOT (OLD.status IN ('inbox', 'archived') AND OLD.direction = 'inbound' AND OLD.is_starred = 0
  AND coalesce(OLD.urgency, OLD.category, OLD.reply_needed, OLD.raw_key, OLD.content_key) IS NULL AND OLD.attachments = '[]') BEGIN
  UPDATE email_totals SET
    inbox = inbox - (OLD.status = 'inbox'),
    inbox_unread = inbox_unread - (OLD.status = 'inbox' AND OLD.is_read = 0),
    archived = archived - (OLD.status = 'archived'),
    archived_unread = archived_unread - (OLD.status = 'archived' AND OLD.is_read = 0),
    spam = spam - (OLD.status = 'spam'),
    spam_unread = spam_unread - (OLD.status = 'spam' AND OLD.is_read = 0),
    trash = trash - (OLD.status = 'trash'),
    trash_unread = trash_unread - (OLD.status = 'trash' AND OLD.is_read = 0),
    starred = starred - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_starred = 1),
    starred_unread = starred_unread - (OLD.status NOT IN ('spam', 'trash') AND OLD.is_starred = 1 AND OLD.is_read = 0),
    outbound = outbound - (OLD.status NOT IN ('spam', 'trash') AND OLD.direction = 'outbound'),
    outbound_unread = outbound_unread - (OLD.status NOT IN ('spam', 'trash') AND OLD.direction = 'outbound' AND OLD.is_read = 0),
    reply_needed = reply_needed - (OLD.status NOT IN ('spam', 'trash') AND OLD.reply_needed IS 1),
    low = low - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'low'),
    normal = normal - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'normal'),
    high = high - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'high'),
    critical = critical - (OLD.status NOT IN ('spam', 'trash') AND OLD.urgency IS 'critical'),
    personal = personal - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'personal'),
    work = work - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'work'),
    meeting = meeting - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'meeting'),
    invoice = invoice - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'invoice'),
    receipt = receipt - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'receipt'),
    newsletter = newsletter - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'newsletter'),
    notification = notification - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'notification'),
    spam_like = spam_like - (OLD.status NOT IN ('spam', 'trash') AND OLD.category IS 'spam-like'),
    objects = objects - ((OLD.raw_key IS NOT NULL) + (OLD.content_key IS NOT NULL)
      + iif(OLD.attachments LIKE '%"key":%', (SELECT count(value ->> 'key') FROM json_each(OLD.attachments)), 0)),
    object_bytes = object_bytes - (coalesce(OLD.raw_size, 0) + coalesce(OLD.content_size, 0)
      + iif(OLD.attachments LIKE '%"key":%', (SELECT coalesce(sum(value ->> 'size'), 0) FROM json_each(OLD.attachments) WHERE value ->> 'key' IS NOT NULL), 0));
END;

-- Outbound events. Nothing is written while no webhook endpoint is enabled, nor for an email that arrives in spam or in
-- the trash: it is suspected, its sender is blocked, or a rule put it there. A file of old emails raises none, either.
CREATE TRIGGER outbox_email_received AFTER INSERT ON emails
WHEN NEW.direction = 'inbound' AND NEW.source <> 'import' AND NEW.status NOT IN ('spam', 'trash')
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('email.received', NEW.id, NEW.created_at);
END;

CREATE TRIGGER outbox_email_analyzed AFTER UPDATE OF analysis ON emails
WHEN NEW.analysis IS NOT NULL AND NEW.analysis IS NOT OLD.analysis AND NEW.status <> 'spam'
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('email.analyzed', NEW.id, NEW.updated_at);
END;

CREATE TRIGGER outbox_email_sent AFTER UPDATE OF delivery ON emails
WHEN NEW.delivery = 'sent' AND OLD.delivery IS NOT 'sent'
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) BEGIN
  INSERT INTO outbox (type, record_id, at) VALUES ('email.sent', NEW.id, NEW.updated_at);
END;

-- What a person or a rule changes. Analyses and deliveries have events of their own.
CREATE TRIGGER outbox_email_updated AFTER UPDATE OF status, is_read, is_starred, tags, snoozed_until, reply_needed ON emails
WHEN (NEW.status, NEW.is_read, NEW.is_starred, NEW.tags) <> (OLD.status, OLD.is_read, OLD.is_starred, OLD.tags)
  OR NEW.snoozed_until IS NOT OLD.snoozed_until
  OR (NEW.reply_needed IS NOT OLD.reply_needed AND NEW.analysis IS OLD.analysis) BEGIN
  INSERT INTO outbox (type, record_id, at) SELECT 'email.updated', NEW.id, NEW.updated_at
  WHERE EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1);
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
