-- Every account has a profile and notification preferences from the start, so that changing them is always an update.
CREATE TRIGGER users_inserted AFTER INSERT ON users BEGIN
  INSERT INTO profiles (user_id) VALUES (NEW.id);
  INSERT INTO notification_preferences (user_id) VALUES (NEW.id);
END;
