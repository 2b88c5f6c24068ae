-- A node that was removed: its label stays its own, since entries and records name it.
ALTER TABLE custodians ADD COLUMN removed BIGINT;
