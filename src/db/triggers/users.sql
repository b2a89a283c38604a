-- Every account has a profile and notification preferences from the start, so that changing them is always an update.
CREATE TRIGGER users_inserted AFTER INSERT ON users BEGIN
  INSERT INTO profiles (user_id) VALUES (NEW.id);
  INSERT INTO notification_preferences (user_id) VALUES (NEW.id);
END;

-- An uploaded picture that no profile refers to any more is deleted from its store: when it is replaced or removed, and
-- when the profile goes with its account. 0: due at once.
CREATE TRIGGER profiles_avatar_replaced AFTER UPDATE OF avatar ON profiles
WHEN json_extract(OLD.avatar, '$.key') IS NOT NULL
  AND json_extract(OLD.avatar, '$.key') IS NOT json_extract(NEW.avatar, '$.key') BEGIN
  INSERT INTO files_to_delete (key, store, due_at) VALUES (json_extract(OLD.avatar, '$.key'), 'kv', 0)
    ON CONFLICT (key) DO UPDATE SET due_at = 0;
END;

CREATE TRIGGER profiles_deleted AFTER DELETE ON profiles WHEN json_extract(OLD.avatar, '$.key') IS NOT NULL BEGIN
  INSERT INTO files_to_delete (key, store, due_at) VALUES (json_extract(OLD.avatar, '$.key'), 'kv', 0)
    ON CONFLICT (key) DO UPDATE SET due_at = 0;
END;
