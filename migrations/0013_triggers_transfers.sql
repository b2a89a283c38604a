-- The files of an import or export are deleted with it, also when it goes with its account. 0: due at once.
CREATE TRIGGER transfers_deleted AFTER DELETE ON transfers BEGIN
  INSERT INTO files_to_delete (key, store, due_at)
    SELECT value, 'r2', 0 FROM json_each(json_insert(OLD.scratch_keys, '$[#]', OLD.file_key)) WHERE value IS NOT NULL
    ON CONFLICT (key) DO UPDATE SET due_at = 0;
END;
