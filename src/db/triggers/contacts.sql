-- An address belongs to one contact: a second one fails the write.
CREATE TRIGGER contact_addresses_insert AFTER INSERT ON contacts BEGIN
  INSERT INTO contact_addresses (address, contact_id) SELECT value, NEW.id FROM json_each(NEW.addresses);
END;

CREATE TRIGGER contact_addresses_update AFTER UPDATE OF addresses ON contacts WHEN NEW.addresses <> OLD.addresses BEGIN
  DELETE FROM contact_addresses WHERE address IN (SELECT value FROM json_each(OLD.addresses));
  INSERT INTO contact_addresses (address, contact_id) SELECT value, NEW.id FROM json_each(NEW.addresses);
END;

CREATE TRIGGER contact_addresses_delete AFTER DELETE ON contacts BEGIN
  DELETE FROM contact_addresses WHERE address IN (SELECT value FROM json_each(OLD.addresses));
END;

-- Somebody writes. Machines and suspects are nobody to write to. A person who is known already costs one row. The people
-- of this service are nobody's contact, under any address that they sign in or write with.
CREATE TRIGGER contacts_received AFTER INSERT ON emails
WHEN NEW.direction = 'inbound' AND NEW.kind = 'person' AND NEW.status NOT IN ('spam', 'trash') BEGIN
  UPDATE contacts SET received = received + 1, last_at = max(coalesce(last_at, 0), min(NEW.received_at, NEW.created_at))
  WHERE id = (SELECT contact_id FROM contact_addresses WHERE address = lower(NEW.from_email));
  UPDATE contacts SET name = NEW.from_name
  WHERE id = (SELECT contact_id FROM contact_addresses WHERE address = lower(NEW.from_email))
    AND NOT is_saved AND name <> NEW.from_name AND NEW.from_name <> '' AND last_at <= NEW.received_at;
  INSERT INTO contacts (name, addresses, received, last_at, version, created_at, updated_at)
  SELECT NEW.from_name, json_array(lower(NEW.from_email)), 1, min(NEW.received_at, NEW.created_at), 1, NEW.created_at, NEW.created_at
  WHERE NEW.from_email LIKE '%_@_%'
    AND NOT EXISTS (SELECT 1 FROM contact_addresses WHERE address = lower(NEW.from_email))
    AND NOT EXISTS (SELECT 1 FROM users WHERE email = lower(NEW.from_email))
    AND NOT EXISTS (SELECT 1 FROM identities WHERE lower(address) = lower(NEW.from_email));
END;

-- The person writes, perhaps for later. A recipient who is named twice counts once.
CREATE TRIGGER contacts_sent AFTER INSERT ON emails
WHEN NEW.direction = 'outbound' AND NEW.status NOT IN ('spam', 'trash') BEGIN
  UPDATE contacts SET sent = sent + 1, last_at = max(coalesce(last_at, 0), min(NEW.received_at, NEW.created_at))
  WHERE id IN (SELECT contact_id FROM contact_addresses WHERE address IN (
    SELECT lower(value ->> 'email') FROM json_each(NEW.to_recipients)
    UNION ALL SELECT lower(value ->> 'email') FROM json_each(NEW.cc_recipients)
    UNION ALL SELECT lower(value ->> 'email') FROM json_each(coalesce(NEW.bcc_recipients, '[]'))));
  INSERT INTO contacts (name, addresses, sent, last_at, version, created_at, updated_at)
  SELECT max(value ->> 'name'), json_array(lower(value ->> 'email')), 1, min(NEW.received_at, NEW.created_at), 1, NEW.created_at, NEW.created_at
  FROM (SELECT value FROM json_each(NEW.to_recipients) UNION ALL SELECT value FROM json_each(NEW.cc_recipients)
    UNION ALL SELECT value FROM json_each(coalesce(NEW.bcc_recipients, '[]')))
  WHERE value ->> 'email' LIKE '%_@_%'
    AND NOT EXISTS (SELECT 1 FROM contact_addresses WHERE address = lower(value ->> 'email'))
    AND NOT EXISTS (SELECT 1 FROM users WHERE email = lower(value ->> 'email'))
    AND NOT EXISTS (SELECT 1 FROM identities WHERE lower(address) = lower(value ->> 'email'))
  GROUP BY lower(value ->> 'email');
END;

-- Guests of an event, and who invited. A large meeting says little about whom one knows. An invitation may name the person
-- by an address that only the mail server knows.
CREATE TRIGGER contacts_met AFTER INSERT ON events
WHEN (NEW.attendees <> '[]' OR NEW.organizer IS NOT NULL) AND NEW.deleted_at IS NULL
  AND NEW.recurring_event_id IS NULL AND json_array_length(NEW.attendees) <= 50 BEGIN
  UPDATE contacts SET last_at = max(coalesce(last_at, 0), NEW.created_at)
  WHERE id IN (SELECT contact_id FROM contact_addresses WHERE address IN (
    SELECT lower(value ->> 'email') FROM json_each(NEW.attendees) UNION ALL SELECT lower(NEW.organizer ->> 'email')));
  INSERT INTO contacts (name, addresses, last_at, version, created_at, updated_at)
  SELECT max(coalesce(value ->> 'name', '')), json_array(lower(value ->> 'email')), NEW.created_at, 1, NEW.created_at,
    NEW.created_at
  FROM (SELECT value FROM json_each(NEW.attendees) UNION ALL SELECT NEW.organizer)
  WHERE value ->> 'email' LIKE '%_@_%'
    AND NOT EXISTS (SELECT 1 FROM contact_addresses WHERE address = lower(value ->> 'email'))
    AND NOT EXISTS (SELECT 1 FROM users WHERE email = lower(value ->> 'email'))
    AND NOT EXISTS (SELECT 1 FROM identities WHERE lower(address) = lower(value ->> 'email'))
    AND lower(value ->> 'email') IS NOT lower(NEW.invitation ->> 'attendee')
  GROUP BY lower(value ->> 'email');
END;
