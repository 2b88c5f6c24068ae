-- Rows that say who may do what have a tag over all their columns, by a key under the master: whoever writes the
-- database alone makes none that counts. Rows of before have none, and do not count: logins and invitations are made
-- anew, nodes removed and added. invited_by: none for the command line of the host.
ALTER TABLE tokens ADD COLUMN tag BYTEA;
ALTER TABLE logins ADD COLUMN invited_by TEXT;
ALTER TABLE logins ADD COLUMN tag BYTEA;
ALTER TABLE invitations ADD COLUMN invited_by TEXT;
ALTER TABLE invitations ADD COLUMN tag BYTEA;
ALTER TABLE custodians ADD COLUMN tag BYTEA;
ALTER TABLE presence_authenticators ADD COLUMN tag BYTEA;
ALTER TABLE presence_invitations ADD COLUMN tag BYTEA;
