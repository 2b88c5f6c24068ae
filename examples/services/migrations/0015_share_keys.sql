-- The owner of the erasure key that a session's shares hang on as long as they are here: drawn at its founding, and of
-- no other session. Without one it is named as the session is.
ALTER TABLE sessions ADD COLUMN keys TEXT;
