-- Every insert fails with the assertion's name, which undoes the batch that it is part of: see db/assert.ts.
CREATE TRIGGER assertions_fail BEFORE INSERT ON assertions BEGIN
  SELECT RAISE(ABORT, 'assertion failed: ' || NEW.name);
END;
