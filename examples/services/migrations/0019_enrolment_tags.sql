-- As rows of authenticators and invitations have them: what was begun before ends, five minutes after it at the latest.
ALTER TABLE presence_enrolments ADD COLUMN tag BYTEA;
