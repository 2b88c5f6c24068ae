-- Of a login of a node, and of an invitation to enrol one: since when the node is there that it is of. One that was
-- removed and added again under its label is another one.
ALTER TABLE logins ADD COLUMN node_since BIGINT;
ALTER TABLE invitations ADD COLUMN node_since BIGINT;
